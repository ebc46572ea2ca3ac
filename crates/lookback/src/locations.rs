use std::io::{self, Read};

use camino::{Utf8Path, Utf8PathBuf};
use fs_err as fs;
use serde::Deserialize;

/// Settings are written by hand; a file of this size is something else.
const MAX_SETTINGS_BYTES: u64 = 1 << 20;

/// What a host knows of the world: environment, home, current folder. The library itself asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The user's home folder.
    pub home: Option<Utf8PathBuf>,
    /// The current folder; relative paths are taken from here.
    pub cwd: Utf8PathBuf,
    /// Given by the user: the agent folder. Goes before the environment.
    pub agent_dir: Option<String>,
    /// Given by the user: session folders. They replace all others.
    pub sessions: Vec<String>,
    /// Given by the user: the cache folder.
    pub cache: Option<String>,
    /// Given by the user: the folder of tags and settings.
    pub data: Option<String>,
    /// `PI_CODING_AGENT_DIR`.
    pub env_agent_dir: Option<String>,
    /// `PI_CODING_AGENT_SESSION_DIR`.
    pub env_session_dir: Option<String>,
    /// `PI_RECALL_CACHE_DIR`.
    pub env_cache_dir: Option<String>,
    /// `PI_RECALL_DATA_DIR`.
    pub env_data_dir: Option<String>,
}

/// Where everything lies: found as Pi itself finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Locations {
    /// Pi's folder for settings and sessions.
    pub agent_dir: Utf8PathBuf,
    /// The session folders that are searched.
    pub roots: Vec<Utf8PathBuf>,
    /// For what can be made again: the index.
    pub cache: Utf8PathBuf,
    /// For what cannot: tags.
    pub data: Utf8PathBuf,
    /// Settings files that could not be read, with the reason.
    pub warnings: Vec<String>,
}

#[derive(Deserialize)]
struct Settings {
    #[serde(rename = "sessionDir")]
    session_dir: Option<String>,
}

impl Surroundings {
    /// Finds all folders. Reads Pi's two settings files; touches nothing else.
    ///
    /// A session folder set by environment or settings is searched beside the default one: what was written before it
    /// was set is history too. Without a home folder the current folder stands in for it.
    pub fn locate(&self) -> Locations {
        let chosen = |given: &Option<String>, env: &Option<String>| {
            let text = given.as_ref().or(env.as_ref()).filter(|text| !text.is_empty());
            text.map(|text| self.resolve(text))
        };
        let home = self.home.clone().unwrap_or_else(|| self.cwd.clone());
        let agent_dir =
            chosen(&self.agent_dir, &self.env_agent_dir).unwrap_or_else(|| home.join(".pi/agent"));
        let mut warnings = Vec::new();
        let mut roots: Vec<Utf8PathBuf> = self.sessions.iter().map(|text| self.resolve(text)).collect();
        if roots.is_empty() {
            let set = chosen(&None, &self.env_session_dir)
                .or_else(|| self.session_dir_in(&self.cwd.join(".pi/settings.json"), &mut warnings))
                .or_else(|| self.session_dir_in(&agent_dir.join("settings.json"), &mut warnings));
            roots.extend(set);
            roots.push(agent_dir.join("sessions"));
        }
        let mut seen = std::collections::HashSet::new();
        roots.retain(|root| seen.insert(root.clone()));
        let cache =
            chosen(&self.cache, &self.env_cache_dir).unwrap_or_else(|| agent_dir.join("cache/lookback"));
        let data = chosen(&self.data, &self.env_data_dir).unwrap_or_else(|| agent_dir.join("pi-recall"));
        Locations {
            agent_dir,
            roots,
            cache,
            data,
            warnings,
        }
    }

    /// The path that a text from the user, the environment or a settings file means: `~` and `file://` are expanded
    /// as Pi does, relative paths start at the current folder, trailing separators go.
    pub fn resolve(&self, text: &str) -> Utf8PathBuf {
        let text = text.strip_prefix("file://").unwrap_or(text);
        let path = match (text.strip_prefix('~'), &self.home) {
            (Some(""), Some(home)) => home.clone(),
            (Some(rest), Some(home)) if rest.starts_with(['/', '\\']) => home.join(&rest[1..]),
            _ => self.cwd.join(text),
        };
        // Components leave out `.` and doubled separators; `..` stays, since it may stand behind a link.
        path.components().collect()
    }

    fn session_dir_in(&self, path: &Utf8Path, warnings: &mut Vec<String>) -> Option<Utf8PathBuf> {
        let text = match read_settings(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return None,
            Err(error) => {
                warnings.push(format!("cannot read {path}: {error}"));
                return None;
            }
        };
        match serde_json::from_str::<Settings>(&text) {
            Ok(settings) => settings
                .session_dir
                .filter(|dir| !dir.is_empty())
                .map(|dir| self.resolve(&dir)),
            Err(error) => {
                warnings.push(format!("cannot read {path}: {error}"));
                None
            }
        }
    }
}

