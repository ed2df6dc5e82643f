import { type DialectId, dialectIds } from '../../../translators/index.js';
import { recordedExchanges } from '../../support/corpus.js';
import { SHORT } from '../../support/runs.js';
import { lawTableOf } from '../dialects/index.js';
import type { WireStream } from './generate/framing.js';

/** A recorded stream, with the place from which its finish is known. */
export interface RecordedStream extends WireStream {
  readonly name: string;
}

const FINISH = lawTableOf('finishLine');

/** In a short run every twelfth one stands for its neighbours, which hold much the same. */
const EVERY = SHORT ? 12 : 1;

/**
 * The recorded streams of a dialect, in a short run a sample of them, another one for each client; none where the corpus
 * is absent.
 */
export function recordedStreams(dialect: DialectId, client: DialectId = dialect): RecordedStream[] {
  const first = (3 * dialectIds.indexOf(client)) % EVERY;
  return recordedExchanges(dialect).flatMap(({ name, stream }, index) => {
    if (stream === undefined || index % EVERY !== first) return [];
    const text = stream.toString();
    const found = FINISH[dialect].exec(text);
    const line = found?.[0].replace(/\r$/, '') ?? '';
    const finishAt = found === null ? undefined : Buffer.byteLength(text.slice(0, found.index) + line);
    return [{ name, events: [], text, bytes: stream, finishAt, interleaved: false }];
  });
}
