// Written by `npm run build` from the comments in src/; change them there.

/** All tags. */
export interface AllTags {
  /** Every tag that a session has; the most frequent first, equal ones by name. */
  tags: Array<TagCount>
  /** What the user should hear of, such as that the tags come from the backup. */
  notices: Array<string>
}

/** What an answer comes from, and how fresh and whole that is. */
export interface AnswerSource {
  /**
   * `unchanged`, `updated`, `busy`, `cancelled`: the index, after a sync that ended so. `skipped`: the index as the
   * last sync left it, because nobody asked for one. `failed`: the same, because the sync failed. `scanned`: the
   * files themselves.
   */
  state: 'unchanged' | 'updated' | 'busy' | 'cancelled' | 'skipped' | 'failed' | 'scanned'
  /** What the sync did. */
  report?: SyncReport
  /** What was scanned. */
  scan?: ScanOutcome
  /** The code of the error, where the sync failed or the index cannot be used. */
  code?: string
  /** That error as a sentence. */
  message?: string
}

/** One row of a tree. */
export interface BranchRow {
  /** The entry. */
  id?: string
  /** What it is: `user`, `assistant`, `branchSummary`, `compaction`, … */
  kind: string
  /** When it happened. */
  timestamp?: Date
  /** The first line of its text. */
  text: string
  /** How many steps it is drawn to the right. */
  depth: number
  /** It begins a branch: what it continues stands further up. */
  beginsBranch: boolean
  /** Several branches continue it. */
  forkPoint: boolean
  /** Nothing continues it. */
  leaf: boolean
  /** An entry before it is missing from the file. */
  gap: boolean
  /** How it stands to the newest branch. */
  branch: 'active' | 'compacted' | 'abandoned'
  /** The label the user gave it. */
  label?: string
  /** Entries between the row above on its branch and this one that are not shown. */
  hidden: number
}

/**
 * The branches of a session as rows, ready to be drawn from top to bottom.
 *
 * The newest branch stays at depth 0; a branch that was left is drawn one step deeper, in front of what continues its
 * fork point.
 */
export interface BranchTree {
  /** Id of the session. */
  session: string
  /** Its file. */
  path: string
  /** The rows. */
  rows: Array<BranchRow>
  /** Number of branches: entries that nothing continues. */
  branches: number
  /** The end of the newest branch. */
  tip?: string
  /** The entry at which Pi opens the session. */
  piLeaf?: string
  /** Entries in all. */
  entries: number
}

/** For calls that need nothing else. */
export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal
}

/** One odd thing in a session file. */
export interface Diagnostic {
  /** What is odd, such as `damagedLine`. */
  kind: string
  /** Number of the line, from 1. */
  line: number
  /** Offset of the line's first byte. */
  offset: number
  /** The same as a sentence. */
  message: string
}

/** A score taken apart. */
export interface Explanation {
  /** What this number is. */
  label: string
  /** The number. */
  value: number
  /** How it follows from the parts. */
  operation: 'given' | 'sum' | 'product'
  /** What it follows from. */
  parts: Array<Explanation>
}

/** A session file that could not be read. */
export interface FailedFile {
  /** The file. */
  path: string
  /** A stable name for what was wrong. */
  code: string
  /** The same for people. */
  message: string
}

/** Where something was found. */
export interface FoundId {
  /** The session. */
  sessionId: string
  /** The entry, for hits. */
  entryId?: string
}

/** A session that was found. */
export interface FoundSession {
  /** Its id. */
  session: string
  /** Its file. */
  path: string
}

/** A match: `text.slice(start, end)`. */
export interface Highlight {
  /** Where it begins, in UTF-16 units as JavaScript counts. */
  start: number
  /** Where it ends. */
  end: number
}

/** One hit. */
export interface Hit {
  /** Its place among all hits, from 1. */
  rank: number
  /** Its score; only the order means something. */
  score: number
  /** The session. */
  session: Session
  /** The entry that matched. */
  entry: HitEntry
  /** The text around the match. */
  snippet: Snippet
  /** Other sessions that hold the same entry, or were folded into this one. */
  alsoIn: Array<string>
  /** How the score came about, when asked for. */
  explanation?: Explanation
  /** The line of the session file where it stands, from 1, when the files were scanned. */
  line?: number
}

/** The entry that matched. */
export interface HitEntry {
  /** Its id. */
  id: string
  /** Who speaks in it. */
  role: 'user' | 'assistant' | 'system' | 'toolResult' | 'bashExecution' | 'custom' | 'other'
  /** When it was said. */
  timestamp?: Date
  /**
   * How it stands to the branch that the session is on: on it, on it but taken out of the model's context by a
   * compaction, or on a branch that was left.
   */
  branch: 'active' | 'compacted' | 'abandoned'
  /** The leaf of a branch that the entry is on: what to resume. */
  leaf?: string
}

