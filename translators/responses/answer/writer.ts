import { dropAnswered, packState } from '../../adapt/index.js';
import { createPartQueue, type PartEvent } from '../../answer/part-queue.js';
import type { MediaPart, Part } from '../../canonical/content.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Finish } from '../../canonical/response.js';
import { encodeItem } from '../content/items.js';
import { isMessagePart } from '../content/messages.js';
import { DIALECT, NATIVE } from '../nodes.js';
import { encodeFinish, type WireEnding } from '../response/stop.js';
import { addImage, beginHosted, beginResult } from '../tools/hosted/encode.js';
import { beginCall } from './calls.js';
import { addText, beginText, messageFor } from './message.js';
import {
  addCitation,
  addItem,
  addLogprobs,
  beginLost,
  closeOpen,
  createOutput,
  holdState,
  type Output,
  type OutputOptions,
  type Session,
  settleState,
} from './output.js';
import { beginReasoning } from './reasoning.js';

/** Makes output items of canonical parts: the one mapper for streamed and whole answers (translation.md 6.7). */
export interface AnswerWriter {
  write(event: PartEvent): void;
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

/** What is known of an answer between its events. */
interface WriterState {
  readonly output: Output;
  live: { readonly ix: number; readonly session: Session } | undefined;
}

/** A writer for one answer. */
export function createAnswerWriter(options: OutputOptions): AnswerWriter {
  const output = createOutput(options);
  const { items, texts, changed } = output;
  const state: WriterState = { output, live: undefined };
  const queue = createPartQueue(
    (event) => take(state, event),
    () => output.asked?.callId,
  );
  const flush = (cut: boolean): void => {
    const abandon = (unfinished: boolean): void => {
      state.live = undefined;
      closeOpen(output, [], unfinished || cut || output.asked !== undefined);
    };
    queue.flush(abandon);
    abandon(false);
  };
  const close = (cut: boolean): void => {
    flush(cut);
    settleState(output);
  };

  return {
    write: queue.push,
    end(finish, error) {
      if (finish.kind === 'refusal' && finish.detail && !output.refused && !output.native) {
        // What waits for the result of a hosted call comes before the words of the end.
        flush(false);
        addText(output, { kind: 'refusal', text: finish.detail });
      }
      const compacted = items.some((item) => item.type === 'compaction');
      const ending = encodeFinish(
        finish,
        error,
        { refused: output.refused || output.native, compacted },
        output.losses,
      );
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

function take(state: WriterState, event: PartEvent): void {
  const { live, output } = state;
  switch (event.type) {
    case 'part.start':
      state.live = { ix: event.ix, session: begin(output, event.ix, event.part, event.said) };
      return;
    case 'part.citation':
      addCitation(output, event.ix, event.citation);
      return;
    case 'part.logprobs':
      if (live?.ix !== event.ix) addLogprobs(output, event);
      return;
    case 'part.delta':
      if (live?.ix === event.ix) live.session.delta?.(event);
      return;
    case 'part.state':
      if (live?.ix === event.ix) live.session.state?.(event.entries);
      return;
    case 'part.end':
      if (live?.ix !== event.ix) return;
      if (!output.native) dropAnswered(event.part, DIALECT, output.losses);
      live.session.end(event.part);
      state.live = undefined;
  }
}

function begin(output: Output, ix: number, head: Part, said?: () => string): Session {
  const { native } = output;
  switch (head.kind) {
    case 'text':
    case 'refusal':
      return beginText(output, ix, head, said);
    case 'reasoning':
      return beginReasoning(output, head);
    case 'call':
      return native && head.family !== undefined ? beginWhole(output) : beginCall(output, ix, head);
    case 'hostedCall':
      return beginHosted(output, head);
    case 'hostedResult':
      return beginResult(output, head);
    case 'media':
      return beginMedia(output, head);
    case 'compaction':
      return beginWhole(output);
    case 'approval':
      return native ? beginWhole(output) : beginLost(output, head, 'part.approval');
    case 'handover':
      return beginLost(output, head, 'part.handover');
    default:
      return native ? beginWhole(output) : beginLost(output, head, 'part.opaque');
  }
}

function beginMedia(output: Output, head: MediaPart): Session {
  return {
    end(part) {
      if (part.kind !== 'media') return;
      const ptr = part.src?.ptr ?? '';
      if (part.thought === true) {
        output.losses.add(ptr, 'part.media', 'dropped', 'pictures of the thinking are not shown');
        holdState(output, part.state);
      } else if (part.class !== 'image' || part.data.from !== 'base64') {
        output.losses.add(ptr, 'part.media', 'approximated', `the ${part.class} was left out`);
        const text = `[${part.class} omitted: ${part.mime ?? 'unknown type'}]`;
        addText(output, { kind: 'text', text, state: part.state });
      } else {
        if (part.filename !== undefined)
          output.losses.add(ptr, 'part.media.filename', 'dropped', 'a picture that was made has no name here');
        settleState(output, head.state);
        addImage(output, part.data.base64, part.mime);
      }
    },
  };
}

/** Items without deltas: of this dialect as they came, and another's compaction, whose state is carried. */
function beginWhole(output: Output): Session {
  return {
    end(part) {
      if (output.native && part.kind === 'opaque' && isMessagePart(part)) {
        messageFor(output, part).addRaw(part);
        return;
      }
      settleState(output);
      closeOpen(output);
      const item = output.native
        ? encodeItem(part, NATIVE)
        : { type: 'compaction', encrypted_content: packState(part.state ?? [], output.losses) };
      if (item !== undefined) addItem(output, item, typeof item.id === 'string' ? item.id : part.id);
    },
  };
}
