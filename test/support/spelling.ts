import { isObject } from './cases.js';

/**
 * Spellings that mean the same to a service and that translation.md leaves open. Cases compare bodies after both sides
 * were brought to one spelling, so that an expectation may use the shorter one.
 */
export function spellRequest(dialect: string, body: unknown): unknown {
  if (!isObject(body)) return body;
  if (dialect === 'messages') return spellMessages(body);
  if (dialect === 'responses') return spellResponses(body);
  return spellGenerateContent(body);
}

/**
 * The same for answers: `index: 0` of a candidate is its default, and in those of messages the keys that the vendor's types
 * want although they say nothing (test/types/answers.test.ts holds that they are there).
 */
export function spellAnswer(dialect: string, body: unknown): unknown {
  if (dialect === 'messages') return withoutNulls(body, NULLS);
  if (dialect === 'chatCompletions') return withoutNulls(body, CHAT_NULLS);
  if (dialect !== 'generateContent' || !isObject(body) || !Array.isArray(body.candidates)) return body;
  return {
    ...body,
    candidates: body.candidates.map((candidate) => (isObject(candidate) ? without(candidate, 'index', 0) : candidate)),
  };
}

function withoutNulls(value: unknown, keys: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((child) => withoutNulls(child, keys));
  if (!isObject(value)) return value;
  const said = Object.entries(value).filter(
    ([key, child]) => !(child === null && keys.has(key)) && !isDirect(key, child),
  );
  return Object.fromEntries(said.map(([key, child]) => [key, withoutNulls(child, keys)]));
}

/** The same of answers and chunks of chat completions. */
const CHAT_NULLS: ReadonlySet<string> = new Set([
  'refusal',
  'logprobs',
  'system_fingerprint',
  'usage',
  'finish_reason',
]);

const NULLS: ReadonlySet<string> = new Set([
  'citations',
  'container',
  'diagnostics',
  'stop_details',
  'cache_creation',
  'inference_geo',
  'output_tokens_details',
  'server_tool_use',
  'service_tier',
  'speed',
]);

function isDirect(key: string, value: unknown): boolean {
  return key === 'caller' && isObject(value) && value.type === 'direct' && Object.keys(value).length === 1;
}

function spellMessages(body: Record<string, unknown>): unknown {
  const spelled: Record<string, unknown> = { ...without(body, 'stream', false) };
  if ('system' in body) spelled.system = textBlocks(body.system, 'text');
  if (Array.isArray(body.messages)) {
    spelled.messages = body.messages.map((message) =>
      isObject(message) ? { ...message, content: blocks(textBlocks(message.content, 'text')) } : message,
    );
  }
  return spelled;
}

function blocks(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((block) =>
    isObject(block) && block.type === 'tool_result' && 'content' in block
      ? { ...block, content: textBlocks(block.content, 'text') }
      : block,
  );
}

function spellResponses(body: Record<string, unknown>): unknown {
  const spelled: Record<string, unknown> = { ...without(body, 'stream', false) };
  if (typeof body.input === 'string') spelled.input = [{ type: 'message', role: 'user', content: body.input }];
  if (Array.isArray(spelled.input)) spelled.input = spelled.input.map(spellItem);
  return spelled;
}

function spellItem(item: unknown): unknown {
  if (!isObject(item)) return item;
  const spelled = without(item, 'status', 'completed');
  if (item.type !== undefined && item.type !== 'message') return spelled;
  const type = item.role === 'assistant' ? 'output_text' : 'input_text';
  return { ...spelled, type: 'message', content: textBlocks(item.content, type) };
}

function spellGenerateContent(body: Record<string, unknown>): unknown {
  if (!Array.isArray(body.contents)) return body;
  return {
    ...body,
    contents: body.contents.map((content) =>
      isObject(content) && Array.isArray(content.parts) ? { ...content, parts: content.parts.map(spellPart) } : content,
    ),
  };
}

function spellPart(part: unknown): unknown {
  if (!isObject(part) || !isObject(part.functionCall)) return part;
  const { args } = part.functionCall;
  if (!isObject(args) || Object.keys(args).length > 0) return part;
  const { args: _empty, ...call } = part.functionCall;
  return { ...part, functionCall: call };
}

function textBlocks(content: unknown, type: string): unknown {
  if (typeof content !== 'string') return content;
  return [{ type, text: content, ...(type === 'output_text' && { annotations: [] }) }];
}

function without(value: Record<string, unknown>, key: string, neutral: unknown): Record<string, unknown> {
  if (value[key] !== neutral) return value;
  const { [key]: _neutral, ...rest } = value;
  return rest;
}
