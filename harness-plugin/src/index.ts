// The plugin as Cordis sees it: it puts the parts together, and takes them apart again.

import type { Context } from '@deepseek-ai/cordis';
import { Config, type Settings, settingsOf } from './config.ts';
import { Host } from './host/session.ts';
import { panelOf } from './panel/panel.ts';
import { Inventory } from './panel/inventory.ts';
import { loadAddon } from './scan/addon.ts';
import { Scanner } from './scan/scanner.ts';
import { registerRecall } from './tools/recall.ts';
import { unreadTool } from './tools/unread.ts';

export { Config, type Settings } from './config.ts';
export type { Counts, Page, Session } from './scan/page.ts';
export type { PanelData, Status } from './panel/inventory.ts';
export type * from './host/services.ts';

/** Starts the plugin in a context that has the services it asks for. */
export function apply(context: Context, config?: Partial<Settings>): void {
  const settings = settingsOf(config);
  const host = new Host(context);
  const ending = new AbortController();
  const inventory = new Inventory(settings.maxSessions);
  const scanner = new Scanner({ host, inventory, maxSessions: settings.maxSessions, ending: ending.signal, load: loadAddon });
  const undo: (() => unknown)[] = [];
  const dispose = async (): Promise<void> => {
    ending.abort();
    // One that fails keeps none of the others from being undone.
    const outcomes = await Promise.allSettled(undo.splice(0).reverse().map(async (step) => step()));
    await scanner.idle();
    const failed = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    if (failed.length) throw new AggregateError(failed, 'Recall Unread could not be taken out of the harness as a whole');
  };
  try {
    undo.push(host.tools.register(unreadTool(host, scanner)));
    undo.push(host.panels.register(panelOf(host, inventory, ending.signal)));
    if (settings.recall) undo.push(registerRecall(host, ending.signal));
  } catch (error) {
    dispose().catch(() => {});
    throw error;
  }
  context.effect(() => dispose);
  scanner.start();
}

export default {
  name: 'pi-recall-unread',
  inject: ['piHarnessLaunch', 'piSession', 'piPluginUi', 'piTools'],
  Config,
  apply,
};
