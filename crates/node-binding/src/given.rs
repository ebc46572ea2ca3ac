//! Values from JavaScript, checked: napi by itself wraps negative numbers, cuts fractions and passes over unknown
//! options.

use camino::Utf8PathBuf;
use lookback::Timestamp;
use napi::{
    JsDate, JsValue, ValueType,
    bindgen_prelude::{Array, FromNapiValue, Function, JsValuesTupleIntoVec, Object, Unknown},
};
use serde_json::Value;

use crate::failure::Failure;

/// Made from a JavaScript value. `at` says where the value stands, for errors.
pub(crate) trait FromJs: Sized {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure>;
}

fn wrong(value: Unknown<'_>, at: &str, expected: &str) -> Failure {
    Failure::WrongType(format!("{at} must be {expected}, not {}", described(value)))
}

/// The text of a string, number or boolean. Halves of surrogate pairs become U+FFFD.
fn text(value: Unknown<'_>) -> napi::Result<String> {
    let utf8 = value.coerce_to_string()?.into_utf8()?;
    Ok(String::from_utf8_lossy(utf8.as_slice()).into_owned())
}

fn described(value: Unknown<'_>) -> String {
    match value.get_type() {
        Ok(ValueType::Undefined) => "undefined".to_owned(),
        Ok(ValueType::Null) => "null".to_owned(),
        Ok(ValueType::Boolean | ValueType::Number) => text(value).unwrap_or_else(|_| "a number".to_owned()),
        Ok(ValueType::String) => "a string".to_owned(),
        Ok(ValueType::Function) => "a function".to_owned(),
        Ok(ValueType::Object) if value.is_array().unwrap_or(false) => "an array".to_owned(),
        Ok(ValueType::Object) if value.is_date().unwrap_or(false) => "a Date".to_owned(),
        Ok(ValueType::Object) => "an object".to_owned(),
        Ok(other) => format!("a {other}").to_lowercase(),
        Err(_) => "that".to_owned(),
    }
}

/// Nothing was given.
pub(crate) fn is_absent(value: Unknown<'_>) -> bool {
    matches!(value.get_type(), Ok(ValueType::Undefined | ValueType::Null))
}

/// `null` and `undefined` both mean: not given.
impl<T: FromJs> FromJs for Option<T> {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        if is_absent(value) {
            return Ok(None);
        }
        T::from_js(value, at).map(Some)
    }
}

impl FromJs for String {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        if value.get_type()? != ValueType::String {
            return Err(wrong(value, at, "a string"));
        }
        Ok(text(value)?)
    }
}

impl FromJs for Utf8PathBuf {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        String::from_js(value, at).map(Self::from)
    }
}

impl FromJs for bool {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        if value.get_type()? != ValueType::Boolean {
            return Err(wrong(value, at, "true or false"));
        }
        Ok(value.coerce_to_bool()?)
    }
}

/// The largest whole number that JavaScript can tell from its neighbours.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

impl FromJs for usize {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        const EXPECTED: &str = "a whole number from 0 on";
        if value.get_type()? != ValueType::Number {
            return Err(wrong(value, at, EXPECTED));
        }
        let number = value.coerce_to_number()?.get_double()?;
        if !(0.0..=MAX_SAFE).contains(&number) || number.fract() != 0.0 {
            return Err(wrong(value, at, EXPECTED));
        }
        Ok(number as Self)
    }
}

impl FromJs for Timestamp {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        const EXPECTED: &str = "a valid Date";
        if !value.is_date()? {
            return Err(wrong(value, at, EXPECTED));
        }
        let number = JsDate::from_unknown(value)?.value_of()?;
        Timestamp::from_number(number).ok_or_else(|| wrong(value, at, EXPECTED))
    }
}

impl<T: FromJs> FromJs for Vec<T> {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        if !value.is_array()? {
            return Err(wrong(value, at, "an array"));
        }
        let array = Array::from_unknown(value)?;
        (0..array.len())
            .map(|index| {
                let element: Option<Unknown<'_>> = array.get(index)?;
                let at = format!("{at}[{index}]");
                match element {
                    Some(element) => T::from_js(element, &at),
                    None => Err(Failure::WrongType(format!("{at} is missing"))),
                }
            })
            .collect()
    }
}

/// Anything that JSON can hold. What it cannot hold is left out, as `JSON.stringify` does.
impl FromJs for Value {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        json(value, at, MOST_DEPTH, &mut { MOST_VALUES }).map(Option::unwrap_or_default)
    }
}

/// Nesting and number of values of JSON: an object can hold itself, or an unbounded number of paths to itself.
const MOST_DEPTH: u32 = 64;
const MOST_VALUES: u32 = 100_000;

