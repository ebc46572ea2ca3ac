//! A short cut through the members that nearly every entry begins with.

use super::{Key, Marks, Members, Shape, Span, cursor::skip, keys::Take};

/// Passes the members that Pi writes first, `{"type":…,"id":…,"parentId":…,"timestamp":…,`, and takes them. Returns the
/// place of the key behind them; `None` leaves it all to the walk, which then says what is wrong, if anything is.
pub(super) fn entry_head(
    line: &[u8],
    from: usize,
    marks: &mut Marks,
    members: &mut Members,
) -> Option<usize> {
    let mut quoted = |start| {
        let end = marks.quote_from(line, start)?;
        Some((Span::new(start, end), end + 1))
    };
    let kind = quoted(skip(line, from, b"{\"type\":\"")?)?;
    let id = quoted(skip(line, kind.1, b",\"id\":\"")?)?;
    let parent = skip(line, id.1, b",\"parentId\":")?;
    let (parent, behind) = match skip(line, parent, b"\"") {
        Some(start) => {
            let (span, behind) = quoted(start)?;
            ((Shape::String, span), behind)
        }
        None => {
            let behind = skip(line, parent, b"null")?;
            ((Shape::Null, Span::new(parent, behind)), behind)
        }
    };
    let time = quoted(skip(line, behind, b",\"timestamp\":\"")?)?;
    let behind = skip(line, time.1, b",")?;
    // No white space: a key follows at once.
    if line.get(behind) != Some(&b'"') {
        return None;
    }
    members.take(Key::Type, Shape::String, kind.0);
    members.take(Key::Id, Shape::String, id.0);
    members.take(Key::ParentId, parent.0, parent.1);
    members.take(Key::Timestamp, Shape::String, time.0);
    Some(behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passed(line: &[u8], members: &mut Members) -> Option<usize> {
        let mut marks = Marks::default();
        marks.whole(line);
        entry_head(line, 0, &mut marks, members)
    }

    #[test]
    fn the_head_of_an_entry_is_passed() {
        for id in ["0123abcd", "\\u0061b", "a\\\"c", ""] {
            let line = format!(
                r#"{{"type":"message","id":"{id}","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{{}}}}"#
            );
            let line = line.as_bytes();
            let mut members = Members::default();
            let behind = passed(line, &mut members).unwrap();
            assert!(line[behind..].starts_with(b"\"message\""));
            assert_eq!(members.string(line, Key::Id), Some(id.as_bytes()));
            assert_eq!(members.get(Key::ParentId).unwrap().0, Shape::Null);
            assert_eq!(
                members.string(line, Key::Timestamp),
                Some(&b"2026-03-02T09:00:01.000Z"[..])
            );
        }
    }

    #[test]
    fn what_pi_does_not_write_is_left_to_the_walk() {
        for line in [
            &br#"{ "type":"message","id":"a","parentId":"b","timestamp":"c","message":{}}"#[..],
            br#"{"type":"message","id":"\x","parentId":"b","timestamp":"c","message":{}}"#,
            br#"{"type":"message","id":"a","parentId":7,"timestamp":"c","message":{}}"#,
            br#"{"type":"message","id":"a","parentId":"b","timestamp":"c" ,"message":{}}"#,
            br#"{"type":"message","id":"a","parentId":"b","timestamp":"c", "message":{}}"#,
            br#"{"type":"message","id":"a","parentId":"b","timestamp":"c"}"#,
            br#"{"type":"message","id":"a","parentId":"b","timestamp":"c"#,
        ] {
            let mut members = Members::default();
            assert_eq!(passed(line, &mut members), None, "{}", line.escape_ascii());
            assert_eq!(members.get(Key::Type), None);
        }
    }
}
