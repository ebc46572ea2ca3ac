//! Link options for an add-on: among others, that the library stays loaded when a worker thread ends.

fn main() {
    napi_build::setup();
}
