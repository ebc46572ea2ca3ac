use std::sync::Arc;

use arrow_array::{
    ArrayRef, RecordBatch,
    builder::{
        BooleanBuilder, Float64Builder, Int64Builder, LargeStringBuilder, ListBuilder,
        TimestampMillisecondBuilder,
    },
};
use arrow_schema::SchemaRef;
use lookback::tables::Collect;

use super::{Cell, Shape, Tabular, ZONE};

/// A batch has at most so many rows,
const ROWS: usize = 16 << 10;
/// and about so many bytes of text.
const BYTES: usize = 4 << 20;

/// Collects rows into record batches.
pub(crate) struct Batches {
    schema: SchemaRef,
    columns: Vec<(usize, Values)>,
    rows: usize,
    bytes: usize,
}

enum Values {
    Text(LargeStringBuilder),
    Texts(ListBuilder<LargeStringBuilder>),
    Whole(Int64Builder),
    Number(Float64Builder),
    Flag(BooleanBuilder),
    Time(TimestampMillisecondBuilder),
}

impl Batches {
    /// For the chosen columns of a table of `K`, whose schema is `schema`.
    pub(crate) fn new<K: Tabular>(schema: SchemaRef, chosen: &[usize]) -> Self {
        let values = |&position: &usize| (position, Values::new(K::COLUMNS[position].shape));
        Self {
            schema,
            columns: chosen.iter().map(values).collect(),
            rows: 0,
            bytes: 0,
        }
    }
}

impl<K: Tabular> Collect<K> for Batches {
    type Batch = RecordBatch;

    fn push(&mut self, row: &K::Row<'_>) {
        self.rows += 1;
        for (position, values) in &mut self.columns {
            self.bytes += values.push((K::COLUMNS[*position].cell)(row));
        }
    }

    fn is_full(&self) -> bool {
        self.rows >= ROWS || self.bytes >= BYTES
    }

    fn take(&mut self) -> Option<RecordBatch> {
        if self.rows == 0 {
            return None;
        }
        (self.rows, self.bytes) = (0, 0);
        let arrays = self
            .columns
            .iter_mut()
            .map(|(_, values)| values.finish())
            .collect();
        // The columns were made from the schema, and every row fills all of them.
        RecordBatch::try_new(self.schema.clone(), arrays).ok()
    }
}

impl Values {
    fn new(shape: Shape) -> Self {
        match shape {
            Shape::Text => Self::Text(LargeStringBuilder::new()),
            Shape::Texts => Self::Texts(ListBuilder::new(LargeStringBuilder::new())),
            Shape::Whole => Self::Whole(Int64Builder::new()),
            Shape::Number => Self::Number(Float64Builder::new()),
            Shape::Flag => Self::Flag(BooleanBuilder::new()),
            Shape::Time => Self::Time(TimestampMillisecondBuilder::new().with_timezone(ZONE)),
        }
    }

    /// Returns the bytes that were added, as far as they can be many.
    fn push(&mut self, cell: Cell<'_>) -> usize {
        match (self, cell) {
            (Self::Text(values), Cell::Text(text)) => {
                values.append_option(text);
                return text.map_or(0, str::len);
            }
            (Self::Texts(values), Cell::Texts(texts)) => {
                let bytes = texts.iter().map(|text| text.len()).sum();
                texts.iter().for_each(|text| values.values().append_value(text));
                values.append(true);
                return bytes;
            }
            (Self::Whole(values), Cell::Whole(number)) => values.append_option(number),
            (Self::Number(values), Cell::Number(number)) => values.append_option(number),
            (Self::Flag(values), Cell::Flag(flag)) => values.append_option(flag),
            (Self::Time(values), Cell::Time(time)) => values.append_option(time),
            // A column whose cells have another shape than it says: a mistake in the list of columns, which the schema
            // test finds. The column must not get out of step with the others.
            (values, _) => values.push_nothing(),
        }
        0
    }

    fn push_nothing(&mut self) {
        match self {
            Self::Text(values) => values.append_null(),
            Self::Texts(values) => values.append_null(),
            Self::Whole(values) => values.append_null(),
            Self::Number(values) => values.append_null(),
            Self::Flag(values) => values.append_null(),
            Self::Time(values) => values.append_null(),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Text(values) => Arc::new(values.finish()),
            Self::Texts(values) => Arc::new(values.finish()),
            Self::Whole(values) => Arc::new(values.finish()),
            Self::Number(values) => Arc::new(values.finish()),
            Self::Flag(values) => Arc::new(values.finish()),
            Self::Time(values) => Arc::new(values.finish()),
        }
    }
}
