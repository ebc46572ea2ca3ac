// The panel.

import type { Panel } from '../host/services.ts';
import type { Host } from '../host/session.ts';
import type { Inventory, PanelData } from './inventory.ts';

/** The panel over an inventory. Reading it scans nothing. */
export function panelOf(host: Host, inventory: Inventory, ending: AbortSignal): Panel<PanelData> {
  return {
    id: 'recall-unread-panel',
    // The id that hosts know this panel by, whichever package provides it.
    pluginId: '@pi-harness/plugin-recall-unread',
    title: 'Recall Unread',
    description: 'Sessions of this workspace that end in a message of yours without an answer. Read-only.',
    icon: '◔',
    read() {
      if (ending.aborted) throw new Error('Recall Unread was disposed');
      inventory.follow(host.current());
      return inventory.snapshot();
    },
  };
}
