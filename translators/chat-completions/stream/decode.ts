import { TranslationError } from '../../canonical/errors.js';
import type { EventSink } from '../../canonical/events.js';
import type { JsonObject } from '../../canonical/node.js';
import type { DecodeResponseContext, StreamDecoder } from '../../dialect.js';
import { WireError } from '../../wire/errors.js';
import { createEventParser, type EventParser, isFlat } from '../../wire/event-parser.js';
import { isObject, tooDeep } from '../../wire/json.js';
import { createSseCutter } from '../../wire/sse.js';
import { decodeInBandError, errorIn } from '../edge/errors.js';
import { type AnswerReader, addChunk, createAnswerReader, endAnswer, failAnswer } from './assembly.js';

/**
 * Reads a stream of chunks (translation.md 6.1). The end is emitted when the server says that this is all, or when the
 * bytes end, because counts and failures may follow the word about it [H §7.2].
 */
export function createStreamDecoder(context: DecodeResponseContext, emit: EventSink): StreamDecoder {
  const reader = createAnswerReader(context, emit, false);
  const parse = createEventParser({ maxDepth: context.maxEventDepth, isTransient });
  const cutter = createSseCutter((name, data) => onData(reader, parse, name, data), {
    loose: true,
    ...(context.maxEventBytes !== undefined && { maxBytes: context.maxEventBytes }),
  });
  return {
    push(chunk) {
      if (!reader.done) guarded(reader, () => cutter.push(chunk));
    },
    end() {
      guarded(reader, () => {
        if (!reader.done) cutter.end();
        endAnswer(reader, false);
      });
    },
  };
}

/** A chunk of which only texts and names are taken. */
function isTransient(body: JsonObject): boolean {
  if (!Array.isArray(body.choices) || body.choices.length !== 1 || !isFlat(body, 'choices')) return false;
  const [choice] = body.choices;
  return isObject(choice) && isFlat(choice, 'delta') && isObject(choice.delta) && isFlat(choice.delta);
}

function onData(reader: AnswerReader, parse: EventParser, name: string, data: string): void {
  if (reader.done) return;
  if (data === '[DONE]') {
    endAnswer(reader, true);
    return;
  }
  const parsed = parse(data);
  // Some servers wrap an error in a list [H §9.1].
  const body = parsed.ok && Array.isArray(parsed.value) ? parsed.value[0] : parsed.ok ? parsed.value : undefined;
  if (name === 'error') {
    failAnswer(reader, errorIn(body) ?? decodeInBandError({ error: body ?? data }));
  } else if (isObject(body)) {
    addChunk(reader, body);
  } else {
    failAnswer(reader, {
      kind: 'upstream',
      message: tooDeep(parsed, reader.context.maxEventDepth) ?? 'the backend sent an event that is not a JSON object',
      code: 'upstream_bad_frame',
    });
  }
}

function guarded(reader: AnswerReader, step: () => void): void {
  try {
    step();
  } catch (thrown) {
    if (thrown instanceof WireError) {
      failAnswer(reader, { kind: 'upstream', message: thrown.message, code: 'upstream_bad_frame' });
    } else {
      failAnswer(reader, TranslationError.from(thrown).toCanonical());
    }
  }
}
