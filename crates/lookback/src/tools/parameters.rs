//! Reading what a model wrote: strict about names, lenient about how values are written.

use serde::{Deserialize, Deserializer, de};
use serde_json::Value;

use super::{ToolError, safe_text::short_line};

/// The parameters of a tool from JSON.
///
/// `shape` tells the model how a call looks.
pub(crate) fn read<'de, T: Deserialize<'de>>(
    tool: &'static str,
    shape: &str,
    parameters: Value,
) -> Result<T, ToolError> {
    let parameters = match parameters {
        Value::Null => Value::Object(serde_json::Map::new()),
        object @ Value::Object(_) => object,
        _ => {
            return Err(ToolError::parameters(
                tool,
                format!("the parameters are an object. {shape}"),
            ));
        }
    };
    T::deserialize(parameters).map_err(|error| {
        let what = short_line(&error.to_string(), 300);
        ToolError::parameters(tool, format!("{what}. {shape}"))
    })
}

/// A whole number that is not negative. Models and hosts also write `5.0` and `"5"`.
pub(crate) fn count<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<usize>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Number(f64),
        Text(String),
        Other(Value),
    }
    let not_a_count = || de::Error::custom("a number here is a whole number from 0");
    let number = match Option::<Written>::deserialize(deserializer)? {
        None | Some(Written::Other(Value::Null)) => return Ok(None),
        Some(Written::Number(number)) => number,
        Some(Written::Text(text)) if text.trim().is_empty() => return Ok(None),
        Some(Written::Text(text)) => text.trim().parse().map_err(|_| not_a_count())?,
        Some(Written::Other(_)) => return Err(not_a_count()),
    };
    // More than any count can be; the comparison is false for NaN.
    if number >= 0.0 && number.fract() == 0.0 && number <= 9e15 {
        Ok(Some(number as usize))
    } else {
        Err(not_a_count())
    }
}

/// A text; an empty one is as good as none.
pub(crate) fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    Ok(text
        .map(|text| text.trim().to_owned())
        .filter(|text| !text.is_empty()))
}

/// A number within its bounds, and what is to be said where it was not.
pub(crate) fn within(
    name: &str,
    value: Option<usize>,
    default: usize,
    bounds: std::ops::RangeInclusive<usize>,
    notes: &mut Vec<super::ToolWarning>,
) -> usize {
    let Some(asked) = value else { return default };
    let taken = asked.clamp(*bounds.start(), *bounds.end());
    if taken != asked {
        notes.push(super::ToolWarning::new(
            "out-of-range",
            format!(
                "{name} {asked} is taken as {taken} ({} to {})",
                bounds.start(),
                bounds.end()
            ),
        ));
    }
    taken
}