/** What an index holds. */
export interface IndexStatus {
  /** Its folder. */
  folder: string
  /**
   * Whether it can be searched. `missing`, `damaged` and `outdated` end with the next sync, `partial` means that a
   * first build was interrupted.
   */
  state: 'missing' | 'ready' | 'partial' | 'damaged' | 'outdated'
  /** The format this version writes. */
  format: number
  /** Number of the last commit; it grows with every change. */
  generation: number
  /** Session files. */
  files: number
  /** Sessions; a file can hold more than one. */
  sessions: number
  /** Turns, copies in forks included. */
  turns: number
  /** Entries of all kinds. */
  entries: number
  /** Bytes of the session files at the last sync. */
  sessionBytes: number
  /** Damaged lines in session files. */
  damagedLines: number
  /** Files that the index is made of. */
  layers: number
  /** Their bytes. */
  indexBytes: number
}

/** A session file taken apart: what Pi makes of it, and what is there. */
export interface Inspection {
  /** The header, every field of it, in the version that Pi migrates it to. */
  header?: Record<string, unknown>
  /** The last name given to the session. */
  sessionName?: string
  /** The entry at which Pi opens the session. */
  leafId?: string
  /** The newest message by time. */
  newestMessageId?: string
  /** From the root to Pi's leaf. */
  activeBranchIds: Array<string | null>
  /** The entries that make up the model's context in Pi. */
  contextEntryIds: Array<string | null>
  /** Entries without a parent in the file, as Pi's tree shows them. */
  treeRootIds: Array<string | null>
  /** Labels by entry. */
  labels: Record<string, string>
  /** Entries that nothing continues, the newest branch first. */
  leaves: Array<string | null>
  /** Entries that several others continue. */
  forkPoints: Array<string | null>
  /** The row in Pi's list; missing where Pi does not list the file. */
  list?: PiListRow
  /** Whether Pi opens the file. */
  opens: Opens
  /** Everything odd. */
  diagnostics: Array<Diagnostic>
}

/** Which sessions to list. */
export interface ListOptions {
  /** Only sessions of this folder. */
  cwd?: string
  /** Sessions on the page. Default: 20. */
  limit?: number
  /** Sessions before it. Default: 0. */
  offset?: number
  /** Look for new sessions first. Default: true. */
  sync?: boolean
  /** Told how far the sync is. An error that it throws ends the call. */
  onProgress?: (progress: Progress) => void
  /** Ends the call. */
  signal?: AbortSignal
}

/** The session a search comes from. */
export interface LiveContext {
  /** Its id. */
  session?: string
  /** Its entries in the model's context. Other entries of it are found. */
  entries?: string[]
}

/** Where everything lies. What is left out is found as Pi finds it. */
export interface LocateOptions {
  /** Session folders, in place of Pi's own. */
  sessions?: string[]
  /** Folder for the index. What is in it can be deleted at any time. Default: `<agent dir>/cache/lookback`. */
  cache?: string
  /** Folder for tags and done-marks, which must not be lost. Default: `<agent dir>/pi-recall`. */
  data?: string
  /** Pi's folder for settings and sessions. Default: `~/.pi/agent`. */
  agentDir?: string
  /** Relative paths start here. Default: `process.cwd()`. */
  cwd?: string
  /** The user's home folder. Default: `os.homedir()`. */
  home?: string
  /**
   * Where `PI_CODING_AGENT_DIR`, `PI_CODING_AGENT_SESSION_DIR`, `PI_RECALL_CACHE_DIR` and `PI_RECALL_DATA_DIR`
   * are looked up. Default: `process.env`.
   */
  env?: Record<string, string | undefined>
}

/** Where everything lies. */
export interface Locations {
  /** Pi's folder for settings and sessions. */
  agentDir: string
  /** The session folders that are searched. */
  roots: Array<string>
  /** For what can be made again: the index. */
  cache: string
  /** For what cannot: tags and done-marks. */
  data: string
  /** Settings files that could not be read, with the reason. */
  warnings: Array<string>
}

/**
 * Past sessions of Pi, ready to be searched, read and tagged.
 *
 * Objects that mean the same folders share one engine, so that making one costs next to nothing. All work is done on
 * worker threads; no method throws, every failure is a rejected promise.
 */
