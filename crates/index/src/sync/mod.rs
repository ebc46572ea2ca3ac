//! Bringing the index up to the state of the session folders.
//!
//! A look at the folders is compared with the records (`changes`); what changed is read and indexed by workers
//! (`worker`, `reading`), each of which fills a layer at a time; a layer is committed as soon as it is full
//! (`commit`); small layers are merged in the end (`compaction`).

mod changes;
mod commit;
mod compaction;
mod reading;
mod run;
mod worker;

pub(crate) use run::{Source, empty, run};
