//! What JavaScript gets. The comments are those of `index.d.ts`.

mod inspection;
mod search;
mod session;
mod source;
mod status;
mod sync;
mod tags;
mod tools;
mod transcript;
mod tree;
mod unread;

pub use inspection::*;
pub use search::*;
pub use session::*;
pub use source::*;
pub use status::*;
pub use sync::*;
pub use tags::*;
pub use tools::*;
pub use transcript::*;
pub use tree::*;
pub use unread::*;

use lookback::Timestamp;
use napi::{
    Env, JsValue,
    bindgen_prelude::{ToNapiValue, TypeName},
    sys,
};
use serde::Serialize;

/// A moment, a `Date` in JavaScript.
#[derive(Debug, Clone, Copy)]
pub struct Moment(Timestamp);

impl From<Timestamp> for Moment {
    fn from(time: Timestamp) -> Self {
        Self(time)
    }
}

impl TypeName for Moment {
    fn type_name() -> &'static str {
        "Date"
    }

    fn value_type() -> napi::ValueType {
        napi::ValueType::Object
    }
}

impl ToNapiValue for Moment {
    unsafe fn to_napi_value(env: sys::napi_env, moment: Self) -> napi::Result<sys::napi_value> {
        // Within ±8.64e15 every whole number is exact.
        Ok(Env::from_raw(env).create_date(moment.0.as_millis() as f64)?.raw())
    }
}

/// The name of an enum's value as it stands in JSON.
fn name_of(value: impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// A number of things. JavaScript is exact to 2^53, which no count reaches.
fn count(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}

fn texts<T: ToString>(values: impl IntoIterator<Item = T>) -> Vec<String> {
    values.into_iter().map(|value| value.to_string()).collect()
}
