import type { JsonObject } from '../../canonical/node.js';
import { onOneLine } from '../../wire/json.js';

/** The stream in the place of a whole answer, which is one chunk [G §5.1]. */
export function wholeAsStream(answer: JsonObject): string {
  return `data: ${onOneLine(JSON.stringify(answer))}\r\n\r\n`;
}
