use lookback::{Lookback as Engine, Tag, Tagged};
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, Unknown},
};
use napi_derive::napi;

use crate::{
    control::{Control, Wishes},
    failure::Failure,
    given::FromJs,
    host,
    lookback::{Lookback, session_and_signal},
    options::{CallOptions, TagBounds, TagOptions, TaggingOptions, tag_bounds, with_signal},
    replies::{AllTags, SessionTags, TaggingPrompt},
};

fn tags(given: Unknown<'_>) -> Result<Vec<Tag>, Failure> {
    let texts = Vec::<String>::from_js(given, "tags")?;
    let tags: Result<_, _> = texts.iter().map(|text| Tag::new(text)).collect();
    tags.map_err(|error| lookback::Error::from(error).into())
}

/// A session whose tags are meant.
struct Subject {
    session: String,
    is_open: bool,
}

impl Subject {
    fn given(session: Unknown<'_>, options: Unknown<'_>) -> Result<(Self, Wishes), Failure> {
        let session = String::from_js(session, "session")?;
        let options = TagOptions::from_js(options, "options")?;
        let subject = Self {
            session,
            is_open: options.open.unwrap_or(false),
        };
        Ok((subject, with_signal(options.signal)))
    }

    fn tagged(&self) -> Tagged<'_> {
        if self.is_open {
            Tagged::Open(&self.session)
        } else {
            Tagged::Written(&self.session)
        }
    }
}

#[napi]
impl Lookback {
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
        ts_args_type = "session: string, options?: TagOptions",
        ts_return_type = "Promise<SessionTags>"
    )]
    pub fn tags_of<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, SessionTags>> {
        self.call(env, || {
            let (session, wishes) = Subject::given(session, options)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.tags_of(session.tagged())?.into())
            }))
        })
    }

    /// Puts tags on a session, with or without `#`; they are on disk when the promise is fulfilled.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, tags: string[], options?: TagOptions",
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
            let (session, wishes) = Subject::given(session, options)?;
            let tags = tags(given)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.tag(session.tagged(), &tags, host::now())?.into())
            }))
        })
    }

    /// Takes tags away from a session. They are not generated for it again.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, tags: string[], options?: TagOptions",
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
            let (session, wishes) = Subject::given(session, options)?;
            let tags = tags(given)?;
            Ok((wishes, move |engine: &Engine, _: &Control| {
                Ok(engine.untag(session.tagged(), &tags, host::now())?.into())
            }))
        })
    }

    /// Sets the tags that a program found for a session, in place of all generated ones so far. Those that a person set
    /// or took away are left out.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, tags: string[], options?: CallOptions",
        ts_return_type = "Promise<SessionTags>"
    )]
    pub fn set_generated_tags<'env>(
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
                Ok(engine.set_generated_tags(&session, &tags, host::now())?.into())
            }))
        })
    }

    /// What a model is told to find tags for a session; missing when nobody said anything in it yet. Nothing is sent
    /// anywhere. `parseGeneratedTags` reads its answer.
    #[napi(
        catch_unwind,
        ts_args_type = "session: string, options?: TaggingOptions",
        ts_return_type = "Promise<TaggingPrompt | null>"
    )]
    pub fn tagging_prompt<'env>(
        &self,
        env: &'env Env,
        session: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, Option<TaggingPrompt>>> {
        self.call(env, || {
            let session = String::from_js(session, "session")?;
            let options = TaggingOptions::from_js(options, "options")?;
            let (wishes, redact) = (with_signal(options.signal), options.redact.unwrap_or(true));
            let (minimum, maximum) = tag_bounds(options.minimum, options.maximum);
            Ok((wishes, move |engine: &Engine, _: &Control| {
                let excerpt = engine.tagging_excerpt(&session, redact)?;
                Ok(excerpt.map(|excerpt| TaggingPrompt::new(excerpt, minimum, maximum)))
            }))
        })
    }
}

/// Reads the tags in a model's answer: a JSON array, also inside a code fence, an object or prose; or else a list with
/// commas, lines or bullets. Throws an error with the code `too-few-tags` when there are too few.
#[napi(
    catch_unwind,
    ts_args_type = "answer: string, bounds?: TagBounds",
    ts_return_type = "Array<string>"
)]
pub fn parse_generated_tags(
    env: &Env,
    answer: Unknown<'_>,
    bounds: Unknown<'_>,
) -> napi::Result<Vec<String>> {
    let parse = || {
        let answer = String::from_js(answer, "answer")?;
        let bounds = TagBounds::from_js(bounds, "bounds")?;
        let (minimum, maximum) = tag_bounds(bounds.minimum, bounds.maximum);
        let tags = lookback::tools::parse_generated_tags(&answer, minimum, maximum).map_err(Failure::Tags)?;
        Ok(tags.iter().map(ToString::to_string).collect())
    };
    parse().map_err(|failure: Failure| failure.into_error(env))
}
