//! What stands behind an object of JavaScript: an engine, shared by all objects that mean the same folders.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, Weak},
};

use camino::Utf8PathBuf;
use lookback::Lookback as Engine;
use napi::{Env, JsDeferred, JsValue, bindgen_prelude::PromiseRaw};

use crate::{
    control::{Ended, Stop, lock},
    failure::Failure,
    locate::Locations,
};

/// Everything that makes an engine what it is. The current folder is no part of it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Folders {
    pub(crate) roots: Vec<Utf8PathBuf>,
    pub(crate) cache: Utf8PathBuf,
    pub(crate) data: Utf8PathBuf,
    pub(crate) exclude: Vec<String>,
}

/// The engines in use. Hosts make new objects all the time, at every switch of the session for instance.
static ENGINES: Mutex<Option<HashMap<Folders, Weak<Engine>>>> = Mutex::new(None);

/// The engine for these folders: the one in use, or a new one.
pub(crate) fn engine(folders: &Folders) -> Result<Arc<Engine>, Failure> {
    let mut engines = lock(&ENGINES);
    let engines = engines.get_or_insert_default();
    if let Some(engine) = engines.get(folders).and_then(Weak::upgrade) {
        return Ok(engine);
    }
    let mut builder = Engine::builder().cache(&folders.cache).data(&folders.data);
    for root in &folders.roots {
        builder = builder.root(root);
    }
    for pattern in &folders.exclude {
        builder = builder.exclude(pattern);
    }
    let engine = Arc::new(builder.open()?);
    engines.retain(|_, engine| engine.strong_count() > 0);
    engines.insert(folders.clone(), Arc::downgrade(&engine));
    Ok(engine)
}

/// How many engines are in use.
#[cfg(feature = "test-hooks")]
pub(crate) fn engines() -> usize {
    let engines = lock(&ENGINES);
    let live = |engines: &HashMap<Folders, Weak<Engine>>| {
        engines
            .values()
            .filter(|engine| engine.strong_count() > 0)
            .count()
    };
    engines.as_ref().map_or(0, live)
}

type Closing = JsDeferred<(), fn(Env) -> napi::Result<()>>;

/// Where an object of JavaScript was opened.
pub(crate) struct Place {
    pub(crate) cwd: Utf8PathBuf,
    pub(crate) home: Option<Utf8PathBuf>,
    pub(crate) locations: Locations,
}

/// One object of JavaScript.
pub(crate) struct Instance {
    pub(crate) place: Place,
    state: Mutex<State>,
}

/// An engine as one object sees it.
struct Seat {
    engine: Engine,
    /// Keeps it among those in use.
    _shared: Arc<Engine>,
}

struct State {
    /// `None` once it is closed.
    seat: Option<Arc<Seat>>,
    /// The calls that are not over yet.
    running: HashMap<u64, Arc<Stop>>,
    /// Number of the next call.
    next: u64,
    /// Waits for the last call.
    closing: Vec<Closing>,
}

impl Instance {
    pub(crate) fn new(engine: Arc<Engine>, place: Place) -> Self {
        let seat = Seat {
            engine: engine.with_cwd(&place.cwd),
            _shared: engine,
        };
        let state = State {
            seat: Some(Arc::new(seat)),
            running: HashMap::new(),
            next: 0,
            closing: Vec::new(),
        };
        Self {
            place,
            state: Mutex::new(state),
        }
    }

    /// Begins a call.
    ///
    /// # Errors
    /// [`Failure::Closed`].
    pub(crate) fn begin(self: &Arc<Self>, stop: &Arc<Stop>) -> Result<Running, Failure> {
        let mut state = lock(&self.state);
        let seat = state.seat.clone().ok_or(Failure::Closed)?;
        let number = state.next;
        state.next += 1;
        state.running.insert(number, Arc::clone(stop));
        let instance = Arc::clone(self);
        Ok(Running {
            seat,
            instance,
            number,
        })
    }

    pub(crate) fn is_closed(&self) -> bool {
        lock(&self.state).seat.is_none()
    }

    /// Takes no more calls and ends what can be ended. The promise is for the moment when no call is left.
    pub(crate) fn close<'env>(&self, env: &'env Env) -> napi::Result<PromiseRaw<'env, ()>> {
        let mut state = lock(&self.state);
        state.seat = None;
        state.running.values().for_each(|stop| stop.end(Ended::Closed));
        if state.running.is_empty() {
            return PromiseRaw::resolve(env, ());
        }
        let (closing, promise) = env.create_deferred()?;
        state.closing.push(closing);
        Ok(PromiseRaw::new(env.raw(), promise.raw()))
    }
}

/// A call that is not over yet.
pub(crate) struct Running {
    seat: Arc<Seat>,
    instance: Arc<Instance>,
    number: u64,
}

impl Running {
    pub(crate) fn engine(&self) -> &Engine {
        &self.seat.engine
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let mut state = lock(&self.instance.state);
        state.running.remove(&self.number);
        if state.running.is_empty() {
            for closing in state.closing.drain(..) {
                closing.resolve(|_| Ok(()));
            }
        }
    }
}
