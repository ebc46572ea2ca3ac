/// Memory that ranking reuses from query to query. One per thread; start with the default.
#[derive(Debug, Default)]
pub struct Scratch {
    pub(crate) _private: (),
}
