use std::sync::Arc;

use lookback::{Lookback as Engine, Tag, UnreadControl};
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, ToNapiValue, TypeName, Unknown},
};
use napi_derive::napi;

use crate::{
    control::{Control, Wishes},
    failure::Failure,
    given::FromJs,
    host,
    instance::{Instance, engine},
    job::{Job, promise},
    options::{
        CallOptions, ListOptions, OpenOptions, ReadOptions, SearchOptions, SyncOptions, UnreadOptions,
        with_signal,
    },
    replies::{
        AllTags, BranchTree, FoundSession, Inspection, SearchReply, SessionPage, SessionTags, Status, SyncReport,
        Transcript, UnreadPage,
    },
    requests::sync_with,
};

/// Past sessions of Pi, ready to be searched, read and tagged.
///
/// Objects that mean the same folders share one engine, so that making one costs next to nothing. All work is done on
/// worker threads; no method throws, every failure is a rejected promise.
#[napi]
pub struct Lookback {
    instance: Arc<Instance>,
}

/// What a method needs: wishes of the caller, and the work.
type Prepared<W> = Result<(Wishes, W), Failure>;

impl Lookback {
    /// Starts a call of this instance.
    fn call<'env, T, W>(&self, env: &'env Env, prepare: impl FnOnce() -> Prepared<W>) -> napi::Result<PromiseRaw<'env, T>>
    where
        T: ToNapiValue + TypeName + Send + 'static,
        W: FnOnce(&Engine, &Control) -> Result<T, Failure> + Send + 'static,
    {
        let job = prepare().and_then(|(wishes, work)| {
            if self.instance.is_closed() {
                return Err(Failure::Closed);
            }
            let control = Control::new(env, wishes)?;
            let (engine, running) = self.instance.begin(control.stop())?;
            Ok(Job::new(control, Some(running), move |control| work(&engine, control)))
        });
        promise(env, job)
    }
}

fn session_and_signal(session: Unknown<'_>, options: Unknown<'_>) -> Result<(String, Wishes), Failure> {
    let session = String::from_js(session, "session")?;
    let options = CallOptions::from_js(options, "options")?;
    Ok((session, with_signal(options.signal)))
}

fn tags(given: Unknown<'_>) -> Result<Vec<Tag>, Failure> {
    let texts = Vec::<String>::from_js(given, "tags")?;
    let tags: Result<_, _> = texts.iter().map(|text| Tag::new(text)).collect();
    tags.map_err(|error| lookback::Error::from(error).into())
}

