//! What models ask and what they read: the tools that front ends register, and the texts of their answers.
//!
//! Every face of Lookback answers models alike, because all of it is made here: [`definitions`] has names, descriptions,
//! schemas and guidelines for a host to register, [`Lookback::tool`] takes a call as it came and gives back a text.
//! Typed doors for Rust programs are [`Lookback::recall`], [`Lookback::session_search`], [`Lookback::search_memory`] and
//! [`Lookback::read_memory`].
//!
//! ```no_run
//! use lookback::{Lookback, Timestamp, tools::ToolContext};
//! use serde_json::json;
//!
//! # let lookback = Lookback::builder().open()?;
//! let context = ToolContext { cwd: Some("/home/dev/shop".into()), ..ToolContext::new(Timestamp::EPOCH) };
//! let reply = lookback.tool("recall", json!({"action": "search", "query": "retry backoff"}), &context)?;
//! println!("{}", reply.text);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What holds for every answer:
//!
//! - Past text stands in a frame that says so and that it cannot close; quoted lines begin with a bar.
//! - It has no control characters and no escape sequences, and secrets are replaced (see [`redact`](crate::redact)).
//! - It is within its budget; what was cut or left out is said, and how to get it.

mod answer;
mod auto_tags;
mod call;
mod context;
mod definitions;
mod emptiness;
mod error;
mod frame;
mod handles;
mod known;
mod memory;
mod messages;
mod parameters;
mod quote;
mod recall;
mod reply;
mod safe_text;
mod session_search;

use serde_json::Value;

pub use auto_tags::{GeneratedTagsError, TagPrompt, TaggingExcerpt, parse_generated_tags, tag_prompt};
pub use context::ToolContext;
pub use definitions::{ToolDefinition, definitions};
pub use error::ToolError;
pub use memory::{ReadMemoryParameters, SearchMemoryParameters};
pub use recall::{RecallAction, RecallParameters, RecallScope};
pub use reply::{FoundId, SyncWarning, ToolDetails, ToolReply, ToolWarning};
pub use session_search::{SessionSearchDetail, SessionSearchParameters};

use crate::Lookback;

/// The names of the tools of this module.
pub const NAMES: [&str; 4] = [recall::NAME, session_search::NAME, memory::SEARCH, memory::READ];

impl Lookback {
    /// Answers a call of a tool. `parameters` is the JSON that the model wrote.
    ///
    /// # Errors
    /// [`ToolError`], whose text tells the model what to do.
    pub fn tool(
        &self,
        name: &str,
        parameters: Value,
        context: &ToolContext<'_>,
    ) -> Result<ToolReply, ToolError> {
        match name {
            recall::NAME => recall::run(self, parameters, context),
            session_search::NAME => session_search::run(self, parameters, context),
            memory::SEARCH => memory::run_search(self, parameters, context),
            memory::READ => memory::run_read(self, parameters, context),
            _ => Err(ToolError::UnknownTool {
                name: safe_text::short_line(name, 60),
            }),
        }
    }

    /// Answers a call of `recall`.
    ///
    /// # Errors
    /// As [`Lookback::tool`].
    pub fn recall(
        &self,
        parameters: RecallParameters,
        context: &ToolContext<'_>,
    ) -> Result<ToolReply, ToolError> {
        recall::recall(self, parameters, context)
    }

    /// Answers a call of `session_search`.
    ///
    /// # Errors
    /// As [`Lookback::tool`].
    pub fn session_search(
        &self,
        parameters: SessionSearchParameters,
        context: &ToolContext<'_>,
    ) -> Result<ToolReply, ToolError> {
        session_search::session_search(self, parameters, context)
    }

    /// Answers a call of `search_memory`: straight from the files, nothing is written.
    ///
    /// # Errors
    /// As [`Lookback::tool`].
    pub fn search_memory(
        &self,
        parameters: SearchMemoryParameters,
        context: &ToolContext<'_>,
    ) -> Result<ToolReply, ToolError> {
        memory::search_memory(self, &parameters, context)
    }

    /// Answers a call of `read_memory`.
    ///
    /// # Errors
    /// As [`Lookback::tool`].
    pub fn read_memory(
        &self,
        parameters: ReadMemoryParameters,
        context: &ToolContext<'_>,
    ) -> Result<ToolReply, ToolError> {
        memory::read_memory(self, &parameters, context)
    }
}
