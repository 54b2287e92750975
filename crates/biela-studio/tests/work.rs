//! What the page asks for: diagnostics at the line, pictures, positions by hand against closed forms, runs, exports.

mod common;

use common::{Studio, FOUR_BAR};
use serde_json::{json, Value};
use std::time::Duration;

/// Positions are accurate to far better; poses travel as shortest decimals.
const CLOSE: f64 = 1e-9;

fn with(text: &str) -> Value {
    json!({"text": text, "name": "model.toml"})
}

#[test]
fn a_good_text_gives_a_picture_and_sliders() {
    let studio = Studio::start();
    let found = studio.json("look", &with(FOUR_BAR));
    assert!(found["error"].is_null(), "{}", found["error"]);
    let names: Vec<&str> =
        found["picture"]["bodies"].as_array().expect("bodies").iter().filter_map(|b| b["name"].as_str()).collect();
    assert_eq!(names, ["ground", "crank", "coupler", "rocker"]);
    let crank = &found["parameters"][0];
    assert_eq!((crank["name"].as_str(), crank["value"].as_f64()), (Some("crank"), Some(2.0)));
    assert_eq!(found["parameters"][4]["unit"], "rad");
    assert_eq!(found["drivers"][0]["coordinate"], "A.angle");
    // The driver turns by 2 π from 60°.
    let (low, high) =
        (found["drivers"][0]["low"].as_f64().unwrap_or(0.0), found["drivers"][0]["high"].as_f64().unwrap_or(0.0));
    let alpha = std::f64::consts::FRAC_PI_3;
    assert!((low - alpha).abs() < CLOSE && (high - alpha - std::f64::consts::TAU).abs() < CLOSE);
    let report = studio.json("check", &with(FOUR_BAR));
    assert_eq!((report["mobility"].as_u64(), report["redundancies"].as_u64()), (Some(1), Some(3)));
}

#[test]
fn a_bad_line_is_told_with_its_place() {
    let studio = Studio::start();
    let text = FOUR_BAR.replacen("bodies = [\"crank\", \"coupler\"]", "bodies = [\"crank\", \"couplr\"]", 1);
    let line = text.lines().position(|l| l.contains("couplr")).expect("a line") + 1;
    let error = studio.json("look", &with(&text))["error"].clone();
    assert_eq!(error["line"].as_u64(), Some(line as u64));
    let column = text.lines().nth(line - 1).and_then(|l| l.find("\"couplr\"")).expect("a column") + 1;
    assert_eq!((error["column"].as_u64(), error["width"].as_u64()), (Some(column as u64), Some(8)));
    assert!(error["notes"].to_string().contains("did you mean 'coupler'?"), "{error}");
    assert!(error["snippet"].as_str().unwrap_or("").contains("^^^^^^^^"));
}

#[test]
fn sliders_bring_their_own_warnings() {
    let studio = Studio::start();
    let text = "[parameters]\na = 1\n[bodies.a]\nmass = 1\ninertia = [\"a\", 1, 1]\nunphysical = true\n\
                [joints.J]\ntype = \"revolute\"\nbodies = [\"ground\", \"a\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n";
    for (a, warned) in [(1.0, false), (3.0, true), (1.5, false)] {
        let found = studio.json("look", &json!({"text": text, "name": "model.toml", "set": {"a": a}}));
        let told = found["warnings"].as_array().expect("warnings");
        assert_eq!(told.iter().any(|w| w.to_string().contains("no body has this inertia")), warned, "{a}: {told:?}");
    }
}

#[test]
fn an_impossible_length_names_the_guilty_link() {
    let studio = Studio::start();
    // The coupler is longer than ground, rocker and crank together: 20 > 10 + 5 + 2.
    let found = studio.json("look", &json!({"text": FOUR_BAR, "name": "model.toml", "set": {"coupler": 20.0}}));
    assert_eq!(found["error"]["stage"], "assembly");
    assert_eq!(found["guilty"]["bodies"], json!(["coupler"]));
    assert!(found["guilty"]["why"].as_str().unwrap_or("").contains("short"), "{}", found["guilty"]);
    assert!(found["picture"]["bodies"].is_array(), "the drawing is shown");
    // The ground is too long: then the links are too short.
    let found = studio.json("look", &json!({"text": FOUR_BAR, "name": "model.toml", "set": {"ground": 100.0}}));
    let guilty = found["guilty"]["bodies"].as_array().map_or(0, Vec::len);
    assert!(guilty >= 2, "{}", found["guilty"]);
    // The driven crank lies on a side with the ground; the crank alone has grown.
    let found = studio.json("look", &json!({"text": FOUR_BAR, "name": "model.toml", "set": {"crank": 40.0}}));
    assert_eq!(found["guilty"]["bodies"], json!(["crank"]), "{}", found["guilty"]);
}