#[napi]
impl Lookback {
    /// Opens session folders. Nothing is created before the first sync or the first tag.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: OpenOptions",
        ts_return_type = "Promise<Lookback>"
    )]
    pub fn open<'env>(env: &'env Env, options: Unknown<'env>) -> napi::Result<PromiseRaw<'env, Lookback>> {
        let job = OpenOptions::from_js(options, "options").and_then(|options| {
            let control = Control::new(env, Wishes::default())?;
            Ok(Job::new(control, None, |_| {
                let (folders, locations) = options.folders();
                let instance = Instance::new(engine(&folders)?, folders.cwd, locations);
                let instance = Arc::new(instance);
                Ok(Self { instance })
            }))
        });
        promise(env, job)
    }

    /// Where everything lies.
    #[napi(getter, catch_unwind)]
    pub fn locations(&self) -> crate::locate::Locations {
        self.instance.locations.clone()
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

    /// Searches what the last sync found. A query is never an error; what makes no sense in it is in the warnings.
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
            let wishes = with_signal(options.signal);
            let request = options.request(query, &self.instance.cwd)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.search(&request)?.into())
            }))
        })
    }

    /// Lists the sessions that the last sync found, the latest activity first.
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
            let wishes = with_signal(options.signal);
            let request = options.request();
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.list(&request)?.into())
            }))
        })
    }

    /// Reads a branch of a session as a conversation, or the part around one entry.
    ///
    /// `session` is an id, the start of one, or the path of a session file; so it is everywhere.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, options?: ReadOptions",
        ts_return_type = "Promise<Transcript>"
    )]
    pub fn read<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, Transcript>> {
        self.call(env, || {
            let session = String::from_js(session, "session")?;
            let options = ReadOptions::from_js(options, "options")?;
            let wishes = with_signal(options.signal);
            let request = options.request(session);
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.read(&request)?.into())
            }))
        })
    }

    /// The branches of a session.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, options?: CallOptions",
        ts_return_type = "Promise<BranchTree>"
    )]
    pub fn tree<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, BranchTree>> {
        self.call(env, || {
            let (session, wishes) = session_and_signal(session, options)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.tree(&session)?.into())
            }))
        })
    }

    /// Takes the file of a session apart: what Pi makes of it, and everything odd.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, options?: CallOptions",
        ts_return_type = "Promise<Inspection>"
    )]
    pub fn inspect<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, Inspection>> {
        self.call(env, || {
            let (session, wishes) = session_and_signal(session, options)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(lookback::inspect(&engine.locate(&session)?.path)?.into())
            }))
        })
    }

    /// All tags.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: CallOptions",
        ts_return_type = "Promise<AllTags>"
    )]
    pub fn tags<'env>(
        &self,
        env: &'env Env,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, AllTags>> {
        self.call(env, || {
            let options = CallOptions::from_js(options, "options")?;
            Ok((with_signal(options.signal), |engine: &Engine, _: &Control| {
                Ok(engine.tags()?.into())
            }))
        })
    }

    /// The tags of one session.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, options?: CallOptions",
        ts_return_type = "Promise<SessionTags>"
    )]
    pub fn tags_of<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SessionTags>> {
        self.call(env, || {
            let (session, wishes) = session_and_signal(session, options)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.tags_of(&session)?.into())
            }))
        })
    }

    /// Puts tags on a session, with or without `#`; they are on disk when the promise is fulfilled.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, tags: string[], options?: CallOptions",
        ts_return_type = "Promise<SessionTags>"
    )]
    pub fn tag<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        given: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SessionTags>> {
        self.call(env, || {
            let (session, wishes) = session_and_signal(session, options)?;
            let tags = tags(given)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.tag(&session, &tags, host::now())?.into())
            }))
        })
    }

    /// Takes tags away from a session. They are not generated for it again.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, tags: string[], options?: CallOptions",
        ts_return_type = "Promise<SessionTags>"
    )]
    pub fn untag<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        given: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SessionTags>> {
        self.call(env, || {
            let (session, wishes) = session_and_signal(session, options)?;
            let tags = tags(given)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.untag(&session, &tags, host::now())?.into())
            }))
        })
    }

    /// Lists sessions that wait for an answer of the model. Needs no index; every call looks anew, within fixed bounds.
    #[napi(
        catch_unwind,
        ts_args_type = "options?: UnreadOptions",
        ts_return_type = "Promise<UnreadPage>"
    )]
    pub fn unread<'env>(
        &self,
        env: &'env Env,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, UnreadPage>> {
        self.call(env, || {
            let options = UnreadOptions::from_js(options, "options")?;
            let wishes = with_signal(options.signal);
            let request = options.request()?;
            Ok((wishes, move |engine: &Engine, control: &Control| {
                let unread = UnreadControl {
                    cancel: Some(control.stop().flag()),
                    ..UnreadControl::default()
                };
                match engine.unread(&request, unread) {
                    Err(_) if control.stop().is_set() => Err(Failure::Stopped),
                    page => Ok(page?.into()),
                }
            }))
        })
    }

    /// Takes a session out of the list of waiting ones until its user writes again.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, options?: CallOptions",
        ts_return_type = "Promise<FoundSession>"
    )]
    pub fn mark_done<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, FoundSession>> {
        self.call(env, || {
            let (session, wishes) = session_and_signal(session, options)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.mark_done(&session, host::now())?.into())
            }))
        })
    }

    /// Puts a session back into the list of waiting ones.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, options?: CallOptions",
        ts_return_type = "Promise<FoundSession>"
    )]
    pub fn unmark_done<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, FoundSession>> {
        self.call(env, || {
            let (session, wishes) = session_and_signal(session, options)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.unmark_done(&session)?.into())
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
