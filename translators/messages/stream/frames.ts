import { lossComments } from '../../answer/encoder.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { escapeText, inOne } from '../../wire/json.js';
import { formatSse } from '../../wire/sse.js';
import type { BlockSink } from '../answer/blocks.js';
import { errorBody } from '../edge/errors.js';
import type { Mutable } from '../nodes.js';

/** One event; `event:` and `data:` name the same type [M §5.1]. */
function frame(type: string, fields: JsonObject = {}): string {
  return formatSse(type, JSON.stringify({ type, ...fields }));
}

/** Encodes the events of a stream, with the number of the open block. */
export interface Frames extends BlockSink {
  /** The text since the last call. */
  take(): string;
  readonly started: boolean;
  start(message: JsonObject): void;
  /** A delta of any form. */
  deltaOf(fields: JsonObject): void;
  end(delta: JsonObject, usage: JsonObject, siblings: JsonObject): void;
  error(error: CanonicalError): void;
  ping(): void;
}

/** Frames for one stream. */
export function createFrames({ losses, requestId, asksBeta }: EncodeResponseContext): Frames {
  const known = losses.list.length;
  let out = '';
  let index = -1;
  /** How events of the open block begin, by the type of their delta: all up to the quote of the value. */
  const heads = new Map<string, string>();
  let isOpen = false;

  const headOf = (type: string, key: string): string => {
    // Types of the beta want the member, whose values are a hint that only the service has [M §5.3].
    const estimate = asksBeta === true && type === 'thinking_delta' ? '"estimated_tokens":null,' : '';
    const delta = `"delta":{"type":"${type}",${estimate}"${key}":"`;
    const head = inOne(`event: content_block_delta\ndata: {"type":"content_block_delta","index":${index},`, delta);
    heads.set(type, head);
    return head;
  };

  const frames: Mutable<Frames> = {
    streams: true,
    started: false,
    take() {
      const text = out;
      out = '';
      return text;
    },
    start(message) {
      frames.started = true;
      out += frame('message_start', { message });
    },
    open(content_block) {
      index += 1;
      isOpen = true;
      heads.clear();
      out += frame('content_block_start', { index, content_block });
    },
    delta(type, key, value) {
      out += `${heads.get(type) ?? headOf(type, key)}${escapeText(value)}"}}\n\n`;
    },
    deltaOf(delta) {
      out += frame('content_block_delta', { index, delta });
    },
    citation: (citation) => frames.deltaOf({ type: 'citations_delta', citation }),
    put(block) {
      if (block.type === 'text') {
        frames.open({ ...block, text: '' });
        frames.delta('text_delta', 'text', String(block.text));
      } else if (block.input !== undefined) {
        frames.open({ ...block, input: {} });
        frames.delta('input_json_delta', 'partial_json', JSON.stringify(block.input));
      } else {
        frames.open(block);
      }
      frames.close();
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      out += `event: content_block_stop\ndata: {"type":"content_block_stop","index":${index}}\n\n`;
    },
    end(delta, usage, siblings) {
      out += frame('message_delta', { delta, usage, ...siblings });
      out += lossComments(losses, known);
      out += 'event: message_stop\ndata: {"type":"message_stop"}\n\n';
    },
    error(error) {
      out += lossComments(losses, known);
      out += formatSse('error', JSON.stringify(errorBody(error, requestId)));
    },
    ping() {
      out += 'event: ping\ndata: {"type": "ping"}\n\n';
    },
  };
  return frames;
}

/** The message with which a stream begins: whole, but for its content, its end and its counts (translation.md 6.2). */
export function startMessage(id: string, model: string): JsonObject {
  return { id, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null };
}
