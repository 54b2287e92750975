//! A result is whole or absent, whatever happens: the program is killed, the disk is full, the folder is read-only, nobody reads.

mod common;

use biela::math::random::Random;
use common::{biela, model, told, Folder};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Everything the program writes: the file, and the command with `@` for the value that tells two versions apart.
fn kinds() -> Vec<(&'static str, Vec<String>)> {
    let (bar, arm) = (model("four-bar.toml"), model("two-link-hand.toml"));
    let words = |text: &str| {
        let words = text.split(' ').map(|w| w.replace("BAR", &bar).replace("ARM", &arm));
        words.collect::<Vec<String>>()
    };
    vec![
        ("out.csv", words("run BAR --steps 300 --end @ -o out.csv")),
        ("out.json", words("run BAR --steps 300 --end @ -o out.json")),
        ("out.npz", words("run BAR --steps 300 --end @ -o out.npz")),
        ("out.parquet", words("run BAR --steps 300 --end @ -o out.parquet")),
        ("out.html", words("view BAR --steps 60 --end @ -o out.html")),
        ("out.glb", words("view BAR --steps 60 --end @ --gltf out.glb")),
        ("out.gif", words("view BAR --steps 8 --width 64 --end @ --gif out.gif")),
        ("still.svg", words("view BAR --steps 20 --end @ --at 0.1 --still still.svg")),
        ("still.png", words("view BAR --steps 20 --end @ --width 64 --still still.png")),
        ("plot.svg", words("plot BAR --y *.x --end @ -o plot.svg")),
        ("plot.png", words("plot BAR --y *.x --end @ -o plot.png")),
        ("report.html", words("report BAR --steps 20 --end @ -o report.html")),
        (
            "table.csv",
            words("sweep BAR --vary crank=1.9:2:@00 --steps 10 --measure q=max(rocker.x) -o table.csv --resume"),
        ),
    ]
}

fn command(folder: &Folder, words: &[String], version: &str) -> Command {
    let mut command = biela();
    command.args(words.iter().map(|w| w.replace('@', version))).current_dir(&folder.0);
    command
}

/// Two versions of every file, in a folder.
fn versions(folder: &Folder, name: &str, words: &[String]) -> [Vec<u8>; 2] {
    ["1", "2"].map(|version| {
        let output = command(folder, words, version).output().expect("the program starts");
        assert!(output.status.success(), "{words:?}: {}", told(&output));
        let bytes = folder.read(name);
        std::fs::remove_file(folder.path(name)).expect("a file");
        bytes
    })
}

/// Killed at 300 instants, of which half lie in the short time in which a temporary file is there.
#[test]
fn killed_at_any_instant_a_file_is_the_old_or_the_new_one() {
    const KILLS: usize = 300;
    let folder = Folder::new("kill");
    let kinds = kinds();
    let mut chance = Random(1);
    let (mut kills, mut olds, mut news, mut during) = (0, 0, 0, 0);
    let versions: Vec<[Vec<u8>; 2]> = kinds.iter().map(|(name, words)| versions(&folder, name, words)).collect();
    let lengths: Vec<Duration> = kinds
        .iter()
        .map(|(name, words)| {
            let start = Instant::now();
            command(&folder, words, "2").stdout(Stdio::null()).status().expect("the program starts");
            let _ = std::fs::remove_file(folder.path(name));
            start.elapsed()
        })
        .collect();
    while kills < KILLS {
        let k = kills % kinds.len();
        let (name, words) = &kinds[k];
        let [old, new] = &versions[k];
        folder.write(name, old);
        let mut child = command(&folder, words, "2")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // Those that earlier kills have left go when the next one is made.
        let begun = || folder.names().iter().any(|n| n.starts_with(&format!(".{name}.")) && n.ends_with(".tmp"));
        folder.names().iter().filter(|n| n.ends_with(".tmp")).for_each(|n| {
            let _ = std::fs::remove_file(folder.path(n));
        });
        let start = Instant::now();
        let until = lengths[k].mul_f64(1.1 * chance.unit());
        if kills % 2 == 0 {
            std::thread::sleep(until);
        } else {
            // As soon as the file is being written, and a little later.
            while !begun() && start.elapsed() < 3 * lengths[k] && child.try_wait().expect("a child").is_none() {
                std::hint::spin_loop();
            }
            let later = Duration::from_micros((300.0 * chance.unit().powi(2)) as u64);
            let seen = Instant::now();
            while seen.elapsed() < later {
                std::hint::spin_loop();
            }
        }
        child.kill().expect("SIGKILL");
        child.wait().expect("its end");
        during += usize::from(begun());
        let found = folder.read(name);
        match &found {
            found if found == old => olds += 1,
            found if found == new => news += 1,
            found => panic!("{name} after {:?}: {} bytes of {}", start.elapsed(), found.len(), new.len()),
        }
        kills += 1;
    }
    println!("{kills} kills: {olds} old files, {news} new ones, {during} while the file was being written");
    assert!(olds > 30 && news > 3 && during > 3, "the instants are badly chosen: {olds}, {news}, {during}");
    // What is left beside can be told from results, and goes away with the next run.
    let known = |n: &String| {
        kinds.iter().any(|(k, _)| n == k || n.starts_with(&format!(".{k}.")) || *n == format!("{k}.parts"))
    };
    assert!(folder.names().iter().all(known), "{:?}", folder.names());
    for (name, words) in &kinds {
        let output = command(&folder, words, "2").output().expect("the program starts");
        assert!(output.status.success(), "{name}: {}", told(&output));
    }
    let mut names: Vec<&str> = kinds.iter().map(|k| k.0).collect();
    names.sort_unstable();
    assert_eq!(folder.names(), names);
}

