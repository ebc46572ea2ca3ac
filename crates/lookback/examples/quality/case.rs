use std::error::Error;

use camino::Utf8Path;

/// A query whose right answer is known.
#[derive(Debug, Clone)]
pub(crate) struct Case {
    pub(crate) kind: String,
    /// The id of the right session.
    pub(crate) session: String,
    /// The entry that has to stand for it, where only one will do.
    pub(crate) entry: Option<String>,
    pub(crate) query: String,
}

/// The halves of the queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    /// For choosing numbers.
    Tune,
    /// For reporting them.
    Report,
    All,
}

impl Half {
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        match name {
            "tune" => Ok(Self::Tune),
            "report" => Ok(Self::Report),
            "all" => Ok(Self::All),
            _ => Err(format!("there is no half `{name}`: tune, report, all")),
        }
    }
}

impl Case {
    /// By a hash of the query (FNV-1a): adding a query moves no other one.
    pub(crate) fn half(&self) -> Half {
        let hash = self
            .kind
            .bytes()
            .chain([0])
            .chain(self.query.bytes())
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        // The lowest bit of this hash is a parity of bits of the text; higher ones are mixed.
        if hash >> 40 & 1 == 0 {
            Half::Tune
        } else {
            Half::Report
        }
    }
}

/// Reads queries: kind, session id (`id#entry` where an entry is asked for), query, apart by tabs.
pub(crate) fn read(path: &Utf8Path) -> Result<Vec<Case>, Box<dyn Error>> {
    let text = fs_err::read_to_string(path)?;
    let mut cases = Vec::new();
    for line in text
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
    {
        let mut columns = line.splitn(3, '\t');
        let (Some(kind), Some(right), Some(query)) = (columns.next(), columns.next(), columns.next()) else {
            return Err(format!("{path}: `{line}` has no three columns").into());
        };
        let (session, entry) = match right.split_once('#') {
            Some((session, entry)) => (session, Some(entry.to_owned())),
            None => (right, None),
        };
        cases.push(Case {
            kind: kind.to_owned(),
            session: session.to_owned(),
            entry,
            query: query.to_owned(),
        });
    }
    Ok(cases)
}
