//! Rows as plain Python values, for a look at a table without any data frame library.

use arrow_array::{
    Array, BooleanArray, Float64Array, Int64Array, LargeStringArray, ListArray, RecordBatch,
    TimestampMillisecondArray,
};
use pyo3::{prelude::*, types::PyList};

/// The columns of a batch as lists; times are milliseconds since 1970.
pub(crate) fn columns<'py>(
    py: Python<'py>,
    batch: &RecordBatch,
    rows: usize,
) -> PyResult<Vec<Bound<'py, PyList>>> {
    let rows = rows.min(batch.num_rows());
    batch
        .columns()
        .iter()
        .map(|column| {
            PyList::new(
                py,
                (0..rows)
                    .map(|row| value(py, column, row))
                    .collect::<PyResult<Vec<_>>>()?,
            )
        })
        .collect()
}

fn value<'py>(py: Python<'py>, column: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    if column.is_null(row) {
        return Ok(py.None().into_bound(py));
    }
    let any = column.as_any();
    if let Some(values) = any.downcast_ref::<LargeStringArray>() {
        Ok(values.value(row).into_pyobject(py)?.into_any())
    } else if let Some(values) = any.downcast_ref::<Int64Array>() {
        Ok(values.value(row).into_pyobject(py)?.into_any())
    } else if let Some(values) = any.downcast_ref::<TimestampMillisecondArray>() {
        Ok(values.value(row).into_pyobject(py)?.into_any())
    } else if let Some(values) = any.downcast_ref::<Float64Array>() {
        Ok(values.value(row).into_pyobject(py)?.into_any())
    } else if let Some(values) = any.downcast_ref::<BooleanArray>() {
        Ok(values.value(row).into_pyobject(py)?.to_owned().into_any())
    } else if let Some(values) = any.downcast_ref::<ListArray>() {
        let items = values.value(row);
        let items = (0..items.len())
            .map(|item| value(py, &items, item))
            .collect::<PyResult<Vec<_>>>()?;
        Ok(PyList::new(py, items)?.into_any())
    } else {
        Ok(py.None().into_bound(py))
    }
}