/// The text of a settings file. One of them lies in the project, which may come from anywhere: a pipe would be waited
/// for, a link to a device would have no end.
fn read_settings(path: &Utf8Path) -> io::Result<String> {
    let refused = |what: &str| Err(io::Error::new(io::ErrorKind::InvalidInput, what));
    let metadata = path.as_std_path().metadata()?;
    if !metadata.is_file() {
        return refused("it is no file");
    }
    let mut text = String::new();
    fs::File::open(path)?
        .take(MAX_SETTINGS_BYTES + 1)
        .read_to_string(&mut text)?;
    if text.len() as u64 > MAX_SETTINGS_BYTES {
        return refused("it is larger than 1 MiB");
    }
    Ok(text)
}

/// The name that Pi gives to the folder of a workspace's sessions. Two workspaces can share one: `/a/b` and `/a-b`.
pub(crate) fn workspace_folder_name(cwd: &Utf8Path) -> String {
    let path = cwd.as_str();
    let path = path.strip_prefix(['/', '\\']).unwrap_or(path);
    format!("--{}--", path.replace(['/', '\\', ':'], "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn surroundings(folder: &Utf8Path) -> Surroundings {
        Surroundings {
            home: Some(folder.join("home")),
            cwd: folder.join("work"),
            ..Surroundings::default()
        }
    }

    #[test]
    fn the_order_is_that_of_pi() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let agent = folder.join("home/.pi/agent");
        let mut around = surroundings(folder);
        assert_eq!(around.locate().roots, [agent.join("sessions")]);
        assert_eq!(around.locate().data, agent.join("pi-recall"));

        fs::create_dir_all(&agent).unwrap();
        fs::write(
            agent.join("settings.json"),
            r#"{"sessionDir":"~/global","other":[1]}"#,
        )
        .unwrap();
        assert_eq!(
            around.locate().roots,
            [folder.join("home/global"), agent.join("sessions")]
        );

        fs::create_dir_all(folder.join("work/.pi")).unwrap();
        fs::write(
            folder.join("work/.pi/settings.json"),
            r#"{"sessionDir":"./mine/"}"#,
        )
        .unwrap();
        assert_eq!(
            around.locate().roots,
            [folder.join("work/mine"), agent.join("sessions")]
        );

        around.env_session_dir = Some("/from/env".into());
        assert_eq!(
            around.locate().roots,
            [Utf8PathBuf::from("/from/env"), agent.join("sessions")]
        );

        around.sessions = vec!["a".into(), "/b".into(), "a/".into()];
        assert_eq!(around.locate().roots, [folder.join("work/a"), "/b".into()]);

        around.env_agent_dir = Some("~/other".into());
        assert_eq!(around.locate().agent_dir, folder.join("home/other"));
    }

    #[test]
    fn workspaces_have_the_folders_that_pi_gives_them() {
        for (cwd, name) in [
            ("/home/u/my project", "--home-u-my project--"),
            ("/home/u/a-b", "--home-u-a-b--"),
            ("/", "----"),
            ("C:\\Users\\me\\proj", "--C--Users-me-proj--"),
            ("D:\\", "--D----"),
            ("\\\\server\\share\\x", "---server-share-x--"),
        ] {
            assert_eq!(workspace_folder_name(Utf8Path::new(cwd)), name);
        }
    }

    #[test]
    fn a_damaged_settings_file_is_told_and_passed_over() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let agent = folder.join("home/.pi/agent");
        fs::create_dir_all(&agent).unwrap();
        fs::write(agent.join("settings.json"), "{oops").unwrap();
        let located = surroundings(folder).locate();
        assert_eq!(located.roots, [agent.join("sessions")]);
        assert!(
            located.warnings[0].contains("settings.json"),
            "{:?}",
            located.warnings
        );
    }

    /// Whoever wrote the project wrote its settings, too.
    #[cfg(unix)]
    #[test]
    fn a_settings_file_that_never_ends_is_not_read() {
        let dir = tempfile::tempdir().unwrap();
        let folder = Utf8Path::from_path(dir.path()).unwrap();
        let settings = folder.join("work/.pi/settings.json");
        fs::create_dir_all(settings.parent().unwrap()).unwrap();
        let warning = || {
            let located = surroundings(folder).locate();
            assert_eq!(located.roots, [folder.join("home/.pi/agent/sessions")]);
            let _ = fs::remove_file(&settings);
            located.warnings.concat()
        };
        std::os::unix::fs::symlink("/dev/zero", &settings).unwrap();
        assert!(warning().contains("no file"));
        let made = std::process::Command::new("mkfifo").arg(&settings).status();
        assert!(made.unwrap().success());
        assert!(warning().contains("no file"));
        fs::write(
            &settings,
            format!("{{\"sessionDir\": \"{}\"}}", "x".repeat(1 << 20)),
        )
        .unwrap();
        assert!(warning().contains("1 MiB"));
        fs::create_dir(&settings).unwrap();
        assert!(warning().contains("no file"));
    }
}
