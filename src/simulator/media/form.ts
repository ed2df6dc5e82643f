import type { Exchange } from '../http.js';

/** What a form says beside its files, and how many of those it has. */
export interface Form {
  readonly fields: readonly (readonly [name: string, text: string])[];
  readonly files: number;
}

/** The form of a request; undefined for a body that is none. */
export function readForm({ asked, text }: Exchange): Form | undefined {
  const boundary = /boundary="?([^";]+)/.exec(asked['content-type'] ?? '')?.[1];
  if (boundary === undefined) return undefined;
  const fields: [string, string][] = [];
  let files = 0;
  for (const part of text.split(`--${boundary}`)) {
    const end = part.indexOf('\r\n\r\n');
    const head = part.slice(0, Math.max(0, end));
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === undefined) continue;
    if (/filename="/.test(head)) files += 1;
    else fields.push([name, part.slice(end + 4).replace(/\r\n$/, '')]);
  }
  return { fields, files };
}
