import type { DialectId } from '../../../translators/index.js';
import { recordedExchanges } from '../../support/corpus.js';
import { SHORT } from '../runs.js';
import type { WireStream } from './generate/framing.js';

/** A recorded stream, with the place from which its finish is known. */
export interface RecordedStream extends WireStream {
  readonly name: string;
}

/** The data line with which each dialect says how an answer ends. */
const FINISH: Record<DialectId, RegExp> = {
  messages: /^data: *\{(?=.*"type": *"message_delta")(?=.*"stop_reason": *").*$/m,
  responses: /^data: *\{(?=.*"type": *"response\.(?:completed|incomplete)").*$/m,
  generateContent: /^data: *\{(?=.*"finishReason": *").*$/m,
};

/** In a short run every third one stands for its neighbours, which hold much the same. */
const EVERY = SHORT ? 3 : 1;

/** The recorded streams of a dialect, in a short run a sample of them; none where the corpus is absent. */
export function recordedStreams(dialect: DialectId): RecordedStream[] {
  return recordedExchanges(dialect).flatMap(({ name, stream }, index) => {
    if (stream === undefined || index % EVERY !== 0) return [];
    const text = stream.toString();
    const found = FINISH[dialect].exec(text);
    const line = found?.[0].replace(/\r$/, '') ?? '';
    const finishAt = found === null ? undefined : Buffer.byteLength(text.slice(0, found.index) + line);
    return [{ name, dialect, events: [], text, bytes: stream, finishAt, interleaved: false }];
  });
}
