import { type HostStep, MEDIA_BELOW, noteText, type ResultForm, withMediaBehind } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { nodesIn, withMember } from '../../wire/shared-copies.js';
import { mapBlocks } from './form.js';

/** No thoughts that are encrypted. */
export const withoutRedacted: HostStep = (body, fitting) =>
  mapBlocks(body, fitting, (block, path) => {
    if (block.type !== 'redacted_thinking') return block;
    fitting.losses.add(path, 'reasoning.state', 'dropped', 'the host does not accept encrypted reasoning');
    return [];
  });

const textBlock = (text: string): JsonObject => ({ type: 'text', text });
const isResult = ({ type }: JsonObject): boolean => type === 'tool_result';

const RESULTS: ResultForm = {
  content: 'content',
  isResult,
  isMedia: ({ type }) => type === 'image' || type === 'document',
  leftOf: (parts) => (parts.length === 0 ? [textBlock(MEDIA_BELOW)] : parts),
  follow: (moved) => moved,
  text: textBlock,
};

/** Media in the results of tools follows them in the same message. */
export const withResultsOfText: HostStep = (body, { losses, places }) =>
  places.map(body, 'messages', (message, path) => {
    const content = withMediaBehind(message.content, RESULTS, (made, _result, index) => {
      losses.add(`${path}/content/${index}`, 'result.media', 'moved', 'the media follows the results');
      return made;
    });
    return withMember(message, 'content', content);
  });

/**
 * Instructions between the turns are marked notes of the user (translation.md 2.3): in a message of their own, or behind the
 * results that have to come right after their calls.
 */
export const withNotes: HostStep = (body, { losses, places }) => {
  /** Notes that come between calls and their results. */
  let waiting: JsonObject[] = [];
  let calls = false;
  const noted = places.map(body, 'messages', (message, path) => {
    const { role, content } = message;
    if (role === 'system') {
      const detail = 'an instruction within the history is sent as a marked note in a user turn';
      losses.add(path, 'instruction.place', 'approximated', detail);
      if (!calls) return { ...message, role: 'user', content: notesOf(content) };
      waiting.push(...notesOf(content));
      return [];
    }
    const held = waiting;
    waiting = [];
    calls = nodesIn(content).some(({ type }) => type === 'tool_use');
    if (held.length === 0) return message;
    return role === 'user' ? { ...message, content: behindResults(content, held) } : [noteOf(held), message];
  });
  if (waiting.length === 0) return noted;
  return { ...noted, messages: [noted.messages, noteOf(waiting)].flat() };
};

function noteOf(content: readonly JsonObject[]): JsonObject {
  return { role: 'user', content };
}

function notesOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [textBlock(noteText(content))];
  return nodesIn(content).map((block) =>
    typeof block.text === 'string' ? { ...block, text: noteText(block.text) } : block,
  );
}

function behindResults(content: unknown, notes: readonly JsonObject[]): readonly unknown[] {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const end = blocks.findLastIndex((block) => isObject(block) && isResult(block)) + 1;
  return [...blocks.slice(0, end), ...notes, ...blocks.slice(end)];
}

/** A last message of the assistant goes as it came, but is not continued. */
export const toldPrefill: HostStep = (body, { losses }) => {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const last = messages.at(-1);
  if (isObject(last) && last.role === 'assistant')
    losses.add(`/messages/${messages.length - 1}`, 'turn.prefill', 'approximated', 'the host starts a new answer');
  return body;
};
