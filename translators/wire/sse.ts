import { isBlank } from './blank.js';
import { WireError } from './errors.js';
import { createJsonScanner } from './json-scan.js';
import { createTextBuffer, type TextBuffer } from './text-buffer.js';

/** Cuts a byte stream into server-sent events. */
export type SseCutter = {
  /**
   * Takes the next chunk, cut anywhere, and reports every event it completes before returning. A stream is fed either
   * bytes or strings, not both. Throws {@link WireError} `too_large`, and whatever `onEvent` throws; after a throw the
   * cutter is of no further use.
   */
  push(chunk: string | Uint8Array): void;
  /** Says that the stream is over. Reports the last event if only its blank line is missing. */
  end(): void;
  /**
   * The raw text after the last complete event. After `end()` it is empty unless the stream was cut inside an event.
   * Comments and blank lines between events do not count.
   */
  readonly rest: string;
  /** True when `rest` is empty; cheaper than to look. */
  readonly between: boolean;
  /** True when `end()` reported an event that lacks its blank line: many readers pass such an event over. */
  readonly unclosed: boolean;
};

/** Options of {@link createSseCutter}. */
export type SseCutterOptions = {
  /** Longest event, with all its lines, in UTF-16 code units (never more than its bytes). Default 64 Mi. */
  maxBytes?: number;
  /**
   * Reads what servers send that keep to no standard: lines with blanks in front of the field, and lines `error: DATA`, which
   * are the data of an event of that name.
   */
  loose?: boolean;
};

const DEFAULT_MAX = 64 * 1024 * 1024;
const LF = 10;
const SPACE = 32;
const COLON = 58;
const LOWER_D = 100;
const LOWER_E = 101;
const OPEN_BRACE = 123;

/**
 * A synchronous cutter for server-sent events, linear in the bytes whatever the chunks.
 *
 * `onEvent` gets the event's name (`''` when it has none) and its data lines joined by LF. An event without any
 * `data` field is not reported, as the standard says; nor is one whose data is empty or blank, because proxies send such
 * to keep a connection open (translation.md 6.1). Lines end at LF, CRLF or CR and nowhere else: JSON may hold
 * U+2028 [G §6.1]. Comments, `id`, `retry` and unknown fields are passed over, with one exception: a line that begins
 * with `{` begins a bare JSON object, which is collected until its braces balance (or to the end of the stream) and
 * reported as the data of an unnamed event [G §6.3 'Error in mid-stream'].
 *
 * An event that lacks only its blank line at the end of the stream is reported, unless its data is the beginning of a
 * JSON object or array. When even the end of its last line is missing nothing shows whether the line is whole, so it
 * counts only if its data is `[DONE]`, a JSON object or a JSON array.
 */
