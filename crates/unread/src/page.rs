//! A scan in pages, each small enough to be handed to a model.

use serde::{Deserialize, Serialize};

use crate::{Error, Inventory, Item, Scan, Skipped, limits, request::in_range, text};

/// Which part of a scan is wanted. Checked when it is made, so that a wrong request costs no scan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageRequest {
    query: String,
    offset: usize,
    limit: usize,
}

impl PageRequest {
    /// `query` is looked for in name, message and workspace, whatever its case; an empty one matches every session.
    /// `offset` is 0 to [`MAX_OFFSET`](limits::MAX_OFFSET), `limit` 1 to [`MAX_PAGE_ITEMS`](limits::MAX_PAGE_ITEMS).
    ///
    /// # Errors
    /// [`Error::QueryTooLong`], [`Error::QueryHasNul`], [`Error::OutOfRange`].
    pub fn new(query: &str, offset: usize, limit: usize) -> Result<Self, Error> {
        let query = text::trim(query);
        let units = text::units(query);
        if units > limits::QUERY_UNITS {
            return Err(Error::QueryTooLong { units });
        }
        if query.contains('\0') {
            return Err(Error::QueryHasNul);
        }
        Ok(Self {
            query: query.to_lowercase(),
            offset: in_range("offset", offset, 0, limits::MAX_OFFSET)?,
            limit: in_range("limit", limit, 1, limits::MAX_PAGE_ITEMS)?,
        })
    }

    fn matches(&self, item: &Item) -> bool {
        self.query.is_empty()
            || format!("{} {} {}", item.name, item.message, item.cwd)
                .to_lowercase()
                .contains(&self.query)
    }
}

/// The first page, as large as pages may be, of all sessions.
impl Default for PageRequest {
    fn default() -> Self {
        Self {
            query: String::new(),
            offset: 0,
            limit: limits::MAX_PAGE_ITEMS,
        }
    }
}

/// Part of what a scan found: at most [`MAX_PAGE_BYTES`](limits::MAX_PAGE_BYTES) as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Page {
    /// Sessions of the scan that match the query.
    pub total: usize,
    /// Those of this page, whole.
    pub items: Vec<Item>,
    /// Number of matching sessions in front of this page.
    pub offset: usize,
    /// Sessions in this page; fewer than the limit also when more would be too large.
    pub returned: usize,
    /// Where the next page begins; `None` when this one is the last.
    pub next_offset: Option<usize>,
    /// The length to which messages are cut, [`PREVIEW_UNITS`](limits::PREVIEW_UNITS): they are no transcripts.
    pub preview_characters: usize,
    /// How much was looked at, and what was cut.
    pub inventory: PageInventory,
    /// What was not used, when the request asked for details.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Skipped>,
}

/// The inventory of a page. `shown` and `truncated` are about the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PageInventory {
    /// The inventory of the scan.
    #[serde(flatten)]
    pub scan: Inventory,
    /// Sessions that match the query.
    pub matched: usize,
    /// The page leaves out some of them, in front of it or behind it.
    pub result_truncated: bool,
}

impl Scan {
    /// The page that `request` asks for. Costs no look at any file.
    pub fn page(&self, request: &PageRequest) -> Page {
        let matching: Vec<&Item> = self.items.iter().filter(|item| request.matches(item)).collect();
        let wanted: Vec<&Item> = matching
            .iter()
            .skip(request.offset)
            .take(request.limit)
            .copied()
            .collect();
        let frame = |returned| self.frame(matching.len(), request.offset, returned);
        let (mut returned, mut bytes) = (0, 0);
        for item in &wanted {
            // Commas stand between the items.
            bytes += json_length(item) + usize::from(returned > 0);
            // The first always fits, by the bounds of its parts: some 55 KiB with every character escaped.
            if returned > 0 && bytes + json_length(&frame(returned + 1)) > limits::MAX_PAGE_BYTES {
                break;
            }
            returned += 1;
        }
        Page {
            items: wanted.into_iter().take(returned).cloned().collect(),
            ..frame(returned)
        }
    }

    /// A page without its items.
    fn frame(&self, total: usize, offset: usize, returned: usize) -> Page {
        let end = offset + returned;
        let result_truncated = returned < total;
        Page {
            total,
            items: Vec::new(),
            offset,
            returned,
            next_offset: (end < total).then_some(end),
            preview_characters: limits::PREVIEW_UNITS,
            inventory: PageInventory {
                scan: Inventory {
                    shown: returned,
                    truncated: self.inventory.truncated || result_truncated,
                    ..self.inventory
                },
                matched: total,
                result_truncated,
            },
            skipped: self.details.then_some(self.skipped),
        }
    }
}

impl Page {
    /// The page as JSON on one line, at most [`MAX_PAGE_BYTES`](limits::MAX_PAGE_BYTES) long. Any JSON writer that
    /// escapes no more than it must makes the same bytes of it.
    pub fn to_json(&self) -> String {
        // Numbers, strings and lists always can be written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn json_length(value: &impl Serialize) -> usize {
    struct Counter(usize);

    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut counter = Counter(0);
    match serde_json::to_writer(&mut counter, value) {
        Ok(()) => counter.0,
        Err(_) => limits::MAX_PAGE_BYTES,
    }
}
