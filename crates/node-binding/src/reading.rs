use lookback::{Lookback as Engine, UnreadControl};
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, Unknown},
};
use napi_derive::napi;

use crate::{
    control::Control,
    failure::Failure,
    given::FromJs,
    host,
    lookback::{Lookback, session_and_signal},
    options::{ReadOptions, UnreadOptions, with_signal},
    replies::{BranchTree, FoundSession, Inspection, Transcript, UnreadPage},
};

#[napi]
impl Lookback {
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
}
