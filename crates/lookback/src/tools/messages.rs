//! A part of a conversation as a model reads it.

use camino::Utf8PathBuf;
use lookback_session_model::{BranchState, EntryId, SessionId, Timestamp};

use super::{
    answer::{Answer, Budget, largest},
    handles::{minute, plain},
    quote::{Quoter, barred},
    safe_text::start,
};
use crate::{Speaker, Transcript};

/// Messages of one branch, ready to be shown.
#[derive(Debug, Clone)]
pub(crate) struct Part {
    pub(crate) session: SessionId,
    pub(crate) path: Utf8PathBuf,
    pub(crate) messages: Vec<Message>,
    /// Messages of the branch in front of the first one here, and behind the last one.
    pub(crate) before: usize,
    pub(crate) after: usize,
    pub(crate) total: usize,
    /// Where in the middle messages are left out, and how many.
    gap: Option<(usize, usize)>,
    pub(crate) anchor: Option<usize>,
    /// Messages that had to be left out for want of room.
    without_room: usize,
    pub(crate) tip: Option<EntryId>,
    /// How the part stands to the newest branch: as the anchor does, or else its last message.
    pub(crate) branch: BranchState,
    /// What a reader should know of the file; quoted.
    pub(crate) notes: Vec<String>,
}

/// One message.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    /// Names the entry in a call; absent where its id is not plain.
    pub(crate) id: Option<String>,
    role: &'static str,
    time: Option<Timestamp>,
    text: String,
    pub(crate) characters: usize,
}

/// No message is cut shorter than this while others can be left out instead.
const LEAST_TEXT: usize = 200;
/// The anchor may have so many times the room of the others.
const ANCHOR_SHARE: usize = 4;

impl Part {
    /// `head` is the number of messages that stand in front of those that the transcript leaves out.
    pub(crate) fn new(quoter: &Quoter, transcript: Transcript, anchor: Option<&str>, head: usize) -> Self {
        let anchor = anchor.and_then(|name| {
            let is_named = |id: &EntryId| id.as_str() == name;
            let found = transcript.messages.iter();
            found
                .clone()
                .position(|message| message.id.as_ref().is_some_and(is_named) || message.anchor == name)
        });
        let last = transcript.messages.len().checked_sub(1);
        let stands = anchor.or(last).and_then(|at| transcript.messages.get(at));
        Self {
            branch: stands.map_or(BranchState::Active, |message| message.branch),
            gap: (transcript.omitted > 0).then_some((head, transcript.omitted)),
            notes: transcript
                .warnings
                .iter()
                .map(|warning| quoter.line(warning, 200))
                .collect(),
            session: transcript.session,
            path: transcript.path,
            before: transcript.before,
            after: transcript.after,
            total: transcript.total,
            anchor,
            without_room: 0,
            tip: transcript.branch_tip,
            messages: transcript
                .messages
                .into_iter()
                .map(|message| {
                    let text = quoter.text(message.text.trim_end());
                    let id = message
                        .id
                        .as_ref()
                        .and_then(|id| plain(id.as_str()))
                        .map(str::to_owned);
                    Message {
                        // An anchor names the line, also where the entry has no id that can be written.
                        id: id.or_else(|| plain(&message.anchor).map(str::to_owned)),
                        role: role(message.role),
                        time: message.timestamp,
                        characters: text.chars().count(),
                        text,
                    }
                })
                .collect(),
        }
    }

    /// The longest part around the anchor, or with as much of both ends, that fits with each text cut as little as
    /// possible.
    ///
    /// True beside it when texts were cut or messages had to be left out for that.
    pub(crate) fn fit(&mut self, budget: Budget, make: impl Fn(&Self, usize) -> Answer) -> (Answer, bool) {
        while !make(self, LEAST_TEXT).fits(budget) && self.leave_one_out() {}
        let longest = self
            .messages
            .iter()
            .map(|message| message.characters)
            .max()
            .unwrap_or(0);
        let most = longest.clamp(LEAST_TEXT, Budget::MOST);
        let (answer, cap) = largest(LEAST_TEXT..=most, budget, |cap| make(self, cap));
        let is_truncated = self.cut(cap) > 0 || self.without_room > 0;
        (answer, is_truncated)
    }

    /// How many messages are longer than the cap.
    pub(crate) fn cut(&self, cap: usize) -> usize {
        let is_cut = |(at, message): (usize, &Message)| message.characters > self.room(at, cap);
        self.messages
            .iter()
            .enumerate()
            .filter(|entry| is_cut(*entry))
            .count()
    }

    fn room(&self, at: usize, cap: usize) -> usize {
        if self.anchor == Some(at) {
            cap.saturating_mul(ANCHOR_SHARE)
        } else {
            cap
        }
    }

