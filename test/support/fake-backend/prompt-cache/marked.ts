import { createHash } from 'node:crypto';
import { type Bill, tokensOf } from './bill.js';

/** A piece of a prompt that ends where a mark may be. */
export interface Block {
  /** Its exact JSON without marks, which are no content. */
  readonly json: string;
  readonly marked: boolean;
}

/** A prompt cut into blocks, in the order in which the service reads them. */
export interface MarkedPrompt {
  readonly blocks: readonly Block[];
  /** Prompts that differ in it share nothing. */
  readonly apart: string;
  /** The least prefix that is written, in tokens. */
  readonly least: number;
}

/** Where a block ends: the hash of all that the service read up to there, and the tokens of it. */
interface Place {
  readonly digest: string;
  readonly tokens: number;
}

/**
 * Writes at marks only, and reads at the longest written place that is at or up to `lookback` blocks before a mark of this
 * prompt. Nothing expires.
 */
export function createMarkedCache(lookback: number): (prompt: MarkedPrompt) => Bill {
  const written = new Set<string>();
  return ({ blocks, apart, least }) => {
    const places = placesOf(apart, blocks);
    const marks = blocks.flatMap(({ marked }, index) => (marked ? [index] : []));
    const reachable = marks.flatMap((mark) => places.slice(Math.max(0, mark - lookback), mark + 1));
    const cached = Math.max(0, ...reachable.filter(({ digest }) => written.has(digest)).map(({ tokens }) => tokens));
    const large = marks.flatMap((mark) => places[mark] ?? []).filter(({ tokens }) => tokens >= least);
    for (const { digest } of large) written.add(digest);
    const cacheWritten = Math.max(0, (large.at(-1)?.tokens ?? 0) - cached);
    return { input: places.at(-1)?.tokens ?? 0, cached, cacheWritten };
  };
}

function placesOf(apart: string, blocks: readonly Block[]): Place[] {
  let digest = apart;
  let bytes = 0;
  return blocks.map(({ json }) => {
    digest = createHash('sha256').update(digest).update(json).digest('base64');
    bytes += Buffer.byteLength(json);
    return { digest, tokens: tokensOf(bytes) };
  });
}
