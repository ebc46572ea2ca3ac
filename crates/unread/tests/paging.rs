//! Pages and queries.

use lookback_unread::{Error, Item, Page, PageRequest, Scan, limits};
use serde_json::json;

use crate::support::{CWD, Folder, ids, page, run, session, user};

fn folder(sessions: u64) -> Folder {
    let folder = Folder::new();
    for number in 0..sessions {
        folder.session(
            &format!("s{number:03}"),
            &[user(1, &format!("question {number}"))],
            1_000 - number,
        );
    }
    folder
}

/// All pages of a query, one after the other, as a model would ask for them.
fn all_pages(scan: &Scan, query: &str, limit: usize) -> Vec<Page> {
    let mut pages = vec![page(scan, query, 0, limit)];
    while let Some(next) = pages[pages.len() - 1].next_offset {
        pages.push(page(scan, query, next, limit));
    }
    pages
}

#[test]
fn pages_follow_each_other_without_gaps_or_repeats() {
    let scan = folder(25).scan();
    let pages = all_pages(&scan, "", 10);
    let shape: Vec<_> = pages
        .iter()
        .map(|page| (page.total, page.offset, page.returned, page.next_offset))
        .collect();
    assert_eq!(
        shape,
        [(25, 0, 10, Some(10)), (25, 10, 10, Some(20)), (25, 20, 5, None)]
    );
    let items: Vec<Item> = pages.iter().flat_map(|page| page.items.clone()).collect();
    assert_eq!(items, scan.items);
    // Also the last page leaves out the pages in front of it.
    assert!(
        pages
            .iter()
            .all(|page| page.inventory.result_truncated && page.inventory.scan.truncated)
    );
    assert!(!page(&scan, "", 0, 25).inventory.result_truncated);
}

#[test]
fn an_offset_behind_the_end_gives_an_empty_page() {
    let scan = folder(3).scan();
    for offset in [3, 500] {
        let page = page(&scan, "", offset, 10);
        assert_eq!((page.total, page.returned, page.next_offset), (3, 0, None));
        assert_eq!(page.offset, offset);
        assert!(page.inventory.result_truncated);
    }
}

#[test]
fn a_page_has_at_most_a_hundred_items() {
    let scan = run(&folder(130).request().max_sessions(500).unwrap());
    let first = scan.page(&PageRequest::default());
    assert_eq!(
        (first.total, first.returned, first.next_offset),
        (130, 100, Some(100))
    );
}

#[test]
fn eighty_messages_of_control_characters_take_several_whole_pages() {
    let folder = Folder::new();
    for number in 0..80 {
        // No white space, or it would be trimmed; each of the 500 characters is six bytes of JSON.
        folder.session(&format!("c{number:02}"), &[user(1, &"\u{1}".repeat(600))], number);
    }
    let scan = folder.scan();
    let pages = all_pages(&scan, "", 100);
    assert!(pages.len() >= 3, "{} pages", pages.len());
    let mut items = Vec::new();
    for page in &pages {
        assert!(
            page.to_json().len() <= limits::MAX_PAGE_BYTES,
            "{} bytes",
            page.to_json().len()
        );
        assert_eq!(page.returned, page.items.len());
        items.extend(page.items.clone());
    }
    assert_eq!(items, scan.items);
    assert!(
        items.iter().all(|item| item.message == "\u{1}".repeat(500)),
        "none is clipped further"
    );
    // Pages are not smaller than they have to be.
    let one = pages[0].items[0].clone();
    assert!(pages[0].to_json().len() + serde_json::to_string(&one).unwrap().len() > limits::MAX_PAGE_BYTES);
}

