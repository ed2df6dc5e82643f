import { clockText, dayText } from './clock.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** For how long, and since when: `up for 3 h 12 min, since 28 Nov, 14:32`. */
export function uptimeText(started: number, now: number): string {
  const ms = Math.max(0, now - started);
  const units = (large: number, one: string, small: number, other: string): string =>
    `${Math.floor(ms / large)} ${one} ${Math.floor((ms % large) / small)} ${other}`;
  const time = new Date(started);
  const how =
    ms >= DAY
      ? units(DAY, 'd', HOUR, 'h')
      : ms >= HOUR
        ? units(HOUR, 'h', MINUTE, 'min')
        : `${Math.floor(ms / MINUTE)} min`;
  return `up for ${how}, since ${dayText(time)}, ${clockText(time)}`;
}