/// A limit on the size of files stands for a full disk: writes fail in the middle.
#[test]
fn a_disk_that_fills_up_leaves_the_old_file() {
    let folder = Folder::new("full");
    for (name, words) in kinds() {
        folder.write(name, "old");
        let output = Command::new("bash")
            .args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""])
            .arg(env!("CARGO_BIN_EXE_biela"))
            .args(words.iter().map(|w| w.replace('@', "2")))
            .current_dir(&folder.0)
            .output()
            .expect("bash");
        let message = told(&output);
        assert_eq!(output.status.code(), Some(1), "{name}: {message}");
        assert!(message.contains("cannot write") || message.contains("cannot make"), "{name}: {message}");
        assert!(message.contains("File too large"), "{name}: {message}");
        assert_eq!(folder.read(name), b"old", "{name}");
        let left: Vec<String> = folder.names().into_iter().filter(|n| n.contains(".tmp")).collect();
        assert!(left.is_empty(), "{name}: {left:?}");
    }
}

/// A small file system of its own that fills up, and one that may only be read. Needs user namespaces; says where there are none.
#[test]
fn a_small_and_a_read_only_file_system() {
    let folder = Folder::new("tmpfs");
    std::fs::create_dir(folder.path("disk")).expect("a folder");
    folder.write("old.csv", "old");
    let script = "mount -t tmpfs -o size=64k none disk || exit 77
        cp old.csv disk/out.csv
        \"$0\" run \"$1\" --steps 2000 -o disk/out.csv > first.txt 2> first-told.txt; echo $? > first.rc
        cp disk/out.csv after-first.csv; ls -A disk > first-names.txt
        mount -o remount,ro disk || exit 77
        \"$0\" run \"$1\" -o disk/out.csv > second.txt 2> second-told.txt; echo $? > second.rc
        \"$0\" run \"$1\" -o disk/other.csv 2> third-told.txt; echo $? > third.rc
        cp disk/out.csv after-second.csv";
    let status = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script])
        .arg(env!("CARGO_BIN_EXE_biela"))
        .arg(model("slider-crank.toml"))
        .current_dir(&folder.0)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status();
    if !matches!(&status, Ok(status) if status.success()) {
        println!("skipped: no mount namespaces here ({status:?})");
        return;
    }
    let text = |name: &str| String::from_utf8_lossy(&folder.read(name)).into_owned();
    for (run, due) in
        [("first", "No space left on device"), ("second", "Read-only file system"), ("third", "Read-only")]
    {
        let message = text(&format!("{run}-told.txt"));
        assert_eq!(text(&format!("{run}.rc")), "1\n", "{message}");
        assert!(message.contains(due) && message.contains("cannot write"), "{message}");
    }
    assert!(text("first-told.txt").contains("nothing was changed"), "{}", text("first-told.txt"));
    assert_eq!(text("first-names.txt"), "out.csv\n", "nothing is left beside it");
    assert_eq!([text("after-first.csv"), text("after-second.csv")], ["old", "old"]);
}