fn pose(found: &Value, body: usize) -> [f64; 7] {
    let list: Vec<f64> = found["poses"][body].as_array().expect("a pose").iter().filter_map(Value::as_f64).collect();
    list.try_into().expect("seven numbers")
}

/// Where a point of a body's x axis is, for bodies that turn about z.
fn along_x(p: [f64; 7], x: f64) -> [f64; 2] {
    let angle = 2.0 * p[6].atan2(p[3]);
    [p[0] + x * angle.cos(), p[1] + x * angle.sin()]
}

#[test]
fn a_driver_led_by_hand_closes_the_loop() {
    let studio = Studio::start();
    for angle in [0.3f64, 1.2, 2.5, 4.0] {
        let found = studio.json("pose", &json!({"text": FOUR_BAR, "name": "m", "drive": {"motor": angle}}));
        let pin = along_x(pose(&found, 1), 2.0);
        assert!((pin[0] - 2.0 * angle.cos()).abs() < CLOSE && (pin[1] - 2.0 * angle.sin()).abs() < CLOSE, "{found}");
        // Coupler and rocker meet: 8 from the crank's pin, 5 from the pivot at (10, 0), above the line between.
        let (dx, dy) = (10.0 - pin[0], -pin[1]);
        let d = dx.hypot(dy);
        let a = (64.0 - 25.0 + d * d) / (2.0 * d);
        let h = (64.0 - a * a).sqrt();
        let due = [pin[0] + (a * dx - h * dy) / d, pin[1] + (a * dy + h * dx) / d];
        let meet = along_x(pose(&found, 2), 8.0);
        assert!((meet[0] - due[0]).abs() < 1e-8 && (meet[1] - due[1]).abs() < 1e-8, "{meet:?} {due:?}");
        assert!((found["coordinates"]["A.angle"].as_f64().unwrap_or(0.0) - angle).abs() < CLOSE);
    }
}

#[test]
fn a_point_is_drawn_as_near_as_it_can_come() {
    let studio = Studio::start();
    let start = studio.json("pose", &json!({"text": FOUR_BAR, "name": "m", "drive": {}}));
    // The crank's pin runs on a circle of radius 2: drawn to (0, 5) it ends at (0, 2), 3 away.
    let point = json!({"body": 1, "at": [2.0, 0.0, 0.0], "to": [0.0, 5.0, 0.0]});
    let found = studio.json("pose", &json!({"text": FOUR_BAR, "name": "m", "poses": start["poses"], "point": point}));
    let pin = along_x(pose(&found, 1), 2.0);
    // The nearest place is flat: the way to it is known to the root of the rounding.
    assert!(pin[0].abs() < 1e-5 && (pin[1] - 2.0).abs() < 1e-9, "{pin:?}");
    assert!((found["distance"].as_f64().unwrap_or(0.0) - 3.0).abs() < 1e-9);
    let ends = [along_x(pose(&found, 2), 8.0), along_x(pose(&found, 3), 5.0)];
    assert!((ends[0][0] - ends[1][0]).hypot(ends[0][1] - ends[1][1]) < 1e-8, "the loop stays closed");
}

/// A planar text: picture, count and positions by hand are those of the plane.
#[test]
fn a_planar_text_is_shown_and_led_by_hand() {
    let studio = Studio::start();
    let text = "planar = true\n[bodies.crank]\npoints = { P = [2, 0] }\n[bodies.coupler]\npose = { at = [2, 0] }\n\
                [bodies.rocker]\npose = { at = [10, 0], angle = \"90 deg\" }\n\
                [joints.A]\ntype = \"revolute\"\nbodies = [\"ground\", \"crank\"]\nat = [[0, 0], [0, 0]]\n\
                [joints.B]\ntype = \"revolute\"\nbodies = [\"crank\", \"coupler\"]\nat = [\"P\", [0, 0]]\n\
                [joints.C]\ntype = \"revolute\"\nbodies = [\"coupler\", \"rocker\"]\nat = [[8, 0], [5, 0]]\n\
                [joints.D]\ntype = \"revolute\"\nbodies = [\"ground\", \"rocker\"]\nat = [[10, 0], [0, 0]]\n\
                [drivers.motor]\njoint = \"A\"\nvalue = \"t\"\n[run]\nend = 1\n";
    let found = studio.json("look", &with(text));
    assert!(found["error"].is_null() && found["picture"]["bodies"].is_array(), "{found}");
    let report = studio.json("check", &with(text));
    assert_eq!((report["grubler"].as_i64(), report["redundancies"].as_u64()), (Some(1), Some(0)), "{report}");
    let found = studio.json("pose", &json!({"text": text, "name": "m", "drive": {"motor": 1.2}}));
    let ends = [along_x(pose(&found, 2), 8.0), along_x(pose(&found, 3), 5.0)];
    assert!((ends[0][0] - ends[1][0]).hypot(ends[0][1] - ends[1][1]) < 1e-8, "{found}");
    let point = json!({"body": 1, "at": [2.0, 0.0, 0.0], "to": [0.0, 5.0, 0.0]});
    let drawn = studio.json("pose", &json!({"text": text, "name": "m", "poses": found["poses"], "point": point}));
    assert!((drawn["distance"].as_f64().unwrap_or(0.0) - 3.0).abs() < 1e-9, "{drawn}");
}

