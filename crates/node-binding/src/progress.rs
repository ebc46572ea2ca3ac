//! Progress, from the threads of the engine to a function of JavaScript.

use std::sync::{Arc, Mutex};

use napi::{
    Env, Error, JsValue, Status,
    bindgen_prelude::{FunctionCallContext, FunctionRef, ToNapiValue},
    sys,
    threadsafe_function::{ThreadsafeCallContext, ThreadsafeFunction, ThreadsafeFunctionCallMode},
};

use crate::{
    control::{Ended, Stop, lock},
    failure::{Failure, thrown},
    given::{Callback, function},
    replies::Progress,
};

/// Carries progress to a function of JavaScript: the latest one only, so that a slow listener costs nothing.
pub(crate) struct Reporter {
    told: Arc<Told>,
    /// Weak, so that it keeps no process alive; one call in the queue is enough.
    wake: ThreadsafeFunction<(), (), (), Status, false, true, 1>,
}

struct Told {
    latest: Mutex<Latest>,
    listener: Mutex<Option<Listener>>,
    threw: Mutex<Option<Error>>,
    stop: Arc<Stop>,
}

/// Threads overtake each other on their way here, progress does not go back.
#[derive(Default)]
struct Latest {
    furthest: Option<lookback::Progress>,
    is_told: bool,
}

type Listener = FunctionRef<(), ()>;

impl Reporter {
    pub(crate) fn new(env: &Env, callback: Option<Callback>, stop: &Arc<Stop>) -> Result<Self, Failure> {
        let nothing = env.create_function_from_closure("nothing", |_: FunctionCallContext<'_>| Ok(()))?;
        let listener = match callback {
            Some(callback) => function(callback)?.create_ref()?,
            // Somebody has to notice that JavaScript has ended, see [`Told::deliver`].
            None => nothing.create_ref()?,
        };
        let told = Arc::new(Told {
            latest: Mutex::default(),
            listener: Mutex::new(Some(listener)),
            threw: Mutex::default(),
            stop: Arc::clone(stop),
        });
        let teller = Arc::clone(&told);
        // A threadsafe function made of the caller's own would end the process when that throws.
        let wake = nothing
            .build_threadsafe_function::<()>()
            .weak::<true>()
            .max_queue_size::<1>()
            .build_callback(move |context: ThreadsafeCallContext<()>| {
                teller.deliver(&context.env);
                Ok(())
            })?;
        Ok(Self { told, wake })
    }

    pub(crate) fn report(&self, progress: lookback::Progress) {
        let mut latest = lock(&self.told.latest);
        let done = |progress: lookback::Progress| (progress.bytes_done, progress.files_done);
        if latest
            .furthest
            .is_some_and(|furthest| done(progress) <= done(furthest))
        {
            return;
        }
        *latest = Latest {
            furthest: Some(progress),
            is_told: false,
        };
        drop(latest);
        // A full queue holds a call that will find the latest progress.
        self.wake
            .call_with_return_value((), ThreadsafeFunctionCallMode::NonBlocking, |_, _| Ok(()));
    }

    /// On the thread of JavaScript: tells what was not told yet, and nothing after that. Gives what the listener threw.
    pub(crate) fn finish(&self, env: &Env) -> Option<Error> {
        self.told.deliver(env);
        lock(&self.told.listener).take();
        lock(&self.told.threw).take()
    }
}

impl Told {
    /// On the thread of JavaScript: calls the listener with what is new. What it throws ends the call; so does the end of
    /// JavaScript itself, for which a worker that is terminated, or a process that exits, would otherwise wait.
    fn deliver(&self, env: &Env) {
        let mut latest = lock(&self.latest);
        let news = latest.furthest.filter(|_| !latest.is_told);
        latest.is_told = true;
        drop(latest);
        let Some(progress) = news else { return };
        let Some(listener) = lock(&self.listener).take() else {
            return;
        };
        match call(env, &listener, Progress::from(progress)) {
            Ok(()) => *lock(&self.listener) = Some(listener),
            Err(Some(error)) => {
                *lock(&self.threw) = Some(error);
                self.stop.end(Ended::Threw);
            }
            Err(None) => self.stop.end(Ended::Closed),
        }
    }
}

/// Calls a function, and gives what it throws, whatever that is; or nothing where no JavaScript can run any more.
fn call(env: &Env, listener: &Listener, progress: Progress) -> Result<(), Option<Error>> {
    let function = listener.borrow_back(env).map_err(Some)?;
    let (raw, mut this, mut returned) = (env.raw(), std::ptr::null_mut(), std::ptr::null_mut());
    // SAFETY: this is the thread of `env`; function and argument are values of it, and the pointers are good.
    let status = unsafe {
        let argument = Progress::to_napi_value(raw, progress).map_err(|_| None)?;
        sys::napi_get_undefined(raw, &mut this);
        sys::napi_call_function(raw, this, function.raw(), 1, &argument, &mut returned)
    };
    if status == sys::Status::napi_ok {
        return Ok(());
    }
    Err(thrown(env))
}