/// A folder that may not be written in, where permissions bind.
#[cfg(unix)]
#[test]
fn a_folder_without_permission() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("permission");
    let inner = folder.path("closed");
    std::fs::create_dir(&inner).expect("a folder");
    std::fs::write(inner.join("out.csv"), "old").expect("a file");
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o555)).expect("permissions");
    let binds = std::fs::write(inner.join("try"), "").is_err();
    let output = biela().arg("run").arg(model("four-bar.toml")).arg("-o").arg(inner.join("out.csv")).output();
    let output = output.expect("the program starts");
    std::fs::set_permissions(&inner, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    if !binds {
        println!("skipped: permissions do not bind this user");
        return;
    }
    assert_eq!(output.status.code(), Some(1));
    assert!(told(&output).contains("choose a folder in which you may write"), "{}", told(&output));
    assert_eq!(std::fs::read(inner.join("out.csv")).expect("a file"), b"old");
}

#[cfg(unix)]
#[test]
fn outputs_that_cannot_be_written_end_with_status_1() {
    let folder = Folder::new("outputs");
    std::os::unix::fs::symlink("/dev/full", folder.path("full.csv")).expect("a link");
    std::fs::create_dir(folder.path("folder.csv")).expect("a folder");
    let cases = [
        ("full.csv", "No space left on device"),
        ("folder.csv", "it is a folder"),
        ("nowhere/out.csv", "there is no folder 'nowhere'"),
        ("/proc/out.csv", "cannot write '/proc/out.csv'"),
        ("out.xyz", "the extension '.xyz' is not known here"),
        (".", "has no extension"),
    ];
    for (name, due) in cases {
        let output = biela().arg("run").arg(model("four-bar.toml")).args(["-o", name]).current_dir(&folder.0).output();
        let output = output.expect("the program starts");
        assert_eq!(output.status.code(), Some(1), "{name}: {}", told(&output));
        assert!(told(&output).contains(due), "{name}: {}", told(&output));
    }
    assert_eq!(folder.names(), ["folder.csv", "full.csv"]);
}

/// What is printed and cannot be kept is an error; what nobody wants to read any more is none.
#[cfg(unix)]
#[test]
fn standard_output_full_or_closed() {
    let folder = Folder::new("stdout");
    let shell = |script: &str| {
        let mut shell = Command::new("bash");
        shell.args(["-c", script, env!("CARGO_BIN_EXE_biela")]).arg(model("four-bar.toml")).current_dir(&folder.0);
        shell.output().expect("bash")
    };
    for command in ["run", "check", "convert", "verify"] {
        let output = shell(&format!("\"$0\" {command} \"$1\" > /dev/full"));
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(told(&output).contains("cannot write to standard output: No space left"), "{}", told(&output));
        // A reader that has gone is no fault, and files are still written.
        let output = shell(&format!("\"$0\" {command} \"$1\" | true; exit ${{PIPESTATUS[0]}}"));
        assert_eq!(output.status.code(), Some(0), "{command}: {}", told(&output));
    }
    let output = shell("\"$0\" run \"$1\" -o out.csv | true; exit ${PIPESTATUS[0]}");
    assert_eq!(output.status.code(), Some(0), "{}", told(&output));
    assert!(folder.read("out.csv").starts_with(b"t [s],"));
    // Messages that cannot be told change nothing about the status.
    assert_eq!(shell("\"$0\" run nowhere.toml 2> /dev/full").status.code(), Some(1));
    assert_eq!(shell("\"$0\" run nowhere.toml 2>&-").status.code(), Some(1));
}

