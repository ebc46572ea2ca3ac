//! Installs every part of a release where nothing of this repository is, and uses it.
//!
//! What is used comes from `xtask/smoke`; each script ends with an error unless it finds what it looks for in the
//! example sessions.

use std::path::PathBuf;

use anyhow::Result;
use flate2::read::GzDecoder;

use super::{Release, archive::executable, python::interpreter};
use crate::steps::{self, Step};

/// A word of the example sessions.
const QUERY: &str = "flaky test";

pub(super) fn run(release: &Release<'_>) -> Result<()> {
    let place = tempfile::Builder::new().prefix("lookback-smoke-").tempdir()?;
    let fresh = Fresh {
        release,
        place: place.path().canonicalize()?,
        sessions: release
            .root
            .join("examples/sessions")
            .to_string_lossy()
            .into_owned(),
    };
    let mut steps = fresh.program()?;
    steps.extend(fresh.python()?);
    steps.extend(fresh.npm()?);
    steps.extend(fresh.embedding()?);
    steps::run("cargo xtask dist (smoke test)", &steps)
}

/// A folder in which nothing is installed yet.
struct Fresh<'a> {
    release: &'a Release<'a>,
    place: PathBuf,
    sessions: String,
}

impl Fresh<'_> {
    fn folder(&self, name: &str) -> Result<PathBuf> {
        let folder = self.place.join(name);
        fs_err::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn script(&self, name: &str) -> String {
        self.release
            .root
            .join("xtask/smoke")
            .join(name)
            .to_string_lossy()
            .into_owned()
    }

    /// The archive, unpacked: the program searches, and completions and a manual page are there.
    fn program(&self) -> Result<Vec<Step>> {
        let archive = self
            .release
            .file("lookback-", &format!("{}.tar.gz", self.release.target))?;
        let folder = self.folder("program")?;
        tar::Archive::new(GzDecoder::new(fs_err::File::open(&archive)?)).unpack(&folder)?;
        let folder = folder.join(super::name_of(&archive).trim_end_matches(".tar.gz"));
        for file in [
            "completions/lookback.bash",
            "completions/_lookback",
            "man/lookback.1",
            "LICENSE",
        ] {
            fs_err::metadata(folder.join(file))?;
        }
        let cache = self.place.join("cache").to_string_lossy().into_owned();
        let data = self.place.join("data").to_string_lossy().into_owned();
        let places = ["--sessions", &self.sessions, "--cache", &cache, "--data", &data];
        let step = |name: &str, arguments: &[&str]| {
            let arguments: Vec<&str> = places.iter().chain(arguments).copied().collect();
            // It says with its exit code whether anything was found.
            Step::new(name, &self.place, executable(&folder), &arguments)
        };
        Ok(vec![
            step("program: search", &["search", "-n", "1", QUERY]),
            step(
                "program: search the files",
                &["search", "-n", "1", "--engine", "scan", QUERY],
            ),
            step("program: health", &["doctor"]),
        ])
    }

    /// The wheel, and the source once it is built, each in an environment of its own.
    fn python(&self) -> Result<Vec<Step>> {
        let wheel = self.release.file("pi_lookback-", ".whl")?;
        let source = self.release.file("pi_lookback-", ".tar.gz")?;
        let mut steps = Vec::new();
        for (name, package, options) in [("wheel", wheel, &["--no-index"][..]), ("source", source, &[])] {
            let environment = self.place.join(format!("python-{name}"));
            let python = interpreter(&environment);
            let (folder, package) = (environment.to_string_lossy(), package.to_string_lossy());
            let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
            let install: Vec<&str> = install
                .iter()
                .chain(options)
                .copied()
                .chain([&*package])
                .collect();
            let target = self.release.root.join("target").to_string_lossy().into_owned();
            steps.extend([
                Step::new(
                    format!("Python {name}: environment"),
                    &self.place,
                    "python3",
                    &["-m", "venv", &folder],
                ),
                // The crates outside this repository need no second build.
                Step::new(
                    format!("Python {name}: installation"),
                    &self.place,
                    &python,
                    &install,
                )
                .with_environment("CARGO_TARGET_DIR", target),
                Step::new(
                    format!("Python {name}: use"),
                    &self.place,
                    &python,
                    &[
                        &self.script("use.py"),
                        &self.sessions,
                        &format!("{folder}-cache"),
                        QUERY,
                    ],
                ),
            ]);
        }
        Ok(steps)
    }

    /// The tarballs in a new project: the add-on, the plugin in a Cordis context, the extension in a real Pi.
    fn npm(&self) -> Result<Vec<Step>> {
        let project = self.folder("npm")?;
        fs_err::write(
            project.join("package.json"),
            r#"{"name": "smoke", "private": true, "type": "module"}"#,
        )?;
        for script in ["addon.mjs", "harness.mjs", "pi.mjs"] {
            fs_err::copy(self.script(script), project.join(script))?;
        }
        let version = &self.release.version;
        let mut tarballs = Vec::new();
        for package in ["lookback-node-", "pi-lookback-", "pi-harness-plugin-lookback-"] {
            tarballs.push(self.release.file(&format!("{package}{version}"), ".tgz")?);
        }
        // The compiled part has the platform in its name.
        tarballs.push(self.compiled()?);
        let tarballs: Vec<String> = tarballs
            .iter()
            .map(|path| path.to_string_lossy().into_owned())
            .collect();
        let modules = self.release.root.join("pi-extension/node_modules");
        let host = ["@deepseek-ai/cordis@4.0", "@deepseek-ai/schemastery@3.18"];
        // Pi itself is the one that the extension is tested with, and so is its Node.
        let install = ["install", "--no-audit", "--no-fund", "--legacy-peer-deps"];
        let install: Vec<&str> = install
            .into_iter()
            .chain(host)
            .chain(tarballs.iter().map(String::as_str))
            .collect();
        let node = modules.join("node/bin/node");
        let cache = |name: &str| self.place.join(name).to_string_lossy().into_owned();
        let step = |name: &str, arguments: &[&str]| Step::new(name, &project, &node, arguments);
        let repository = self.release.root.to_string_lossy();
        Ok(vec![
            Step::new("npm: installation", &project, "npm", &install),
            step(
                "npm: add-on",
                &["addon.mjs", &self.sessions, &cache("npm-addon"), QUERY],
            ),
            step("npm: plugin in Cordis", &["harness.mjs", &cache("npm-harness")]),
            step(
                "npm: extension in Pi",
                &["pi.mjs", &self.sessions, &repository, QUERY],
            ),
        ])
    }

    /// The tarball of the compiled part for this platform.
    fn compiled(&self) -> Result<PathBuf> {
        let os = match std::env::consts::OS {
            "macos" => "darwin",
            "windows" => "win32",
            other => other,
        };
        self.release.file(&format!("lookback-node-{os}-"), ".tgz")
    }

    /// A program of somebody else with the library in it.
    fn embedding(&self) -> Result<Vec<Step>> {
        let program = self.folder("embedding")?;
        let library = self
            .release
            .root
            .join("crates/lookback")
            .to_string_lossy()
            .into_owned();
        let target = self.release.root.join("target").to_string_lossy().into_owned();
        let cargo = |name: &str, arguments: &[&str]| {
            Step::new(name, &program, "cargo", arguments).with_environment("CARGO_TARGET_DIR", target.clone())
        };
        fs_err::create_dir_all(program.join("src"))?;
        fs_err::write(
            program.join("Cargo.toml"),
            "[package]\nname = \"embedding\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n",
        )?;
        fs_err::copy(self.script("embedding.rs"), program.join("src/main.rs"))?;
        let lock = self.release.root.join("Cargo.lock");
        fs_err::copy(lock, program.join("Cargo.lock"))?;
        let cache = self.place.join("embedding-cache").to_string_lossy().into_owned();
        Ok(vec![
            cargo("embedding: cargo add", &["add", "--quiet", "--path", &library]),
            cargo(
                "embedding: use",
                &["run", "--quiet", "--release", "--", &self.sessions, &cache, QUERY],
            ),
        ])
    }
}
