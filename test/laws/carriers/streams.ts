import type { DialectId } from '../../../translators/index.js';
import { WIRES } from '../../support/answers.js';
import { inHalves } from '../../support/wire/wire.js';
import { lawTableOf } from '../dialects/index.js';
import type { Json } from './issuers.js';

/** An answer's body as the stream that its service would have sent. */
export function streamOf(dialect: DialectId, body: Json): string {
  return WIRES[dialect].frames(body, inHalves).join('');
}

const READERS = lawTableOf('read');

/** What a client's library puts together from a stream: the body of the answer. */
export function foldStream(dialect: DialectId, text: string): Json {
  const { final, error } = READERS[dialect](text);
  if (final === undefined) throw new Error(`the stream failed: ${JSON.stringify(error)}`);
  return final as Json;
}