export declare class Lookback {
  private constructor()
  /** Opens session folders. Nothing is created before the first sync or the first tag. */
  static open(options?: OpenOptions): Promise<Lookback>
  /** Where everything lies. */
  get locations(): Locations
  /** True once `close` was called. */
  get closed(): boolean
  /** Brings the index up to date. Where nothing changed this costs a walk through the folders. */
  sync(options?: SyncOptions): Promise<SyncReport>
  /** Throws the index away and builds it from nothing. Tags stay. */
  reindex(options?: SyncOptions): Promise<SyncReport>
  /** Searches all sessions as they are now. A query is never an error; what makes no sense in it is in the warnings. */
  search(query: string, options?: SearchOptions): Promise<SearchReply>
  /** Lists all sessions as they are now, the latest activity first. */
  list(options?: ListOptions): Promise<SessionPage>
  /** Looks at the folders, the index and the tags; changes nothing. */
  status(options?: CallOptions): Promise<Status>
  /**
   * Takes no more calls. Running ones are finished, or end with the code `closed` where that is quicker; the promise
   * is fulfilled when none is left. Can be called again, and need not be called at all.
   */
  close(): Promise<void>
  /**
   * Reads a branch of a session as a conversation, or the part around one entry.
   *
   * `session` is an id, the start of one, or the path of a session file; so it is everywhere.
   */
  read(session: string, options?: ReadOptions): Promise<Transcript>
  /** The branches of a session. */
  tree(session: string, options?: CallOptions): Promise<BranchTree>
  /** Takes the file of a session apart: what Pi makes of it, and everything odd. */
  inspect(session: string, options?: CallOptions): Promise<Inspection>
  /** Lists sessions that wait for an answer of the model. Needs no index; every call looks anew, within fixed bounds. */
  unread(options?: UnreadOptions): Promise<UnreadPage>
  /** Takes a session out of the list of waiting ones until its user writes again. */
  markDone(session: string, options?: CallOptions): Promise<FoundSession>
  /** Puts a session back into the list of waiting ones. */
  unmarkDone(session: string, options?: CallOptions): Promise<FoundSession>
  /** All tags. */
  tags(options?: CallOptions): Promise<AllTags>
  /** The tags of one session. */
  tagsOf(session: string, options?: TagOptions): Promise<SessionTags>
  /** Puts tags on a session, with or without `#`; they are on disk when the promise is fulfilled. */
  tag(session: string, tags: string[], options?: TagOptions): Promise<SessionTags>
  /** Takes tags away from a session. They are not generated for it again. */
  untag(session: string, tags: string[], options?: TagOptions): Promise<SessionTags>
  /**
   * Sets the tags that a program found for a session, in place of all generated ones so far. Those that a person set
   * or took away are left out.
   */
  setGeneratedTags(session: string, tags: string[], options?: CallOptions): Promise<SessionTags>
  /**
   * What a model is told to find tags for a session; missing when nobody said anything in it yet. Nothing is sent
   * anywhere. `parseGeneratedTags` reads its answer.
   */
  taggingPrompt(session: string, options?: TaggingOptions): Promise<TaggingPrompt | null>
  /**
   * Answers a call of a tool that `toolDefinitions` describes. `parameters` is the object that the model wrote.
   *
   * The message of an error is for the model: it says what to do instead.
   */
  tool(name: string, parameters: unknown, options?: ToolOptions): Promise<ToolReply>
}

/** What to open. What is left out is found as Pi finds it. */
export interface OpenOptions {
  /** Session folders, in place of Pi's own. */
  sessions?: string[]
  /** Folder for the index. What is in it can be deleted at any time. Default: `<agent dir>/cache/lookback`. */
  cache?: string
  /** Folder for tags and done-marks, which must not be lost. Default: `<agent dir>/pi-recall`. */
  data?: string
  /** Pi's folder for settings and sessions. Default: `~/.pi/agent`. */
  agentDir?: string
  /** Relative paths start here, and this is the current folder of searches. Default: `process.cwd()`. */
  cwd?: string
  /** The user's home folder. Default: `os.homedir()`. */
  home?: string
  /**
   * Where `PI_CODING_AGENT_DIR`, `PI_CODING_AGENT_SESSION_DIR`, `PI_RECALL_CACHE_DIR` and `PI_RECALL_DATA_DIR`
   * are looked up. Default: `process.env`.
   */
  env?: Record<string, string | undefined>
  /**
   * Leaves out folders whose name matches one of these patterns, in which `*` stands for any characters, such
   * as `--tmp-*`. Default: none.
   */
  exclude?: string[]
}

/** Whether Pi opens a file. */
export interface Opens {
  /** It does. */
  ok: boolean
  /** Why it does not. */
  reason?: string
}

/** The row of a file in Pi's own list. */
export interface PiListRow {
  /** The session id. */
  id?: string
  /** The folder of the session. */
  cwd: string
  /** The session name. */
  name?: string
  /** The first text of the user. */
  firstMessage: string
  /** The name, or else the first text. */
  title: string
  /** Messages of all roles on all branches. */
  messageCount: number
  /** When it was created. */
  created?: Date
  /** Last activity. */
  modified?: Date
  /** The file it was forked from. */
  parentSessionPath?: string
}

