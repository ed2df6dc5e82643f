import { fitHostMedia, noteText } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { type Changed, mapNodes, withMember } from '../../wire/shared-copies.js';
import { type DecodeNested, decodeDocument, decodeImage } from '../content/media.js';
import { opaque } from '../nodes.js';
import { type Fit, type Fitting, mapBlocks } from './fitting.js';

/** Documents, search results and pictures as the host takes them. Throws `unsupported` where media is not to be omitted. */
export const withPlainMedia: Fit = (body, fitting) =>
  mapBlocks(body, fitting, (block, path) => {
    if (block.type === 'image') return fitMedia(block, path, fitting);
    if (!fitting.lacks.has('documents')) return block;
    if (block.type === 'document') return fitDocument(block, path, fitting);
    if (block.type !== 'search_result') return block;
    fitting.losses.add(path, 'part.searchResult', 'approximated', 'the search result is sent as text');
    return inWords(block, [block.title, block.source, ...textsOf(block.content)]);
  });

/** No thoughts that are encrypted. */
export const withoutRedacted: Fit = (body, fitting) =>
  mapBlocks(body, fitting, (block, path) => {
    if (block.type !== 'redacted_thinking') return block;
    fitting.losses.add(path, 'reasoning.state', 'dropped', 'the host takes no encrypted thoughts');
    return [];
  });

/** Files hold no blocks. */
const UNREAD: DecodeNested = (node, ptr) => opaque(isObject(node) ? node : {}, ptr);

/** A file of the client, or a picture. */
function fitMedia(block: JsonObject, path: string, fitting: Fitting): JsonObject {
  const part = block.type === 'image' ? decodeImage(block, path) : decodeDocument(block, path, UNREAD);
  if (part.kind !== 'media') return block;
  const fitted = fitHostMedia(part, fitting, fitting.lacks);
  if (fitted === part) return block;
  if (fitted.kind === 'text') return inWords(block, [fitted.text]);
  const { data, mime } = fitted;
  if (data.from !== 'base64') return block;
  return { ...block, source: { type: 'base64', media_type: mime, data: data.base64 } };
}

/** A document: text and blocks in words, with the pictures in it behind them. */
function fitDocument(block: JsonObject, path: string, fitting: Fitting): Changed {
  const { source } = block;
  if (!isObject(source) || (source.type !== 'text' && source.type !== 'content')) return fitMedia(block, path, fitting);
  fitting.losses.add(path, 'part.document', 'approximated', 'the document became text');
  const said = source.type === 'text' ? [source.data] : textsOf(source.content);
  const words = inWords(block, [block.title, block.context, ...said]);
  const inner: readonly unknown[] = Array.isArray(source.content) ? source.content : [];
  const pictures = inner
    .filter(isObject)
    .filter(({ type }) => type === 'image')
    .map((image) => fitMedia(image, path, fitting));
  return [words, ...pictures];
}

/** A text block in the place of another, with its mark. */
function inWords({ cache_control: mark }: JsonObject, lines: readonly unknown[]): JsonObject {
  const text = lines.filter((line) => typeof line === 'string' && line !== '').join('\n');
  return {
    type: 'text',
    text: text === '' ? '[empty document]' : text,
    ...(mark !== undefined && { cache_control: mark }),
  };
}

function textsOf(content: unknown): readonly unknown[] {
  if (typeof content === 'string') return [content];
  return Array.isArray(content) ? content.filter(isObject).map(({ text }) => text) : [];
}

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'document']);

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
  if (!Array.isArray(messages) || !messages.some((message) => isObject(message) && message.role === 'system'))
    return body;
  const out: unknown[] = [];
  let waiting: JsonObject[] = [];
  let calls = false;
  const settle = (): void => {
    if (waiting.length > 0) out.push({ role: 'user', content: waiting });
    waiting = [];
  };
  for (const message of messages) {
    if (!isObject(message)) {
      out.push(message);
    } else if (message.role === 'system') {
      const detail = 'a later instruction became a marked note in a user turn';
      losses.add(places.of(message), 'instruction.place', 'approximated', detail);
      const note = { ...message, role: 'user', content: notesOf(message.content) };
      if (calls) waiting.push(...note.content);
      else out.push(places.keep(note, message));
    } else if (message.role === 'user' && waiting.length > 0) {
      out.push(places.keep({ ...message, content: behindResults(message.content, waiting) }, message));
      waiting = [];
      calls = false;
    } else {
      settle();
      calls = Array.isArray(message.content) && message.content.some(isCall);
      out.push(message);
    }
  }
  settle();
  return { ...body, messages: out };
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
