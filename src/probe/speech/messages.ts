import type { JsonObject } from '../../../translators/index.js';
import { type Ask, BEGUN, CAP, type Choice, PICTURE, SCHEMA, TOOLS } from '../asks.js';
import { documentBase64 } from '../document.js';
import {
  countOf,
  errorIn,
  type Json,
  objectOf,
  objectsIn,
  type ParsedAnswer,
  type ParsedStream,
  textOf,
} from '../parsed.js';
import type { Speech } from './speech.js';

const TOOL_LIST = TOOLS.map((name) => ({
  name,
  description: `Tells the ${name}.`,
  input_schema: { type: 'object', properties: {} },
}));

/** The word for a choice; undefined for one among some of the tools, which the dialect has not. */
function choiceOf(choice: Choice): JsonObject | undefined {
  if (choice === 'required') return { type: 'any' };
  if (typeof choice === 'string') return { type: choice };
  return 'only' in choice ? { type: 'tool', name: choice.only } : undefined;
}

const PICTURE_BLOCK = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PICTURE } };

function messagesOf({ prompt, picture, document, history }: Ask): unknown {
  const text = { type: 'text', text: prompt };
  if (picture) return [{ role: 'user', content: [text, PICTURE_BLOCK] }];
  if (document) {
    const source = { type: 'base64', media_type: 'application/pdf', data: documentBase64() };
    return [{ role: 'user', content: [text, { type: 'document', source }] }];
  }
  const user = { role: 'user', content: prompt };
  if (history === 'begun') return [user, { role: 'assistant', content: BEGUN }];
  if (history === undefined) return [user];
  const noon = { type: 'text', text: 'noon' };
  const content = history === 'results' ? [noon, noon] : 'noon';
  return [
    user,
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_00001', name: 'time', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_00001', content }] },
  ];
}

function read(body: unknown): ParsedAnswer | undefined {
  const message = objectOf(body);
  const { content, usage, stop_reason: reason } = message;
  const isAnswer = Array.isArray(content) || (content === null && message.type === 'message');
  return isAnswer ? parsedOf(objectsIn(content), reason, usage, content === null) : undefined;
}

function parsedOf(blocks: readonly Json[], reason: unknown, usage: unknown, isBare: boolean): ParsedAnswer {
  const thoughts = blocks.map(({ type, thinking }) => (type === 'thinking' ? textOf(thinking) : '')).join('');
  const isThinking = blocks.some(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  const figures = objectOf(usage);
  const cached = countOf(figures.cache_read_input_tokens);
  const fresh = countOf(figures.input_tokens);
  const output = countOf(figures.output_tokens);
  return {
    text: blocks.map(({ type, text }) => (type === 'text' ? textOf(text) : '')).join(''),
    thoughts,
    ...(isThinking && { field: 'thinking' }),
    calls: blocks.flatMap(({ type, name }) => (type === 'tool_use' ? [{ name: textOf(name), type }] : [])),
    isCut: reason === 'max_tokens',
    isStopped: reason === 'stop_sequence',
    choices: 1,
    logprobs: false,
    ...(fresh !== undefined && { input: fresh + (cached ?? 0) }),
    ...(output !== undefined && { output }),
    ...(cached !== undefined && { cached }),
    isBare,
  };
}

function fold(events: readonly unknown[]): ParsedStream {
  const blocks: Record<string, unknown>[] = [];
  let usage: Json = {};
  let reason: unknown;
  let isWhole = false;
  for (const value of events) {
    const event = objectOf(value);
    const delta = objectOf(event.delta);
    const last = blocks.at(-1);
    if (event.type === 'message_start') usage = { ...usage, ...objectOf(objectOf(event.message).usage) };
    if (event.type === 'content_block_start') blocks.push({ ...objectOf(event.content_block) });
    if (event.type === 'content_block_delta' && last !== undefined)
      for (const key of ['text', 'thinking'])
        if (delta[key] !== undefined) last[key] = textOf(last[key]) + textOf(delta[key]);
    if (event.type === 'message_delta') {
      usage = { ...usage, ...objectOf(event.usage) };
      reason = delta.stop_reason;
    }
    if (event.type === 'message_stop') isWhole = true;
  }
  const isStream = events.some((event) => objectOf(event).type === 'message_start');
  const error = errorIn(events[0]);
  return {
    ...(isStream && { parsed: parsedOf(blocks, reason, usage, false) }),
    isWhole,
    ...(error !== undefined && { error }),
    isOdd: false,
  };
}

const OFF = { body: { thinking: { type: 'disabled' } }, names: ['thinking', 'disabled'] };
const OFF_BY_TEMPLATE = {
  body: { thinking: { type: 'disabled' }, chat_template_kwargs: { enable_thinking: false } },
  names: ['chat_template_kwargs', 'thinking'],
};
/** More than the cap, which those who know budgets refuse: that shows it as well. */
const BUDGET = {
  body: { thinking: { type: 'enabled', budget_tokens: 1024 } },
  names: ['thinking', 'budget', 'reasoning_config'],
};

export const messages: Speech = {
  dialect: 'messages',
  body(ask, model) {
    const { cap = CAP, stream, tools, choice, schema } = ask;
    const chosen = choice === undefined ? undefined : choiceOf(choice);
    if (choice !== undefined && chosen === undefined) return undefined;
    return {
      model,
      messages: messagesOf(ask),
      max_tokens: cap,
      ...(stream && { stream }),
      ...((tools || ask.history === 'results' || ask.history === 'plainResults') && { tools: TOOL_LIST }),
      ...(chosen !== undefined && { tool_choice: chosen }),
      ...(schema && { output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
    };
  },
  read,
  fold,
  on: [{ title: 'thinking', extra: BUDGET }],
  off: [
    { title: 'thinking: disabled', extra: OFF },
    { title: 'chat_template_kwargs', extra: OFF_BY_TEMPLATE },
  ],
  level: { body: { output_config: { effort: 'max' } }, names: ['output_config', 'effort'] },
  adaptive: { body: { thinking: { type: 'adaptive' } }, names: ['thinking', 'adaptive'] },
  budget: BUDGET,
  single: {
    body: { tool_choice: { disable_parallel_tool_use: true } },
    names: ['disable_parallel_tool_use', 'parallel'],
  },
  vendorTool: {
    body: { tools: [{ type: 'bash_20250124', name: 'bash' }], tool_choice: { type: 'any' } },
    call: 'tool_use',
  },
  strict: (body) => ({
    ...body,
    tools: TOOL_LIST.map((tool) => ({
      ...tool,
      input_schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
      strict: true,
    })),
  }),
  stop: (text) => ({ body: { stop_sequences: [text] }, names: ['stop_sequences', 'stop'] }),
  count: {
    body: (model) => ({ model, messages: [{ role: 'user', content: 'Say hello.' }] }),
    read: (body) => countOf(objectOf(body).input_tokens),
  },
  isError(body) {
    const { type, error } = objectOf(body);
    return type === 'error' && typeof objectOf(error).message === 'string';
  },
};