/** How far a sync is. */
export interface Progress {
  /** Files that are done, of those that changed. */
  filesDone: number
  /** Files that changed. */
  filesTotal: number
  /** Bytes that are done, of those that are new. */
  bytesDone: number
  /** Bytes that are new. */
  bytesTotal: number
}

/** What to read of a session. By default the first 20 and the last 10 messages. */
export interface ReadOptions {
  /** Read around this entry: its id, or the anchor of a message. */
  around?: string
  /** So many messages before and after that entry. Default: 5. */
  window?: number
  /** Stay on the branch that ends at this entry. */
  branchTip?: string
  /** Of a whole session, read so many messages from the start. Default: 20. */
  head?: number
  /** And so many from the end. Default: 10. */
  tail?: number
  /** Characters of text in all. Default: 50,000. */
  characters?: number
  /** Read everything, however long it is; the numbers above count for nothing. Default: false. */
  all?: boolean
  /** Ends the call. */
  signal?: AbortSignal
}

/** A word that was searched in another way because the exact one found too little. */
export interface Relaxation {
  /** The word as it was typed. */
  word: string
  /** What was done. */
  step: 'prefix' | 'infix' | 'fragments' | 'typo'
  /** The terms that were searched, most frequent first, at most ten of them. */
  terms: Array<string>
  /** How many terms were searched. */
  termCount: number
}

/** What a scan of the files looked at. */
export interface ScanOutcome {
  /** Whether all files were looked at. Where not, hits are those found so far. */
  ended: 'finished' | 'timedOut' | 'cancelled'
  /** Session files that were found. */
  filesTotal: number
  /** Session files that were looked at to their end. */
  filesScanned: number
  /** Files that could not be read: the first hundred. */
  failed: Array<FailedFile>
  /** How many files could not be read. */
  failedCount: number
  /** What lies in the session folders and is not read: the first hundred. */
  skipped: Array<SkippedFile>
  /** How many of these there are. */
  skippedCount: number
  /** Session folders that do not exist. */
  missingRoots: Array<string>
  /** False when a folder could not be listed to its end. */
  foldersComplete: boolean
  /** How many files with damaged lines were seen. */
  damagedCount: number
  /** Slips of the keyboard would have been looked for next, which only an index can. */
  typosLeftOut: boolean
  /** The same as a sentence. */
  message: string
}

/** How to search. */
export interface SearchOptions {
  /** Hits on this page, at most 100. Default: 10. */
  limit?: number
  /** Hits before this page. Default: 0. */
  offset?: number
  /** How hits are ordered. Default: `default`. */
  policy?: 'default' | 'recall' | 'memory' | 'strict'
  /** Words as they are: no word forms, parts or typos. Default: false. */
  exact?: boolean
  /** The query is still being typed: its last word is also the start of longer words. Default: false. */
  typing?: boolean
  /** Take every score apart. Default: false. */
  explain?: boolean
  /** The moment from which ages are counted. Default: now. */
  now?: Date
  /** What is searched at all. Default: everything. */
  scope?: SearchScope
  /**
   * What answers: the index, or the files themselves, which writes nothing. Where the index cannot be used, the
   * files answer. Default: `index`.
   */
  engine?: 'index' | 'scan'
  /** Look for new sessions first; a scan of the files always sees them. Default: true. */
  sync?: boolean
  /** When a scan of the files gives up, in milliseconds. Default: never. */
  timeout?: number
  /** Told how far the sync is. An error that it throws ends the call. */
  onProgress?: (progress: Progress) => void
  /** Ends the call. */
  signal?: AbortSignal
}

/** The answer to a search. */
export interface SearchReply {
  /** The hits of this page, best first. */
  hits: Array<Hit>
  /** How many sessions match, on all pages; forks folded into another session are not counted. */
  sessionsMatched: number
  /** How many hits this page has. */
  returned: number
  /** How many hits stand before this page. */
  offset: number
  /** The offset of the next page; missing on the last one. */
  nextOffset?: number
  /** How many sessions were searched, after the filters of scope and query. */
  sessionsSearched: number
  /** What was searched beside the exact words. */
  relaxed: Array<Relaxation>
  /** What was not understood or left out. */
  warnings: Array<Warning>
  /** What the hits come from, and how fresh and whole that is. */
  source: AnswerSource
}

/** The part of all sessions that is searched; narrows the filters of the query further. */
export interface SearchScope {
  /** Only sessions of this folder (not of folders below it). */
  cwd?: string
  /** The folder the searcher works in: `cwd:.` means it. Default: `cwd` of the open options. */
  currentCwd?: string
  /** Only these sessions. */
  sessions?: string[]
  /** None of these sessions. */
  withoutSessions?: string[]
  /** Only turns of these roles. Default: all. */
  roles?: Array<'user' | 'assistant'>
  /** Only turns in these branch states. Default: all. */
  branches?: Array<'active' | 'compacted' | 'abandoned'>
  /** Only turns said at this moment or later. */
  since?: Date
  /** Only turns said before this moment. */
  until?: Date
  /** Only sessions with all of these tags. */
  tags?: string[]
  /** What the model has before its eyes anyway, left out. */
  live?: LiveContext
}

