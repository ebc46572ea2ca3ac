//! Rows as Arrow columns. Each table is a list of columns, and each column says how a row fills it.

mod builder;
mod kinds;

use std::{collections::HashMap, sync::Arc};

use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};
use lookback::tables::RowKind;

pub(crate) use builder::Batches;

/// A column of a table of `K`.
pub(crate) struct Column<K: RowKind> {
    pub(crate) name: &'static str,
    pub(crate) shape: Shape,
    /// What it holds, and in which unit.
    pub(crate) about: &'static str,
    pub(crate) unit: &'static str,
    pub(crate) cell: for<'a, 'r> fn(&'a K::Row<'r>) -> Cell<'a>,
}

/// A kind of rows that can be a table.
pub(crate) trait Tabular: RowKind + Sized {
    const COLUMNS: &'static [Column<Self>];
}

/// What a column is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Text,
    Texts,
    Whole,
    Number,
    Flag,
    Time,
}

/// One value.
pub(crate) enum Cell<'a> {
    Text(Option<&'a str>),
    Texts(Vec<&'a str>),
    Whole(Option<i64>),
    Number(Option<f64>),
    Flag(Option<bool>),
    /// Milliseconds since 1970.
    Time(Option<i64>),
}

/// The zone of all times.
const ZONE: &str = "UTC";

impl Shape {
    pub(crate) fn data_type(self) -> DataType {
        match self {
            // Offsets of 64 bits: a single hostile text can be longer than 32 bits count.
            Self::Text => DataType::LargeUtf8,
            Self::Texts => DataType::List(Arc::new(Field::new("item", DataType::LargeUtf8, true))),
            Self::Whole => DataType::Int64,
            Self::Number => DataType::Float64,
            Self::Flag => DataType::Boolean,
            Self::Time => DataType::Timestamp(TimeUnit::Millisecond, Some(ZONE.into())),
        }
    }
}

/// The positions of the wanted columns, in the order in which they are wanted; all of them by default.
pub(crate) fn choose<K: Tabular>(wanted: Option<&[String]>) -> Result<Vec<usize>, String> {
    let Some(wanted) = wanted else {
        return Ok((0..K::COLUMNS.len()).collect());
    };
    let known = || {
        K::COLUMNS
            .iter()
            .map(|column| column.name)
            .collect::<Vec<_>>()
            .join(", ")
    };
    if wanted.is_empty() {
        return Err(format!("at least one column is needed; there are {}", known()));
    }
    let mut chosen = Vec::new();
    for name in wanted {
        match K::COLUMNS.iter().position(|column| column.name == name) {
            None => return Err(format!("there is no column {name}; there are {}", known())),
            Some(position) if chosen.contains(&position) => {
                return Err(format!("the column {name} is named twice"));
            }
            Some(position) => chosen.push(position),
        }
    }
    Ok(chosen)
}

/// The schema of the chosen columns. What a column is about travels as metadata of its field.
pub(crate) fn schema<K: Tabular>(chosen: &[usize]) -> SchemaRef {
    let field = |&position: &usize| {
        let column = &K::COLUMNS[position];
        let mut about = HashMap::from([("about".to_owned(), column.about.to_owned())]);
        if !column.unit.is_empty() {
            about.insert("unit".to_owned(), column.unit.to_owned());
        }
        Field::new(column.name, column.shape.data_type(), true).with_metadata(about)
    };
    Arc::new(Schema::new(chosen.iter().map(field).collect::<Vec<_>>()))
}

/// A whole number out of what a file says: fractions are dropped, what no 64 bits can hold is nothing.
fn whole(number: Option<f64>) -> Option<i64> {
    // The largest number below 2^63 that a float can be.
    const MOST: f64 = 9_223_372_036_854_774_784.0;
    number
        .filter(|number| number.abs() <= MOST)
        .map(|number| number as i64)
}
