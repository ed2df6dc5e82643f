import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isBlank } from '../../wire/blank.js';
import { isObject } from '../../wire/json.js';
import { encodeCache } from '../nodes.js';

/** What counts as a token in an estimate that only has to tell short prompts from long ones. */
const LETTERS_PER_TOKEN = 4;

/** Blocks that a mark may stand on; thoughts may carry none, and of others it is not known [M §2.1]. */
const MARKABLE: ReadonlySet<unknown> = new Set([
  'text',
  'image',
  'document',
  'search_result',
  'tool_use',
  'tool_result',
]);

/** A list of a body and the block in it that gets a mark. */
interface Place {
  /** The message; `head` = the tools and the system text in front of all messages. */
  readonly message: number | 'head';
  mark(): void;
}

/**
 * Marks for a client that sets none, because its own service caches by itself (configuration.md#prompt-caches): on the end of the system
 * text, else of the tools, and on the former and the present end of the conversation, so that the next request finds what
 * this one wrote. Only where the conversation goes on, and up to there is long enough to be cached. Changes the body and
 * its lists, no block in them.
 */
export function addMarks(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): void {
  const { target, losses } = context;
  const least = target.cacheMinimum;
  if (context.cache === 'off' || least === undefined || target.cacheMarks < 1) return;
  // Clients whose dialect has settings of the cache may have set these, and not marks.
  if (request.cache?.auto !== undefined || request.cache?.ttl !== undefined) return;
  const messages = body.messages as JsonObject[];
  const present = messages.findLastIndex(isAsked);
  const answer = messages.findLastIndex(({ role }, index) => index < present && role === 'assistant');
  if (answer < 0 && !Array.isArray(body.tools)) return;
  const former = messages.findLastIndex((message, index) => index < answer && isAsked(message));
  const enough = reach(body, messages, least * LETTERS_PER_TOKEN);
  if (enough === undefined) return;
  const head = headPlace(body);
  const places: Place[] = head !== undefined && enough === 'head' ? [head] : [];
  for (const end of [former, present]) {
    const place = placeUpTo(messages, end);
    if (place === undefined || places.some(({ message }) => message === place.message)) continue;
    if (enough === 'head' || (place.message !== 'head' && place.message >= enough)) places.push(place);
  }
  const marked = places.slice(-target.cacheMarks);
  if (marked.length === 0) return;
  for (const place of marked) place.mark();
  const detail = `${marked.length} ${marked.length === 1 ? 'mark lets' : 'marks let'} the service cache the prompt`;
  losses.add(request.at?.turns ?? '', 'cache.auto', 'invented', detail);
}

function isAsked({ role }: JsonObject): boolean {
  return role !== 'assistant';
}

/** Where the prompt has so many letters: before the messages, or within the message of this index. */
function reach(body: JsonObject, messages: readonly JsonObject[], letters: number): number | 'head' | undefined {
  let left = without(body.system, without(body.tools, letters));
  if (left <= 0) return 'head';
  for (const [index, message] of messages.entries()) {
    left = without(message.content, left);
    if (left <= 0) return index;
  }
  return undefined;
}

/** `left` without the letters of a value, read no further than to its end. Media and thoughts count nothing. */
function without(value: unknown, left: number): number {
  if (typeof value === 'string') return left - value.length;
  let rest = left;
  if (Array.isArray(value)) {
    for (const child of value) {
      rest = without(child, rest);
      if (rest <= 0) return rest;
    }
  } else if (
    isObject(value) &&
    value.type !== 'base64' &&
    value.type !== 'thinking' &&
    value.type !== 'redacted_thinking'
  ) {
    for (const key in value) {
      rest = without(value[key], rest - key.length);
      if (rest <= 0) return rest;
    }
  }
  return rest;
}

function headPlace(body: JsonObject): Place | undefined {
  const { system, tools } = body;
  if (typeof system === 'string') {
    return { message: 'head', mark: () => Object.assign(body, { system: [marked({ type: 'text', text: system })] }) };
  }
  const list = Array.isArray(system) ? system : tools;
  if (!Array.isArray(list)) return undefined;
  const last = list.length - 1;
  return last < 0 ? undefined : { message: 'head', mark: () => list.splice(last, 1, marked(list[last])) };
}

/** The last block that may carry a mark, in this message or in one before. */
function placeUpTo(messages: readonly JsonObject[], last: number): Place | undefined {
  for (let index = last; index >= 0; index -= 1) {
    const message = messages[index];
    const content = message?.content;
    if (message === undefined) continue;
    if (typeof content === 'string') {
      if (isBlank(content)) continue;
      const mark = () => Object.assign(message, { content: [marked({ type: 'text', text: content })] });
      return { message: index, mark };
    }
    if (!Array.isArray(content)) continue;
    const block = content.findLastIndex(isMarkable);
    if (block >= 0) return { message: index, mark: () => content.splice(block, 1, marked(content[block])) };
  }
  return undefined;
}

function isMarkable(block: unknown): boolean {
  if (!isObject(block) || !MARKABLE.has(block.type)) return false;
  return block.type !== 'text' || (typeof block.text === 'string' && !isBlank(block.text));
}

/** A copy: blocks may be those of the client. */
function marked(block: JsonObject): JsonObject {
  return { ...block, cache_control: encodeCache({}) };
}