    /// Gives up the message that is furthest from what the reader wants. False when only one is left.
    fn leave_one_out(&mut self) -> bool {
        let count = self.messages.len();
        if count <= 1 {
            return false;
        }
        self.without_room += 1;
        match (self.anchor, &mut self.gap) {
            (Some(anchor), _) if anchor > count - 1 - anchor => {
                self.messages.remove(0);
                self.anchor = Some(anchor - 1);
                self.before += 1;
            }
            (Some(_), _) => {
                self.messages.pop();
                self.after += 1;
            }
            (None, Some((at, omitted))) => {
                // Two of three messages are from the start, as the reader asked.
                if *at * 3 > count * 2 || *at >= count {
                    *at -= 1;
                }
                self.messages.remove(*at);
                *omitted += 1;
            }
            (None, gap) => {
                let at = count * 2 / 3;
                self.messages.remove(at);
                *gap = Some((at, 1));
            }
        }
        true
    }

    /// The messages as blocks. `read_on` names where the rest of a cut text begins.
    pub(crate) fn blocks(&self, cap: usize, read_on: bool) -> Vec<String> {
        let mut blocks = Vec::with_capacity(self.messages.len() + 1);
        let mut day = String::new();
        for (at, message) in self.messages.iter().enumerate() {
            if let Some((_, omitted)) = self.gap.filter(|(gap, _)| *gap == at) {
                blocks.push(gap_line(omitted));
            }
            blocks.push(message.block(self.room(at, cap), read_on, self.anchor == Some(at), &mut day));
        }
        if let Some((_, omitted)) = self.gap.filter(|(gap, _)| *gap >= self.messages.len()) {
            blocks.push(gap_line(omitted));
        }
        blocks
    }

    /// The first messages, and the others.
    pub(crate) fn split(mut self, at: usize) -> (Self, Self) {
        let last = self.messages.split_off(at.min(self.messages.len()));
        self.gap = None;
        let last = Self {
            messages: last,
            ..self.clone()
        };
        (self, last)
    }

    /// Without the messages that another part has; `None` when nothing is left.
    pub(crate) fn without(mut self, other: &Self) -> Option<Self> {
        self.messages.retain(|message| {
            message.id.is_none() || other.messages.iter().all(|known| known.id != message.id)
        });
        (!self.messages.is_empty()).then_some(self)
    }

    /// Ids of the first and the last message here.
    pub(crate) fn ends(&self) -> (Option<&str>, Option<&str>) {
        let first = self.messages.first().and_then(|message| message.id.as_deref());
        let last = self.messages.last().and_then(|message| message.id.as_deref());
        (first, last)
    }

    /// The last message in front of those that are left out in the middle, and how many are.
    pub(crate) fn left_out(&self) -> Option<(Option<&str>, usize)> {
        let (at, omitted) = self.gap?;
        let before = at.checked_sub(1).and_then(|at| self.messages.get(at));
        Some((before.and_then(|message| message.id.as_deref()), omitted))
    }

    /// `messages 3-9 of 12`
    pub(crate) fn range(&self) -> String {
        match (self.messages.len(), self.gap) {
            (0, _) => format!("no messages of {}", self.total),
            (count, Some(_)) => format!("{count} of {} messages", self.total),
            (count, None) => format!(
                "messages {}-{} of {}",
                self.before + 1,
                self.before + count,
                self.total
            ),
        }
    }
}

impl Message {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Id, speaker and time, as they stand above the text.
    pub(crate) fn label(&self) -> String {
        format!(
            "[{}] {} {}",
            self.id.as_deref().unwrap_or("no id"),
            self.role,
            minute(self.time)
        )
    }

    fn block(&self, room: usize, read_on: bool, is_anchor: bool, day: &mut String) -> String {
        let time = minute(self.time);
        let time = match time.split_once(' ') {
            Some((date, minute)) if *day == date => minute.to_owned(),
            Some((date, _)) if self.time.is_some() => {
                date.clone_into(day);
                time.clone()
            }
            _ => "no date".to_owned(),
        };
        let id = self.id.as_deref().unwrap_or("no id");
        let mark = if is_anchor { " <-- this entry" } else { "" };
        let (shown, cut) = start(&self.text, room);
        let mut block = format!("[{id}] {} {time}{mark}\n{}", self.role, barred(shown));
        if cut {
            let at = shown.chars().count();
            let more = self.characters - at;
            block.push_str(&match read_on {
                true => format!("(cut: {more} more characters, from offset {at})\n"),
                false => format!("(cut: {more} more characters)\n"),
            });
        }
        block
    }
}

fn gap_line(omitted: usize) -> String {
    format!("({omitted} messages left out here)\n")
}

fn role(speaker: Speaker) -> &'static str {
    match speaker {
        Speaker::User => "user",
        Speaker::Assistant => "assistant",
        Speaker::BranchSummary => "summary of a branch that was left",
        Speaker::CompactionSummary => "summary of earlier messages",
        Speaker::Gap => "gap",
    }
}