/// Inputs that never end, or are no files, are refused at once.
#[cfg(unix)]
#[test]
fn pipes_devices_and_folders_are_not_read() {
    let folder = Folder::new("inputs");
    let arm = model("arm-3r.toml");
    for ending in ["toml", "urdf", "csv", "json", "npz", "stl"] {
        std::os::unix::fs::symlink("/dev/zero", folder.path(&format!("zero.{ending}"))).expect("a link");
        let made = Command::new("mkfifo").arg(folder.path(&format!("pipe.{ending}"))).status();
        assert!(made.is_ok_and(|s| s.success()), "mkfifo");
        std::fs::create_dir(folder.path(&format!("folder.{ending}"))).expect("a folder");
    }
    let table = |file: &str| {
        let text =
            "[bodies.a]\n[joints.O]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n";
        format!("{text}[drivers.m]\njoint = \"O\"\nvalue = {{ table = \"{file}\" }}\n")
    };
    let mesh = |file: &str| format!("[bodies.a]\nshape = {{ type = \"mesh\", file = \"{file}\" }}\n");
    for what in ["zero", "pipe", "folder"] {
        folder.write(&format!("table-{what}.toml"), table(&format!("{what}.csv")));
        folder.write(&format!("mesh-{what}.toml"), mesh(&format!("{what}.stl")));
        let file = |ending: &str| format!("{what}.{ending}");
        let commands: Vec<Vec<String>> = [
            format!("check {}", file("toml")),
            format!("run {}", file("urdf")),
            format!("check {}", file("csv")),
            format!("plot {} --y x", file("csv")),
            format!("plot {} --y x", file("json")),
            format!("plot {} --y x", file("npz")),
            format!("eval {arm} --states {}", file("csv")),
            format!("ik {arm} --tool forearm --path {}", file("csv")),
            format!("studio {} --no-open", file("toml")),
            format!("report {}", file("toml")),
            format!("check table-{what}.toml"),
            format!("check mesh-{what}.toml"),
        ]
        .iter()
        .map(|line| line.split(' ').map(str::to_string).collect())
        .collect();
        for words in commands {
            let output = Command::new("timeout")
                .arg("20")
                .arg(env!("CARGO_BIN_EXE_biela"))
                .args(&words)
                .current_dir(&folder.0)
                .output()
                .expect("timeout");
            let message = told(&output);
            assert_eq!(output.status.code(), Some(1), "{words:?}: {message}");
            let due = ["not a regular file", "is a folder"].iter().any(|d| message.contains(d));
            assert!(due && message.contains(what), "{words:?}: {message}");
        }
    }
    assert!(Path::new("/dev/zero").exists());
}

