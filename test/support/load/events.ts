import type { Tree } from '../gateway/harness.js';
import type { Framing } from '../wire/requests.js';

/** Cuts a stream into the values of its events as they come. Throws for what is no JSON. */
export type Cutter = (chunk: string) => Tree[];

export function createCutter(framing: Exclude<Framing, 'plain'>): Cutter {
  return framing === 'stream' ? createLineCutter() : createArrayCutter();
}

/** Server-sent events whose data stand in one line each; other lines, and the mark of the end, say nothing. */
function createLineCutter(): Cutter {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    return lines
      .filter((line) => line.startsWith('data:') && line.slice(5).trim() !== '[DONE]')
      .map((line) => JSON.parse(line.slice(5)));
  };
}

/** The objects of one JSON array. */
function createArrayCutter(): Cutter {
  let rest = '';
  let read = 0;
  let start = 0;
  let depth = 0;
  let quoted = false;
  let escaped = false;
  return (chunk) => {
    rest += chunk;
    const found: Tree[] = [];
    for (; read < rest.length; read += 1) {
      const sign = rest[read];
      if (escaped) escaped = false;
      else if (quoted) {
        if (sign === '\\') escaped = true;
        else if (sign === '"') quoted = false;
      } else if (sign === '"') quoted = true;
      else if (sign === '{') {
        if (depth === 0) start = read;
        depth += 1;
      } else if (sign === '}') {
        depth -= 1;
        if (depth === 0) found.push(JSON.parse(rest.slice(start, read + 1)));
      }
    }
    if (depth === 0) {
      rest = '';
      read = 0;
    }
    return found;
  };
}
