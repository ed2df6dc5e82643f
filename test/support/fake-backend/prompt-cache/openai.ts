import { type JsonObject, objectOf, objectsOf, stringOf } from '../../../../src/simulator/rules/index.js';
import { createAutomaticCache } from './automatic.js';
import type { Bill } from './bill.js';
import { type Block, createMarkedCache } from './marked.js';

/** No prefix is cached below so many tokens, and older models read it in steps. */
const LEAST = 1024;
const STEP = 128;

/** From 5.6 on prompts are cached at breakpoints only, as the vendor documents it. */
const AT_BREAKPOINTS = /^gpt-(?:5\.(?:[6-9]|\d\d)|[6-9])/;

/** The vendor's cache behind both of its dialects; `read` gives the pieces of a prompt in order. */
export function createOpenaiCache(read: (body: JsonObject) => readonly unknown[]): (body: JsonObject) => Bill {
  const older = createAutomaticCache(STEP);
  const newer = createMarkedCache(Number.POSITIVE_INFINITY);
  return (body) => {
    const model = stringOf(body.model);
    // A key brings requests to one machine, whatever they begin with.
    const apart = JSON.stringify([model, body.prompt_cache_key]);
    const blocks = read(body).flatMap((piece) => (piece === undefined || piece === null ? [] : [readPiece(piece)]));
    if (AT_BREAKPOINTS.test(model)) {
      const implicit = objectOf(body.prompt_cache_options).mode !== 'explicit';
      const placed = blocks.map((block, index) => ({
        ...block,
        marked: block.marked || (implicit && index === blocks.length - 1),
      }));
      return newer({ blocks: placed, apart, least: LEAST });
    }
    return older({ text: Buffer.from(blocks.map(({ json }) => json).join('')), apart, least: LEAST });
  };
}

/** The pieces of a request of responses. What the service keeps itself is not read. */
export function readResponses({ tools, text, instructions, input }: JsonObject): readonly unknown[] {
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input);
  return [...objectsOf(tools), objectOf(text).format, instructions, ...items];
}

/** The pieces of a request of chat completions. */
export function readChatCompletions({ tools, response_format: format, messages }: JsonObject): readonly unknown[] {
  return [...objectsOf(tools), format, ...objectsOf(messages)];
}

/** Each piece has its end, so that what is appended changes nothing before it. Breakpoints on its parts are no content. */
function readPiece(piece: unknown): Block {
  let marked = false;
  const json = JSON.stringify(piece, (key, value) => {
    if (key !== 'prompt_cache_breakpoint') return value;
    marked = true;
    return undefined;
  });
  return { json: `${json}\n`, marked };
}
