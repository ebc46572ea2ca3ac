//! Durable store of tags and done-marks.
