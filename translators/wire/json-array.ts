import { WireError } from './errors.js';
import { createJsonScanner } from './json-scan.js';
import { createTextBuffer } from './text-buffer.js';

/** Cuts an array that arrives piece by piece into its elements. */
export type JsonArrayCutter = {
  /**
   * Takes the next chunk, cut anywhere, and reports every element it completes before returning. Throws
   * {@link WireError} `too_large`, or `bad_json` when something other than an object is where an element should be.
   */
  push(chunk: string | Uint8Array): void;
  /** Says that the stream is over. What is incomplete then is never reported; see `rest`. */
  end(): void;
  /** The text of the element that is not complete; empty between elements. */
  readonly rest: string;
  /** True once the array's closing bracket, or a lone object, was read. */
  readonly closed: boolean;
  /** What has to be before another element: `[`, `,` or nothing. Undefined where no element can follow. */
  readonly lead: string | undefined;
};

/** Options of {@link createJsonArrayCutter}. */
export type JsonArrayCutterOptions = {
  /** Longest element in UTF-16 code units (never more than its bytes). Default 64 Mi. */
  maxBytes?: number;
};

const DEFAULT_MAX = 64 * 1024 * 1024;
const BETWEEN = /[^\s,]/g;

/**
 * A synchronous cutter for a JSON array of objects, pretty-printed or not, linear in the bytes whatever the chunks
 * [G §6.1]. `onElement` gets the exact text of each object. Objects that are not in an array (one, or several one
 * after the other) are reported too. Separators are not checked, and what follows the closing bracket is passed over.
 */
export function createJsonArrayCutter(
  onElement: (text: string) => void,
  options: JsonArrayCutterOptions = {},
): JsonArrayCutter {
  const max = options.maxBytes ?? DEFAULT_MAX;
  const decoder = new TextDecoder();
  const scanner = createJsonScanner();
  const element = createTextBuffer();
  let opened = false;
  let inElement = false;
  let closed = false;
  /** What is before the next element, while the array is open. */
  let lead = '[';

  /** Reads what is between elements, from `at`; the index of the next element's brace, or -1. */
  const toElement = (text: string, at: number): number => {
    BETWEEN.lastIndex = at;
    for (let found = BETWEEN.exec(text); found !== null; found = BETWEEN.exec(text)) {
      if (found[0] === '{') return found.index;
      if (found[0] === '[' && !opened) {
        opened = true;
        lead = '';
      } else if (found[0] === ']' && opened) {
        closed = true;
        return -1;
      } else {
        throw new WireError('bad_json', 'not a JSON array of objects');
      }
    }
    return -1;
  };

  const cut = (text: string): void => {
    let at = 0;
    while (at < text.length && !(closed && opened)) {
      if (!inElement) {
        const from = at;
        at = toElement(text, from);
        if (at === -1) {
          if (lead === ',' && text.indexOf(',', from) !== -1) lead = '';
          return;
        }
      }
      const end = scanner.scan(text, at);
      const part = text.slice(at, end === -1 ? text.length : end);
      if (element.length + part.length > max)
        throw new WireError('too_large', `an array element is longer than ${max}`);
      inElement = end === -1;
      element.add(part);
      if (inElement) return;
      at = end;
      closed ||= !opened;
      lead = ',';
      onElement(element.take());
    }
  };

  return {
    push(chunk) {
      cut(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    },
    end() {
      cut(decoder.decode());
    },
    get rest() {
      return element.read();
    },
    get closed() {
      return closed;
    },
    get lead() {
      return closed || inElement ? undefined : lead;
    },
  };
}
