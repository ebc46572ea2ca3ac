use lookback::Lookback as Engine;
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, Unknown},
};
use napi_derive::napi;

use crate::{
    control::Control,
    given::FromJs,
    lookback::Lookback,
    options::ToolOptions,
    replies::{ToolDefinition, ToolReply},
    requests::tool_with,
};

/// All tools of `Lookback.tool`, for a host to register.
#[napi(catch_unwind)]
pub fn tool_definitions() -> Vec<ToolDefinition> {
    lookback::tools::definitions()
        .into_iter()
        .map(ToolDefinition::from)
        .collect()
}

#[napi]
impl Lookback {
    /// Answers a call of a tool that `toolDefinitions` describes. `parameters` is the object that the model wrote.
    ///
    /// The message of an error is for the model: it says what to do instead.
    #[napi(
        catch_unwind,
        ts_args_type = "name: string, parameters: unknown, options?: ToolOptions",
        ts_return_type = "Promise<ToolReply>"
    )]
    pub fn tool<'env>(
        &self,
        env: &'env Env,
        name: Unknown<'env>,
        parameters: Unknown<'env>,
        options: Unknown<'env>,
    ) -> napi::Result<PromiseRaw<'env, ToolReply>> {
        self.call(env, || {
            let name = String::from_js(name, "name")?;
            let parameters = serde_json::Value::from_js(parameters, "parameters")?;
            let options = ToolOptions::from_js(options, "options")?;
            let wishes = options.wishes();
            let context = options.context(&self.instance.place)?;
            Ok((wishes, move |engine: &Engine, control: &Control| {
                let reply = tool_with(control, context, |context| {
                    engine.tool(&name, parameters, context)
                })?;
                Ok(reply.into())
            }))
        })
    }
}