#[test]
fn the_largest_possible_item_fits_a_page() {
    let folder = Folder::new();
    let control = |length: usize| "\u{1}".repeat(length);
    let cwd = format!("/{}", control(4_095));
    let id = "x".repeat(256);
    let name = json!({"type":"session_info","id":"n","parentId":null,"name":control(256)});
    let mut message = user(1, &control(500));
    message["id"] = json!(control(256));
    for number in 0..3 {
        folder.put(
            &format!("{number}.jsonl"),
            session(&id, &cwd, &[name.clone(), message.clone()]),
            number,
        );
    }
    let scan = run(&lookback_unread::ScanRequest::workspace(&folder.path, cwd)
        .unwrap()
        .details(true));
    assert_eq!(scan.items.len(), 3);
    let pages = all_pages(&scan, "", 100);
    assert_eq!(pages.iter().map(|page| page.items.len()).sum::<usize>(), 3);
    for page in &pages {
        assert!(page.to_json().len() <= limits::MAX_PAGE_BYTES);
        // The path is the system's, the longest could be 4,096 characters of six bytes.
        let path = page.items[0].path.as_str().len();
        assert!(page.to_json().len() / page.items.len() - path + 4_096 * 6 < limits::MAX_PAGE_BYTES);
    }
}

#[test]
fn a_query_is_looked_for_in_name_message_and_workspace_whatever_its_case() {
    let folder = Folder::new();
    let named = |name: &str| json!({"type":"session_info","id":"n","parentId":null,"name":name});
    folder.session("s1", &[named("Größe der Seite"), user(1, "why so LARGE?")], 1);
    folder.session("s2", &[named("Other"), user(1, "unrelated")], 0);
    let scan = folder.scan();
    let found = |query: &str| {
        let page = page(&scan, query, 0, 100);
        assert_eq!(page.inventory.matched, page.total);
        assert_eq!(page.inventory.scan.unread, 2, "the inventory is that of the scan");
        ids(&page.items).join(",")
    };
    for (query, expected) in [
        ("größe", "s1"),
        ("GRÖSSE", ""),
        ("so large", "s1"),
        ("  LARGE? ", "s1"),
        ("HOME/dev", "s1,s2"),
        ("", "s1,s2"),
        (" \n", "s1,s2"),
        ("s1", ""),
        (".", ""),
        ("nothing of this", ""),
    ] {
        assert_eq!(found(query), expected, "{query}");
    }
}

#[test]
fn a_query_is_found_only_in_what_is_shown() {
    let folder = Folder::new();
    folder.session("s1", &[user(1, &format!("{}needle", "x".repeat(500)))], 0);
    let page = page(&folder.scan(), "needle", 0, 100);
    assert_eq!(page.total, 0);
}

#[test]
fn requests_out_of_bounds_are_refused() {
    let code = |query: &str, offset, limit| PageRequest::new(query, offset, limit).unwrap_err().code();
    let long = |units| "q".repeat(units);
    assert_eq!(code(&long(121), 0, 1), "unread-query-too-long");
    assert_eq!(code(&"🦀".repeat(61), 0, 1), "unread-query-too-long");
    assert_eq!(code("a\0b", 0, 1), "unread-query-has-nul");
    assert_eq!(code("", 501, 1), "unread-out-of-range");
    assert_eq!(code("", 0, 0), "unread-out-of-range");
    assert_eq!(code("", 0, 101), "unread-out-of-range");
    for (query, offset, limit) in [
        (long(120), 0, 1),
        (format!(" {} ", long(120)), 500, 100),
        ("🦀".repeat(60), 0, 1),
    ] {
        assert!(PageRequest::new(&query, offset, limit).is_ok());
    }
    let refused = PageRequest::new("", 501, 1).unwrap_err();
    assert_eq!(refused.to_string(), "offset must be an integer from 0 to 500");
    assert!(matches!(
        refused,
        Error::OutOfRange {
            value: 501,
            min: 0,
            max: 500,
            ..
        }
    ));
    assert_eq!(
        PageRequest::new("", 0, 0).unwrap_err().to_string(),
        "limit must be an integer from 1 to 100"
    );
    assert_eq!(
        PageRequest::new("\0", 0, 1).unwrap_err().to_string(),
        "query must not contain NUL characters"
    );
    assert_eq!(
        PageRequest::new(&long(200), 0, 1).unwrap_err().to_string(),
        "query must contain 0-120 characters"
    );
}

#[test]
fn the_same_cwd_is_not_needed_for_a_page() {
    // A page costs no look at any file: the folder may be gone.
    let folder = folder(2);
    let scan = folder.scan();
    fs_err::remove_dir_all(&folder.path).unwrap();
    assert_eq!(page(&scan, CWD, 0, 1).total, 2);
}
