// How moments and folders are written where there is little room.

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An age in at most three characters, or a date once it says more. */
export function age(then: Date | undefined, now: Date): string {
  if (!then || Number.isNaN(then.getTime())) return '';
  const passed = now.getTime() - then.getTime();
  if (passed < MINUTE) return 'now';
  if (passed < HOUR) return `${Math.floor(passed / MINUTE)}m`;
  if (passed < DAY) return `${Math.floor(passed / HOUR)}h`;
  if (passed < 60 * DAY) return `${Math.floor(passed / DAY)}d`;
  return day(then);
}

/** `2026-03-02`, in local time. */
export function day(then: Date): string {
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
}

/** `2026-03-02 09:05`, in local time; nothing where there is no time. */
export function minute(then: Date | undefined): string {
  if (!then || Number.isNaN(then.getTime())) return '';
  return `${day(then)} ${two(then.getHours())}:${two(then.getMinutes())}`;
}

const two = (number: number): string => String(number).padStart(2, '0');

/** A folder with the home folder as `~`. */
export function shortFolder(folder: string, home: string): string {
  if (!home || !folder.startsWith(home)) return folder;
  const rest = folder.slice(home.length);
  return rest === '' || rest.startsWith('/') || rest.startsWith('\\') ? `~${rest}` : folder;
}

/** `1 session`, `2 sessions`, `4,000 sessions`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
