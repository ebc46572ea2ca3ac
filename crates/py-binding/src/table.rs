//! A table that has not been read yet, and the PyCapsule interface of Arrow.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

use arrow_array::{RecordBatch, ffi_stream::FFI_ArrowArrayStream};
use arrow_schema::{SchemaRef, ffi::FFI_ArrowSchema};
use lookback::{
    Lookback,
    tables::{Filter, Interrupted, Rows},
};
use pyo3::{
    exceptions::PyStopIteration,
    prelude::*,
    types::{PyCapsule, PyList},
};

use crate::{
    columns::{Batches, Tabular, choose, schema},
    failure::Failure,
    outside::refuse_after_fork,
    preview,
    stream::Reader,
};

type Start = dyn Fn() -> Rows<RecordBatch> + Send + Sync;

/// The native half of `lookback.Table`. Each stream reads the files anew.
#[pyclass(frozen, module = "lookback._lookback")]
pub(crate) struct NativeTable {
    schema: SchemaRef,
    start: Box<Start>,
    left_out: Arc<AtomicU64>,
    raised: Arc<Mutex<Option<PyErr>>>,
}

impl NativeTable {
    /// A table of the rows of a kind, reduced to the columns that are wanted. `kind` gets the names of these columns.
    pub(crate) fn new<K: Tabular + Clone>(
        lookback: Arc<Lookback>,
        filter: Filter,
        columns: Option<&[String]>,
        kind: impl FnOnce(&dyn Fn(&str) -> bool) -> K,
    ) -> Result<Self, Failure> {
        let chosen: Arc<[usize]> = choose::<K>(columns).map_err(Failure::Request)?.into();
        let schema = schema::<K>(&chosen);
        let kind = kind(&|name| schema.index_of(name).is_ok());
        let own = schema.clone();
        let start = move || {
            let (schema, chosen) = (own.clone(), chosen.clone());
            let make = move || Batches::new::<K>(schema.clone(), &chosen);
            lookback.rows(kind.clone(), filter.clone(), make)
        };
        Ok(Self {
            schema,
            start: Box::new(start),
            left_out: Arc::default(),
            raised: Arc::default(),
        })
    }
}

#[pymethods]
impl NativeTable {
    /// Name, type, unit and meaning of every column.
    fn schema(&self) -> Vec<(String, String, String, String)> {
        let of_field = |field: &Arc<arrow_schema::Field>| {
            let about = |key: &str| field.metadata().get(key).cloned().unwrap_or_default();
            (
                field.name().clone(),
                field.data_type().to_string(),
                about("unit"),
                about("about"),
            )
        };
        self.schema.fields().iter().map(of_field).collect()
    }

    /// The schema as a capsule named `arrow_schema`.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema =
            FFI_ArrowSchema::try_from(&*self.schema).map_err(|error| Failure::Request(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// A new reading as a capsule named `arrow_array_stream`. The schema stays as it is, whatever is requested; the
    /// interface leaves that open.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        refuse_after_fork()?;
        // What ended an earlier stream, and was not asked for, is no news of this one.
        *self.raised.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let reader = Reader {
            schema: self.schema.clone(),
            rows: (self.start)(),
            home: std::thread::current().id(),
            left_out: self.left_out.clone(),
            raised: self.raised.clone(),
        };
        PyCapsule::new_with_value(
            py,
            FFI_ArrowArrayStream::new(Box::new(reader)),
            c"arrow_array_stream",
        )
    }

    /// Files that the last stream could not read, or not to their end.
    #[getter]
    fn files_left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    /// Raises what ended the last stream, where that was Ctrl+C or the like.
    fn raise_interrupt(&self) -> PyResult<()> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(Ok(()), Err)
    }

    /// A new reading, batch by batch.
    fn read(&self) -> PyResult<NativeReading> {
        refuse_after_fork()?;
        Ok(NativeReading {
            rows: Mutex::new((self.start)()),
        })
    }
}

/// A reading of a table under way, as plain Python values.
#[pyclass(frozen, module = "lookback._lookback")]
pub(crate) struct NativeReading {
    rows: Mutex<Rows<RecordBatch>>,
}

#[pymethods]
impl NativeReading {
    /// The columns of the next batch as lists, up to so many rows of it; times are milliseconds since 1970.
    fn next_batch<'py>(&self, py: Python<'py>, rows: usize) -> PyResult<Vec<Bound<'py, PyList>>> {
        refuse_after_fork()?;
        py.check_signals()?;
        let batch = py.detach(|| self.rows.lock().unwrap_or_else(PoisonError::into_inner).next());
        match batch {
            Some(Ok(batch)) => preview::columns(py, &batch, rows),
            Some(Err(Interrupted::Cancelled)) | None => Err(PyStopIteration::new_err(())),
            Some(Err(_)) => Err(Failure::Panic.into()),
        }
    }

    /// Files that could not be read so far, or not to their end.
    #[getter]
    fn files_left_out(&self, py: Python<'_>) -> u64 {
        py.detach(|| {
            self.rows
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .files_left_out()
        })
    }
}
