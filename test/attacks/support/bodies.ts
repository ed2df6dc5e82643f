import { brotliCompressSync, constants } from 'node:zlib';
import type { JsonObject } from '../../../translators/index.js';
import { encodeCarrier } from '../../../translators/wire/carrier.js';
import { tableOf } from '../../support/dialects/index.js';

export const TURNS = tableOf('turnsKey');

/** Paths over which a pattern that goes back and forth takes quadratic time. */
export const LONG_PATHS = {
  slashes: '/'.repeat(15_500),
  'slashes behind a verb': `/x:generateContent${'/'.repeat(15_000)}!`,
  'slashes between words': '/a'.repeat(7700),
  'verbs and no end': '/a:b'.repeat(3800),
  letters: `/models/${'a'.repeat(15_400)}`,
};

/** A body with so many empty objects in a member. */
export function withValues(body: object, member: string, entries: number): string {
  return `${JSON.stringify(body).slice(0, -1)},"${member}":[${'{},'.repeat(entries - 1)}{}]}`;
}

/** A few hundred bytes of brotli for megabytes that repeat themselves. */
export function squeezed(text: string): Buffer {
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });
}

/** Letters of which the vocabulary has no words. They are the same in every run. */
export function letters(length: number): string {
  let state = 1;
  const codes = Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return 97 + (state % 26);
  });
  return Buffer.from(codes).toString('latin1');
}

/** So many words that are one letter shorter than what is taken for a file. */
export function nearlyFiles(words: number): string {
  return `${'a'.repeat(1023)} `.repeat(words);
}

/** Input with so many items of state that the backend of a domain has issued. */
export function foreignState(domain: string, items: number): JsonObject[] {
  const signature = { dialect: 'messages', domain, kind: 'signature', payload: '{"signature":"c2ln"}' } as const;
  const state = { type: 'reasoning', summary: [], encrypted_content: encodeCarrier('messages', domain, [signature]) };
  return [...Array.from({ length: items }, () => state), { role: 'user', content: 'go on' }];
}
