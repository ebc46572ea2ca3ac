//! Nothing leaves the machine, and nothing else is started: what could do either is not in the sources and not linked.
//!
//! `deny.toml` bans crates that speak HTTP or TLS; this looks at our own code, and at all that is locked.

use std::path::{Path, PathBuf};

/// Crates for sockets and event loops. Not one of them may be locked, whatever would pull it in. `mio` is: the picker
/// waits for keys and signals with it.
const NETWORK: [&str; 11] = [
    "async-std",
    "curl",
    "hyper",
    "isahc",
    "native-tls",
    "openssl-sys",
    "reqwest",
    "rustls",
    "socket2",
    "tokio",
    "ureq",
];

/// What code of ours would need, by the ending of the file.
const RUST: [&str; 5] = [
    "std::net",
    "TcpStream",
    "UdpSocket",
    "UnixStream",
    "process::Command",
];
const SCRIPT: [&str; 10] = [
    "fetch(",
    "WebSocket",
    "XMLHttpRequest",
    "node:http",
    "node:https",
    "node:net",
    "node:tls",
    "node:dgram",
    "child_process",
    "eval(",
];
const PYTHON: [&str; 9] = [
    "import socket",
    "import http",
    "import urllib",
    "import requests",
    "import subprocess",
    "from urllib",
    "from http",
    "os.system",
    "eval(",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs_err::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            walk(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Everything that is shipped: the sources of the crates and of the packages, without tests, examples and scripts.
fn shipped() -> Vec<PathBuf> {
    let root = root();
    let mut files = Vec::new();
    for entry in fs_err::read_dir(root.join("crates")).expect("the crates") {
        walk(&entry.expect("a crate").path().join("src"), &mut files);
    }
    for folder in [
        "crates/py-binding/python",
        "pi-extension/src",
        "harness-plugin/src",
    ] {
        walk(&root.join(folder), &mut files);
    }
    files.extend(["index.js", "loader.js"].map(|name| root.join("crates/node-binding").join(name)));
    files
}

#[test]
fn no_source_opens_a_connection_or_starts_a_program() {
    let files = shipped();
    assert!(files.len() > 200, "only {} files", files.len());
    let mut found = Vec::new();
    for path in files {
        let words: &[&str] = match path.extension().and_then(|extension| extension.to_str()) {
            Some("rs") => &RUST,
            Some("ts" | "js") => &SCRIPT,
            Some("py") => &PYTHON,
            _ => continue,
        };
        // The program resumes a session by starting Pi, and shows long answers in the pager of the user. It is the user
        // who asks for that, in a terminal.
        let is_program = path.starts_with(root().join("crates/cli"));
        let source = fs_err::read_to_string(&path).expect("a source is text");
        // Tests at the end of a file make pipes and processes.
        let source = source
            .split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap_or_default();
        found.extend(
            words
                .iter()
                .filter(|word| !(is_program && **word == "process::Command"))
                .filter(|word| source.contains(**word))
                .map(|word| format!("{}: {word}", path.display())),
        );
    }
    assert!(found.is_empty(), "\n{}\n", found.join("\n"));
}

#[test]
fn no_crate_for_networks_is_locked() {
    let lock = fs_err::read_to_string(root().join("Cargo.lock")).expect("the lock file");
    let found: Vec<&str> = NETWORK
        .into_iter()
        .filter(|name| lock.contains(&format!("\nname = \"{name}\"\n")))
        .collect();
    assert!(found.is_empty(), "{found:?}");
    assert!(lock.contains("\nname = \"tantivy\"\n"), "the lock file is read");
}
