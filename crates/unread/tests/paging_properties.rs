//! Whatever the sessions say, pages have no gaps, no repeats, and never too many bytes.

use lookback_unread::{Item, limits};
use proptest::{
    prelude::*,
    test_runner::{Config, FileFailurePersistence},
};
use serde_json::json;

use crate::support::{Folder, page, run, user};

/// Text of characters of one to six bytes in JSON, long enough to be cut now and then.
fn text() -> impl Strategy<Value = String> {
    let character = prop_oneof![
        Just('a'),
        Just('\u{1}'),
        Just('"'),
        Just('é'),
        Just('日'),
        Just('🦀'),
        Just('\n'),
        Just(' '),
        Just('\u{2028}'),
        Just('\u{7f}'),
    ];
    (character, 0usize..600, "[a-zé日🦀\u{1} ]{0,8}")
        .prop_map(|(character, length, end)| character.to_string().repeat(length) + &end)
}

proptest! {
    #![proptest_config(Config {
        // Every case writes a folder of files.
        cases: 24,
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..Config::default()
    })]

    #[test]
    fn pages_are_the_whole_list_in_pieces(
        sessions in prop::collection::vec((text(), text(), 0u64..3), 1..130),
        limit in 1usize..=100,
        query in prop_oneof![Just(String::new()), Just("A".to_owned()), Just("é".to_owned())],
    ) {
        let folder = Folder::new();
        for (number, (name, message, seconds)) in sessions.iter().enumerate() {
            let name = json!({"type":"session_info","id":"n","parentId":null,"name":name});
            folder.session(&format!("s{number}"), &[name, user(1, message)], *seconds);
        }
        let scan = run(&folder.request().max_sessions(500).unwrap());
        for item in &scan.items {
            prop_assert!(item.message.encode_utf16().count() <= limits::PREVIEW_UNITS);
            prop_assert!(item.name.encode_utf16().count() <= limits::NAME_UNITS);
        }
        let expected: Vec<Item> = scan.items.iter().filter(|item| {
            format!("{} {} {}", item.name, item.message, item.cwd).to_lowercase().contains(&query.to_lowercase())
        }).cloned().collect();

        let mut items = Vec::new();
        let mut offset = Some(0);
        while let Some(at) = offset {
            let page = page(&scan, &query, at, limit);
            prop_assert_eq!(page.offset, at);
            prop_assert_eq!(page.total, expected.len());
            prop_assert_eq!(page.returned, page.items.len());
            prop_assert!(page.returned <= limit);
            prop_assert!(page.returned > 0 || expected.is_empty());
            prop_assert!(page.to_json().len() <= limits::MAX_PAGE_BYTES);
            items.extend(page.items);
            offset = page.next_offset;
        }
        prop_assert_eq!(items, expected);
    }
}
