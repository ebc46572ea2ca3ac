//! Tells the linker that the interpreter will bring Python's symbols; only macOS has to be told.

fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
