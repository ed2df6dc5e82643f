import type { Watcher } from '../../translators/index.js';
import type { BackendConfig } from '../config/index.js';
import { Failure, secretFinder } from '../ground/index.js';
import { createGathered } from '../http/index.js';
import { LEAKED } from '../protocol/index.js';
import type { Stage } from './answer-storage.js';
import type { Attempt } from './attempt.js';
import { createLeakGuard } from './leak-guard.js';
import { endOfEvents } from './relay-guard.js';
import { createToldTexts } from './told-texts.js';

/**
 * The last thing that the bytes of a relayed stream pass (configuration.md#access): it lets nothing go of a secret of the backend, also where
 * that is split over the events of one text or escaped. All other bytes pass as they came.
 */
interface OutputFilter {
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
  backend: BackendConfig,
  watcher: Pick<Watcher, 'between' | 'whole'>,
  stage: Pick<Stage, 'write'>,
  framing: 'sse' | 'array' = 'sse',
): OutputFilter {
  const finder = secretFinder(backend);
  const guard = createLeakGuard(backend);
  const texts = createToldTexts(finder, framing);
  const held = createGathered();
  /** The event that is not whole yet, as Latin-1, which gives every byte back. */
  let open: string[] = [];
  let openLength = 0;
  let seam = '';
  /** A text in the event that is not whole yet may go on in the next one. */
  let doubtful = false;
  let leaked = false;
  let between = false;
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
  const release = (bytes: Uint8Array, end: number, boundary: number): void => {
    if (end > 0) {
      between = end === boundary;
      const piece = end === bytes.length ? bytes : bytes.subarray(0, end);
      if (held.length > 0) held.add(piece);
      stage.write(held.length > 0 ? held.join() : piece);
    }
    if (end < bytes.length) held.add(bytes.subarray(end));
    if (held.length > MOST_HELD) stage.write(held.join());
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
        const last = rest === undefined ? '' : Buffer.from(rest).toString('latin1');
        texts.see(`${open.join('')}${last}\n\n`, true);
        leaked = texts.leaked;
        if (leaked) return;
      }
      if (rest !== undefined) held.add(rest);
      if (held.length > 0) stage.write(held.join());
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
interface TextFilter {
  /** What may leave; '' = nothing. */
  pass(text: string): string;
  /** What was held back: nothing more comes. */
  rest(): string;
  readonly leaked: boolean;
  /** There are secrets that may be found. */
  readonly guards: boolean;
}

/** Holds back what the texts in it may go on to a secret of the backend; from the first secret on nothing leaves. */
export function createTextFilter(backend: BackendConfig, framing: 'sse' | 'array'): TextFilter {
  const finder = secretFinder(backend);
  const texts = createToldTexts(finder, framing);
  let held = '';
  return {
    pass(text) {
      if (finder.longest === 0) return text;
      texts.see(text);
      if (texts.leaked) return '';
      if (texts.holds && held.length + text.length <= MOST_HELD) {
        held += text;
        return '';
      }
      const said = held + text;
      held = '';
      return said;
    },
    rest() {
      const rest = texts.leaked ? '' : held;
      held = '';
      return rest;
    },
    get leaked() {
      return texts.leaked;
    },
    get guards() {
      return finder.longest > 0;
    },
  };
}

/** Whether a whole answer tells a secret with which its backend is called. `parsed` = its value, where that is at hand. */
export function tellsSecret(backend: BackendConfig, answer: string | Buffer, parsed?: unknown): boolean {
  const finder = secretFinder(backend);
  if (finder.longest === 0) return false;
  const texts = createToldTexts(finder, 'sse');
  texts.seeWhole(typeof answer === 'string' ? answer : answer.toString('latin1'), parsed);
  return texts.leaked;
}

/** The client's error in place of an answer, or of its rest, that holds a secret; it is logged for the operator. */
export function leakOf(
  { gateway, call, target }: Pick<Attempt, 'gateway' | 'call' | 'target'>,
  headers?: Record<string, string>,
): Failure {
  gateway.logger.error({ id: call.id, backend: target.backend.name }, LEAKED.message);
  return new Failure(LEAKED, { headers });
}
