import type { RelayedEnd } from '../dialect.js';
import { isObject, parseJson } from '../wire/json.js';
import { decodeFailure, errorFrame } from './errors.js';

const ERROR = /"error"\s*:\s*\{/;

/** Readers of bare JSON throw on the second form, readers of events on the first (translation.md 6.5). */
export const relayedEnd: RelayedEnd = {
  keeps: () => false,
  told(_event, data) {
    const parsed = ERROR.test(data) ? parseJson(data) : undefined;
    const body = parsed?.ok === true ? parsed.value : undefined;
    return isObject(body) && isObject(body.error) ? decodeFailure(0, body, {}) : undefined;
  },
  trailer: () => undefined,
  failure(error, { framing }) {
    const json = errorFrame(error);
    return framing === 'array' ? json : `data: ${json}\r\n\r\n${json}\r\n`;
  },
};
