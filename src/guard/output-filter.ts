import { type CanonicalError, createWatcher, type StreamEnds, type Watcher } from '../../translators/index.js';
import type { SecretFinder } from '../ground/plain/index.js';
import { createAnswerTexts } from './answer-texts.js';
import { type ByteTools, createByteQueue } from './bytes.js';
import { createLeakGuard } from './leak-guard.js';
import { endOfEvents } from './relay-guard.js';

/**
 * The last thing that the bytes of a relayed stream pass (configuration.md#access): it lets nothing go of a secret of the backend, also where
 * that is split over the events of one text or escaped. All other bytes pass as they came.
 */
export interface OutputFilter {
  write(piece: Uint8Array | undefined): void;
  /** Lets go what was held back: nothing more comes. */
  flush(): void;
  readonly leaked: boolean;
  /** What was written ends between two events. */
  readonly between: boolean;
  /** Everything up to the last word was written. */
  readonly whole: boolean;
}

/** So much, in bytes, is held back at most, and looked at of one event. */
const MOST_HELD = 1024 * 1024;

/** Writes to `stage` what holds no secret of the backend; the watcher has seen what is written. */
export function createOutputFilter(
  finder: SecretFinder,
  watcher: Pick<Watcher, 'between' | 'whole'>,
  stage: { write(piece: Uint8Array): void },
  framing: 'sse' | 'array',
  bytes: ByteTools,
): OutputFilter {
  const guard = createLeakGuard(finder, bytes);
  const texts = createAnswerTexts(finder, framing);
  const held = createByteQueue();
  /** The event that is not whole yet, as Latin-1, which gives every byte back. */
  let open: string[] = [];
  let openLength = 0;
  let seam = '';
  /** A text in the event that is not whole yet may go on in the next one. */
  let doubtful = false;
  let leaked = false;
  let between = true;
  let whole = false;

  const keepOpen = (text: string): void => {
    openLength += text.length;
    // A picture is no text that goes on in the next event.
    if (openLength > MOST_HELD) open = [];
    else open.push(text);
  };
  /** Shows the texts what is whole now; gives how much of the piece that is. */
  const show = (text: string): number => {
    if (framing === 'array') {
      texts.see(text, true);
      return watcher.between ? text.length : 0;
    }
    const end = text.endsWith('\n\n') ? text.length : Math.max(0, endOfEvents(seam + text) - seam.length);
    seam = text.slice(Math.max(end, text.length - 3));
    if (end > 0) {
      const events = text.slice(0, end);
      texts.see(openLength === 0 ? events : open.join('') + events, true);
      open = [];
      openLength = 0;
    }
    if (end < text.length) keepOpen(text.slice(end));
    return end;
  };
  /** Half an event may hold what a text of the one before goes on with, or the beginning of a secret. */
  const isDoubtful = (text: string): boolean => texts.begun || finder.mayEscape(text) || finder.ends(text).length > 0;
  /** Writes the beginning of a piece, behind what was held back before, and holds back the rest; events are whole up to `boundary`. */
  const release = (safe: Uint8Array, end: number, boundary: number): void => {
    if (end > 0) {
      between = end === boundary;
      const piece = end === safe.length ? safe : safe.subarray(0, end);
      if (held.length > 0) held.add(piece);
      stage.write(held.length > 0 ? held.take() : piece);
    }
    if (end < safe.length) held.add(safe.subarray(end));
    if (held.length > MOST_HELD) stage.write(held.take());
  };
  return {
    write(piece) {
      const safe = leaked ? undefined : piece && guard.pass(piece);
      leaked ||= guard.leaked;
      if (leaked) return;
      if (safe !== undefined) {
        const { text } = guard;
        const { length } = safe;
        const boundary = text === undefined ? length : show(text);
        leaked = texts.leaked;
        if (leaked) return;
        doubtful =
          text !== undefined && boundary < length && (isDoubtful(text.slice(boundary)) || (doubtful && boundary === 0));
        release(safe, texts.holds ? 0 : doubtful ? boundary : length, boundary);
      }
      whole = watcher.whole && !guard.holds && held.length === 0;
    },
    flush() {
      if (leaked) return;
      const rest = guard.rest();
      if (framing === 'sse' && finder.longest > 0) {
        const last = rest === undefined ? '' : bytes.latin1(rest);
        texts.see(`${open.join('')}${last}\n\n`, true);
        leaked = texts.leaked;
        if (leaked) return;
      }
      if (rest !== undefined) held.add(rest);
      if (held.length > 0) stage.write(held.take());
    },
    get leaked() {
      return leaked;
    },
    get between() {
      return between;
    },
    get whole() {
      return whole;
    },
  };
}

/** The last thing that the text of a translated stream passes: whole frames, or an array cut anywhere. */
export interface TextFilter {
  /** What may leave; '' = nothing. `last` = no more comes. */
  pass(text: string, last: boolean): string;
  readonly leaked: boolean;
  /** The first text that left, and the last. */
  readonly ends: readonly string[];
}

/** Holds back what the texts in it may go on to a secret of the backend; from the first secret on nothing leaves. */
export function createTextFilter(finder: SecretFinder, framing: 'sse' | 'array'): TextFilter {
  const texts = createAnswerTexts(finder, framing);
  let held = '';
  let ends: readonly string[] = [];
  const passed = (text: string, last: boolean): string => {
    if (finder.longest === 0) return text;
    texts.see(text);
    if (texts.leaked) return '';
    if (!last && texts.holds && held.length + text.length <= MOST_HELD) {
      held += text;
      return '';
    }
    const all = held + text;
    held = '';
    return all;
  };
  return {
    pass(text, last) {
      const safe = passed(text, last);
      // What a stream began with may be long: it is kept only where the rest may have to be replaced.
      if (safe !== '' && finder.longest > 0) ends = [ends[0] ?? safe, safe];
      return safe;
    },
    get leaked() {
      return texts.leaked;
    },
    get ends() {
      return ends;
    },
  };
}

/** Frames that end a stream with a failure: they name the answer that the first frames began, and go on counting. */
export function endingOf(
  dialect: StreamEnds,
  ends: TextFilter['ends'],
  error: CanonicalError,
  requestId: string,
): string {
  const watcher = createWatcher(dialect, 'sse');
  for (const text of new Set(ends)) watcher.push(text);
  watcher.retract();
  return watcher.ending(error, { requestId });
}

/** Whether a whole answer contains a secret with which its backend is called. `parsed` = its value, where that is at hand. */
export function containsSecret(finder: SecretFinder, answer: () => string, parsed?: unknown): boolean {
  if (finder.longest === 0) return false;
  const texts = createAnswerTexts(finder, 'sse');
  texts.seeWhole(answer(), parsed);
  return texts.leaked;
}
