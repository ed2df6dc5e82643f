import { type AnswerWriter, createAnswerWriter } from '../../answer/writer.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish } from '../../canonical/response.js';
import { encodeFinish, type WireEnding } from '../response/stop.js';
import { addText } from './message.js';
import { closeOpen, createOutput, type OutputOptions, settleState } from './output.js';
import { format } from './parts.js';

/** Makes output items of canonical parts: the one mapper for streamed and whole answers (translation.md 6.7). */
export interface OutputWriter {
  readonly parts: AnswerWriter;
  /** Ends everything, with the words of a refusal that are in no part. Reports what the end loses. */
  end(finish: Finish, error?: CanonicalError): WireEnding;
  /** Ends everything as the answer breaks off: what is open stays incomplete. */
  abort(): void;
  readonly items: readonly JsonObject[];
  /** Finished items as text; empty without frames. */
  texts(): readonly string[];
  /** The item that is open, as far as it is written. */
  snapshot(): JsonObject | undefined;
}

/** A writer for one answer. */
export function createOutputWriter(options: OutputOptions): OutputWriter {
  const output = createOutput(options);
  const { items, texts, changed, own, losses } = output;
  const parts = createAnswerWriter(output, format);
  const flush = (cut: boolean): void => {
    output.cut = cut;
    parts.flush();
    closeOpen(output, [], cut || output.asked !== undefined);
  };
  const close = (cut: boolean): void => {
    flush(cut);
    settleState(output);
  };

  return {
    parts,
    end(finish, error) {
      if (finish.kind === 'refusal' && finish.detail && !output.refused && !own) {
        // What waits for the result of a hosted call comes before the words of the end.
        flush(false);
        addText(output, { kind: 'refusal', text: finish.detail });
      }
      const compacted = items.some((item) => item.type === 'compaction');
      const ending = encodeFinish(finish, error, { refused: output.refused || own, compacted }, losses);
      close(ending.status === 'incomplete');
      return ending;
    },
    abort: () => close(true),
    items,
    texts() {
      if (options.frame !== undefined) for (const index of changed) texts[index] = JSON.stringify(items[index]);
      changed.clear();
      return texts;
    },
    snapshot: () => output.open?.snapshot(),
  };
}
