//! Memory does not grow with a file, nor with a line beyond the longest text of it that is needed. A program of its own,
//! because it counts every allocation. `examples/limits.rs` does the same with gigabytes.

#![allow(
    unsafe_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "an allocator is unsafe by nature; a test that meets the unexpected is to fail"
)]

use std::{
    alloc::{GlobalAlloc, Layout, System},
    io,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use lookback_session_model::{Fields, Item, ReadAt, Role, SessionFile, SessionReader};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

fn grown(by: usize) {
    COUNT.fetch_add(1, Relaxed);
    PEAK.fetch_max(NOW.fetch_add(by, Relaxed) + by, Relaxed);
}

// SAFETY: every call is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both may be there at once.
        grown(size);
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A file that is in nobody's memory: parts that repeat.
struct Made(Vec<(Vec<u8>, u64)>);

impl Made {
    fn size(&self) -> u64 {
        self.0.iter().map(|(part, times)| part.len() as u64 * times).sum()
    }
}

impl ReadAt for Made {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let mut start = 0;
        for (part, times) in &self.0 {
            let length = part.len() as u64 * times;
            if offset < start + length {
                let left = (start + length - offset).min(buffer.len() as u64) as usize;
                let mut from = ((offset - start) % part.len() as u64) as usize;
                let mut rest = &mut buffer[..left];
                while !rest.is_empty() {
                    let (now, later) = rest.split_at_mut(rest.len().min(part.len() - from));
                    now.copy_from_slice(&part[from..from + now.len()]);
                    (rest, from) = (later, 0);
                }
                return Ok(left);
            }
            start += length;
        }
        Ok(0)
    }
}

const MIB: usize = 1 << 20;

/// Reads all items; returns the most memory that took and the items.
fn peak(made: Made, fields: Fields, mut each: impl FnMut(Item)) -> usize {
    let size = made.size();
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let mut reader = SessionReader::new(made, size, fields);
    while let Some(item) = reader.next_item().unwrap() {
        each(item);
    }
    assert_eq!(reader.diagnostics().total(), 0, "{:?}", reader.diagnostics());
    PEAK.load(Relaxed) - before
}

fn message(role: &str, filler: &[u8], times: u64) -> Made {
    let before = format!(
        r#"{{"type":"message","id":"a1","parentId":null,"timestamp":"2026-03-02T09:00:01.000Z","message":{{"role":"{role}","content":[{{"type":"text","text":""#
    );
    let after = b"\"}],\"timestamp\":1772442001000}}\n";
    Made(vec![
        (before.into_bytes(), 1),
        (filler.to_vec(), times),
        (after.to_vec(), 1),
    ])
}

/// One test: the counters are for the whole process.
#[test]
fn memory_is_bounded() {
    // A line of 40 MB that nobody needs.
    let filler = b"output \\\"quoted\\\" \\n".repeat(1 << 10);
    let decoded = b"output \"quoted\" \n".len() << 10;
    let times = 40 * MIB as u64 / filler.len() as u64;
    let mut seen = 0;
    let used = peak(message("toolResult", &filler, times), Fields::TEXT, |item| {
        let Item::Entry(entry) = item else {
            panic!("{item:?}")
        };
        assert_eq!(entry.message().unwrap().role, Some(Role::ToolResult));
        seen += 1;
    });
    assert_eq!(seen, 1);
    assert!(used < 24 * MIB, "{used} bytes");

    // The same as a text that is needed: the text, and not much beside it.
    let mut length = 0;
    let used = peak(message("user", &filler, times), Fields::TEXT, |item| {
        let Item::Entry(entry) = item else {
            panic!("{item:?}")
        };
        length = entry.message().unwrap().text.as_str().len();
    });
    assert_eq!(length, decoded * times as usize);
    assert!(used < 40 * MIB + 24 * MIB, "{used} bytes");

    // And as the outline reads it, which keeps the first text as a title.
    let made = message("user", &filler, times);
    let mut bytes = vec![0; made.size() as usize];
    let mut filled = 0;
    while filled < bytes.len() {
        filled += made.read_at(filled as u64, &mut bytes[filled..]).unwrap();
    }
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let file = SessionFile::from_bytes("s1.jsonl".into(), &bytes, 0);
    let used = PEAK.load(Relaxed) - before;
    let node = &file.sessions()[0].nodes()[0];
    assert_eq!(node.text_length as usize, length);
    drop(file);
    drop(bytes);
    assert!(used < 40 * MIB + 24 * MIB, "{used} bytes");

    // A file of 16 MB of ordinary lines.
    let line = br#"{"type":"message","id":"a1","parentId":"a0","timestamp":"2026-03-02T09:00:01.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[{"type":"text","text":"some output of a command\nthat nobody asks for"}],"isError":false,"timestamp":1772442001000}}
"#;
    let count = 16 * MIB as u64 / line.len() as u64;
    let mut seen = 0;
    let allocations = COUNT.load(Relaxed);
    let used = peak(Made(vec![(line.to_vec(), count)]), Fields::TEXT, |_| seen += 1);
    let allocations = COUNT.load(Relaxed) - allocations;
    assert_eq!(seen, count);
    assert!(used < 2 * MIB, "{used} bytes");
    // The message itself is the only thing that needs one.
    assert!(
        allocations as u64 <= count + 100,
        "{allocations} allocations for {count} lines"
    );

    // A damaged line of 40 MB: its end is kept to look for records.
    let mut torn = message("user", &filler, times);
    torn.0.truncate(2);
    torn.0.push((b"\n".to_vec(), 1));
    let size = torn.size();
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    let mut reader = SessionReader::new(torn, size, Fields::TEXT);
    assert!(reader.next_item().unwrap().is_none());
    assert_eq!(reader.diagnostics().damaged_lines(), 1);
    let used = PEAK.load(Relaxed) - before;
    assert!(used < 48 * MIB, "{used} bytes");
}
