//! Rows on their way out as an Arrow stream.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread::ThreadId,
};

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use lookback::tables::{Interrupted, Rows};
use pyo3::prelude::*;

/// Batches as they are read, for a consumer that knows nothing of Python.
pub(crate) struct Reader {
    pub(crate) schema: SchemaRef,
    pub(crate) rows: Rows<RecordBatch>,
    /// The thread in which Python asked for the stream. Only there the interpreter can be waited for: any other thread
    /// may belong to the consumer, and the interpreter's owner may be waiting for it.
    pub(crate) home: ThreadId,
    /// Where it is told how many files could not be read.
    pub(crate) left_out: Arc<AtomicU64>,
    /// Where an exception of Python's is kept that ended the reading, such as `KeyboardInterrupt`.
    pub(crate) raised: Arc<Mutex<Option<PyErr>>>,
}

impl Iterator for Reader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if std::thread::current().id() != self.home {
            return self.batch();
        }
        Python::attach(|py| {
            if let Err(error) = py.check_signals() {
                // An exception cannot pass through the consumer, which raises one of its own. This one is kept for
                // those who ask for it.
                self.rows.cancel_flag().store(true, Ordering::Relaxed);
                *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
                // Also where all rows were read already: an end without an error would lose the exception.
                return Some(Err(ArrowError::ExternalError(Box::new(Interrupted::Cancelled))));
            }
            py.detach(|| self.batch())
        })
    }
}

impl Reader {
    fn batch(&mut self) -> Option<Result<RecordBatch, ArrowError>> {
        let batch = self.rows.next();
        self.left_out.store(self.rows.files_left_out(), Ordering::Relaxed);
        Some(batch?.map_err(|error| ArrowError::ExternalError(Box::new(error))))
    }
}

impl RecordBatchReader for Reader {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
