import type { JsonObject } from '../canonical/node.js';
import type { WithholdContext } from '../dialect.js';
import { isCarrier } from '../wire/carrier.js';
import { isObject } from '../wire/json.js';

/** Begins the ids of hosted calls that were shown to clients on behalf of another service (translation.md 5.1). */
export const SHOWN_HOSTED = 'srvtoolu_il';
/** The same for calls of tools on MCP servers. */
export const SHOWN_MCP = 'mcptoolu_il';

/**
 * Takes state that other backends issued out of a body that goes to a backend of this dialect as it is: the thinking
 * blocks it rides in and the hosted pairs it shows. Where the open tool loop has lost its thinking, thinking is off for
 * the call, because the service wants the loop to begin with it ([M §3.27]).
 */
export function withholdState(body: JsonObject, { foreign, losses }: WithholdContext): JsonObject {
  if (!Array.isArray(body.messages)) return {};
  let changed = false;
  let stripped: unknown;
  const messages = body.messages.flatMap((message: unknown, index) => {
    if (!isObject(message) || !Array.isArray(message.content)) return [message];
    const content = message.content.filter((block) => !isForeign(block, foreign));
    if (content.length === message.content.length) return [message];
    changed = true;
    losses.add(`/messages/${index}`, 'reasoning.state', 'dropped', 'another backend issued it');
    const kept = { ...message, content };
    stripped = kept;
    return content.length === 0 ? [] : [kept];
  });
  if (!changed) return {};
  const loops = stripped !== undefined && messages.at(-2) === stripped && answersCalls(messages.at(-1));
  const enabled = isObject(body.thinking) && body.thinking.type === 'enabled';
  if (!loops || !enabled) return { messages };
  losses.add(
    '/thinking',
    'reasoning.mode',
    'approximated',
    'the open tool loop began with thinking of another backend',
  );
  return { messages, thinking: { type: 'disabled' } };
}

function isForeign(block: unknown, foreign: (carrier: string) => boolean): boolean {
  if (!isObject(block)) return false;
  if (block.type === 'thinking') {
    return typeof block.signature === 'string' && isCarrier(block.signature) && foreign(block.signature);
  }
  const id = block.type === 'server_tool_use' || block.type === 'mcp_tool_use' ? block.id : block.tool_use_id;
  return typeof id === 'string' && (id.startsWith(SHOWN_HOSTED) || id.startsWith(SHOWN_MCP));
}

function answersCalls(message: unknown): boolean {
  return isObject(message) && Array.isArray(message.content) && message.content.some(isResult);
}

function isResult(block: unknown): boolean {
  return isObject(block) && block.type === 'tool_result';
}
