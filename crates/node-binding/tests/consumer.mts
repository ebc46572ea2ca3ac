// Compiled, never run: what a user of the package writes in TypeScript.

import lookbackNode, {
  type Hit, Lookback, type SearchOptions, type SyncReport, type ToolReply, type Transcript, locate, parseGeneratedTags,
  toolDefinitions,
} from 'lookback-node';

const lookback: Lookback = await Lookback.open({ sessions: ['/s'], exclude: ['--tmp-*'], env: process.env });
const report: SyncReport = await lookback.sync({ onProgress: ({ bytesDone, bytesTotal }) => bytesDone / bytesTotal });
const options: SearchOptions = {
  limit: 5,
  policy: 'recall',
  scope: { roles: ['user'], since: new Date(), live: { session: 'a', entries: ['b'] } },
  signal: AbortSignal.timeout(1000),
};
const { hits, nextOffset, source } = await lookback.search('borrow checker', options);
const first: Hit | undefined = hits[0];
const when: Date | undefined = first?.entry.timestamp;
const marked: string[] | undefined = first?.snippet.highlights.map(({ start, end }) => first.snippet.text.slice(start, end));
const page: number | undefined = nextOffset;
const state: 'unchanged' | 'updated' | 'busy' | 'cancelled' | 'skipped' | 'failed' | 'scanned' = source.state;
const transcript: Transcript = await lookback.read('a', { around: 'b', window: 2 });
const reply: ToolReply = await lookback.tool('recall', { action: 'list' }, { redact: false });
const tags: string[] = parseGeneratedTags('[]', { minimum: 0 });
const { roots } = await locate({ home: '/h' });
const names = toolDefinitions().map(({ name, parameters }) => [name, parameters.type]);
const prompt = await lookback.taggingPrompt('a');
const system: string | undefined = prompt?.system;
const closed: boolean = lookback.closed;
await lookback.close();
lookbackNode.locate satisfies typeof locate;

// @ts-expect-error an option that does not exist
await lookback.search('x', { limt: 1 });
// @ts-expect-error a value of the wrong kind
await lookback.search(5);
// @ts-expect-error a word that does not exist
await lookback.search('x', { policy: 'best' });
// @ts-expect-error objects are opened, not made
new Lookback();
// @ts-expect-error it cannot be set
lookback.closed = true;

export { closed, marked, names, page, report, reply, roots, state, system, tags, transcript, when };
