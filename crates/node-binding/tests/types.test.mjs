// index.d.ts: complete, correct, and what users need. That it is what the sources say is checked by the build.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Lookback, PACKAGE, native, open, openCase } from './support.mjs';

const declared = fs.readFileSync(path.join(PACKAGE, 'index.d.ts'), 'utf8');

test('a program in TypeScript compiles against it', () => {
  const tsc = path.join(PACKAGE, 'node_modules/typescript/bin/tsc');
  const flags = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--module', 'nodenext', '--target', 'es2024', '--lib', 'es2024', '--types', 'node'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, ...flags, 'tests/consumer.mts'], { cwd: PACKAGE, encoding: 'utf8' });
  assert.equal(status, 0, stdout + stderr);
});

test('everything in it has a comment', () => {
  const lines = declared.split('\n');
  const bare = lines.filter((line, at) => {
    const opens = /^export |^ {2}[\w]+\??[:(]|^ {2}(static|get) /.test(line);
    return opens && !/\*\/$/.test(lines[at - 1].trim());
  });
  assert.deepEqual(bare, []);
  assert.doesNotMatch(declared, /\br#*"/, 'no remains of Rust');
});

test('every method is declared, and every declared one is there', () => {
  const [, body] = /export declare class Lookback \{\n([\s\S]*?)\n\}/.exec(declared);
  const names = [...body.matchAll(/^ {2}(?:static |get )?(\w+)\(/gm)].map(([, name]) => name).sort();
  const there = [...Object.getOwnPropertyNames(Lookback.prototype), 'open'].filter((name) => name !== 'constructor').sort();
  assert.deepEqual(names.filter((name) => name !== 'private'), there);
  const functions = [...declared.matchAll(/^export declare function (\w+)/gm)].map(([, name]) => name).sort();
  const known = Object.keys(native).filter((name) => !/^test[A-Z]/.test(name) && !['Lookback', 'endCalls'].includes(name)).sort();
  assert.deepEqual(functions, known);
});

/** Fields of an interface, with whether they may be missing. */
function fields(name) {
  const [, body] = new RegExp(`export interface ${name} \\{\\n([\\s\\S]*?)\\n\\}`).exec(declared);
  return [...body.matchAll(/^ {2}(\w+)(\??):/gm)].map(([, field, optional]) => [field, optional === '?']);
}

test('replies have the fields that are declared, and no others', async () => {
  const lookback = await openCase('12-abandoned-branch');
  const report = await lookback.sync();
  const search = await lookback.search('indigo', { explain: true });
  const [hit] = search.hits;
  const scanned = await lookback.search('indigo', { engine: 'scan' });
  const list = await lookback.list();
  const { id } = list.sessions[0];
  const transcript = await lookback.read(id);
  const tree = await lookback.tree(id);
  const inspection = await lookback.inspect(id);
  const status = await lookback.status();
  const unread = await lookback.unread({ details: true });
  const waiting = await native.scanUnread({ folder: path.dirname(list.sessions[0].path), cwd: list.sessions[0].cwd });
  const tool = await lookback.tool('recall', { action: 'search', query: 'indigo' });
  const replies = {
    SyncReport: report, SearchReply: search, Hit: hit, HitEntry: hit.entry, Snippet: hit.snippet, Session: hit.session,
    Highlight: hit.snippet.highlights[0], Explanation: hit.explanation, AnswerSource: scanned.source, ScanOutcome: scanned.source.scan,
    SessionPage: list, Transcript: transcript, TranscriptMessage: transcript.messages[0], BranchTree: tree, BranchRow: tree.rows[0],
    Inspection: inspection, Opens: inspection.opens, PiListRow: inspection.list, Status: status, IndexStatus: status.index,
    UnreadPage: unread, UnreadInventory: unread.inventory, UnreadSkipped: unread.skipped,
    UnreadScan: waiting, UnreadScanInventory: waiting.inventory, UnreadLimits: waiting.limits, ToolReply: tool, ToolDetails: tool.details,
    SessionTags: await lookback.tag(id, ['a']), AllTags: await lookback.tags(), TaggingPrompt: await lookback.taggingPrompt(id),
    FoundSession: await lookback.markDone(id), Locations: lookback.locations, Warning: (await lookback.search('"x')).warnings[0],
    ToolDefinition: native.toolDefinitions()[0], FoundId: tool.details.found[0], TagCount: (await lookback.tags()).tags[0],
  };
  for (const [name, reply] of Object.entries(replies)) {
    const all = fields(name);
    const given = Object.keys(reply);
    assert.deepEqual(given.filter((field) => !all.some(([known]) => known === field)), [], `${name} has more`);
    const required = all.filter(([, optional]) => !optional).map(([field]) => field);
    assert.deepEqual(required.filter((field) => reply[field] === undefined), [], `${name} lacks`);
  }
});

test('options are declared as they are taken', async () => {
  const lookback = await open();
  const calls = {
    SearchOptions: (options) => lookback.search('x', options), ListOptions: (options) => lookback.list(options),
    ReadOptions: (options) => lookback.read('x', options), SyncOptions: (options) => lookback.sync(options),
    UnreadOptions: (options) => lookback.unread(options), CallOptions: (options) => lookback.tags(options),
    TagOptions: (options) => lookback.tagsOf('x', options),
    ToolOptions: (options) => lookback.tool('recall', {}, options), TaggingOptions: (options) => lookback.taggingPrompt('x', options),
    OpenOptions: (options) => Lookback.open(options), SearchScope: (scope) => lookback.search('x', { scope }),
    UnreadScanOptions: (options) => native.scanUnread(options),
  };
  for (const [name, call] of Object.entries(calls)) {
    const error = await call({ noSuchOption: 1 }).catch((error) => error);
    const [, known] = /it can have (.*)$/.exec(error.message);
    assert.deepEqual(known.split(', '), fields(name).map(([field]) => field), name);
  }
});
