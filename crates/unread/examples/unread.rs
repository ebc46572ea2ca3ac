//! Lists the sessions that wait for an answer, and says what was not looked at.
//!
//! `cargo run -p lookback-unread --example unread -- ~/.pi/agent/sessions` looks at all workspaces under a folder;
//! with a workspace behind the folder, only at the sessions that belong to it:
//!
//! `… --example unread -- ~/.pi/agent/sessions/--home-me-app-- /home/me/app`

#![allow(clippy::print_stdout, reason = "the program is its output")]

use std::time::Instant;

use lookback_unread::{Control, PageRequest, Scan, ScanRequest, States, limits};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("name a folder with sessions")?;
    let request = match arguments.next() {
        Some(workspace) => ScanRequest::workspace(folder, workspace)?,
        None => ScanRequest::all([folder]),
    };
    let request = request
        .max_sessions(limits::MAX_SESSIONS)?
        .states(States::ALL)
        .details(true);

    let start = Instant::now();
    let scan = Scan::run(&request, &Control::new())?;
    let took = start.elapsed();

    let mut offset = Some(0);
    while let Some(at) = offset {
        let page = scan.page(&PageRequest::new("", at, limits::MAX_PAGE_ITEMS)?);
        for item in &page.items {
            let state = item.detail.as_ref().map_or("", |detail| detail.state.name());
            // Debug formatting escapes what a terminal would obey.
            println!("{}  {state:<11}  {:?}", item.modified, item.name);
        }
        offset = page.next_offset;
    }

    let inventory = scan.inventory;
    println!(
        "{} of {} sessions read in {took:.1?}, {} wait",
        inventory.scanned, inventory.available, inventory.unread
    );
    if inventory.discovery_truncated || inventory.scan_truncated {
        println!("there are more sessions than were read");
    }
    println!("{:?}", scan.skipped);
    Ok(())
}
