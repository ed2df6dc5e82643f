import type { CanonicalError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import type { AnswerFacts, EncodeErrorContext, StreamEnds } from '../dialect.js';
import { createOpening } from '../wire/framing.js';
import { isObject, parseJson } from '../wire/json.js';
import { createJsonArrayCutter, type JsonArrayCutter } from '../wire/json-array.js';
import { createSseCutter } from '../wire/sse.js';

/** Looks on while a stream is relayed untouched, to tell whether it ended with its dialect's own last word. */
export interface Watcher {
  push(chunk: string | Uint8Array): void;
  end(): void;
  /** An event was seen. */
  readonly begun: boolean;
  /** The last word was seen, and nothing that has to follow it is missing. */
  readonly whole: boolean;
  /** It was said how the answer ends; what is missing is at most a trailer. */
  readonly finished: boolean;
  /** What came so far ends between two events, so that another could be appended. */
  readonly between: boolean;
  /** Text, reasoning or a tool call was seen. */
  readonly content: boolean;
  /** The failure that the last word tells, with the data of its event. Costs the reading of an event that tells one. */
  readonly failure: { readonly error: CanonicalError; readonly data: string } | undefined;
  /** What the events so far tell about the answer. Costs the reading of the few that do. */
  facts(): AnswerFacts;
  /** The last word is not passed on, nor what came behind it: the stream broke off where it began. */
  retract(): void;
  /**
   * What lets a stream that broke end truthfully: its trailer, or the failure (translation.md 6.5). Behind a part of an
   * event a client reads it as broken JSON; in an array nothing can stand there.
   */
  ending(error: CanonicalError, context?: EncodeErrorContext): string;
}

/** How much of a stream is kept for its end, in UTF-16 code units: what is beyond it is not told again. */
const MAX_KEPT = 1024 * 1024;

/** How many events are kept for the facts of an answer. */
const MAX_TELLING = 16;

/** A watcher for streams of `dialect` in a framing; without it, in the one that the first character shows. */
export function createWatcher(dialect: StreamEnds, framing?: 'sse' | 'array', maxBytes?: number): Watcher {
  const { relayedEnd, relayedFacts } = dialect;
  const kept: string[] = [];
  let keptLength = 0;
  let last: string | undefined;
  let seen = false;
  let terminal = false;
  let retracted = false;
  let failure: Watcher['failure'];
  let content = false;
  const telling: string[] = [];

  const tell = (data: string, how: 'beside' | 'instead'): void => {
    if (telling.length === MAX_TELLING || (how === 'instead' && telling.length > 0)) telling.pop();
    telling.push(data);
  };
  const look = (event: string, data: string): void => {
    const told = relayedFacts.keeps(event, data);
    // Where every event tells the counts so far, some come after the last word.
    if (told !== undefined && (told === 'instead' || !terminal)) tell(data, told);
    if (!content && relayedFacts.content(event, data)) content = true;
    if (terminal) return;
    seen = true;
    // A mark such as `[DONE]` is no event of the dialect.
    if (data.startsWith('{')) last = data;
    if (dialect.isTerminal(event, data)) {
      terminal = true;
      const error = relayedEnd.told(event, data);
      if (error !== undefined) failure = { error, data };
    } else if (keptLength + data.length <= MAX_KEPT && relayedEnd.keeps(event, data)) {
      keptLength += data.length;
      kept.push(data);
    }
  };

  const elements = (): JsonArrayCutter => createJsonArrayCutter((text) => look('', text), { maxBytes });
  const opening = createOpening();
  let array = framing === 'array' ? elements() : undefined;
  let sse = framing === 'sse' ? createSseCutter(look, { maxBytes }) : undefined;

  return {
    push(chunk) {
      const begun = sse ?? array;
      if (begun !== undefined) {
        begun.push(chunk);
        return;
      }
      const opened = opening(chunk);
      if (opened === undefined) return;
      if (opened.array) array = elements();
      else sse = createSseCutter(look, { maxBytes });
      for (const piece of opened.pieces) (sse ?? array)?.push(piece);
    },
    end() {
      (sse ?? array)?.end();
    },
    get begun() {
      return seen;
    },
    get whole() {
      return terminal && (array?.closed ?? sse?.unclosed !== true);
    },
    get finished() {
      return !retracted && (terminal || relayedEnd.trailer(kept, last) !== undefined);
    },
    get between() {
      if (retracted) return true;
      return array === undefined ? sse?.between !== false : array.lead !== undefined;
    },
    get content() {
      return content;
    },
    get failure() {
      return failure;
    },
    facts: () => relayedFacts.read(telling.flatMap(objectsIn)),
    retract() {
      retracted = true;
      terminal = false;
    },
    ending(error, context = {}) {
      const failed = (form: 'sse' | 'array'): string =>
        relayedEnd.failure(error, { kept, last, framing: form }, context);
      if (array !== undefined) {
        // What stood before the element that was taken back stands there still.
        if (retracted) return `${failed('array')}]`;
        if (array.lead === undefined) return '';
        return terminal ? ']' : `${array.lead}${failed('array')}]`;
      }
      // The last event may lack the end of its line, and its blank line.
      if (retracted) return `\n\n${failed('sse')}`;
      return `\n\n${terminal ? '' : (relayedEnd.trailer(kept, last) ?? failed('sse'))}`;
    },
  };
}

function objectsIn(data: string): JsonObject[] {
  const parsed = parseJson(data);
  return parsed.ok && isObject(parsed.value) ? [parsed.value] : [];
}