/** A session. */
export interface Session {
  /** Its id. */
  id: string
  /** Its file. */
  path: string
  /** The folder it belongs to; empty when its header names none. */
  cwd: string
  /** The name, or else the first text of the user; never empty. */
  title: string
  /** The name given to it. */
  name?: string
  /** When it was created. */
  created?: Date
  /** Time of the last message of user or assistant. */
  modified?: Date
  /** Messages of all roles on all branches. */
  messageCount: number
  /** The file it was forked from. */
  parentSession?: string
  /** Its tags. */
  tags: Array<string>
}

/** A page of a list of sessions, the latest activity first. */
export interface SessionPage {
  /** The sessions. */
  sessions: Array<Session>
  /** Sessions on all pages. */
  total: number
  /** Sessions before this page. */
  offset: number
  /** The offset of the next page; missing on the last one. */
  nextOffset?: number
  /** How fresh it is. */
  source: AnswerSource
}

/** The tags of one session. */
export interface SessionTags {
  /** Id of the session. */
  session: string
  /** Its file; empty for an open session that has none yet. */
  path: string
  /** The tags that it has: the manual ones, then the generated ones. */
  tags: Array<string>
  /** Set by a person, in the order in which they were set. */
  manual: Array<string>
  /** Set by a program; never one that is also manual. */
  generated: Array<string>
  /** Removed by a person; never generated again. */
  suppressed: Array<string>
  /** Time of the last change, if there was one. */
  updated?: Date
}

/** Something in a session folder that is not read. */
export interface SkippedFile {
  /** Its path. */
  path: string
  /** Why. */
  reason: 'link' | 'notAFile' | 'name' | 'unreadable' | 'tooDeep' | 'excluded'
}

/** A piece of a text with the matches in it. */
export interface Snippet {
  /**
   * The piece, with every run of white space as one space. Control characters are kept: make it safe before you
   * print it on a terminal. Empty when the session file changed since it was indexed.
   */
  text: string
  /** The matches in it, ascending, without overlaps. */
  highlights: Array<Highlight>
  /** Text was left out before it. */
  cutBefore: boolean
  /** Text was left out after it. */
  cutAfter: boolean
}

/** Where everything lies and how large it is. */
export interface Status {
  /** The session folders. */
  roots: Array<string>
  /** Those of them that do not exist. */
  missingRoots: Array<string>
  /** Session files that lie there now. */
  files: number
  /** Their bytes. */
  bytes: number
  /** Files and folders that were passed over. */
  skipped: number
  /** False when a folder could not be read to its end. */
  complete: boolean
  /** What the index holds. */
  index: IndexStatus
  /** The file of the tags. */
  tagsFile: string
  /** Sessions with tags. */
  taggedSessions: number
  /** What the tag store wants to be heard, such as a damaged file that was set aside. */
  notices: Array<string>
}

/** How to bring the index up to date. */
export interface SyncOptions {
  /** Told how far it is, some ten times a second. An error that it throws ends the call. */
  onProgress?: (progress: Progress) => void
  /** How long to wait for another process that writes, in milliseconds. Default: 2000. */
  wait?: number
  /** Ends the call. What is done until then stays done. */
  signal?: AbortSignal
}

/** What a sync did, and what it could not do. */
export interface SyncReport {
  /**
   * How it ended: nothing had changed, the index now holds what the folders hold, another process was writing all
   * the time and search answers from the last commit, or it was ended before it was done.
   */
  state: 'unchanged' | 'updated' | 'busy' | 'cancelled'
  /** Session files that were found. */
  files: number
  /** Files that are new in the index. */
  added: number
  /** Files of which only the new end was read. */
  extended: number
  /** Files that were read anew. */
  rewritten: number
  /** Files that were only moved or renamed. */
  moved: number
  /** Files that are gone from the folders, and from the index. */
  removed: number
  /** Bytes of the changed files that were read. */
  bytesRead: number
  /** False when a folder could not be read to its end. Then nothing was removed from the index. */
  complete: boolean
  /** Files that changed and could not be read, the first hundred. What the index knew of them, it still knows. */
  failed: Array<FailedFile>
  /** How many could not be read in all. */
  failedCount: number
  /** What was passed over in the folders, the first hundred. */
  skipped: Array<SkippedFile>
  /** How many were passed over in all. */
  skippedCount: number
  /** Folders that do not exist. */
  missingRoots: Array<string>
  /** Why the index was built again from nothing, where it was: it was damaged or of an older format. */
  rebuilt?: string
}

