//! The same input gives the same bytes: on every run, on any number of threads, with narrow or wide instructions of the
//! processor, whatever the C library makes of it, and in any locale.

mod common;

use common::{biela, model, root, told, Folder};
use std::path::PathBuf;
use std::process::Command;

/// What must not change anything, as settings of the environment.
fn surroundings(folder: &Folder) -> Vec<Vec<(&'static str, String)>> {
    let set = |name, value: &str| vec![(name, value.to_string())];
    let mut found = vec![
        Vec::new(),
        set("BIELA_INSTRUCTIONS", "portable"),
        set("BIELA_INSTRUCTIONS", "avx2"),
        // The C library then takes its functions for processors without AVX2 and fused products.
        set("GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable"),
    ];
    // A comma locale, built where the system has none but can build one.
    let made = Command::new("localedef")
        .args(["-i", "de_DE", "-f", "UTF-8"])
        .arg(folder.path("de_DE.UTF-8"))
        .output()
        .is_ok_and(|o| o.status.success());
    let mut comma: Vec<(&'static str, String)> =
        ["LC_ALL", "LANG", "LC_NUMERIC"].into_iter().map(|name| (name, "de_DE.UTF-8".to_string())).collect();
    if made {
        comma.push(("LOCPATH", folder.0.display().to_string()));
    }
    found.push(comma);
    found
}

fn models() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("models")).expect("a folder").flatten().map(|e| e.path());
    let mut found: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "toml")).collect();
    found.sort();
    assert!(found.len() > 30);
    found
}

/// Output of the program, and the file it wrote.
fn run(folder: &Folder, environment: &[(&'static str, String)], words: &[&str]) -> Vec<u8> {
    let output = biela().args(words).envs(environment.iter().cloned()).current_dir(&folder.0).output();
    let output = output.expect("the program starts");
    assert!(output.status.success(), "{environment:?} {words:?}: {}", told(&output));
    folder.read("out.csv")
}

#[test]
fn every_model_gives_the_same_bytes_anywhere() {
    let folder = Folder::new("same");
    let around = surroundings(&folder);
    for path in models() {
        let path = path.display().to_string();
        let words = ["run", &path, "--steps", "40", "-o", "out.csv"];
        let first = run(&folder, &around[0], &words);
        assert!(first.starts_with(b"t [s],"), "{path}");
        for other in &around {
            assert!(run(&folder, other, &words) == first, "{path} with {other:?}");
        }
    }
}

#[test]
fn dynamics_of_trees_give_the_same_bytes_anywhere() {
    let folder = Folder::new("same-trees");
    let around = surroundings(&folder);
    let puma = root().join("crates/biela/tests/reference/puma560.urdf").display().to_string();
    for algorithm in ["aba", "crba", "gah", "lagrange"] {
        let words = [
            "run",
            &puma,
            "--analysis",
            "dynamics",
            "--formulation",
            "relative",
            "--algorithm",
            algorithm,
            "--end",
            "0.2",
            "--steps",
            "20",
            "--gravity",
            "0,0,-9.81",
            "--unphysical",
            "-o",
            "out.csv",
        ];
        let found: Vec<Vec<u8>> = around.iter().map(|e| run(&folder, e, &words)).collect();
        assert!(found[0].len() > 1000 && found.iter().all(|f| *f == found[0]), "{algorithm}");
    }
    // Single evaluations, whatever they are.
    folder.write(
        "states.csv",
        "q.joint1,q.joint2,q.joint3,v.joint1,v.joint2,a.joint3,tau.joint4\n0.3,-1,2,0.5,1,2,3\n1,2,3,4,5,6,7\n",
    );
    let eval = |environment: &[(&'static str, String)]| {
        let words = ["eval", &puma, "--states", "states.csv", "--quantities", "fk,jacobian,rnea,crba,aba,gah,lagrange"];
        let more = ["--gravity", "0,0,-9.81", "--unphysical", "-o", "out.csv"];
        run(&folder, environment, &[&words[..], &more].concat())
    };
    let first = eval(&around[0]);
    assert!(first.len() > 1000);
    around.iter().for_each(|e| assert!(eval(e) == first, "{e:?}"));
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = Folder::new("same-threads");
    let crank = model("slider-crank.toml");
    let sweep = |threads: &str, format: &str| {
        let file = format!("out.{format}");
        let words = ["sweep", &crank, "--vary", "crank=normal(2, 1 mm)", "--vary", "rod=uniform(3.4, 3.6)"];
        let more = ["--samples", "600", "--steps", "8", "--measure", "reach = max(piston.x)", "--threads", threads];
        run(&folder, &[], &[&words[..], &more, &["-o", &file]].concat());
        let bytes = folder.read(&file);
        std::fs::remove_file(folder.path(&file)).expect("a table");
        bytes
    };
    for format in ["csv", "parquet"] {
        let first = sweep("1", format);
        assert!(first.len() > 10_000);
        for threads in 2..=16 {
            assert!(sweep(&threads.to_string(), format) == first, "{format}, {threads} threads");
        }
    }
}

#[test]
fn an_unknown_level_of_instructions_is_wrong_usage() {
    let output = biela().arg("check").arg(model("four-bar.toml")).env("BIELA_INSTRUCTIONS", "neon").output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(told(&output).contains("allowed: portable, avx2, avx512"), "{}", told(&output));
}
