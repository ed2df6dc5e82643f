const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The index after the closing quote of the JSON string whose content begins at `from` (after the opening quote), or
 * -1 when the text ends first. Long strings are left to the engine's own search.
 */
export function skipJsonString(text: string, from: number): number {
  // Keys and words are short: below this length a loop beats the call of indexOf.
  const near = Math.min(from + 24, text.length);
  let at = from;
  while (at < near) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  const safe = at;
  for (let quote = text.indexOf('"', at); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    if (!endsEscaped(text, safe, quote)) return quote + 1;
  }
  return -1;
}

/** True when an odd number of backslashes is directly before `end`, none of them looked for before `start`. */
function endsEscaped(text: string, start: number, end: number): boolean {
  let at = end;
  while (at > start && text.charCodeAt(at - 1) === BACKSLASH) at -= 1;
  return (end - at) % 2 === 1;
}

/** Follows the nesting of one JSON value through text that comes in pieces. */
export type JsonScanner = {
  /**
   * Reads on, from `from`; gives the index after the character that closed the outermost bracket, or -1 when the
   * piece ends first. After a close the scanner is ready for the next value.
   */
  scan(text: string, from: number): number;
};

/** A scanner in front of the opening bracket of a value. Linear in the text, whatever the pieces. */
export function createJsonScanner(): JsonScanner {
  let depth = 0;
  let inString = false;
  let escaped = false;

  /** The index after the string's end, or -1 with the state kept for the next piece. Needs text to read. */
  const leaveString = (text: string, from: number): number => {
    const start = escaped ? from + 1 : from;
    const end = skipJsonString(text, start);
    inString = end === -1;
    escaped = inString && endsEscaped(text, start, text.length);
    return end;
  };

  return {
    scan(text, from) {
      let at = from;
      if (inString) {
        if (at >= text.length) return -1;
        at = leaveString(text, at);
        if (at === -1) return -1;
      }
      while (at < text.length) {
        const code = text.charCodeAt(at);
        at += 1;
        if (code === QUOTE) {
          inString = true;
          if (at >= text.length) return -1;
          at = leaveString(text, at);
          if (at === -1) return -1;
        } else if (code === 0x5b || code === 0x7b) {
          depth += 1;
        } else if (code === 0x5d || code === 0x7d) {
          depth -= 1;
          if (depth <= 0) {
            depth = 0;
            return at;
          }
        }
      }
      return -1;
    },
  };
}
