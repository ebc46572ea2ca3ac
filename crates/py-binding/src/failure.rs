//! Errors on their way into Python: one class for each code of the engine.

use std::error::Error as _;

use pyo3::{exceptions::PyRuntimeError, prelude::*};

/// What kept a call from its answer.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The engine says no.
    Engine(Box<lookback::Error>),
    /// A request makes no sense.
    Request(String),
    /// The process was forked after the engine was used.
    Forked,
    /// The engine has a bug.
    Panic,
    /// Python raised something, such as `KeyboardInterrupt`.
    Python(PyErr),
}

impl From<lookback::Error> for Failure {
    fn from(error: lookback::Error) -> Self {
        Self::Engine(Box::new(error))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<pythonize::PythonizeError> for Failure {
    fn from(error: pythonize::PythonizeError) -> Self {
        Self::Request(error.to_string())
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        let (code, message) = match failure {
            Failure::Python(error) => return error,
            Failure::Engine(error) => (error.code(), with_causes(&error)),
            Failure::Request(what) => ("bad-request", what),
            Failure::Forked => (
                "forked",
                "this process was forked after Lookback was used; start it with the method \"spawn\" or \
                 \"forkserver\", or open Lookback in the child only"
                    .to_owned(),
            ),
            Failure::Panic => ("internal", "the engine failed; please report this".to_owned()),
        };
        Python::attach(|py| of_code(py, code, &message).unwrap_or_else(|error| error))
    }
}

/// The exception that `lookback.errors` has for a code.
fn of_code(py: Python<'_>, code: &str, message: &str) -> PyResult<PyErr> {
    let class = py
        .import("lookback.errors")?
        .getattr("of_code")?
        .call1((code,))
        .map_err(|_| PyRuntimeError::new_err(message.to_owned()))?;
    Ok(PyErr::from_value(class.call1((message, code))?))
}

/// The message of an error and of what caused it.
fn with_causes(error: &lookback::Error) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        // Transparent errors repeat the text of what they wrap.
        if !message.ends_with(&text) {
            message.push_str(": ");
            message.push_str(&text);
        }
        cause = error.source();
    }
    message
}
