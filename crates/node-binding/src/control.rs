//! How a running call is stopped, and how it tells its progress.

use std::{
    cell::RefCell,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use lookback::SyncRequest;
use napi::{
    Env, Error,
    bindgen_prelude::{
        FnArgs, Function, FunctionCallContext, FunctionRef, JsObjectValue, ObjectRef, Unknown,
    },
};

use crate::{
    failure::Failure,
    given::{Callback, Signal},
    progress::Reporter,
};

/// What ends a call before it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The caller's signal.
    Aborted,
    /// Its instance was closed, or the thread that it answers to ends.
    Closed,
    /// The caller's progress callback threw.
    Threw,
}

/// The flag that the engine looks at, and who set it.
#[derive(Debug, Default)]
pub(crate) struct Stop {
    flag: AtomicBool,
    by: OnceLock<Ended>,
}

impl Stop {
    /// Ends the call soon. The first to do so is remembered.
    pub(crate) fn end(&self, by: Ended) {
        // An error only says that somebody was first.
        let _ = self.by.set(by);
        self.flag.store(true, Ordering::Release);
    }

    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.flag
    }

    pub(crate) fn is_set(&self) -> bool {
        self.flag.load(Ordering::Acquire)
    }
}

thread_local! {
    /// The calls that this thread of JavaScript waits for.
    static RUNNING: RefCell<Vec<Weak<Stop>>> = const { RefCell::new(Vec::new()) };
}

/// Ends the calls that this thread of JavaScript waits for.
pub(crate) fn end_calls() {
    RUNNING.with_borrow_mut(|running| {
        for stop in running.drain(..).filter_map(|stop| stop.upgrade()) {
            stop.end(Ended::Closed);
        }
    });
}

/// What a caller handed in beside the request.
#[derive(Default, Clone, Copy)]
pub(crate) struct Wishes {
    /// Ends the call.
    pub(crate) signal: Option<Signal>,
    /// The call can take long and reports its progress.
    pub(crate) reports: bool,
    /// Wants to hear of it.
    pub(crate) listener: Option<Callback>,
}

/// The ties of a running call to JavaScript. Made and dissolved on the thread of JavaScript.
pub(crate) struct Control {
    stop: Arc<Stop>,
    watch: Option<Watch>,
    reporter: Option<Reporter>,
}

/// A listener on an `AbortSignal`.
struct Watch {
    signal: ObjectRef<false>,
    listener: FunctionRef<(), ()>,
}

type Listen<'a> = Function<'a, FnArgs<(&'static str, Function<'a, (), ()>)>, Unknown<'a>>;

impl Control {
    /// Ties a call to what its caller handed in.
    ///
    /// # Errors
    /// [`Failure::Aborted`] when the signal is aborted already.
    pub(crate) fn new(env: &Env, wishes: Wishes) -> Result<Self, Failure> {
        let stop = Arc::new(Stop::default());
        if let Some(Signal(signal)) = wishes.signal
            && signal.get::<bool>("aborted")? == Some(true)
        {
            return Err(Failure::Aborted(reason(&signal)?));
        }
        let reporter = wishes
            .reports
            .then(|| Reporter::new(env, wishes.listener, &stop))
            .transpose()?;
        let watch = wishes
            .signal
            .map(|signal| Watch::new(env, signal, &stop))
            .transpose()?;
        RUNNING.with_borrow_mut(|running| {
            running.retain(|stop| stop.strong_count() > 0);
            running.push(Arc::downgrade(&stop));
        });
        Ok(Self {
            stop,
            watch,
            reporter,
        })
    }

    pub(crate) fn stop(&self) -> &Arc<Stop> {
        &self.stop
    }

    /// Tells how far the call is; from any thread, and cheap where nobody wants to know.
    pub(crate) fn reporting(&self) -> impl Fn(lookback::Progress) + Sync {
        let reporter = self.reporter.as_ref();
        move |progress| {
            if let Some(reporter) = reporter {
                reporter.report(progress);
            }
        }
    }

    /// A sync that is tied to this call; `report` is what [`Control::reporting`] gives.
    pub(crate) fn sync_request<'a>(
        &'a self,
        report: &'a (dyn Fn(lookback::Progress) + Sync),
    ) -> SyncRequest<'a> {
        SyncRequest {
            progress: report,
            cancel: self.stop.flag(),
            ..SyncRequest::default()
        }
    }

    /// The outcome as the caller gets it: what the engine answered, unless the call was ended.
    pub(crate) fn settle<T>(&self, env: &Env, outcome: Result<T, Failure>) -> Result<T, Failure> {
        if let Some(error) = self.reporter.as_ref().and_then(|reporter| reporter.finish(env)) {
            return Err(Failure::Js(error));
        }
        match (outcome, self.stop.by.get()) {
            (_, Some(Ended::Aborted)) => {
                let reason = match &self.watch {
                    Some(watch) => reason(&watch.signal.get_value(env)?)?,
                    None => None,
                };
                Err(Failure::Aborted(reason))
            }
            (Err(Failure::Stopped), Some(Ended::Closed)) => Err(Failure::Closed),
            (outcome, _) => outcome,
        }
    }

    /// Unties it.
    pub(crate) fn dissolve(self, env: &Env) -> napi::Result<()> {
        match self.watch {
            Some(watch) => watch.remove(env),
            None => Ok(()),
        }
    }
}

fn reason(signal: &napi::bindgen_prelude::Object<'_>) -> Result<Option<Error>, Failure> {
    let reason = signal.get::<Unknown<'_>>("reason")?;
    Ok(reason.map(Error::from_unknown_without_coercion))
}

impl Watch {
    fn new(env: &Env, Signal(signal): Signal, stop: &Arc<Stop>) -> Result<Self, Failure> {
        let stop = Arc::clone(stop);
        let listener = env.create_function_from_closure("onabort", move |_: FunctionCallContext<'_>| {
            stop.end(Ended::Aborted);
            Ok(())
        })?;
        let add: Listen<'_> = signal.get_named_property_unchecked("addEventListener")?;
        add.apply(signal, FnArgs::from(("abort", listener)))?;
        Ok(Self {
            signal: signal.create_ref()?,
            listener: listener.create_ref()?,
        })
    }

    fn remove(self, env: &Env) -> napi::Result<()> {
        let signal = self.signal.get_value(env)?;
        let remove: Listen<'_> = signal.get_named_property_unchecked("removeEventListener")?;
        let removed = remove.apply(signal, FnArgs::from(("abort", self.listener.borrow_back(env)?)));
        self.signal.unref(env)?;
        removed.map(drop)
    }
}

/// Nothing that is kept behind these locks can be left half changed.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
