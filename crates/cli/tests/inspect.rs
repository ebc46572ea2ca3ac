//! `inspect` against the truth that Pi computed.

use fs_err as fs;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::program::{World, data, header, message};

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Inspection {
    header: Value,
    session_name: Value,
    leaf_id: Value,
    newest_message_id: Value,
    active_branch_ids: Value,
    context_entry_ids: Value,
    tree_root_ids: Value,
    labels: Value,
    leaves: Vec<Value>,
    fork_points: Vec<Value>,
    list: Value,
    opens: Opens,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Opens {
    ok: bool,
    reason: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Diagnostic {
    kind: String,
    line: u64,
    offset: u64,
    message: String,
}

fn inspect(world: &World, path: &str) -> Inspection {
    world.json(&["inspect", path]).pop().expect("one object")
}

#[test]
fn equals_the_truth_of_pi() {
    let root = data().join("pi-sessions");
    let index: Value = serde_json::from_str(&fs::read_to_string(root.join("index.json")).unwrap()).unwrap();
    let world = World::with_home();
    for fixture in index["fixtures"].as_array().unwrap() {
        let name = fixture["name"].as_str().unwrap();
        let truth: Value =
            serde_json::from_str(&fs::read_to_string(root.join(fixture["truth"].as_str().unwrap())).unwrap())
                .unwrap();
        let found = inspect(
            &world,
            root.join(fixture["path"].as_str().unwrap()).to_str().unwrap(),
        );
        let open = &truth["open"];
        assert_eq!(found.header, open["header"], "{name}");
        assert_eq!(found.session_name, open["sessionName"], "{name}");
        assert_eq!(json!(found.opens.ok), open["ok"], "{name}");
        assert_eq!(found.opens.reason, None, "{name}");
        if fixture["entryIdsRandom"] != true {
            assert_eq!(found.leaf_id, open["leafId"], "{name}");
            assert_eq!(found.active_branch_ids, open["activeBranchIds"], "{name}");
            assert_eq!(found.context_entry_ids, open["contextEntryIds"], "{name}");
            assert_eq!(found.tree_root_ids, open["treeRootIds"], "{name}");
            assert_eq!(found.labels, open["labels"], "{name}");
        }
        for key in [
            "id",
            "cwd",
            "name",
            "title",
            "messageCount",
            "created",
            "modified",
            "parentSessionPath",
        ] {
            assert_eq!(found.list[key], truth["list"][key], "{name}: {key}");
        }
        assert!(
            found.leaves.contains(&found.leaf_id) && !found.newest_message_id.is_null(),
            "{name}"
        );
        assert!(found.diagnostics.is_empty(), "{name}: {:?}", found.diagnostics);
    }
}

#[test]
fn says_why_pi_refuses_a_file() {
    let world = World::with_own_sessions();
    let text = message("a1", None, "user", "still readable", 1);
    let marked = [
        b"\xef\xbb\xbf".as_slice(),
        header("s1", "/x").as_bytes(),
        text.as_bytes(),
    ]
    .concat();
    let cases = [
        ("bom.jsonl", marked, "does not begin with a session header"),
        (
            "headless.jsonl",
            text.clone().into_bytes(),
            "does not begin with a session header",
        ),
        (
            "garbage.jsonl",
            b"nothing\nhere\n".to_vec(),
            "no line in it is a record",
        ),
        (
            "no-id.jsonl",
            format!("{{\"type\":\"session\",\"cwd\":\"/x\"}}\n{text}").into_bytes(),
            "has no id",
        ),
    ];
    for (name, bytes, reason) in cases {
        let path = world.write(name, bytes);
        let found = inspect(&world, path.to_str().unwrap());
        assert!(!found.opens.ok, "{name}");
        assert!(
            found.opens.reason.as_deref().unwrap().contains(reason),
            "{name}: {:?}",
            found.opens
        );
        assert!(!found.diagnostics.is_empty(), "{name}");
    }
    let path = world.write("damaged.jsonl", header("s1", "/x") + "{\"type\":\"mess\n" + &text);
    let found = inspect(&world, path.to_str().unwrap());
    assert!(found.opens.ok);
    let [damaged] = found.diagnostics.as_slice() else {
        panic!("{:?}", found.diagnostics)
    };
    assert_eq!(
        (damaged.kind.as_str(), damaged.line, damaged.offset),
        ("damagedLine", 2, header("s1", "/x").len() as u64)
    );
    assert!(damaged.message.starts_with("line 2: "));
    assert!(found.fork_points.is_empty());
}