/// A four-bar without a driver has one slider, which leads the loop.
#[test]
fn joints_without_drivers_are_led_by_hand() {
    let studio = Studio::start();
    let cut = FOUR_BAR.find("[drivers").expect("drivers");
    let rest = FOUR_BAR[cut + 1..].find("\n[").map_or("", |k| &FOUR_BAR[cut + 1 + k..]);
    let text = format!("{}{rest}", &FOUR_BAR[..cut]);
    let found = studio.json("look", &with(&text));
    assert!(found["error"].is_null() && found["picture"]["bodies"].is_array(), "{}", found["error"]);
    let names: Vec<&str> =
        found["joints"].as_array().into_iter().flatten().filter_map(|j| j["name"].as_str()).collect();
    assert_eq!(names, ["A.angle"], "{}", found["joints"]);
    let mut poses = Value::Null;
    for angle in [1.0f64, 2.5, 4.0] {
        let asked = json!({"text": text, "name": "m", "poses": poses, "drive": {"A.angle": angle}});
        let found = studio.json("pose", &asked);
        let pin = along_x(pose(&found, 1), 2.0);
        assert!((pin[0] - 2.0 * angle.cos()).abs() < CLOSE && (pin[1] - 2.0 * angle.sin()).abs() < CLOSE, "{found}");
        let ends = [along_x(pose(&found, 2), 8.0), along_x(pose(&found, 3), 5.0)];
        assert!((ends[0][0] - ends[1][0]).hypot(ends[0][1] - ends[1][1]) < 1e-8, "the loop stays closed");
        poses = found["poses"].clone();
    }
    let (status, _) = studio.call("pose", &json!({"text": text, "name": "m", "drive": {"Q.angle": 1.0}}));
    assert_eq!(status, 422);
}

