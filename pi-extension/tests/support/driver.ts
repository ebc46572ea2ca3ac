// An extension for Pi: `/drive <what> <json>` does what has no command over RPC.

import type { ExtensionAPI } from '@earendil-works/pi-coding-agent';

export default function driver(pi: ExtensionAPI): void {
  pi.registerCommand('drive', {
    description: 'For tests',
    handler: async (line, ctx) => {
      const [what, ...rest] = line.split(' ');
      switch (what) {
        case 'reload':
          return ctx.reload();
        case 'tree':
          await ctx.navigateTree(rest[0] ?? '');
          return;
        case 'leaf':
          return ctx.ui.notify(`leaf ${ctx.sessionManager.getLeafId()}`, 'info');
        case 'tools':
          return ctx.ui.notify(`tools ${pi.getActiveTools().join(' ')}`, 'info');
      }
    },
  });
}
