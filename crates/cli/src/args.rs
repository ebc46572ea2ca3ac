//! The command line.

use std::ffi::OsString;

use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use lookback::waiting::State;

/// Find, read, tag and resume what you did in past sessions of the Pi coding agent.
#[derive(Debug, Parser)]
#[command(name = "lookback", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "Exit codes: 0 something was found, 1 nothing was found, 2 the command failed.")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) folders: Folders,
    /// Print JSON lines for programs; docs/json-output.md describes them
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print long answers as they are, without a pager
    #[arg(long, global = true)]
    pub(crate) no_pager: bool,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// Where things lie. Each of these goes before the environment and before Pi's settings.
#[derive(Debug, Clone, Args)]
pub(crate) struct Folders {
    /// Session folder, in place of Pi's own; can be given several times
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) sessions: Vec<String>,
    /// Folder for the index [default: <agent dir>/cache/lookback]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) cache: Option<String>,
    /// Folder for tags [default: <agent dir>/pi-recall]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) data: Option<String>,
    /// Pi's folder for settings and sessions [default: ~/.pi/agent]
    #[arg(long, value_name = "DIR", global = true)]
    pub(crate) agent_dir: Option<String>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Search the text of all sessions
    Search(Search),
    /// List sessions, the latest activity first
    List(List),
    /// Choose a session on a full screen, searching as you type, and resume it in Pi
    Pick(Pick),
    /// Read a session, or the part of it around one entry
    Read(Read),
    /// Draw the branches of a session
    Tree(Session),
    /// Write a session as a document, whole and in the order of its branch
    Export(Export),
    /// Take one session file apart: what Pi makes of it, and everything odd
    Inspect(Inspect),
    /// List sessions that end in a message without an answer
    Unread(Unread),
    /// Bring the index up to date
    Sync,
    /// Show where everything lies and how large it is
    Status,
    /// Look at everything Lookback relies on, and say what is wrong
    Doctor(Doctor),
    /// Put tags on a session
    Tag(EditTags),
    /// Take tags away from a session
    Untag(EditTags),
    /// Show the tags of a session, or all tags
    Tags(Tags),
    /// Print the completion script of a shell
    Completions(Completions),
    /// Print the manual page
    Man(Man),
}

impl Cli {
    /// Reads the command line.
    ///
    /// Options that every command has are taken from wherever they stand. In a search everything that is no option of
    /// ours is part of the query: `-word` leaves a word out, and a pasted line can hold `--flags`.
    ///
    /// # Errors
    /// When it makes no sense, and when it asks for help or the version, which are texts to print as well.
    pub(crate) fn read(args: impl IntoIterator<Item = OsString>) -> Result<Self, clap::Error> {
        let mut args = args.into_iter();
        let mut read: Vec<OsString> = args.next().into_iter().collect();
        let mut command = Self::command();
        command.build();
        let (global, rest) = part(&command, args);
        read.extend(global);
        let mut rest = rest.into_iter();
        read.extend(rest.next());
        match command
            .find_subcommand("search")
            .filter(|_| read.last().is_some_and(|name| name == "search"))
        {
            Some(search) => {
                let (options, words) = part(search, rest);
                read.extend(options);
                read.push("--".into());
                // The separator was needed to get the words here, and is none of them.
                let separator = words.iter().position(|word| word == "--");
                let words = words
                    .into_iter()
                    .enumerate()
                    .filter(|(at, _)| Some(*at) != separator);
                read.extend(words.map(|(_, word)| word));
            }
            None => read.extend(rest),
        }
        Self::try_parse_from(read)
    }
}