fn json(value: Unknown<'_>, at: &str, depth: u32, left: &mut u32) -> Result<Option<Value>, Failure> {
    let too_much = || Failure::WrongType(format!("{at} is too deep or too large, or holds itself"));
    if depth == 0 || *left == 0 {
        return Err(too_much());
    }
    *left -= 1;
    Ok(Some(match value.get_type()? {
        ValueType::Null => Value::Null,
        ValueType::Boolean => value.coerce_to_bool()?.into(),
        ValueType::String => text(value)?.into(),
        ValueType::Number => {
            let number = value.coerce_to_number()?.get_double()?;
            if number.fract() == 0.0 && number.abs() <= MAX_SAFE {
                Value::from(number as i64)
            } else {
                Value::from(number)
            }
        }
        ValueType::Object if value.is_array()? => {
            let array = Array::from_unknown(value)?;
            // A sparse array costs nothing in JavaScript, whatever its length.
            if array.len() > *left {
                return Err(too_much());
            }
            let element = |index| {
                let element: Option<Unknown<'_>> = array.get(index)?;
                let element = element
                    .map(|element| json(element, at, depth - 1, left))
                    .transpose()?;
                Ok(element.flatten().unwrap_or_default())
            };
            Value::Array((0..array.len()).map(element).collect::<Result<_, Failure>>()?)
        }
        ValueType::Object => {
            let mut members = serde_json::Map::new();
            let object = Object::from_raw(value.value().env, value.value().value);
            for name in Object::keys(&object)? {
                let member: Option<Unknown<'_>> = object.get(&name)?;
                if let Some(member) = member
                    .map(|member| json(member, at, depth - 1, left))
                    .transpose()?
                {
                    members.extend(member.map(|member| (name, member)));
                }
            }
            Value::Object(members)
        }
        _ => return Ok(None),
    }))
}

/// An `AbortSignal`, or what behaves like one. Only good within the call that it was handed to.
#[derive(Clone, Copy)]
pub(crate) struct Signal(pub(crate) Object<'static>);

impl FromJs for Signal {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        let not_a_signal = || wrong(value, at, "an AbortSignal");
        let object = object(value, at).map_err(|_| not_a_signal())?;
        for (name, wanted) in [
            ("aborted", ValueType::Boolean),
            ("addEventListener", ValueType::Function),
            ("removeEventListener", ValueType::Function),
        ] {
            let found = object.get::<Unknown<'_>>(name)?.ok_or_else(not_a_signal)?;
            if found.get_type()? != wanted {
                return Err(not_a_signal());
            }
        }
        Ok(Self(object))
    }
}

/// A function. Only good within the call that it was handed to.
#[derive(Clone, Copy)]
pub(crate) struct Callback(pub(crate) Unknown<'static>);

impl FromJs for Callback {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        if value.get_type()? != ValueType::Function {
            return Err(wrong(value, at, "a function"));
        }
        let raw = value.value();
        // SAFETY: both come from a live value; the lifetime is that of the call, as the type says.
        Ok(Self(unsafe { Unknown::from_raw_unchecked(raw.env, raw.value) }))
    }
}

/// An object that is neither an array nor a date. Only good within the call that it was handed to.
pub(crate) fn object(value: Unknown<'_>, at: &str) -> Result<Object<'static>, Failure> {
    if value.get_type()? != ValueType::Object || value.is_array()? || value.is_date()? {
        return Err(wrong(value, at, "an object"));
    }
    let raw = value.value();
    Ok(Object::from_raw(raw.env, raw.value))
}

/// An object with options, all of whose names are known.
pub(crate) struct Given<'a> {
    object: Option<Object<'static>>,
    at: &'a str,
}

impl<'a> Given<'a> {
    /// Takes an object, or nothing. `fields` are the known names as Rust spells them.
    pub(crate) fn new(value: Unknown<'_>, at: &'a str, fields: &[&str]) -> Result<Self, Failure> {
        if is_absent(value) {
            return Ok(Self { object: None, at });
        }
        let object = object(value, at)?;
        let known: Vec<String> = fields.iter().map(|field| camel(field)).collect();
        match Object::keys(&object)?
            .into_iter()
            .find(|name| !known.contains(name))
        {
            Some(name) => Err(Failure::UnknownOption {
                at: at.to_owned(),
                name,
                known,
            }),
            None => Ok(Self {
                object: Some(object),
                at,
            }),
        }
    }

    /// The option with this name, as Rust spells it.
    pub(crate) fn get<T: FromJs>(&self, field: &str) -> Result<Option<T>, Failure> {
        let name = camel(field);
        let value = match &self.object {
            Some(object) => object.get::<Unknown<'_>>(&name)?,
            None => None,
        };
        match value {
            Some(value) => Option::from_js(value, &format!("{}.{name}", self.at)),
            None => Ok(None),
        }
    }
}

/// `agent_dir` as JavaScript spells it: `agentDir`.
fn camel(field: &str) -> String {
    let mut parts = field.split('_');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (first, rest) = part.split_at(part.len().min(1));
        name.push_str(&first.to_ascii_uppercase());
        name.push_str(rest);
    }
    name
}

/// A function of JavaScript, from a value that was checked to be one.
pub(crate) fn function<'env, Arguments: JsValuesTupleIntoVec, Return>(
    callback: Callback,
) -> napi::Result<Function<'env, Arguments, Return>> {
    // SAFETY: `Callback` is only made from functions.
    unsafe { callback.0.cast() }
}
