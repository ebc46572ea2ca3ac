//! Python module of Lookback.
