//! Finding Pi's folders.

use camino::Utf8PathBuf;
use lookback::Surroundings;
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, Unknown},
};
use napi_derive::napi;

use crate::{
    control::{Control, Wishes},
    failure::Failure,
    given::{FromJs, object},
    instance::{Folders, Place},
    job::{Job, promise},
    options::{Environment, LocateOptions, OpenOptions},
};

/// Where everything lies.
#[derive(Clone)]
#[napi(object, object_from_js = false)]
pub struct Locations {
    /// Pi's folder for settings and sessions.
    pub agent_dir: String,
    /// The session folders that are searched.
    pub roots: Vec<String>,
    /// For what can be made again: the index.
    pub cache: String,
    /// For what cannot: tags and done-marks.
    pub data: String,
    /// Settings files that could not be read, with the reason.
    pub warnings: Vec<String>,
}

/// Finds the folders as Pi finds them: by options, environment, Pi's settings, in this order. Creates nothing.
#[napi(
    catch_unwind,
    ts_args_type = "options?: LocateOptions",
    ts_return_type = "Promise<Locations>"
)]
pub fn locate<'env>(env: &'env Env, options: Unknown<'env>) -> napi::Result<PromiseRaw<'env, Locations>> {
    let job = LocateOptions::from_js(options, "options").and_then(|options| {
        let control = Control::new(env, Wishes::default())?;
        Ok(Job::new(control, None, |_| {
            Ok(options.surroundings().locate().into())
        }))
    });
    promise(env, job)
}

impl From<lookback::Locations> for Locations {
    fn from(locations: lookback::Locations) -> Self {
        let texts = |paths: Vec<Utf8PathBuf>| paths.into_iter().map(Utf8PathBuf::into_string).collect();
        Self {
            agent_dir: locations.agent_dir.into_string(),
            roots: texts(locations.roots),
            cache: locations.cache.into_string(),
            data: locations.data.into_string(),
            warnings: locations.warnings,
        }
    }
}

impl LocateOptions {
    pub(crate) fn surroundings(self) -> Surroundings {
        let env = self.env.unwrap_or_default();
        Surroundings {
            home: self.home.map(Utf8PathBuf::from),
            cwd: self.cwd.unwrap_or_default().into(),
            agent_dir: self.agent_dir,
            sessions: self.sessions.unwrap_or_default(),
            cache: self.cache,
            data: self.data,
            env_agent_dir: env.agent_dir,
            env_session_dir: env.session_dir,
            env_cache_dir: env.cache_dir,
            env_data_dir: env.data_dir,
        }
    }
}

impl OpenOptions {
    /// The folders to open, and how they were found.
    pub(crate) fn folders(self) -> (Folders, Place) {
        let exclude = self.exclude.unwrap_or_default();
        let surroundings = LocateOptions {
            sessions: self.sessions,
            cache: self.cache,
            data: self.data,
            agent_dir: self.agent_dir,
            cwd: self.cwd,
            home: self.home,
            env: self.env,
        }
        .surroundings();
        let found = surroundings.locate();
        let folders = Folders {
            roots: found.roots.clone(),
            cache: found.cache.clone(),
            data: found.data.clone(),
            exclude,
        };
        let place = Place {
            cwd: surroundings.cwd,
            home: surroundings.home,
            locations: found.into(),
        };
        (folders, place)
    }
}

impl FromJs for Environment {
    fn from_js(value: Unknown<'_>, at: &str) -> Result<Self, Failure> {
        let variables = object(value, at)?;
        let get = |name: &str| -> Result<Option<String>, Failure> {
            match variables.get::<Unknown<'_>>(name)? {
                Some(value) => Option::from_js(value, &format!("{at}.{name}")),
                None => Ok(None),
            }
        };
        Ok(Self {
            agent_dir: get("PI_CODING_AGENT_DIR")?,
            session_dir: get("PI_CODING_AGENT_SESSION_DIR")?,
            cache_dir: get("PI_RECALL_CACHE_DIR")?,
            data_dir: get("PI_RECALL_DATA_DIR")?,
        })
    }
}