/** How many tags a model was asked for. */
export interface TagBounds {
  /** At least so many. Default: 3. */
  minimum?: number
  /** What is more is cut. Default: 7. */
  maximum?: number
}

/** A tag and how many sessions have it. */
export interface TagCount {
  /** The tag, without `#`. */
  tag: string
  /** Sessions that have it, by hand or generated. */
  sessions: number
}

/** Whose tags are meant. */
export interface TagOptions {
  /**
   * The session is the one that is open, and is named by its full id: it may have no file yet, because nobody
   * said anything in it. Default: false.
   */
  open?: boolean
  /** Ends the call. */
  signal?: AbortSignal
}

/** How a model is asked for tags. */
export interface TaggingOptions {
  /** It shall give at least so many. Default: 3. */
  minimum?: number
  /** It shall give at most so many. Default: 7. */
  maximum?: number
  /** Replace secrets in the excerpt. Default: true. */
  redact?: boolean
  /** Ends the call. */
  signal?: AbortSignal
}

/** What a model is told to make tags. */
export interface TaggingPrompt {
  /** Id of the session. */
  session: string
  /** The system prompt. */
  system: string
  /** The message of the user: the start and the end of the session, framed as past text. */
  user: string
  /** Messages of the session in it. */
  messages: number
  /** Characters that were cut from them. */
  cutCharacters: number
  /** Different secrets that were replaced. */
  redacted: number
}

/** What a host registers for a tool. */
export interface ToolDefinition {
  /** Its name. */
  name: string
  /** Its name for people. */
  label: string
  /** What it does, for the model. */
  description: string
  /** One line for the list of tools in the system prompt. */
  promptSnippet: string
  /** Rules for the system prompt. Each names the tool. */
  promptGuidelines: Array<string>
  /** JSON Schema of the parameters. */
  parameters: Record<string, unknown>
}

/** The outline of an answer: counts, ids, what was left out. It is small and holds no transcript. */
export interface ToolDetails {
  /** The tool. */
  tool: string
  /** What it did: the action of `recall`; `discovery`, `scroll`, `read` or `browse`; `search` or `read`. */
  mode: string
  /** Hits, sessions or messages in this answer. */
  returned: number
  /** How many there are in all. */
  total: number
  /** How many stand before those of this answer. */
  offset: number
  /** Where to go on; missing at the end. */
  nextOffset?: number
  /** The first twenty hits or sessions. */
  found: Array<FoundId>
  /** The session that was read. */
  sessionId?: string
  /** The end of the branch that was read: hand it in again to stay on it. */
  branchTip?: string
  /** Texts were cut or messages left out to keep the answer within bounds. */
  contentTruncated: boolean
  /** Secrets that were replaced. */
  redacted: number
  /** The index may not hold everything. */
  syncWarning?: ToolSyncWarning
  /** What the reader should know, the first ten. */
  warnings: Array<Warning>
}

/** Who calls a tool, from where, and within which bounds. */
export interface ToolOptions {
  /** The session that calls. Default: none. */
  session?: string
  /** The entries of that session in the model's context: what it has before its eyes is not found again. */
  liveEntries?: string[]
  /** The folder the calling session works in. Default: `cwd` of the open options. */
  cwd?: string
  /** The user's home folder, shown as `~`. Default: `home` of the open options. */
  home?: string
  /** How hits are ordered. Default: `default`. */
  policy?: 'default' | 'recall' | 'memory' | 'strict'
  /** Replace secrets in everything that is handed out. Default: true. */
  redact?: boolean
  /** Characters of an answer unless its call says otherwise. Default: each tool's own. */
  budget?: number
  /** What answers: the index, or the files themselves. A scan writes nothing. Default: `index`. */
  engine?: 'index' | 'scan'
  /** Bring the index up to date before searching and listing. Default: true. */
  sync?: boolean
  /** The moment from which ages are counted. Default: now. */
  now?: Date
  /** Told how far the sync is. An error that it throws ends the call. */
  onProgress?: (progress: Progress) => void
  /** Ends the call. */
  signal?: AbortSignal
}

/** What a tool gives back. */
export interface ToolReply {
  /** For the model to read. */
  text: string
  /** For the host to draw. */
  details: ToolDetails
}

/** Why an answer may miss sessions or be out of date. */
export interface ToolSyncWarning {
  /** A folder could not be read to its end; the index could not be brought up to date; another process was writing. */
  kind: 'incomplete-walk' | 'sync-failed' | 'busy'
  /** Why it could not be brought up to date. */
  error?: string
}

/**
 * One branch of a session, or a part of it, as a conversation.
 *
 * It has the text of user and assistant, summaries of compactions and branches, and a mark where an entry is missing.
 */
