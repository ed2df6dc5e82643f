import type { JsonObject } from '../../translators/index.js';
import { type ClientCall, endLater } from '../http/index.js';
import type { ClientStream } from './client-stream.js';

/** Where the pieces of a streamed answer go before they reach the client. */
export interface Stage {
  write(piece: string | Uint8Array): void;
  /** The answer broke off: nothing is held back any more. */
  flush(): void;
  /** Everything was written, the last word among it. Resolves when the client has it; undefined = it has it. */
  end(): Promise<void> | undefined;
}

/** Passes everything on. */
export function directStage(clientStream: ClientStream): Stage {
  return {
    write: (piece) => clientStream.write(piece),
    flush: () => {},
    end() {
      clientStream.end();
      return undefined;
    },
  };
}

/** Ends a stream that was written to its last word: at once, or later, as {@link endLater} has it. */
export function endAt(stage: Pick<Stage, 'end'>, call: ClientCall): void {
  const ending = stage.end();
  if (ending !== undefined) endLater(call, ending);
}

/** Persists one answer before its client hears that it is complete. What cannot be kept is delivered all the same. */
export interface AnswerStorage {
  /** Keeps an answer that was read; the body to send says whether it is kept. */
  body(body: JsonObject): Promise<JsonObject>;
  /** The same for an answer of which the client would get `text`, and its value where that is known; gives what to send. */
  text(text: string, body?: JsonObject): Promise<string | Uint8Array>;
  /** The way of a stream that was translated: text in whole frames, the last of which is the last word. */
  translated(clientStream: ClientStream): Stage;
  /** The way of a stream that is relayed. */
  relayed(clientStream: ClientStream): Stage;
}
