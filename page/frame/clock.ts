/** Times as the page writes them, in the time zone of the reader. */

/** `14:32`. */
export function clockText(time: Date): string {
  return time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

/** `14:32:07`. */
export function secondText(time: Date): string {
  return time.toLocaleTimeString('en-GB');
}

/** `28 Nov`. */
export function dayText(time: Date): string {
  return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}