export interface Transcript {
  /** Id of the session. */
  session: string
  /** Its file. */
  path: string
  /** The messages, in the order of the branch. */
  messages: Array<TranscriptMessage>
  /** The end of the branch: hand it in again to stay on this branch. */
  branchTip?: string
  /** Messages of the branch before the first one here. */
  before: number
  /** Messages of the branch after the last one here. */
  after: number
  /** Messages left out between the head and the tail. */
  omitted: number
  /** Messages of the branch in all. */
  total: number
  /** Something was left out or cut. */
  truncated: boolean
  /** Characters of text that were cut. */
  cutCharacters: number
  /** What a reader should know. */
  warnings: Array<string>
}

/** One message of a transcript. */
export interface TranscriptMessage {
  /** The entry; for a gap the id of the entry that is missing. */
  id?: string
  /** Who speaks; in a gap nobody. */
  role: 'user' | 'assistant' | 'branchSummary' | 'compactionSummary' | 'gap'
  /** When. */
  timestamp?: Date
  /** What. */
  text: string
  /** Names this very line of the file, also where two entries have the same id. */
  anchor: string
  /** How the entry stands to the newest branch. */
  branch: 'active' | 'compacted' | 'abandoned'
}

/** How a session ends. */
export interface UnreadDetail {
  /** Its state. */
  state: 'unread' | 'picture' | 'failed' | 'interrupted' | 'otherBranch'
  /** The entry of the last user message. */
  messageId?: string
  /** When that message was sent. */
  messageTime?: Date
  /** Why the model stopped, where the last message is its own: `stop`, `error`, `aborted`, `toolUse`, … */
  stopReason?: string
}

/** How much was looked at, and what was cut. */
export interface UnreadInventory {
  /** Session files among the folder entries that were inspected. */
  available: number
  /** Those that could be read: all but the active one. */
  candidates: number
  /** Candidates that were chosen to be read, the newest ones. */
  scanned: number
  /** Sessions found in the states asked for. */
  unread: number
  /** Sessions shown. */
  shown: number
  /** Something was cut, whatever it was. */
  truncated: boolean
  /** The folder has more entries than were inspected, or could not be listed to its end. */
  discoveryTruncated: boolean
  /** There are more candidates than were read. */
  scanTruncated: boolean
  /** More was found than a panel shows. */
  displayTruncated: boolean
  /** Sessions that match the query. */
  matched: number
  /** The page leaves out some of them, in front of it or behind it. */
  resultTruncated: boolean
}

/** The bounds of a scan. */
export interface UnreadLimits {
  /** Folder entries that are inspected. */
  directoryEntries: number
  /** Bytes of a session file. */
  sessionBytes: number
  /** Files that this scan reads at most. */
  sessions: number
  /** Files that a scan can be asked to read. */
  allowedSessions: number
  /** Files that are read at the same time. */
  readConcurrency: number
  /** Parts of a message that are looked at. */
  contentParts: number
  /** UTF-16 units of a message that are shown. */
  previewCharacters: number
  /** Sessions that a panel shows. */
  panelItems: number
  /** Sessions of a page. */
  toolItems: number
  /** UTF-16 units of a query. */
  queryCharacters: number
  /** UTF-16 units of a session id. */
  sessionIdCharacters: number
  /** UTF-16 units of a name. */
  sessionNameCharacters: number
  /** UTF-16 units of a path. */
  sessionPathCharacters: number
}

/** Which waiting sessions to list. */
export interface UnreadOptions {
  /** Only sessions of this folder. Default: all. */
  cwd?: string
  /** The folder with the session files of `cwd`. Default: Pi's own place for it. */
  folder?: string
  /** How the sessions end. Default: `['unread']`. */
  states?: Array<'unread' | 'picture' | 'failed' | 'interrupted' | 'otherBranch'>
  /** Looked for in name, message and folder. At most 120 characters. */
  query?: string
  /** Sessions before the page, 0 to 500. Default: 0. */
  offset?: number
  /** Sessions on the page, 1 to 100. Default: 100. */
  limit?: number
  /** How many files are read, the newest ones: 1 to 500. Default: 100. */
  maxSessions?: number
  /** The session that is open: left out. */
  activeId?: string
  /** Its file: left out before it is read. */
  activePath?: string
  /** Also list sessions that were marked as done. Default: false. */
  includeDone?: boolean
  /** Add to every session how it ends, and to the page what was skipped. Default: false. */
  details?: boolean
  /** Ends the call. */
  signal?: AbortSignal
}

