//! Writing what was measured into docs/benchmarks.md.

use std::path::Path;

use anyhow::{Context, Result};
use fs_err as fs;

/// Replaces what stands between the markers of a section: `<!-- NAME: … -->` and `<!-- end of NAME -->`.
pub(crate) fn write_section(page: &Path, name: &str, text: &str) -> Result<()> {
    let old = fs::read_to_string(page)?;
    fs::write(page, replaced(&old, name, text)?)?;
    Ok(())
}

fn replaced(page: &str, name: &str, text: &str) -> Result<String> {
    let missing = || format!("the page has no markers of the section `{name}`");
    let begin = page.find(&format!("<!-- {name}:")).with_context(missing)?;
    let begin = begin + page[begin..].find("-->\n").with_context(missing)? + "-->\n".len();
    let end = page
        .find(&format!("<!-- end of {name} -->"))
        .with_context(missing)?;
    let (before, after) = (page.get(..begin), page.get(end..));
    let (before, after) = before.zip(after).filter(|_| begin <= end).with_context(missing)?;
    Ok(format!("{before}\n{}\n\n{after}", text.trim()))
}

/// What a figure depends on beside the code: processor, memory, system, compiler, date, and what else the machine did.
pub(crate) fn machine(date: &str) -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let field = |text: &str, name: &str| {
        let line = text.lines().find(|line| line.starts_with(name));
        line.and_then(|line| line.split_once(':'))
            .map(|(_, value)| value.trim().to_owned())
    };
    let processor =
        field(&read("/proc/cpuinfo"), "model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let memory = field(&read("/proc/meminfo"), "MemTotal")
        .and_then(|memory| memory.split_whitespace().next()?.parse::<u64>().ok())
        .map_or(String::new(), |kib| format!(", {} GiB", kib >> 20));
    let compiler = std::process::Command::new("rustc").arg("--version").output();
    let compiler = compiler.map_or(String::new(), |output| {
        String::from_utf8_lossy(&output.stdout)
            .split_whitespace()
            .take(2)
            .collect::<Vec<_>>()
            .join(" ")
    });
    let load = load().map_or(String::new(), |load| {
        format!(", load {load:.1} before the first figure")
    });
    format!(
        "{date}, {processor}, {cores} cores{memory}, {}, {compiler}{load}",
        std::env::consts::OS
    )
}

/// How many programs wanted a core during the last minute.
fn load() -> Option<f64> {
    let load = fs::read_to_string("/proc/loadavg").ok()?;
    load.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_what_stands_between_the_markers_is_replaced() {
        let page = "# Page\n<!-- speed: written -->\nold\n<!-- end of speed -->\n<!-- other: x -->\nstays\n";
        let once = replaced(page, "speed", "new\n").unwrap();
        assert_eq!(
            once,
            "# Page\n<!-- speed: written -->\n\nnew\n\n<!-- end of speed -->\n<!-- other: x -->\nstays\n"
        );
        assert_eq!(replaced(&once, "speed", "new").unwrap(), once);
        let error = replaced(page, "other", "new").unwrap_err().to_string();
        assert_eq!(error, "the page has no markers of the section `other`");
    }
}
