import { type CanonicalError, TranslationError } from '../canonical/errors.js';
import type { StreamEvent } from '../canonical/events.js';
import { mergeUsage } from '../canonical/fold.js';
import type { Losses } from '../canonical/loss.js';
import type { Extensions } from '../canonical/node.js';
import type { Finish, Usage } from '../canonical/response.js';
import type { StreamEncoder } from '../dialect.js';
import type { PartEvent } from './part-queue.js';

export type Start = Extract<StreamEvent, { readonly type: 'start' }>;
export type End = Extract<StreamEvent, { readonly type: 'end' }>;

/** What a dialect makes of a stream; nothing is asked of it behind `end` or `error`. */
export interface AnswerStream {
  /** The first event that begins the answer: the earlier ones are held back until there is more to say in its head. */
  readonly begins: 'start' | 'usage' | 'part';
  /** The text since the last call. */
  take(): string;
  /** Comes once, before all but `error`. A stream that did not say how it starts has an empty id and model. */
  begin(start: Start, usage: Usage | undefined): void;
  part(event: PartEvent): void;
  /** All counts so far. */
  counts?(usage: Usage): void;
  /** An event that only one dialect knows. */
  opaque?(event: Extract<StreamEvent, { readonly type: 'opaque' }>): void;
  /**
   * Writes the last events. `bag` is what the end, or else the start, says that only one dialect knows. Throws
   * TranslationError for ends that are failures here.
   */
  end(finish: Finish, end: End, usage: Usage | undefined, bag: Extensions | undefined): void;
  error(error: CanonicalError, usage: Usage | undefined): void;
  /** The backend is alive. */
  ping?(): void;
  /** Writes what may be sent into silence. `begun`: the answer had begun before. */
  heartbeat(begun: boolean): void;
}

const UNKNOWN: Start = { type: 'start', id: '', model: '' };

/** The encoder of one stream (translation.md 6.2 to 6.5): one synchronous step per event, and one text for what it wrote. */
export function createEncoder(stream: AnswerStream): StreamEncoder {
  let start: Start | undefined;
  let usage: Usage | undefined;
  let finish: Finish | undefined;
  let begun = false;
  let over = false;

  const begin = (): void => {
    if (begun) return;
    begun = true;
    stream.begin(start ?? UNKNOWN, usage);
  };
  const end = (event: End): void => {
    over = true;
    try {
      if (finish === undefined) {
        throw new TranslationError('upstream', 'the answer ended without a reason', { code: 'upstream_incomplete' });
      }
      begin();
      stream.end(finish, event, usage, event.ext ?? start?.ext);
    } catch (thrown) {
      encoder.failure = TranslationError.from(thrown).toCanonical();
      stream.error(encoder.failure, usage);
    }
  };
  const take = (event: StreamEvent): void => {
    switch (event.type) {
      case 'part.delta':
      case 'part.start':
      case 'part.state':
      case 'part.end':
      case 'part.citation':
      case 'part.logprobs':
        begin();
        stream.part(event);
        return;
      case 'start':
        start ??= event;
        usage = mergeUsage(usage, event.usage);
        if (stream.begins === 'start') begin();
        return;
      case 'usage':
        usage = mergeUsage(usage, event.usage);
        if (stream.begins === 'usage') begin();
        if (usage !== undefined) stream.counts?.(usage);
        return;
      case 'finish':
        finish = event.finish;
        return;
      case 'end':
        end(event);
        return;
      case 'error':
        over = true;
        stream.error(event.error, usage);
        return;
      case 'ping':
        stream.ping?.();
        return;
      case 'opaque':
        stream.opaque?.(event);
        return;
      default:
        event satisfies never;
    }
  };

  const encoder: { -readonly [Key in keyof StreamEncoder]: StreamEncoder[Key] } = {
    encode(event) {
      if (over) return '';
      take(event);
      return stream.take();
    },
    heartbeat() {
      if (over) return '';
      const before = begun;
      if (stream.begins !== 'start') begin();
      stream.heartbeat(before);
      return stream.take();
    },
    failure: undefined,
  };
  return encoder;
}

/** Losses of a stream since the first `known` of them, as one comment block in front of its last event (translation.md 0.11). */
export function lossComments(losses: Losses, known: number): string {
  const found = losses.list.slice(known).map((loss) => `: interlingua-loss ${JSON.stringify(loss)}\n`);
  return found.length > 0 ? `${found.join('')}\n` : '';
}
