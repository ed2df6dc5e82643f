import { CARRIER_MARK } from '../../translators/index.js';
import { lengthOf } from './pieces.js';

/** What opening and checking one carrier takes, in bytes of a body without any: about 50 µs. */
const CARRIER_BYTES = 4096;

/** Bytes below which no body can hold as many carriers as are felt. */
const LIGHT = 64 * 1024;

/** How much work a body is, in bytes of one without carriers (attacks.md row 8). */
export function weightOf(pieces: readonly Buffer[]): number {
  const length = lengthOf(pieces);
  return length < LIGHT ? length : pieces.reduce((weight, piece) => weight + carriersIn(piece) * CARRIER_BYTES, length);
}

function carriersIn(piece: Buffer): number {
  let found = 0;
  for (let at = piece.indexOf(CARRIER_MARK); at !== -1; at = piece.indexOf(CARRIER_MARK, at + 1)) found += 1;
  return found;
}