/// Every file that a command reads, named as an output of it in any way, is left as it is, and nothing else is written.
#[test]
fn no_input_is_replaced_whatever_reads_it() {
    let folder = Folder::new("own");
    let joint = "type = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = \"z\"\n";
    let tail = "[run]\nend = 1\nsteps = 4\n";
    let driven = |value: &str| format!("[drivers.m]\njoint = \"O\"\nvalue = {value}\n");
    let stl = "solid s\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid s\n";
    let texts = [
        (
            "table.toml",
            format!(
                "[parameters]\nx = 1\n[bodies.a]\n[joints.O]\n{joint}{}{tail}",
                driven("{ table = \"table.csv\" }")
            ),
        ),
        (
            "mesh.toml",
            format!(
                "[bodies.a]\nshape = {{ type = \"mesh\", file = \"mesh.stl\" }}\n[joints.O]\n{joint}{}{tail}",
                driven("\"t\"")
            ),
        ),
        (
            "fit.toml",
            format!(
                "[parameters]\nl = 1\n[bodies.a]\npoints = {{ P = [\"l\", 0, 0] }}\n[joints.O]\n{joint}{}{tail}\
                 [optimise.vary]\nl = \"0.5:2\"\n[optimise.fit.path]\nfile = \"fit.csv\"\n",
                driven("\"t\"")
            ),
        ),
        ("table.csv", "0,0\n0.5,1\n1,2\n".into()),
        ("mesh.stl", stl.into()),
        ("fit.csv", "t [s],a.P.x [m]\n0,1.5\n1,1\n".into()),
        ("states.csv", "q.joint1\n0.1\n".into()),
        ("path.csv", "t [s],x [m]\n0,0.1\n".into()),
        ("arm.csv", "# convention: standard\na,alpha,d,theta,type\n0.1,0.2,0.3,0,R\n".into()),
        ("results.csv", "t [s],x [m]\n0,0\n1,1\n".into()),
    ];
    texts.iter().for_each(|(name, text)| folder.write(name, text));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("table.csv", folder.path("soft.csv")).expect("a link");
        std::fs::hard_link(folder.path("table.csv"), folder.path("hard.csv")).expect("a link");
    }
    // Pictures end as pictures do: the inputs are linked to such names.
    for (name, input) in [
        ("p.svg", "table.csv"),
        ("p.html", "table.csv"),
        ("p.glb", "mesh.stl"),
        ("p.gif", "mesh.stl"),
        ("best.toml", "fit.csv"),
    ] {
        std::fs::hard_link(folder.path(input), folder.path(name)).expect("a link");
    }
    let before: Vec<(String, Vec<u8>)> = folder.names().into_iter().map(|n| (n.clone(), folder.read(&n))).collect();
    for line in [
        "run table.toml -o table.csv",
        "run table.toml -o ./table.csv",
        "run table.toml -o soft.csv",
        "run table.toml -o hard.csv",
        "run mesh.toml -o mesh.stl --steps 2",
        "plot table.toml --y O.angle -o p.svg",
        "plot table.toml --y O.angle -o fresh.svg -o p.svg",
        "plot results.csv table.toml --y x -o p.svg",
        "view table.toml -o p.html",
        "view mesh.toml --gltf p.glb",
        "view mesh.toml -o fresh.html --gif p.gif",
        "view table.toml --still p.svg",
        "report table.toml -o p.html",
        "sweep table.toml --vary x=1:2:2 -o table.csv",
        "sweep fit.toml --vary l=1:2:2 -o fit.csv",
        "optimise fit.toml -o best.toml",
        "convert table.toml -o table.csv",
        "convert table.toml -o table.toml",
        "eval arm.csv --states states.csv -o states.csv",
        "eval arm.csv --states states.csv -o arm.csv",
        "ik arm.csv --tool link1 --path path.csv -o path.csv",
    ] {
        let output = biela().args(line.split(' ')).current_dir(&folder.0).output().expect("the program starts");
        let message = told(&output);
        // A mesh is no format of results: that is said first, and nothing is written either.
        let ending = message.contains("is not known here");
        assert!(
            output.status.code() == Some(2) && message.contains("would be replaced") || ending,
            "{line}: {message}"
        );
        let after: Vec<(String, Vec<u8>)> = folder.names().into_iter().map(|n| (n.clone(), folder.read(&n))).collect();
        assert!(before == after, "{line}: {:?}", folder.names());
    }
}

/// A table that fits in no memory is refused in words, by every command that would make it.
#[test]
fn tables_that_do_not_fit_are_refused() {
    let folder = Folder::new("room");
    let text = std::fs::read_to_string(model("slider-crank.toml")).expect("a model");
    assert!(text.contains("steps"), "the model says how many steps");
    let lines: Vec<String> =
        text.lines().map(|l| if l.starts_with("steps") { "steps = 10000000".into() } else { l.to_string() }).collect();
    folder.write("long.toml", lines.join("\n"));
    let arm = model("puma-560.toml");
    for line in [
        "run long.toml -o out.csv",
        "run long.toml --analysis inverse-dynamics",
        "plot long.toml --y piston.x",
        "view long.toml",
        "report long.toml",
        "verify long.toml",
        "sweep long.toml --vary crank=1.9:2:2 --series piston.x,piston.vx -o out.csv",
        "optimise long.toml --vary crank=1:3 --minimise a=max(piston.x)",
        &format!("ik {arm} --tool link6 --x 0.5+0.1*sin(t) --steps 10000000"),
    ] {
        // No more than 2 GB of address space: what is not refused is seen to fail.
        let script = "ulimit -v 2000000; exec \"$0\" \"$@\"";
        let mut shell = Command::new("bash");
        shell.args(["-c", script]).arg(env!("CARGO_BIN_EXE_biela")).args(line.split(' ')).current_dir(&folder.0);
        let output = shell.output().expect("bash");
        let message = told(&output);
        assert_eq!(output.status.code(), Some(1), "{line}: {message}");
        assert!(message.contains("samples are a table of") && message.contains("steps or fewer"), "{line}: {message}");
    }
    assert_eq!(folder.names(), ["long.toml"]);
}

