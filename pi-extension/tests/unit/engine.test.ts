import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULTS } from '../../src/config/settings.ts';
import { type Addon, AddonMissing, loadAddon } from '../../src/engine/addon.ts';
import { Engine } from '../../src/engine/engine.ts';
import { liveEntries, placeOf, sessionFolders } from '../../src/engine/place.ts';

const failing = (code: string, message: string) => () => {
  throw Object.assign(new Error(message), { code });
};

test('an add-on that is broken explains itself', () => {
  const broken = failing('native-missing', 'cannot load the compiled part: this is linux-mips\n  tried: nothing fits');
  assert.throws(() => loadAddon(broken), (error) => error instanceof AddonMissing && /does not run here.*\n.*linux-mips/s.test(error.message));
});

test('a missing package is told apart from a package that misses something', () => {
  const inside = failing('MODULE_NOT_FOUND', "Cannot find module './loader.js'");
  assert.throws(() => loadAddon(inside), /does not run here/);
});

test('in a checkout the add-on beside the package is taken', () => {
  const load = (name: string): unknown => {
    if (name === 'lookback-node') failing('MODULE_NOT_FOUND', "Cannot find module 'lookback-node'")();
    return { from: name };
  };
  assert.match((loadAddon(load) as unknown as { from: string }).from, /crates\/node-binding\/index\.js$/);
});

interface Opened {
  sessions: string[];
  exclude: string[];
}

function engineOf(more: Partial<typeof DEFAULTS> = {}) {
  const opened: Opened[] = [];
  let closed = 0;
  let failures = 0;
  const addon = {
    locate: async (options: { sessions?: string[] }) => ({ roots: options.sessions ?? ['/agent/sessions'] }),
    Lookback: {
      open: async (options: Opened) => {
        if (failures-- > 0) throw new Error('no disk');
        opened.push(options);
        return { close: async () => void (closed += 1) };
      },
    },
  } as unknown as Addon;
  const engine = new Engine({ agentDir: '/agent', config: { ...DEFAULTS, ...more }, load: () => addon });
  return { engine, opened, fail: (times: number) => (failures = times), closed: () => closed };
}

const place = { cwd: '/work', session: 's1', file: '/agent/sessions/--work--/x.jsonl', folder: '/agent/sessions/--work--' };

test('one handle for a session, opened once, closed with it', async () => {
  const { engine, opened, closed } = engineOf({ exclude: ['--tmp-*'] });
  assert.equal(await engine.open(place), await engine.open({ ...place, session: 's2' }));
  assert.deepEqual(opened.map(({ sessions, exclude }) => ({ sessions, exclude })), [{ sessions: ['/agent/sessions'], exclude: ['--tmp-*'] }]);
  await engine.close();
  assert.equal(closed(), 1);
  await engine.close();
  await assert.rejects(engine.open(place), /was left/);
});

test('a failure is not kept', async () => {
  const { engine, fail } = engineOf();
  fail(1);
  await assert.rejects(engine.open(place), /no disk/);
  await engine.open(place);
  fail(1);
  await assert.rejects(engine.open({ ...place, cwd: '/elsewhere' }), /no disk/);
  await engine.close();
});

test('the folder of the running session is searched as well, wherever it is', () => {
  const folders = (folder?: string) => sessionFolders(['/agent/sessions'], { cwd: '/w', session: 's', ...(folder ? { folder } : {}) });
  assert.deepEqual(folders('/agent/sessions/--w--'), ['/agent/sessions']);
  assert.deepEqual(folders('/agent/sessions'), ['/agent/sessions']);
  assert.deepEqual(folders('/custom'), ['/custom', '/agent/sessions']);
  assert.deepEqual(folders(), ['/agent/sessions']);
});

test('relative paths of Pi are made absolute, and a session without a file has none', () => {
  const manager = (file: string | undefined) => ({ cwd: '/w', sessionManager: { getSessionFile: () => file, getSessionId: () => 's' } }) as never;
  assert.equal(placeOf(manager('mine/x.jsonl')).folder, `${process.cwd()}/mine`);
  assert.deepEqual(placeOf(manager(undefined)), { cwd: '/w', session: 's' });
});

test('a session of which Pi can make no context leaves nothing out', () => {
  const entries = (buildContextEntries: () => unknown) => liveEntries({ sessionManager: { buildContextEntries } } as never);
  assert.deepEqual(entries(() => [{ id: 'a' }, { id: undefined }, { id: 'b' }]), ['a', 'b']);
  assert.deepEqual(entries(() => { throw new Error('cycle'); }), []);
});
