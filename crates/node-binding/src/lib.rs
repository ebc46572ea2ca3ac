//! Node.js add-on of Lookback.
