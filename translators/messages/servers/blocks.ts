import { type HostFitting, mediaAtHost, noteText, textFor } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, nodesIn, withMember } from '../../wire/shared-copies.js';
import { decodeBlock } from '../content/decode.js';
import { encodePart } from '../content/encode.js';
import { type Fit, mapBlocks } from './fitting.js';

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'document']);

/** Documents, search results and pictures as the host takes them. Throws `unsupported` where media is not to be omitted. */
export const withPlainMedia: Fit = (body, fitting) => {
  const isRead = ({ type }: JsonObject): boolean =>
    type === 'image' || (fitting.unsupported.has('documents') && (type === 'document' || type === 'search_result'));
  return mapBlocks(body, fitting, (block, path) => {
    const part = isRead(block) ? readBlock(block, path, fitting) : undefined;
    if (part === undefined) return block;
    const fitted = mediaAtHost(part, fitting, fitting.unsupported);
    if (fitted[0] === part) return block;
    const parts = fitted.length === 0 ? [textFor(part, '[empty document]')] : fitted;
    return parts.map((one, index) => {
      const next = encodePart(one, true);
      // The mark as it came: it may hold more than the model has.
      const isMarked = index === parts.length - 1 && block.cache_control !== undefined;
      return isMarked ? { ...next, cache_control: block.cache_control } : next;
    });
  });
};

/**
 * A block as a part; undefined for a search result or a document of text that cannot be read, which is left to the host. Throws
 * `invalid_request` for a picture or a file that cannot be read.
 */
function readBlock(block: JsonObject, path: string, { losses }: HostFitting): Part | undefined {
  try {
    return decodeBlock(block, path, 'user', { losses, domain: '', clientTools: new Map() });
  } catch (error) {
    const { source } = block;
    const isText = isObject(source) && (source.type === 'text' || source.type === 'content');
    const isLeft = block.type === 'search_result' || (block.type === 'document' && isText);
    if (isLeft && error instanceof TranslationError && error.kind === 'invalid_request') return undefined;
    throw error;
  }
}

/** No thoughts that are encrypted. */
export const withoutRedacted: Fit = (body, fitting) =>
  mapBlocks(body, fitting, (block, path) => {
    if (block.type !== 'redacted_thinking') return block;
    fitting.losses.add(path, 'reasoning.state', 'dropped', 'the host does not accept encrypted reasoning');
    return [];
  });

/** Media in the results of tools follows them in the same message. */
export const withResultsOfText: Fit = (body, { losses, places }) => {
  const messages = mapNodes(body.messages, (message) => {
    const moved: JsonObject[] = [];
    const content = mapNodes(message.content, (block, index) => {
      if (block.type !== 'tool_result') return block;
      const media: JsonObject[] = [];
      const texts = mapNodes(block.content, (part) => {
        if (!MEDIA.has(part.type)) return part;
        media.push(part);
        return [];
      });
      if (media.length === 0) return block;
      const path = `${places.of(message)}/content/${index}`;
      losses.add(path, 'result.media', 'moved', 'the media follows the results');
      moved.push({ type: 'text', text: 'Media returned by the tool:' }, ...media);
      const bare = Array.isArray(texts) && texts.length === 0 ? [{ type: 'text', text: '[media below]' }] : texts;
      return { ...block, content: bare };
    });
    if (moved.length === 0 || !Array.isArray(content)) return message;
    const end = content.findLastIndex(isResult) + 1;
    return places.keep({ ...message, content: [...content.slice(0, end), ...moved, ...content.slice(end)] }, message);
  });
  return withMember(body, 'messages', messages);
};

/**
 * Instructions between the turns are marked notes of the user (translation.md 2.3): in a message of their own, or behind the
 * results that have to come right after their calls.
 */
export const withNotes: Fit = (body, { losses, places }) => {
  const { messages } = body;
  if (!nodesIn(messages).some(({ role }) => role === 'system')) return body;
  /** Notes that come between calls and their results. */
  let waiting: JsonObject[] = [];
  let calls = false;
  const settled = (): readonly JsonObject[] => {
    const content = waiting;
    waiting = [];
    return content.length === 0 ? [] : [{ role: 'user', content }];
  };
  const noted = mapNodes(messages, (message) => {
    const { role, content } = message;
    if (role === 'system') {
      const detail = 'an instruction within the history is sent as a marked note in a user turn';
      losses.add(places.of(message), 'instruction.place', 'approximated', detail);
      const notes = notesOf(content);
      if (!calls) return places.keep({ ...message, role: 'user', content: notes }, message);
      waiting.push(...notes);
      return [];
    }
    if (role === 'user' && waiting.length > 0) {
      const joined = behindResults(content, waiting);
      waiting = [];
      calls = false;
      return places.keep({ ...message, content: joined }, message);
    }
    calls = Array.isArray(content) && content.some(isCall);
    return waiting.length === 0 ? message : [...settled(), message];
  });
  return { ...body, messages: Array.isArray(noted) ? [...noted, ...settled()] : noted };
};

function notesOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: noteText(content) }];
  return (Array.isArray(content) ? content : [])
    .filter(isObject)
    .map((block) => (typeof block.text === 'string' ? { ...block, text: noteText(block.text) } : block));
}

function behindResults(content: unknown, notes: readonly JsonObject[]): readonly unknown[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const end = blocks.findLastIndex(isResult) + 1;
  return [...blocks.slice(0, end), ...notes, ...blocks.slice(end)];
}

function isResult(block: unknown): boolean {
  return isObject(block) && block.type === 'tool_result';
}

function isCall(block: unknown): boolean {
  return isObject(block) && block.type === 'tool_use';
}
