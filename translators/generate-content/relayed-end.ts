import type { RelayedEnd } from '../dialect.js';
import { errorFrame } from './errors.js';

/** Readers of bare JSON throw on the second form, readers of events on the first (translation.md 6.5). */
export const relayedEnd: RelayedEnd = {
  keeps: () => false,
  trailer: () => undefined,
  failure(error, { framing }) {
    const json = JSON.stringify(errorFrame(error));
    return framing === 'array' ? json : `data: ${json}\r\n\r\n${json}\r\n`;
  },
};
