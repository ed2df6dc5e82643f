import type { Exchange } from '../exchange.js';
import type { JsonObject } from '../json.js';

/** The fields of a request that may be a form or JSON. Of the files of a form only the names count: they become `true`. */
export function readFields(exchange: Exchange): JsonObject {
  const boundary = /boundary="?([^";]+)/.exec(exchange.headers['content-type'] ?? '')?.[1];
  if (boundary === undefined) return exchange.readBody();
  const fields: Record<string, unknown> = {};
  for (const part of exchange.text.split(`--${boundary}`)) {
    const [head = '', ...rest] = part.split('\r\n\r\n');
    const name = /name="([^"]*)"/.exec(head)?.[1];
    if (name === undefined) continue;
    fields[name] = /filename="/.test(head) ? true : rest.join('\r\n\r\n').replace(/\r\n$/, '');
  }
  return fields;
}
