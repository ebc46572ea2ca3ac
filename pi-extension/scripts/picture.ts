// Puts a picture of the picker into README.md, taken from a real Pi over the example sessions.
//
//   npm run picture

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE, Sandbox } from '../tests/support/sandbox.ts';
import { TerminalPi } from '../tests/support/terminal.ts';

const BEGIN = '<!-- picture: npm run picture -->\n```text\n';
const END = '\n```\n<!-- /picture -->';

using box = new Sandbox();
cpSync(join(PACKAGE, '../examples/sessions'), box.sessions, { recursive: true });
const tagged = (manualTags: string[]): object => ({ manualTags, autoTags: [], suppressedTags: [], updatedAt: 1 });
box.write(join(box.agentDir, 'pi-recall/tags-v1.json'), {
  version: 1,
  sessions: {
    '019c239b-e054-7d9e-8b8f-60f0a1f46062': tagged(['concurrency', 'backend']),
    '019d6d80-dd97-703a-9f1b-a1aafd4ae3b4': tagged(['sync', 'crdt']),
  },
});
using pi = new TerminalPi(box, [], { width: 106, height: 27 });
await pi.until(/\bone\b/);
await pi.command('/recall lost updates');
await pi.until(/of 14 sessions[^]*▸ Lost updates/);
const screen = pi.screen();
const frame = screen.split('\n').map((line) => /[╭│├╰].*[╮│┤╯]/.exec(line)?.[0]).filter((line) => line !== undefined);
const readme = join(PACKAGE, 'README.md');
const [before = '', rest = ''] = readFileSync(readme, 'utf8').split(BEGIN);
const after = rest.slice(rest.indexOf(END));
writeFileSync(readme, `${before}${BEGIN}${frame.join('\n')}${after}`);
await pi.quit();