/** A page of the sessions that wait for an answer, the latest change first. */
export interface UnreadPage {
  /** Sessions that match the query. */
  total: number
  /** Those of this page. */
  items: Array<UnreadSession>
  /** Matching sessions before this page. */
  offset: number
  /** Sessions in this page; fewer than the limit also when more would be too large. */
  returned: number
  /** Where the next page begins; missing on the last one. */
  nextOffset?: number
  /** The length to which messages are cut: they are no transcripts. */
  previewCharacters: number
  /** How much was looked at, and what was cut. */
  inventory: UnreadInventory
  /** What was not used, when the details were asked for. */
  skipped?: UnreadSkipped
}

/** What one look at a folder found. */
export interface UnreadScan {
  /** Sessions found in all, whatever the query of the page. */
  total: number
  /** The first of them, as many as a panel shows. */
  shown: Array<UnreadSession>
  /** How much was looked at, and what was cut. */
  inventory: UnreadScanInventory
  /** The page that was asked for. */
  page: UnreadPage
  /** What was not used. */
  skipped: UnreadSkipped
  /** The bounds of this scan. */
  limits: UnreadLimits
}

/** How much a scan looked at, and what was cut, whatever the page. */
export interface UnreadScanInventory {
  /** Session files among the folder entries that were inspected. */
  available: number
  /** Those that could be read: all but the active one. */
  candidates: number
  /** Candidates that were chosen to be read, the newest ones. */
  scanned: number
  /** Sessions found. */
  unread: number
  /** Sessions that a panel shows. */
  shown: number
  /** Something was cut, whatever it was. */
  truncated: boolean
  /** The folder has more entries than were inspected. */
  discoveryTruncated: boolean
  /** There are more candidates than were read. */
  scanTruncated: boolean
  /** More was found than a panel shows. */
  displayTruncated: boolean
}

/** Which waiting sessions of one folder to look for. */
export interface UnreadScanOptions {
  /** The folder with the session files. Required. One that does not exist has none. */
  folder?: string
  /** The folder that the sessions belong to, absolute. Required. */
  cwd?: string
  /** How many files are read, the newest ones: 1 to 500. Default: 100. */
  maxSessions?: number
  /** The session that is open: left out. */
  activeId?: string
  /** Its file: left out before it is read. */
  activePath?: string
  /** For the page: looked for in name, message and folder. At most 120 characters. */
  query?: string
  /** Matching sessions before the page, 0 to 500. Default: 0. */
  offset?: number
  /** Sessions on the page, 1 to 100. Default: 100. */
  limit?: number
  /** Ends the call. */
  signal?: AbortSignal
}

/** A session that waits. */
export interface UnreadSession {
  /** Its id. */
  id: string
  /** Its file. */
  path: string
  /** Its folder, as its header names it. */
  cwd: string
  /** Its name: the last one it was given, or else the start of its first user text, or else its id. */
  name: string
  /** When the file was last written. */
  modified: Date
  /** Messages in the file, of all roles and branches. */
  messageCount: number
  /** The start of the last user message; empty where that has no text. */
  message: string
  /** More about how it ends, when the details were asked for. */
  detail?: UnreadDetail
}

/** What was not used, and why. None of it is an error. */
export interface UnreadSkipped {
  /** Links to session files. */
  links: number
  /** FIFOs, sockets and devices with the name of a session file. */
  notFiles: number
  /** Files that could not be opened or read. */
  unreadable: number
  /** Files that are too large, or became so while they were read. */
  oversized: number
  /** Files with bytes that are not UTF-8. */
  invalidUtf8: number
  /** Files without a usable header. */
  malformed: number
  /** Files of other folders. */
  foreign: number
  /** Files of the active session. */
  active: number
  /** Sessions that are marked as done. */
  done: number
  /** Damaged lines in the sessions that were read; whole records in them were used. */
  damagedLines: number
  /** Project folders that could not be listed. */
  folders: number
}

/** Something that the author of a query should know. */
export interface Warning {
  /** A stable name for programs, such as `unclosed-quote`. */
  code: string
  /** The same for people. */
  message: string
}

/** Finds the folders as Pi finds them: by options, environment, Pi's settings, in this order. Creates nothing. */
export declare function locate(options?: LocateOptions): Promise<Locations>

/**
 * Reads the tags in a model's answer: a JSON array, also inside a code fence, an object or prose; or else a list with
 * commas, lines or bullets. Throws an error with the code `too-few-tags` when there are too few.
 */
export declare function parseGeneratedTags(answer: string, bounds?: TagBounds): Array<string>

/**
 * Looks once at the session files of one folder, for hosts that keep what was found: gives the start of the whole list
 * for a panel, and one page of it for a model. Needs no `Lookback`: neither index nor tags nor done-marks are opened.
 */
export declare function scanUnread(options: UnreadScanOptions): Promise<UnreadScan>

/** All tools of `Lookback.tool`, for a host to register. */
export declare function toolDefinitions(): Array<ToolDefinition>
