import type { JsonObject } from '../../canonical/node.js';
import type { EncodedRequest } from '../../dialect.js';
import { isObject } from '../../wire/json.js';

/**
 * The request that lets a paused answer go on: the history with the answer behind it, and nothing added [M §4.2]. A second
 * pause continues the same turn, so that its blocks join those of the first.
 */
export function resume(sent: EncodedRequest, answer: JsonObject): EncodedRequest {
  const messages: unknown[] = Array.isArray(sent.body.messages) ? sent.body.messages : [];
  const content = Array.isArray(answer.content) ? answer.content.flatMap(returned) : [];
  const last = messages.at(-1);
  const { container } = answer;
  const body: JsonObject = { ...sent.body };
  if (isObject(last) && last.role === 'assistant' && Array.isArray(last.content)) {
    body.messages = [...messages.slice(0, -1), { ...last, content: [...last.content, ...content] }];
  } else {
    body.messages = [...messages, { role: 'assistant', content }];
  }
  if (isObject(container) && typeof container.id === 'string' && body.container === undefined)
    body.container = container.id;
  return { ...sent, body };
}

/** A block as it may be sent back: no empty text, and no file ids in citations [M §2.4, §3.5]. */
function returned(block: unknown): unknown[] {
  if (!isObject(block) || block.type !== 'text') return [block];
  if (block.text === '') return [];
  if (!Array.isArray(block.citations)) return [block];
  const citations = block.citations.map((citation) => {
    if (!isObject(citation)) return citation;
    const { file_id: _file, ...rest } = citation;
    return rest;
  });
  return [{ ...block, citations }];
}
