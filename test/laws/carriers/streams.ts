import type { DialectId } from '../../../translators/index.js';
import { WIRES } from '../../support/answers.js';
import { inHalves, inOne } from '../../support/wire/wire.js';
import { has, lawTableOf } from '../dialects/index.js';
import type { Json } from './issuers.js';

/** An answer's body as the stream that its service would have sent. */
export function streamOf(dialect: DialectId, body: Json): string {
  // What is signed as one part comes as one.
  return WIRES[dialect].frames(body, has(dialect, 'signedParts') ? inOne : inHalves).join('');
}

const READERS = lawTableOf('read');

/** What a client's library puts together from a stream: the body of the answer. */
export function foldStream(dialect: DialectId, text: string): Json {
  const { final, error } = READERS[dialect](text);
  if (final === undefined) throw new Error(`the stream failed: ${JSON.stringify(error)}`);
  if (!has(dialect, 'signedParts')) return final as Json;
  // The library keeps the parts as they came, where the reader joins texts.
  const parts = [...text.matchAll(/^data: (.*?)\r?$/gm)].flatMap(([, data = '']) => {
    const [candidate] = ((JSON.parse(data) as Json).candidates ?? []) as { content?: { parts?: Json[] } }[];
    return candidate?.content?.parts ?? [];
  });
  const content = { role: 'model', parts: parts.filter((part) => part.text !== '' || 'thoughtSignature' in part) };
  return { candidates: [{ content }] };
}
