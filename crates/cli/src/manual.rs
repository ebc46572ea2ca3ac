//! What is made of the definition of the command line: completions, the manual page, and `docs/cli.md`.

use std::fmt::Write as _;

use clap::{Arg, Command, CommandFactory};
use clap_complete::Shell;

use crate::args::{Cli, ManualFormat};

/// The completion script of a shell.
pub(crate) fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "lookback", &mut script);
    script
}

/// The manual, all commands on one page.
pub(crate) fn manual(format: ManualFormat) -> anyhow::Result<Vec<u8>> {
    match format {
        ManualFormat::Roff => Ok(roff()?.into_bytes()),
        ManualFormat::Markdown => Ok(markdown().into_bytes()),
    }
}

/// The commands below one, each under its full name, without the options that every command has.
fn commands(of: &Command, name: &str) -> Vec<(String, Command)> {
    let mut all = Vec::new();
    for command in of.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = format!("{name} {}", command.get_name());
        let mut own = command
            .clone()
            .bin_name(name.clone())
            .disable_help_flag(true)
            .disable_help_subcommand(true);
        own.build();
        let below = commands(command, &name);
        all.push((name, own));
        all.extend(below);
    }
    all
}

fn roff() -> anyhow::Result<String> {
    let root = Cli::command();
    let mut page = Vec::new();
    let man = clap_mangen::Man::new(root.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut page = String::from_utf8(page)?;
    for (name, command) in commands(&root, "lookback") {
        let has_options = command.get_arguments().next().is_some();
        let man = clap_mangen::Man::new(command);
        let mut part = Vec::new();
        man.render_synopsis_section(&mut part)?;
        man.render_description_section(&mut part)?;
        if has_options {
            man.render_options_section(&mut part)?;
        }
        let part = String::from_utf8(part)?;
        let _ = writeln!(page, ".SH \"{}\"", name.to_uppercase());
        for line in part.lines() {
            let line = line
                .strip_prefix(".SH ")
                .map_or(line.to_owned(), |section| format!(".SS {section}"));
            // Preambles belong to the beginning of the page.
            if !line.starts_with(".ie ") && !line.starts_with(".el ") {
                page.push_str(&line);
                page.push('\n');
            }
        }
    }
    let _ = writeln!(page, ".SH \"EXIT STATUS\"");
    for (code, meaning) in crate::exit::MEANINGS {
        let _ = writeln!(page, ".TP\n{code}\n{meaning}");
    }
    Ok(page)
}

fn markdown() -> String {
    let root = Cli::command();
    let mut page = String::from(
        "# Command line\n\n<!-- Made by `cargo run -- man --format markdown > docs/cli.md`; a test compares it. -->\n\n",
    );
    let _ = writeln!(page, "{}.\n", about(&root));
    let _ = writeln!(page, "```text\n{}\n```\n", usage(&root));
    page.push_str("## Options of every command\n\n");
    let mut built = root.clone();
    built.build();
    options(&built, &mut page);
    page.push_str("\n## Exit codes\n\n| code | meaning |\n|---|---|\n");
    for (code, meaning) in crate::exit::MEANINGS {
        let _ = writeln!(page, "| {code} | {meaning} |");
    }
    page.push_str("\n## Environment\n\n| variable | meaning |\n|---|---|\n");
    for (name, meaning) in crate::environment::VARIABLES {
        let _ = writeln!(page, "| `{name}` | {meaning} |");
    }
    for (name, command) in commands(&root, "lookback") {
        let _ = writeln!(page, "\n## `{name}`\n\n{}.\n", about(&command));
        let _ = writeln!(page, "```text\n{}\n```\n", usage(&command));
        options(&command, &mut page);
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn about(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    escaped(about.trim_end_matches('.'))
}

/// Rendering hands the options of every command down, so it works on a copy.
fn usage(command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim().trim_start_matches("Usage:").trim();
    let lines: Vec<&str> = usage.lines().map(str::trim).collect();
    lines.join("\n")
}

/// The arguments of a command as a list.
fn options(command: &Command, page: &mut String) {
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let _ = write!(page, "- `{}`: {}", spelled(arg), escaped(&help));
        let values: Vec<_> = arg
            .get_possible_values()
            .into_iter()
            .filter(|value| !value.is_hide_set() && arg.get_action().takes_values())
            .collect();
        if !values.is_empty() {
            let values: Vec<String> = values
                .iter()
                .map(|value| match value.get_help() {
                    Some(help) => format!("`{}` ({})", value.get_name(), escaped(&help.to_string())),
                    None => format!("`{}`", value.get_name()),
                })
                .collect();
            let _ = write!(page, ": {}", values.join(", "));
        }
        let defaults: Vec<_> = arg
            .get_default_values()
            .iter()
            .map(|value| value.to_string_lossy())
            .collect();
        if arg.get_action().takes_values() && defaults.iter().any(|value| !value.is_empty()) {
            let _ = write!(page, " [default: `{}`]", defaults.join(" "));
        }
        page.push('\n');
    }
}

/// How an argument is typed.
fn spelled(arg: &Arg) -> String {
    if arg.is_positional() {
        return arg.to_string();
    }
    let short = arg
        .get_short()
        .map(|short| format!("-{short}, "))
        .unwrap_or_default();
    format!("{short}{arg}")
}

/// Text that Markdown takes literally.
fn escaped(text: &str) -> String {
    text.replace('*', "\\*")
        .replace('<', "\\<")
        .replace('#', "\\#")
        .replace('|', "\\|")
}
