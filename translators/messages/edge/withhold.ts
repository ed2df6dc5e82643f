import type { JsonObject } from '../../canonical/node.js';
import type { WithholdContext } from '../../dialect.js';
import { isWithheld, stateMark } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { wantsThoughtLoops } from '../profile.js';

/** What a body holds in which something may have to be withheld. Calls of one service begin with `call_`. */
export const foreignMark = stateMark('"image"', '"call_');

/** How the ids of this service's own calls begin. */
const OWN_CALL = /^toolu_/;

/** Begins the ids of hosted calls that another service ran, as clients receive them (translation.md 5.1). */
export const SHOWN_HOSTED = 'srvtoolu_il';
/** The same for calls of tools on MCP servers. */
export const SHOWN_MCP = 'mcptoolu_il';

/**
 * Takes state that other backends issued out of a body that goes to a backend of this dialect as it is: the thinking
 * blocks that carry it and the hosted pairs of another service. Pictures that another backend made go to the user's side. Where the
 * open tool loop has lost its thinking, thinking is off for the call, because the service wants the loop to begin with it
 * ([M §3.27]).
 */
export function withholdState(body: JsonObject, context: WithholdContext): JsonObject {
  const { losses, target } = context;
  if (!Array.isArray(body.messages)) return {};
  let changed = false;
  const given = movePictures(body.messages, losses);
  if (given !== body.messages) changed = true;
  const messages = given.flatMap((message: unknown, index) => {
    if (!isObject(message) || !Array.isArray(message.content)) return [message];
    const content: unknown[] = message.content.filter((block) => !isForeign(block, context));
    if (content.length === message.content.length) return [message];
    changed = true;
    losses.add(`/messages/${index}`, 'reasoning.state', 'dropped', 'another backend issued it');
    content.forEach((block, place) => {
      const bare = withoutShownCitations(block);
      if (bare === block) return;
      content[place] = bare;
      losses.add(`/messages/${index}`, 'part.citation', 'dropped', 'the search it refers to is not sent');
    });
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  const enabled = isObject(body.thinking) && body.thinking.type === 'enabled' && wantsThoughtLoops(target);
  // Where a turn went altogether, the service reads those of the user around it as one.
  const caller = messages.findLastIndex((message) => isObject(message) && message.role === 'assistant');
  const last = messages.slice(caller + 1).some(answersCalls) ? messages[caller] : undefined;
  const lost = enabled && (!given.includes(last) || calledElsewhere(last)) && !beginsWithThinking(last);
  if (last === undefined || !lost) return changed ? { messages } : {};
  losses.add('/thinking', 'reasoning.mode', 'approximated', 'another backend started the open tool loop');
  return { ...(changed && { messages }), thinking: { type: 'disabled' } };
}

/** Whether a turn has calls that this service did not make: its own ids are known by their beginning. */
function calledElsewhere(message: unknown): boolean {
  const content = isObject(message) && Array.isArray(message.content) ? message.content : [];
  return content.some(
    (block) =>
      isObject(block) && block.type === 'tool_use' && !(typeof block.id === 'string' && OWN_CALL.test(block.id)),
  );
}

function beginsWithThinking(message: unknown): boolean {
  const first: unknown = isObject(message) && Array.isArray(message.content) ? message.content[0] : undefined;
  return isObject(first) && (first.type === 'thinking' || first.type === 'redacted_thinking');
}

/**
 * An answer of this dialect holds no pictures, so those in a history come from another backend; the service takes
 * them from users only ([M §3.7]). The same list where there are none.
 */
function movePictures(messages: readonly unknown[], losses: WithholdContext['losses']): readonly unknown[] {
  if (!messages.some((message) => picturesOf(message).length > 0)) return messages;
  const out: unknown[] = [];
  let waiting: readonly unknown[] = [];
  const settle = (): void => {
    if (waiting.length > 0) out.push({ role: 'user', content: waiting });
    waiting = [];
  };
  messages.forEach((message, index) => {
    if (isObject(message) && message.role === 'user' && waiting.length > 0) {
      out.push(withPictures(message, waiting));
      waiting = [];
      return;
    }
    settle();
    const pictures = picturesOf(message);
    waiting = pictures;
    if (!isObject(message) || !Array.isArray(message.content) || pictures.length === 0) {
      out.push(message);
      return;
    }
    losses.add(`/messages/${index}`, 'part.media', 'moved', 'the image is moved to the next user turn');
    const content = message.content.map((block) =>
      pictures.includes(block) ? { type: 'text', text: '[generated image below]' } : block,
    );
    out.push({ ...message, content });
  });
  settle();
  return out;
}

function picturesOf(message: unknown): readonly unknown[] {
  if (!isObject(message) || message.role !== 'assistant' || !Array.isArray(message.content)) return [];
  return message.content.filter((block) => isObject(block) && block.type === 'image');
}

/** A user's message with pictures behind its results, which have to come first ([M §3.12]). */
function withPictures(message: JsonObject, pictures: readonly unknown[]): JsonObject {
  const { content } = message;
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }];
  const end = blocks.findLastIndex(isResult) + 1;
  return { ...message, content: [...blocks.slice(0, end), ...pictures, ...blocks.slice(end)] };
}

function isForeign(block: unknown, context: WithholdContext): boolean {
  if (!isObject(block)) return false;
  if (block.type === 'thinking') return isWithheld(block.signature, context);
  const id = block.type === 'server_tool_use' || block.type === 'mcp_tool_use' ? block.id : block.tool_use_id;
  return typeof id === 'string' && (id.startsWith(SHOWN_HOSTED) || id.startsWith(SHOWN_MCP));
}

/** A text without the citations of searches of another service: they go with the search, whose result is empty here. */
function withoutShownCitations(block: unknown): unknown {
  if (!isObject(block) || block.type !== 'text' || !Array.isArray(block.citations)) return block;
  const kept = block.citations.filter((citation) => !isObject(citation) || citation.encrypted_index !== '');
  if (kept.length === block.citations.length) return block;
  return { ...block, citations: kept.length === 0 ? null : kept };
}

function answersCalls(message: unknown): boolean {
  return isObject(message) && Array.isArray(message.content) && message.content.some(isResult);
}

function isResult(block: unknown): boolean {
  return isObject(block) && block.type === 'tool_result';
}
