//! The look at one folder for waiting sessions, without an engine.

use lookback::waiting::{Control as ScanControl, Limits, PageRequest, Scan, ScanRequest, limits};
use napi::{
    Env,
    bindgen_prelude::{PromiseRaw, Unknown},
};
use napi_derive::napi;

use crate::{
    control::Control,
    failure::Failure,
    given::FromJs,
    job::{Job, promise},
    options::{UnreadScanOptions, with_signal},
    replies::UnreadScan,
};

/// Looks once at the session files of one folder, for hosts that keep what was found: gives the start of the whole list
/// for a panel, and one page of it for a model. Needs no `Lookback`: neither index nor tags nor done-marks are opened.
#[napi(
    catch_unwind,
    ts_args_type = "options: UnreadScanOptions",
    ts_return_type = "Promise<UnreadScan>"
)]
pub fn scan_unread<'env>(
    env: &'env Env,
    options: Unknown<'env>,
) -> napi::Result<PromiseRaw<'env, UnreadScan>> {
    let job = UnreadScanOptions::from_js(options, "options").and_then(|options| {
        let wishes = with_signal(options.signal);
        let max_sessions = options.max_sessions.unwrap_or(limits::DEFAULT_SESSIONS);
        let page = options.page()?;
        let request = options.request(max_sessions)?;
        Ok(Job::new(Control::new(env, wishes)?, None, move |control| {
            let stop = ScanControl::new().cancel(control.stop().flag());
            match Scan::run(&request, &stop) {
                Err(_) if control.stop().is_set() => Err(Failure::Stopped),
                Err(error) => Err(lookback::Error::from(error).into()),
                Ok(scan) => Ok(UnreadScan::new(
                    &scan,
                    scan.page(&page),
                    Limits::with_sessions(max_sessions),
                )),
            }
        }))
    });
    promise(env, job)
}

impl UnreadScanOptions {
    fn page(&self) -> Result<PageRequest, Failure> {
        let page = PageRequest::new(
            self.query.as_deref().unwrap_or_default(),
            self.offset.unwrap_or(0),
            self.limit.unwrap_or(limits::MAX_PAGE_ITEMS),
        );
        Ok(page.map_err(lookback::Error::from)?)
    }

    fn request(self, max_sessions: usize) -> Result<ScanRequest<'static>, Failure> {
        let missing = |name: &str| Failure::WrongType(format!("options.{name} is missing"));
        let folder = self.folder.ok_or_else(|| missing("folder"))?;
        let cwd = self.cwd.ok_or_else(|| missing("cwd"))?;
        let mut request = ScanRequest::workspace(folder, cwd)
            .and_then(|request| request.max_sessions(max_sessions))
            .map_err(lookback::Error::from)?;
        if let Some(id) = self.active_id {
            request = request.active_id(id);
        }
        if let Some(path) = self.active_path {
            request = request.active_path(path);
        }
        Ok(request)
    }
}
