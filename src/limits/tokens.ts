import type { ClientCall } from '../http/index.js';

/** Characters of a request, and bytes of a stream with what frames its words, that make about one token. */
const ASKED_PER_TOKEN = 4;
const STREAMED_PER_TOKEN = 32;

/** What could be a file within a request, how long one is at least, and about what it costs. */
const UNBROKEN = /[\w+/=-]+/g;
const FILE_LENGTH = 1024;
const FILE_TOKENS = 1500;

/**
 * How many tokens a call used. Where the backend worked and reported no numbers, or the answer broke off before the last
 * ones, they are estimated, so that what was made is not free; only the limits see an estimate. What was refused
 * costs nothing.
 */
export function tokensOf(call: ClientCall): number {
  const { record, admission, response } = call;
  const { inputTokens, outputTokens } = record.facts ?? {};
  const called = call.running !== undefined && call.running.called !== false;
  const worked = called && (call.gone || response.statusCode < 400);
  if (!worked || admission?.counted !== 'conversation') return (inputTokens ?? 0) + (outputTokens ?? 0);
  const streamed = Math.ceil((record.streamed ?? 0) / STREAMED_PER_TOKEN);
  const broken = call.gone || record.error !== undefined;
  const output = broken ? Math.max(outputTokens ?? 0, streamed) : (outputTokens ?? streamed);
  return (inputTokens ?? estimateTokens(admission.asked)) + output;
}

/** About how many tokens a request has: of its text, or as they were estimated before. */
export function estimateTokens(asked: string | Uint8Array | number = 0): number {
  if (typeof asked === 'number') return asked;
  const text = typeof asked === 'string' ? asked : new TextDecoder().decode(asked);
  let files = 0;
  let inFiles = 0;
  for (const [{ length }] of text.matchAll(UNBROKEN)) {
    if (length < FILE_LENGTH) continue;
    files += 1;
    inFiles += length;
  }
  return Math.ceil((text.length - inFiles) / ASKED_PER_TOKEN) + files * FILE_TOKENS;
}