/// Parts arguments into the options of a command, with their values, and everything else. What stands behind `--` is
/// everything else, and so is the `--` itself.
fn part(command: &clap::Command, args: impl IntoIterator<Item = OsString>) -> (Vec<OsString>, Vec<OsString>) {
    let (mut options, mut others) = (Vec::new(), Vec::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        if arg == "--" {
            others.push(arg);
            others.extend(args);
            break;
        }
        let text = arg.to_string_lossy();
        let (name, has_value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (text.as_ref(), false),
        };
        let known = command.get_arguments().find(|known| {
            let long = known
                .get_long()
                .is_some_and(|long| name.strip_prefix("--") == Some(long));
            // `-n5` is an option, `-new` a word to leave out.
            let short = known.get_short().is_some_and(|short| {
                let rest = name.strip_prefix('-').and_then(|rest| rest.strip_prefix(short));
                rest.is_some_and(|rest| rest.bytes().all(|byte| byte.is_ascii_digit()))
            });
            long || short
        });
        // Help belongs to the command it is asked of.
        let Some(known) =
            known.filter(|known| !matches!(known.get_id().as_str(), "help" | "version") || others.is_empty())
        else {
            others.push(arg);
            continue;
        };
        let glued = has_value || (!name.starts_with("--") && name.len() > 2);
        let takes_value = known.get_action().takes_values() && !glued;
        options.push(arg);
        if takes_value {
            options.extend(args.next());
        }
    }
    (options, others)
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to look for: words, "phrases", prefix*, -without, OR, #tag, role:user, cwd:., after:7d, …
    pub(crate) query: Vec<String>,
    /// Hits to show, at most 100
    #[arg(long, short = 'n', default_value_t = 10, value_parser = up_to_a_hundred)]
    pub(crate) limit: usize,
    /// Hits to pass over
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// How to rank [default: default; memory with --engine scan]
    #[arg(long, value_enum)]
    pub(crate) policy: Option<Policy>,
    /// What answers
    #[arg(long, value_enum, default_value_t = Engine::Index)]
    pub(crate) engine: Engine,
    /// Give up a scan after so many seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
    /// Search the words as they are: no word forms, parts or typos
    #[arg(long)]
    pub(crate) exact: bool,
    /// Show how each score came about
    #[arg(long)]
    pub(crate) explain: bool,
    /// Only sessions of the current folder
    #[arg(long)]
    pub(crate) here: bool,
    /// Search the index as it is, without looking for new sessions
    #[arg(long)]
    pub(crate) no_sync: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// The index, brought up to date first
    Index,
    /// The files themselves; nothing is written
    Scan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Policy {
    /// Turn, exchange and session together
    Default,
    /// The best message of each session, newer sessions first when close
    Recall,
    /// Saturated matches, short texts and recent ones first
    Memory,
    /// All words in one message
    Strict,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// Sessions to show
    #[arg(long, short = 'n', default_value_t = 20, value_parser = at_least_one)]
    pub(crate) limit: usize,
    /// Sessions to pass over
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
    /// Only sessions of the current folder
    #[arg(long)]
    pub(crate) here: bool,
    /// Only sessions of this folder
    #[arg(long, value_name = "DIR", conflicts_with = "here")]
    pub(crate) cwd: Option<String>,
    /// List what the index knows, without looking for new sessions
    #[arg(long)]
    pub(crate) no_sync: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Read {
    /// Session id, the start of one, or the path of a session file
    pub(crate) session: String,
    /// Read around this entry
    #[arg(long, value_name = "ENTRY")]
    pub(crate) around: Option<String>,
    /// Messages before and after that entry
    #[arg(long, value_name = "N", default_value_t = 5, requires = "around")]
    pub(crate) window: usize,
    /// Stay on the branch that ends at this entry
    #[arg(long, value_name = "ENTRY")]
    pub(crate) branch_tip: Option<String>,
    /// Everything, however long it is
    #[arg(long, conflicts_with = "around")]
    pub(crate) all: bool,
    /// Read on from this line of the file, whatever branch it is on
    #[arg(long, value_name = "N", conflicts_with_all = ["around", "all", "branch_tip"])]
    pub(crate) line: Option<u64>,
    /// Messages from that line on, at most 50
    #[arg(long, value_name = "N", default_value_t = 10, requires = "line", value_parser = up_to_fifty)]
    pub(crate) limit: usize,
}

#[derive(Debug, Args)]
pub(crate) struct Session {
    /// Session id, the start of one, or the path of a session file
    pub(crate) session: String,
}

#[derive(Debug, Args)]
pub(crate) struct Pick {
    /// What to look for first, in the language of `search`
    pub(crate) query: Vec<String>,
    /// Only sessions of the current folder; Tab switches
    #[arg(long)]
    pub(crate) here: bool,
    /// Print the path of the chosen session instead of starting Pi
    #[arg(long)]
    pub(crate) print: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Export {
    /// Session id, the start of one, or the path of a session file
    pub(crate) session: String,
    /// How to write it
    #[arg(long, value_enum, default_value_t = Format::Md)]
    pub(crate) format: Format,
    /// The branch that ends at this entry [default: the newest]
    #[arg(long, value_name = "ENTRY")]
    pub(crate) branch_tip: Option<String>,
    /// Take out keys, tokens and passwords of well-known shapes
    #[arg(long)]
    pub(crate) redact: bool,
    /// Write to this file, which only you can read, instead of standard output
    #[arg(long, short = 'o', value_name = "FILE")]
    pub(crate) output: Option<String>,
    /// Replace the file if it is there
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Markdown
    Md,
    /// JSON lines
    Json,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The form of the page
    #[arg(long, value_enum, default_value_t = ManualFormat::Roff)]
    pub(crate) format: ManualFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ManualFormat {
    /// For man
    Roff,
    /// As in docs/cli.md
    Markdown,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// A session file
    pub(crate) file: String,
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Put right what can be: build a damaged index again, restore damaged tags, close what is open to other users
    #[arg(long)]
    pub(crate) repair: bool,
}

#[derive(Debug, Args)]
pub(crate) struct EditTags {
    /// Session id, the start of one, or the path of a session file
    pub(crate) session: String,
    /// Tags, with or without #
    #[arg(required = true)]
    pub(crate) tags: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Tags {
    /// Session id, the start of one, or the path of a session file; without it all tags are shown
    pub(crate) session: Option<String>,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Unread {
    #[command(subcommand)]
    pub(crate) mark: Option<Mark>,
    /// Sessions of all folders, not only of the current one
    #[arg(long)]
    pub(crate) all: bool,
    /// Sessions that end in another way; can be given several times
    #[arg(long, value_name = "STATE", value_parser = state)]
    pub(crate) state: Vec<State>,
    /// Only sessions with this in their name, message or folder
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) query: String,
    /// Also sessions that were marked as done
    #[arg(long)]
    pub(crate) done: bool,
    /// Sessions to show, at most 100
    #[arg(long, short = 'n', default_value_t = 50)]
    pub(crate) limit: usize,
    /// Sessions to pass over
    #[arg(long, default_value_t = 0)]
    pub(crate) offset: usize,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Mark {
    /// Take a session out of the list until its user writes again
    Done(Session),
    /// Put a session back into the list
    Undone(Session),
}

fn up_to_a_hundred(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=100) => Ok(number),
        _ => Err("a number from 1 to 100 is needed; --offset shows what comes after".to_owned()),
    }
}

fn up_to_fifty(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=50) => Ok(number),
        _ => Err("a number from 1 to 50 is needed; a later --line shows what comes after".to_owned()),
    }
}

fn at_least_one(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| *number > 0)
        .ok_or_else(|| "a number from 1 on is needed".to_owned())
}

fn state(name: &str) -> Result<State, String> {
    let names = || State::ALL.map(State::name).join(", ");
    State::from_name(name).ok_or_else(|| format!("there are the states {}", names()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(args: &[&str]) -> (Vec<String>, bool, usize) {
        let args = ["lookback"].iter().chain(args).map(OsString::from);
        let cli = Cli::read(args).unwrap();
        let Command::Search(search) = cli.command else {
            panic!("no search")
        };
        (search.query, cli.json, search.limit)
    }

    #[test]
    fn what_is_no_option_of_ours_is_the_query() {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert_eq!(
            query(&["search", "walrus", "--json"]),
            (words(&["walrus"]), true, 10)
        );
        assert_eq!(
            query(&["--json", "search", "-n", "5", "a", "-b"]),
            (words(&["a", "-b"]), true, 5)
        );
        assert_eq!(
            query(&["search", "-n5", "--no-verify", "-lexer", "-new", "-"]),
            (words(&["--no-verify", "-lexer", "-new", "-"]), false, 5)
        );
        assert_eq!(
            query(&["search", "--limit=7", "--", "--json", "--"]),
            (words(&["--json", "--"]), false, 7)
        );
        assert_eq!(
            query(&["search", "--sessions", "search", "x"]),
            (words(&["x"]), false, 10)
        );
        assert_eq!(query(&["search"]), (words(&[]), false, 10));
    }

    #[test]
    fn options_of_every_command_may_stand_anywhere() {
        let read = |args: &[&str]| Cli::read(["lookback"].iter().chain(args).map(OsString::from)).unwrap();
        let cli = read(&[
            "--sessions",
            "search",
            "list",
            "--sessions",
            "b",
            "--json",
            "-n",
            "3",
        ]);
        assert_eq!(cli.folders.sessions, ["search", "b"]);
        assert!(cli.json && matches!(cli.command, Command::List(List { limit: 3, .. })));
    }
}
