//! `docs/tools.md` says what the code does.

use lookback::{redact, tools::definitions};

fn document() -> String {
    fs_err::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tools.md")).unwrap()
}

#[test]
fn every_tool_and_parameter_is_described() {
    let document = document();
    for definition in definitions() {
        let (_, section) = document
            .split_once(&format!("\n## `{}`\n", definition.name))
            .expect(definition.name);
        let section = section.split("\n## ").next().unwrap();
        let properties = definition.parameters["properties"].as_object().unwrap();
        for (name, property) in properties {
            assert!(
                section.contains(&format!("| `{name}` |")),
                "{}: {name}",
                definition.name
            );
            for value in property["enum"].as_array().into_iter().flatten() {
                assert!(
                    section.contains(&format!("`{}`", value.as_str().unwrap())),
                    "{value}"
                );
            }
        }
    }
}

#[test]
fn every_kind_of_secret_is_listed() {
    let document = document();
    for kind in redact::KINDS {
        assert!(document.contains(&format!("| `{kind}` |")), "{kind}");
    }
}
