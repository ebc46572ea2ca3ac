// `/recall`: finds the subcommand and hands over to it.

import { speak } from '../text/speak.ts';
import { autotag } from './autotag.ts';
import type { Command } from './command.ts';
import { HELP } from './help.ts';
import { search } from './search.ts';
import { status } from './status.ts';
import { showTags, tag, untag } from './tags.ts';
import { unread } from './unread.ts';
import { words } from './words.ts';

export async function recall(line: string, command: Command): Promise<void> {
  const { subcommand, rest } = words(line);
  switch (subcommand) {
    case 'search':
      return search(rest, command);
    case 'tag':
      return tag(rest, command);
    case 'untag':
      return untag(rest, command);
    case 'tags':
      return showTags(command);
    case 'autotag':
      return autotag(rest, command);
    case 'unread':
      return unread(rest, command);
    case 'status':
      return status(command);
    case 'help':
      return speak(command.ctx, HELP);
  }
}