export function createSseCutter(
  onEvent: (event: string, data: string) => void,
  options: SseCutterOptions = {},
): SseCutter {
  const { maxBytes: max = DEFAULT_MAX, loose = false } = options;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const scanner = createJsonScanner();
  /** Raw text of the unfinished event in earlier chunks. */
  const raw = createTextBuffer();
  /** Its unfinished last line in earlier chunks; always an end of `raw`. */
  const line = createTextBuffer();
  /** Its data lines but the first, each with the LF before it. */
  const more = createTextBuffer();
  let name = '';
  let data: string | undefined;
  /** True while the lines of a bare JSON object, held in `more`, are collected. */
  let bare = false;
  let begun = false;
  /** True when the decoder may hold the first bytes of a character. */
  let held = false;
  /** True when the last chunk ended in CR, whose line was already read: an LF that follows belongs to it. */
  let skipLf = false;

  const reset = (): void => {
    name = '';
    data = undefined;
    bare = false;
    more.clear();
  };

  /** Reports the pending event, if it has data, and forgets it. */
  const dispatch = (): void => {
    const event = name;
    const whole = data === undefined || more.length === 0 ? data : data + more.read();
    reset();
    if (whole !== undefined && !isBlank(whole)) onEvent(event, whole);
  };

  const addData = (value: string): void => {
    if (data === undefined) {
      data = value;
    } else {
      more.add('\n');
      more.add(value);
    }
  };

  /** Reads one line of a bare object; true when the object is complete. */
  const readBare = (text: string, start: number, end: number): boolean => {
    const part = text.slice(start, end);
    if (more.length > 0) more.add('\n');
    more.add(part);
    if (scanner.scan(part, 0) === -1) return false;
    dispatch();
    return true;
  };

  const beginBare = (text: string, start: number, end: number): boolean => {
    if (data !== undefined) dispatch();
    name = '';
    data = '';
    bare = true;
    return readBare(text, start, end);
  };

  /** Reads the line `text[from, end)`; true when nothing is pending after it, so that an event can begin. */
  const readLine = (text: string, from: number, end: number): boolean => {
    if (bare) return readBare(text, from, end);
    let start = from;
    if (loose) while (start < end && text.charCodeAt(start) === SPACE) start += 1;
    if (start === end) {
      dispatch();
      return true;
    }
    const first = text.charCodeAt(start);
    if (first === LOWER_D) {
      const value = fieldValue(text, start, end, 'data');
      if (value !== -1) addData(text.slice(value, end));
    } else if (first === LOWER_E) {
      const value = fieldValue(text, start, end, 'event');
      if (value !== -1) name = text.slice(value, end);
      const failure = loose ? fieldValue(text, start, end, 'error') : -1;
      if (failure !== -1) {
        name = 'error';
        addData(text.slice(failure, end));
      }
    } else if (first === OPEN_BRACE) {
      return beginBare(text, start, end);
    }
    return data === undefined && name === '';
  };

  const checkSize = (length: number): void => {
    if (length > max) throw new WireError('too_large', `a server-sent event is longer than ${max}`);
  };

  /** Reads every line that ends in `text`, from `from`, and keeps what follows the last. */
  const cut = (text: string, from: number): void => {
    let eventStart = from;
    let at = from;
    let lf = text.indexOf('\n', at);
    let cr = text.indexOf('\r', at);
    while (lf !== -1 || cr !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr;
      let next = end + 1;
      if (end === cr) {
        if (next === text.length) skipLf = true;
        else if (text.charCodeAt(next) === LF) next += 1;
      }
      checkSize(raw.length + end - eventStart);
      let idle: boolean;
      if (line.length === 0) {
        idle = readLine(text, at, end);
      } else {
        line.add(text.slice(at, end));
        const whole = line.take();
        idle = readLine(whole, 0, whole.length);
      }
      if (idle) {
        raw.clear();
        eventStart = next;
      }
      at = next;
      if (lf !== -1 && lf < at) lf = text.indexOf('\n', at);
      if (cr !== -1 && cr < at) cr = text.indexOf('\r', at);
    }
    if (at < text.length) line.add(text.slice(at));
    if (eventStart < text.length) raw.add(text.slice(eventStart));
    checkSize(raw.length);
  };

  const pushText = (text: string): void => {
    if (text === '') return;
    let from = 0;
    if (!begun) {
      begun = true;
      if (text.charCodeAt(0) === 0xfeff) from = 1;
    }
    if (skipLf) {
      skipLf = false;
      if (text.charCodeAt(from) === LF) {
        from += 1;
        if (raw.length > 0) raw.add('\n');
      }
    }
    if (from < text.length) cut(text, from);
  };

  /** Decodes a chunk; one that begins and ends between characters by the engine's faster way for whole texts. */
  const decode = (bytes: Uint8Array): string => {
    const last = bytes[bytes.length - 1];
    if (last === undefined) return '';
    const open = last >= 0x80;
    const text = held || open ? decoder.decode(bytes, { stream: true }) : decoder.decode(bytes);
    held = open;
    return text;
  };

  const cutter = new Cutter(
    raw,
    (chunk) => pushText(typeof chunk === 'string' ? chunk : decode(chunk)),
    () => {
      pushText(decoder.decode());
      let whole = true;
      if (line.length > 0) {
        const last = line.take();
        // Nothing is missing of a comment nor of a bare object that has ended; any other line may be half a field.
        const closed = bare || [OPEN_BRACE, COLON].includes(last.charCodeAt(0));
        if (readLine(last, 0, last.length) && closed) raw.clear();
        whole = bare || isWhole(data === undefined ? '' : data + more.read());
      } else if (!bare && data !== undefined && BEGINS_JSON.test(data)) {
        // JSON over several lines, cut where one of them ends.
        whole = isWhole(data + more.read());
      }
      if (whole && data !== undefined) {
        if (!bare) raw.clear();
        cutter.unclosed = !bare && !isBlank(data + more.read());
        dispatch();
      }
      reset();
    },
  );
  return cutter;
}

/** A class for its getters: those of an object of its own would give each cutter another shape. */
class Cutter implements SseCutter {
  unclosed = false;

  constructor(
    private readonly raw: TextBuffer,
    readonly push: SseCutter['push'],
    readonly end: SseCutter['end'],
  ) {}

  get rest(): string {
    return this.raw.read();
  }

  get between(): boolean {
    return this.raw.length === 0;
  }
}

/** Index of the field's value in the line `text[start, end)`, or -1 when the line is another field's. */
function fieldValue(text: string, start: number, end: number, field: string): number {
  if (!text.startsWith(field, start)) return -1;
  const colon = start + field.length;
  if (colon === end) return end;
  if (text.charCodeAt(colon) !== COLON) return -1;
  return colon + 1 < end && text.charCodeAt(colon + 1) === SPACE ? colon + 2 : colon + 1;
}

const BEGINS_JSON = /^\s*[{[]/;

/** True for data that shows by itself that nothing of it is missing. */
function isWhole(data: string): boolean {
  if (data === '[DONE]') return true;
  if (!BEGINS_JSON.test(data)) return false;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}

/** One named event: `event: X`, `data: Y`, a blank line, all with LF. */
export function formatSse(event: string, data: string): string {
  return `event: ${event}\ndata: ${oneField(data)}\n\n`;
}

/** Data with line ends needs one `data` field per line; a reader gets them back as LF. */
function oneField(data: string): string {
  if (!data.includes('\n') && !data.includes('\r')) return data;
  return data.split(/\r\n|\n|\r/).join('\ndata: ');
}
