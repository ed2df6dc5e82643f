import { headersFor, type Place } from './place.js';
import type { Copied } from './sdk.js';
import { javascriptOf } from './values.js';

/** JavaScript that stands as it is among values. */
export class Expression {
  constructor(readonly text: string) {}
}

/** The key of a place. */
export const keyOf = ({ variable }: Place): unknown =>
  variable === undefined ? 'none' : new Expression(`process.env.${variable}`);

/** The header that has the key where the SDK would send it in another one. */
export const keyHeader = (place: Place): object =>
  place.keyForm === 'api-key' ? { defaultHeaders: { 'api-key': keyOf(place) } } : {};

/** A call of a method that takes the body and options; `more` = options beside headers. */
export function bodyCall(method: string, { body, betas, dialect }: Copied, more: object = {}): string {
  const headers = headersFor(dialect, betas);
  const options = { ...(Object.keys(headers).length > 0 && { headers }), ...more };
  const second = Object.keys(options).length === 0 ? '' : `, ${javascriptOf(options)}`;
  return `${method}(${javascriptOf(body)}${second})`;
}