/// The browser is not told the token where other users see it: by the arguments of a program.
#[cfg(target_os = "linux")]
#[test]
fn the_token_is_in_no_argument() {
    use std::io::{BufRead, BufReader};
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("token");
    for name in ["bin", "runtime"] {
        std::fs::create_dir(folder.path(name)).expect("a folder");
    }
    let script = format!(
        "#!/bin/sh\nprintf '%s\\n' \"$@\" > {0}/told.new\nstat -c %a \"$1\" \"$(dirname \"$1\")\" >> {0}/told.new\ncp \"$1\" {0}/seen\nmv {0}/told.new {0}/told\n",
        folder.0.display()
    );
    // One in the present folder is not run, though PATH names that folder too.
    for (place, text) in [("bin/xdg-open", script.as_str()), ("xdg-open", "#!/bin/sh\ntouch planted\n")] {
        folder.write(place, text);
        std::fs::set_permissions(folder.path(place), std::fs::Permissions::from_mode(0o755)).expect("a mode");
    }
    let mut child = biela()
        .args(["studio", &model("four-bar.toml")])
        .env("PATH", format!(":.:{}:/usr/bin:/bin", folder.path("bin").display()))
        .env("XDG_RUNTIME_DIR", folder.path("runtime"))
        .current_dir(&folder.0)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("an address");
    let until = Instant::now() + Duration::from_secs(20);
    while !folder.path("told").exists() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    let arguments = std::fs::read_to_string(format!("/proc/{}/cmdline", child.id())).expect("arguments");
    child.kill().expect("its end");
    child.wait().expect("its end");
    let address = line.trim().trim_start_matches("studio: ").to_string();
    let token = address.split("token=").nth(1).expect("a token in the address that is printed").to_string();
    let told = String::from_utf8(folder.read("told")).expect("text");
    assert_eq!(token.len(), 32, "{line}");
    assert!(!told.contains(&token) && !arguments.contains(&token), "{told}");
    assert!(told.ends_with("\n600\n700\n") && told.contains("open.html"), "{told}");
    assert!(String::from_utf8(folder.read("seen")).expect("text").contains(&format!("url={address}\"")));
    assert!(!folder.path("planted").exists());
}

/// Ctrl-C ends a sweep between two samples; one that was started in the background, which ignores Ctrl-C, goes on. The test itself
/// may be started either way.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupt_is_heeded_unless_it_is_ignored() {
    let folder = Folder::new("interrupt");
    let bar = model("four-bar.toml");
    for (disposition, samples, status) in [("--default-signal=INT", "1000000", 1), ("--ignore-signal=INT", "2000", 0)] {
        let mut child = Command::new("env")
            .args([disposition, env!("CARGO_BIN_EXE_biela"), "sweep", &bar, "--vary", "crank=normal(2, 1 mm)"])
            .args(["--measure", "q=max(B.angle)", "--samples", samples, "--steps", "8", "-o", "out.csv"])
            .current_dir(&folder.0)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("env");
        // The signal comes in the middle: the mark and some parts are there.
        let parts = folder.path("out.csv.parts");
        let until = Instant::now() + Duration::from_secs(60);
        while std::fs::read_dir(&parts).map_or(0, Iterator::count) < 3
            && child.try_wait().expect("a child").is_none()
            && Instant::now() < until
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        let output = child.wait_with_output().expect("its end");
        assert_eq!(output.status.code(), Some(status), "{disposition}: {}", told(&output));
        assert_eq!(told(&output).contains("stopped by the user"), status == 1, "{disposition}: {}", told(&output));
        assert_eq!(folder.path("out.csv").exists(), status == 0, "{disposition}");
        let _ = std::fs::remove_dir_all(&parts);
    }
}
