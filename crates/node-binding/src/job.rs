//! Work for one of libuv's threads, and the promise for its outcome.

use std::sync::Arc;

use napi::{
    Env, Task,
    bindgen_prelude::{PromiseRaw, ToNapiValue, TypeName},
};

use crate::{
    control::Control,
    failure::{Failure, caught},
    instance::Running,
};

type Work<T> = Box<dyn FnOnce(&Control) -> Result<T, Failure> + Send>;

/// One call.
pub(crate) struct Job<T> {
    work: Option<Work<T>>,
    control: Control,
    /// Lets an instance that is being closed know when its last call is over.
    running: Option<Arc<Running>>,
}

impl<T: ToNapiValue + TypeName + Send + 'static> Job<T> {
    pub(crate) fn new(
        control: Control,
        running: Option<Arc<Running>>,
        work: impl FnOnce(&Control) -> Result<T, Failure> + Send + 'static,
    ) -> Self {
        Self {
            work: Some(Box::new(work)),
            control,
            running,
        }
    }
}

/// The promise for a job, or one that is rejected because there is none: no call throws.
pub(crate) fn promise<'env, T: ToNapiValue + TypeName + Send + 'static>(
    env: &'env Env,
    job: Result<Job<T>, Failure>,
) -> napi::Result<PromiseRaw<'env, T>> {
    match job {
        Ok(job) => Ok(env.spawn(job)?.promise_object()),
        Err(failure) => PromiseRaw::reject(env, failure.into_error(env)),
    }
}

impl<T: ToNapiValue + TypeName + Send + 'static> Task for Job<T> {
    type Output = Result<T, Failure>;
    type JsValue = T;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        let Some(work) = self.work.take().filter(|_| !self.control.stop().is_set()) else {
            return Ok(Err(Failure::Stopped));
        };
        Ok(caught(|| work(&self.control)))
    }

    fn resolve(&mut self, env: Env, output: Self::Output) -> napi::Result<T> {
        self.control
            .settle(&env, output)
            .map_err(|failure| failure.into_error(&env))
    }

    fn finally(self, env: Env) -> napi::Result<()> {
        let dissolved = self.control.dissolve(&env);
        drop(self.running);
        dissolved
    }
}
