//! Somebody else's program: embedding SESSIONS CACHE QUERY

use lookback::{Lookback, SearchRequest, Timestamp};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [sessions, cache, query] = arguments.as_slice() else {
        return Err("usage: embedding SESSIONS CACHE QUERY".into());
    };
    let lookback = Lookback::builder()
        .root(sessions)
        .cache(cache)
        .data(format!("{cache}-data"))
        .open()?;
    lookback.sync(&Default::default())?;
    let reply = lookback.search(&SearchRequest {
        now: Timestamp::EPOCH,
        ..SearchRequest::new(query)
    })?;
    let first = reply.hits.first().ok_or("nothing found")?;
    println!("{} hits, the first in {:?}", reply.hits.len(), first.session.title);
    Ok(())
}
