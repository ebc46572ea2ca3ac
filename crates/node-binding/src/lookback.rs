use std::sync::Arc;

use lookback::Lookback as Engine;
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, ToNapiValue, TypeName, Unknown},
};
use napi_derive::napi;

use crate::{
    control::{Control, Wishes},
    failure::Failure,
    given::FromJs,
    instance::{Instance, engine},
    job::{Job, promise},
    options::{CallOptions, ListOptions, OpenOptions, SearchOptions, SyncOptions, with_signal},
    replies::{SearchReply, SessionPage, Status, SyncReport},
    requests::sync_with,
};

/// Past sessions of Pi, ready to be searched, read and tagged.
///
/// Objects that mean the same folders share one engine, so that making one costs next to nothing. All work is done on
/// worker threads; no method throws, every failure is a rejected promise.
#[napi]
pub struct Lookback {
    pub(crate) instance: Arc<Instance>,
}

/// What a method needs: wishes of the caller, and the work.
type Prepared<W> = Result<(Wishes, W), Failure>;

impl Lookback {
    /// Starts a call of this instance.
    pub(crate) fn call<'env, T, W>(
        &self,
        env: &'env Env,
        prepare: impl FnOnce() -> Prepared<W>,
    ) -> napi::Result<PromiseRaw<'env, T>>
    where
        T: ToNapiValue + TypeName + Send + 'static,
        W: FnOnce(&Engine, &Control) -> Result<T, Failure> + Send + 'static,
    {
        let job = prepare().and_then(|(wishes, work)| {
            if self.instance.is_closed() {
                return Err(Failure::Closed);
            }
            let control = Control::new(env, wishes)?;
            let running = Arc::new(self.instance.begin(control.stop())?);
            let kept = Arc::clone(&running);
            Ok(Job::new(control, Some(kept), move |control| {
                work(running.engine(), control)
            }))
        });
        promise(env, job)
    }
}

/// What methods about one session take.
pub(crate) fn session_and_signal(
    session: Unknown<'_>,
    options: Unknown<'_>,
) -> Result<(String, Wishes), Failure> {
    let session = String::from_js(session, "session")?;
    let options = CallOptions::from_js(options, "options")?;
    Ok((session, with_signal(options.signal)))
}

#[napi]
impl Lookback {
    /// Opens session folders. Nothing is created before the first sync or the first tag.
    #[napi(
        catch_unwind,
        configurable,
        ts_args_type = "options?: OpenOptions",
        ts_return_type = "Promise<Lookback>"
    )]
    pub fn open<'env>(env: &'env Env, options: Unknown<'env>) -> napi::Result<PromiseRaw<'env, Lookback>> {
        let job = OpenOptions::from_js(options, "options").and_then(|options| {
            let control = Control::new(env, Wishes::default())?;
            Ok(Job::new(control, None, |_| {
                let (folders, place) = options.folders();
                let instance = Arc::new(Instance::new(engine(&folders)?, place));
                Ok(Self { instance })
            }))
        });
        promise(env, job)
    }

    /// Where everything lies.
    #[napi(getter, catch_unwind)]
    pub fn locations(&self) -> crate::locate::Locations {
        self.instance.place.locations.clone()
    }

    /// True once `close` was called.
    #[napi(getter, catch_unwind)]
    pub fn closed(&self) -> bool {
        self.instance.is_closed()
    }

    /// Brings the index up to date. Where nothing changed this costs a walk through the folders.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: SyncOptions",
        ts_return_type = "Promise<SyncReport>"
    )]
    pub fn sync<'env>(
        &self,
        env: &'env Env,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SyncReport>> {
        self.call(env, || {
            let options = SyncOptions::from_js(options, "options")?;
            let (wishes, wait) = (options.wishes(), options.patience());
            Ok((wishes, move |engine: &Engine, control: &Control| {
                Ok(sync_with(control, wait, |request| engine.sync(request))?.into())
            }))
        })
    }

    /// Throws the index away and builds it from nothing. Tags stay.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: SyncOptions",
        ts_return_type = "Promise<SyncReport>"
    )]
    pub fn reindex<'env>(
        &self,
        env: &'env Env,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SyncReport>> {
        self.call(env, || {
            let options = SyncOptions::from_js(options, "options")?;
            let (wishes, wait) = (options.wishes(), options.patience());
            Ok((wishes, move |engine: &Engine, control: &Control| {
                Ok(sync_with(control, wait, |request| engine.reindex(request))?.into())
            }))
        })
    }

    /// Searches all sessions as they are now. A query is never an error; what makes no sense in it is in the warnings.
    #[napi(
        catch_unwind,
        ts_args_type = "query: string, options?: SearchOptions",
        ts_return_type = "Promise<SearchReply>"
    )]
    pub fn search<'env>(
        &self,
        env: &'env Env,
        query: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SearchReply>> {
        self.call(env, || {
            let query = String::from_js(query, "query")?;
            let options = SearchOptions::from_js(options, "options")?;
            let (wishes, manner) = (options.wishes(), options.manner()?);
            let request = options.request(query, &self.instance.place.cwd)?;
            Ok((wishes, move |engine: &Engine, control: &Control| {
                let report = control.reporting();
                let options = manner.options(control.sync_request(&report));
                Ok(engine.answer(&request, &options)?.into())
            }))
        })
    }

    /// Lists all sessions as they are now, the latest activity first.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: ListOptions",
        ts_return_type = "Promise<SessionPage>"
    )]
    pub fn list<'env>(
        &self,
        env: &'env Env,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SessionPage>> {
        self.call(env, || {
            let options = ListOptions::from_js(options, "options")?;
            let (wishes, sync) = (options.wishes(), options.sync.unwrap_or(true));
            let request = options.request();
            Ok((wishes, move |engine: &Engine, control: &Control| {
                let report = control.reporting();
                let source = sync.then(|| engine.freshen(&control.sync_request(&report)));
                Ok(SessionPage::new(engine.list(&request)?, source))
            }))
        })
    }

    /// Looks at the folders, the index and the tags; changes nothing.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: CallOptions",
        ts_return_type = "Promise<Status>"
    )]
    pub fn status<'env>(
        &self,
        env: &'env Env,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, Status>> {
        self.call(env, || {
            let options = CallOptions::from_js(options, "options")?;
            Ok((with_signal(options.signal), |engine: &Engine, _: &Control| {
                Ok(engine.status()?.into())
            }))
        })
    }

    /// Takes no more calls. Running ones are finished, or end with the code `closed` where that is quicker; the promise
    /// is fulfilled when none is left. Can be called again, and need not be called at all.
    #[napi(catch_unwind, ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> napi::Result<PromiseRaw<'env, ()>> {
        self.instance.close(env)
    }
}
