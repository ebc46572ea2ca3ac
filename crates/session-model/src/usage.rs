use serde::{Deserialize, Serialize};

/// Tokens and cost of one answer, as the provider reported them. Numbers are taken as they stand in the file.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Tokens read.
    pub input: Option<f64>,
    /// Tokens written, reasoning included.
    pub output: Option<f64>,
    /// Tokens read from the provider's cache.
    pub cache_read: Option<f64>,
    /// Tokens written to the provider's cache.
    pub cache_write: Option<f64>,
    /// Part of `output` spent on reasoning.
    pub reasoning: Option<f64>,
    /// All tokens; old files lack it.
    pub total_tokens: Option<f64>,
    /// Cost in US dollars.
    pub cost: Cost,
}

/// Cost in US dollars, by what it was spent on.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Cost {
    /// For tokens read.
    pub input: Option<f64>,
    /// For tokens written.
    pub output: Option<f64>,
    /// For reading the cache.
    pub cache_read: Option<f64>,
    /// For writing the cache.
    pub cache_write: Option<f64>,
    /// The sum.
    pub total: Option<f64>,
}