/// Waits for a run to end.
fn wait(studio: &Studio, id: &Value) -> Value {
    for _ in 0..600 {
        let told = studio.json("job", &json!({ "id": id }));
        if told["state"] != "running" {
            return told;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the run does not end");
}

#[test]
fn runs_end_and_are_exported_whole() {
    let studio = Studio::start();
    let id =
        studio.json("run", &json!({"text": FOUR_BAR, "name": "model.toml", "steps": 90, "verify": true}))["id"].clone();
    let told = wait(&studio, &id);
    assert_eq!((told["state"].as_str(), told["samples"].as_u64()), (Some("done"), Some(91)), "{}", told["error"]);
    assert_eq!(told["analysis"], "inverse-dynamics", "the model has masses and gravity");
    assert!(told["verification"]["position"]["difference"].as_f64().is_some_and(|d| d < 1e-9));
    assert_eq!(told["picture"]["samples"].as_u64(), Some(91));
    let export = |kind: &str| studio.call("export", &json!({"id": id, "kind": kind}));
    let (status, csv) = export("csv");
    let csv = String::from_utf8(csv).expect("text");
    assert_eq!((status, csv.lines().count()), (200, 92));
    assert!(csv.starts_with("t [s],"));
    let (_, glb) = export("glb");
    assert_eq!(&glb[..4], b"glTF");
    assert_eq!(u32::from_le_bytes([glb[8], glb[9], glb[10], glb[11]]) as usize, glb.len());
    let (_, html) = export("html");
    assert!(html.starts_with(b"<!doctype html>") && html.ends_with(b"</html>\n"));
    let (_, report) = export("report");
    assert!(String::from_utf8_lossy(&report).contains("By Grübler and Kutzbach") && report.ends_with(b"</html>\n"));
    assert_eq!(export("exe").0, 422);
}

#[test]
fn a_long_run_tells_its_progress_and_can_be_cancelled() {
    let studio = Studio::start();
    let asked = json!({"text": FOUR_BAR, "name": "model.toml", "steps": 1000000, "analysis": "inverse-dynamics", "end": 100000.0});
    let id = studio.json("run", &asked)["id"].clone();
    let mut done = 0;
    for _ in 0..400 {
        let told = studio.json("job", &json!({ "id": id }));
        assert_eq!(told["state"], "running");
        done = told["done"].as_u64().unwrap_or(0);
        if done > 100 {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    assert!(done > 100);
    // Two at a time, no more.
    let second = studio.json("run", &asked)["id"].clone();
    assert_eq!(studio.call("run", &asked).0, 422);
    studio.json("cancel", &json!({ "id": id }));
    studio.json("cancel", &json!({ "id": second }));
    assert_eq!(wait(&studio, &id)["state"], "cancelled");
    assert_eq!(wait(&studio, &second)["state"], "cancelled");
    assert_eq!(studio.call("export", &json!({"id": id, "kind": "csv"})).0, 422);
    let id = studio.json("run", &with(&FOUR_BAR.replace("[bodies.rocker]", "[bodies.rockr]")))["id"].clone();
    assert_eq!(wait(&studio, &id)["state"], "failed");
}

#[test]
fn a_file_that_changed_on_disk_is_not_overwritten_unasked() {
    let studio = Studio::start();
    let path = studio.opened().join("model.toml");
    let on_disk = || std::fs::read_to_string(&path).expect("a file");
    let start = studio.json("start", &json!({}));
    let save = |text: &str, stamp: &Value| {
        studio.call("save", &json!({"name": "model.toml", "text": text, "replace": true, "stamp": stamp}))
    };
    // As it was opened it is replaced, and what was saved is what is known of it then.
    let (status, answer) = save("one", &start["stamp"]);
    assert_eq!((status, on_disk().as_str()), (200, "one"));
    let saved: Value = serde_json::from_slice(&answer).expect("JSON");
    std::fs::write(&path, "somebody else's").expect("a file");
    for stamp in [&saved["stamp"], &start["stamp"], &Value::Null] {
        let (status, answer) = save("two", stamp);
        let told = String::from_utf8(answer).expect("text");
        assert!(status == 422 && told.contains("has changed on disk since it was opened"), "{told}");
        assert_eq!(on_disk(), "somebody else's");
    }
    // Opened again it is known, by every tab for itself.
    let opened = studio.json("open", &json!({"name": "model.toml"}));
    assert_eq!(opened["text"], "somebody else's");
    assert_eq!(save("two", &saved["stamp"]).0, 422);
    assert_eq!(save("two", &opened["stamp"]).0, 200);
    std::fs::write(&path, "again").expect("a file");
    let asked = json!({"name": "model.toml", "text": "three", "replace": true, "overwrite": true});
    assert_eq!((studio.call("save", &asked).0, on_disk().as_str()), (200, "three"));
    // One that has gone is written anew.
    std::fs::remove_file(&path).expect("a file");
    assert_eq!((save("four", &start["stamp"]).0, on_disk().as_str()), (200, "four"));
}

#[test]
fn steps_of_the_text_are_bounded_too() {
    let studio = Studio::start();
    let steps = |n: u64| {
        let lines = FOUR_BAR.lines().filter(|l| !l.starts_with("steps")).map(str::to_string);
        let text: Vec<String> = lines.map(|l| if l == "[run]" { format!("[run]\nsteps = {n}") } else { l }).collect();
        text.join("\n") + "\n"
    };
    let looked = studio.json("look", &json!({"text": steps(10_000_000), "name": "m"}));
    assert_eq!(looked["run"]["steps"], 200_000, "{}", looked["error"]);
    assert!(looked["warnings"].to_string().contains("asks for 10000000 steps"), "{}", looked["warnings"]);
    // Many bodies: fewer steps fill the memory.
    let mut text = steps(200_000);
    for k in 0..40 {
        text += &format!(
            "[bodies.b{k}]\n[joints.j{k}]\ntype = \"fixed\"\nbodies = [\"ground\", \"b{k}\"]\nat = [0, 0, 0]\n"
        );
    }
    let id = studio.json("run", &json!({"text": text, "name": "m"}))["id"].clone();
    let told = wait(&studio, &id);
    let message = told["error"]["message"].as_str().unwrap_or("");
    assert!(told["state"] == "failed" && message.contains("samples are a table of"), "{told}");
}

/// While pictures are drawn, runs are begun, told of and cancelled.
#[test]
fn an_export_holds_nothing_up() {
    let studio = Studio::start();
    let id = studio.json("run", &json!({"text": FOUR_BAR, "name": "m", "steps": 20}))["id"].clone();
    assert_eq!(wait(&studio, &id)["state"], "done");
    let export = || studio.call("export", &json!({"id": id, "kind": "gif"})).0;
    std::thread::scope(|scope| {
        let exports: Vec<_> = (0..6).map(|_| scope.spawn(export)).collect();
        let mut rounds = 0;
        // As long as a picture is being drawn, everything else is answered in between.
        while !exports.iter().all(|e| e.is_finished()) {
            let long = json!({"text": FOUR_BAR, "name": "m", "steps": 200_000, "end": 10_000.0});
            let other = studio.json("run", &long)["id"].clone();
            studio.json("cancel", &json!({ "id": other }));
            assert_eq!(wait(&studio, &other)["state"], "cancelled");
            rounds += 1;
        }
        let done: Vec<u16> = exports.into_iter().map(|e| e.join().expect("an answer")).collect();
        // Three at a time; others are told to wait.
        assert!(done.iter().all(|s| [200, 422].contains(s)) && done.contains(&200), "{done:?}");
        assert!(rounds > 1, "{rounds} rounds while pictures were drawn");
    });
}

/// Numbers of a row of the picture's data: floats in its blob, or one value.
fn row(picture: &Value, channel: &Value) -> Vec<f32> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let count = picture["samples"].as_u64().expect("a count") as usize;
    let channel = channel.as_array().expect("a row");
    if channel.len() == 1 {
        return vec![channel[0].as_f64().expect("a value") as f32; count];
    }
    assert_eq!(channel[1], "f", "floats");
    let digits = |c: u8| LETTERS.iter().position(|l| *l == c).unwrap_or(0);
    let bits: Vec<usize> = picture["blob"].as_str().expect("a blob").bytes().map(digits).collect();
    let bytes: Vec<u8> = (bits.chunks(4))
        .map(|c| c.iter().fold(0, |a, b| a << 6 | b) << (6 * (4 - c.len())))
        .flat_map(|all| [all >> 16, all >> 8, all].map(|b| b as u8))
        .collect();
    let own = &bytes[channel[0].as_u64().expect("a place") as usize..][..4 * count];
    own.chunks_exact(4).map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// While a hand moves something, the page asks for what it shows: the motion and these signals are those of the whole look.
#[test]
fn a_brief_look_tells_the_same_of_what_it_tells() {
    let studio = Studio::start();
    let asked = |brief: Value| json!({"text": FOUR_BAR, "name": "m.toml", "steps": 40, "brief": brief});
    let look = |brief: Value| studio.json("look", &asked(brief))["picture"].clone();
    let names = |picture: &Value| -> Vec<String> {
        let list = picture["signals"].as_array().expect("signals");
        list.iter().map(|s| s["name"].as_str().unwrap_or("").to_string()).collect()
    };
    let signal = |picture: &Value, name: &str| {
        let k = names(picture).iter().position(|n| n == name).expect("the signal");
        row(picture, &picture["signals"][k]["data"])
    };
    let whole = look(Value::Null);
    assert!(names(&whole).len() > 100);
    // Positions alone; and forces, which need masses and gravity.
    for name in ["B.angle", "motor.effort"] {
        let brief = look(json!([name]));
        let told = names(&brief);
        assert!(told.contains(&name.to_string()) && told.len() < 40, "{told:?}");
        /// Floats of lengths to 10 m and torques to 1000 N m; positions alone go by a way of their own.
        const FLOATS: f32 = 1e-6;
        let same = |a: Vec<f32>, b: Vec<f32>| {
            let most = b.iter().fold(1.0, |m: f32, x| m.max(x.abs()));
            a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| (x - y).abs() <= FLOATS * most)
        };
        assert!(same(signal(&brief, name), signal(&whole, name)), "{name}");
        for body in 1..4 {
            for k in 0..7 {
                let pose = |picture: &Value| row(picture, &picture["poses"][body][k]);
                assert!(same(pose(&brief), pose(&whole)), "{name}: body {body}, {k}");
            }
        }
    }
    // What no run tells is looked for in a whole one.
    assert_eq!(names(&look(json!(["nothing.of.it"]))), names(&whole));
    let broken = studio
        .json("look", &json!({"text": FOUR_BAR.replace("coupler = 8", "coupler = 80"), "name": "m.toml", "brief": []}));
    assert_eq!(broken["error"]["stage"], "assembly", "{}", broken["error"]);
}
