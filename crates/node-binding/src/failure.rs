//! Why a call did not succeed, and how that looks in JavaScript: an `Error` with a stable `code`.

use std::{
    error::Error as _,
    fmt::Write as _,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Mutex, Once},
};

use napi::{
    Env, Error, JsTypeError, Status,
    bindgen_prelude::{JsObjectValue, Object, Unknown},
    sys,
};

/// Why a call did not succeed.
pub(crate) enum Failure {
    /// The engine says so.
    Engine(lookback::Error),
    /// A tool gives no answer; the text is for the model.
    Tool(lookback::tools::ToolError),
    /// The answer of a model holds too few tags.
    Tags(lookback::tools::GeneratedTagsError),
    /// An option that does not exist.
    UnknownOption {
        /// Where it stands, such as `options.scope`.
        at: String,
        /// Its name.
        name: String,
        /// The names that exist.
        known: Vec<String>,
    },
    /// A value of a kind that does not fit.
    WrongType(String),
    /// The instance was closed.
    Closed,
    /// The caller's signal was aborted; with its reason, where it has one.
    Aborted(Option<Error>),
    /// The call was told to stop, by whomever: [`Control`](crate::control::Control) knows.
    Stopped,
    /// A bug: the code below panicked.
    Panic(String),
    /// An error of JavaScript itself, such as one that a callback threw.
    Js(Error),
}

impl From<lookback::Error> for Failure {
    fn from(error: lookback::Error) -> Self {
        Self::Engine(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Js(error)
    }
}

impl Failure {
    fn code(&self) -> &'static str {
        match self {
            Self::Engine(error) => error.code(),
            Self::Tool(error) => error.code(),
            Self::Tags(_) => "too-few-tags",
            Self::UnknownOption { .. } => "unknown-option",
            Self::WrongType(_) => "invalid-type",
            Self::Closed => "closed",
            Self::Aborted(_) | Self::Stopped => "aborted",
            Self::Panic(_) => "panic",
            Self::Js(_) => "internal",
        }
    }

    fn name(&self) -> &'static str {
        match self {
            Self::UnknownOption { .. } | Self::WrongType(_) => "TypeError",
            Self::Aborted(_) | Self::Stopped => "AbortError",
            _ => "LookbackError",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::Engine(error) => {
                let mut text = error.to_string();
                let mut source = error.source();
                while let Some(cause) = source {
                    let _ = write!(text, ": {cause}");
                    source = cause.source();
                }
                text
            }
            Self::Tool(error) => error.to_string(),
            Self::Tags(error) => error.to_string(),
            Self::UnknownOption { at, name, known } => {
                format!("{at} has no `{name}`; it can have {}", known.join(", "))
            }
            Self::WrongType(what) => what.clone(),
            Self::Closed => "this Lookback was closed".to_owned(),
            Self::Aborted(_) | Self::Stopped => "the call was aborted".to_owned(),
            Self::Panic(what) => format!("a bug in Lookback: {what}"),
            Self::Js(error) => error.reason.clone(),
        }
    }

    /// The error to reject a promise with. Only on the thread of `env`.
    pub(crate) fn into_error(self, env: &Env) -> Error {
        if let Self::Js(error) = self {
            // The status does not tell: a getter that throws is a general failure in Node.
            return thrown(env).unwrap_or(error);
        }
        self.dressed(env).map_or_else(
            |error| error,
            |object| Error::from_unknown_without_coercion(object),
        )
    }

    fn dressed<'env>(self, env: &'env Env) -> napi::Result<Unknown<'env>> {
        let (code, name) = (self.code(), self.name());
        let plain = Error::new(Status::GenericFailure, self.message());
        let mut object = if name == "TypeError" {
            // SAFETY: `env` is that of the running thread; what comes back is an object of it.
            Object::from_raw(env.raw(), unsafe {
                JsTypeError::from(plain).into_value(env.raw())
            })
        } else {
            let mut object = env.create_error(plain)?;
            object.set_named_property("name", name)?;
            object
        };
        object.set_named_property("code", code)?;
        if let Self::UnknownOption { name, .. } = &self {
            object.set_named_property("option", name.as_str())?;
        }
        if let Self::Aborted(Some(reason)) = self {
            object.set_named_property("cause", reason)?;
        }
        Ok(napi::JsValue::to_unknown(&object))
    }
}

/// What JavaScript threw, no longer pending.
pub(crate) fn thrown(env: &Env) -> Option<Error> {
    let (mut is_pending, mut value) = (false, std::ptr::null_mut());
    // SAFETY: `env` is that of the running thread, and the pointers are good for the calls.
    let known = unsafe { sys::napi_is_exception_pending(env.raw(), &mut is_pending) };
    if known != sys::Status::napi_ok || !is_pending {
        return None;
    }
    // SAFETY: as above; `value` is only read when napi filled it.
    let cleared = unsafe { sys::napi_get_and_clear_last_exception(env.raw(), &mut value) };
    if cleared != sys::Status::napi_ok || value.is_null() {
        return None;
    }
    // SAFETY: `value` was given by napi for this `env` just now.
    let value = unsafe { Unknown::from_raw_unchecked(env.raw(), value) };
    Some(Error::from_unknown_without_coercion(value))
}

/// Where the last panic happened; the payload alone does not say.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// A panic is told in the error that it becomes, and not printed over the user's terminal as well.
pub(crate) fn quiet_panics() {
    static ONCE: Once = Once::new();
    // The hook belongs to this library's copy of the standard library, not to the host.
    ONCE.call_once(|| {
        std::panic::set_hook(Box::new(|panic| {
            let mut last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            *last = Some(panic.to_string());
        }));
    });
}

/// Runs something, and turns a panic in it into a failure.
pub(crate) fn caught<T>(run: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let mut last = LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        Err(Failure::Panic(
            last.take().unwrap_or_else(|| "a panic".to_owned()),
        ))
    })
}
