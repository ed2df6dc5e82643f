import type { JsonObject } from '../../../translators/index.js';
import { type Ask, BEGUN, CAP, type Choice, PICTURE, SCHEMA, TOOLS } from '../asks.js';
import { documentBase64 } from '../document.js';
import {
  apart,
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
  type: 'function',
  function: { name, description: `Tells the ${name}.`, parameters: { type: 'object', properties: {} } },
}));

const named = (name: string): JsonObject => ({ type: 'function', function: { name } });

function choiceOf(choice: Choice): unknown {
  if (typeof choice === 'string') return choice;
  if ('only' in choice) return named(choice.only);
  return { type: 'allowed_tools', allowed_tools: { mode: 'required', tools: [named(choice.among)] } };
}

function messagesOf({ prompt, picture, document, history }: Ask): unknown {
  if (picture) return [{ role: 'user', content: [textPart(prompt), PICTURE_PART] }];
  if (document)
    return [
      {
        role: 'user',
        content: [
          textPart(prompt),
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${documentBase64()}` },
          },
        ],
      },
    ];
  const user = { role: 'user', content: prompt };
  if (history === 'begun') return [user, { role: 'assistant', content: BEGUN }];
  if (history === undefined) return [user];
  const call = { id: 'call00001', type: 'function', function: { name: 'time', arguments: '{}' } };
  return [
    user,
    { role: 'assistant', ...(history === 'results' && { content: null }), tool_calls: [call] },
    { role: 'tool', tool_call_id: 'call00001', content: 'noon' },
  ];
}

const textPart = (text: string): JsonObject => ({ type: 'text', text });
const PICTURE_PART = { type: 'image_url', image_url: { url: `data:image/png;base64,${PICTURE}` } };

function read(body: unknown): ParsedAnswer | undefined {
  const { choices, usage } = objectOf(body);
  if (!Array.isArray(choices)) return undefined;
  const [first] = objectsIn(choices);
  const { message, finish_reason: finish, logprobs } = objectOf(first);
  return parsedOf(objectOf(message), finish, usage, {
    choices: choices.length,
    logprobs: objectsIn(objectOf(logprobs).content).length > 0,
  });
}

function parsedOf(
  message: Json,
  finish: unknown,
  usage: unknown,
  rest: Pick<ParsedAnswer, 'choices' | 'logprobs'>,
): ParsedAnswer {
  const { content, tool_calls: calls, reasoning_content: older, reasoning: newer } = message;
  const parts = objectsIn(content);
  const whole = typeof content === 'string' ? content : parts.map(({ text }) => textOf(text)).join('');
  const { text, thoughts: inText } = apart(whole);
  const reported = textOf(older) || textOf(newer);
  const field =
    textOf(older) !== '' ? 'reasoning_content' : reported !== '' ? 'reasoning' : inText !== '' ? '<think>' : undefined;
  const { prompt_tokens: input, completion_tokens: output, prompt_tokens_details: details } = objectOf(usage);
  const cached = countOf(objectOf(details).cached_tokens);
  return {
    text,
    thoughts: reported || inText,
    ...(field !== undefined && { field }),
    calls: objectsIn(calls).map((call) => ({
      name: textOf(objectOf(call.function ?? call.custom).name),
      type: textOf(call.type) || 'function',
    })),
    isCut: finish === 'length',
    ...rest,
    ...(countOf(input) !== undefined && { input: countOf(input) }),
    ...(countOf(output) !== undefined && { output: countOf(output) }),
    ...(cached !== undefined && { cached }),
    isBare: false,
  };
}

function fold(events: readonly unknown[]): ParsedStream {
  let content = '';
  let older = '';
  let newer = '';
  let finish: unknown;
  let usage: unknown;
  let chunks = 0;
  const calls: Json[] = [];
  const [first] = events;
  for (const event of events) {
    const chunk = objectOf(event);
    if (Array.isArray(chunk.choices)) chunks += 1;
    if (typeof chunk.usage === 'object' && chunk.usage !== null) usage = chunk.usage;
    const [choice] = objectsIn(chunk.choices);
    const delta = objectOf(choice?.delta);
    content += textOf(delta.content);
    older += textOf(delta.reasoning_content);
    newer += textOf(delta.reasoning);
    calls.push(...objectsIn(delta.tool_calls).filter((call) => textOf(objectOf(call.function).name) !== ''));
    finish = choice?.finish_reason ?? finish;
  }
  const message = { content, reasoning_content: older, reasoning: newer, tool_calls: calls };
  const error = errorIn(first);
  return {
    ...(chunks > 0 && { parsed: parsedOf(message, finish, usage, { choices: 1, logprobs: false }) }),
    isWhole: events.includes('[DONE]'),
    ...(error !== undefined && { error }),
    isOdd: false,
  };
}

const TEMPLATE = (on: boolean) => ({
  body: { chat_template_kwargs: { enable_thinking: on } },
  names: ['chat_template_kwargs', 'enable_thinking'],
});
const effort = (level: string) => ({
  body: { reasoning_effort: level },
  names: ['reasoning_effort', 'reasoning effort', 'think', 'reasoning', 'effort'],
});

export const chatCompletions: Speech = {
  dialect: 'chatCompletions',
  body(ask, model) {
    const { cap = CAP, stream, tools, choice, schema } = ask;
    return {
      model,
      messages: messagesOf(ask),
      max_tokens: cap,
      temperature: 0,
      ...(stream && { stream, stream_options: { include_usage: true } }),
      ...(tools && { tools: TOOL_LIST }),
      ...(choice !== undefined && { tool_choice: choiceOf(choice) }),
      ...(schema && {
        response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: SCHEMA, strict: true } },
      }),
    };
  },
  read,
  fold,
  on: [
    { title: 'reasoning_effort', extra: effort('high') },
    { title: 'chat_template_kwargs', extra: TEMPLATE(true) },
  ],
  off: [
    { title: 'reasoning_effort', extra: effort('none') },
    { title: 'chat_template_kwargs', extra: TEMPLATE(false) },
  ],
  level: effort('max'),
  single: { body: { parallel_tool_calls: false }, names: ['parallel_tool_calls'] },
  strict: (body) => ({
    ...body,
    tools: TOOL_LIST.map((tool) => ({
      ...tool,
      function: {
        ...tool.function,
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
        strict: true,
      },
    })),
  }),
  vendorTool: {
    body: {
      tools: [{ type: 'custom', custom: { name: 'note', description: 'Takes a note.' } }],
      tool_choice: 'required',
    },
    call: 'custom',
  },
  stop: (text) => ({ body: { stop: [text] }, names: ['stop'] }),
  seed: { body: { seed: 7 }, names: ['seed'] },
  // Some refuse two answers that would be the same.
  choices: { body: { n: 2, temperature: 1 }, names: ['n'] },
  goOn: {
    body: { continue_final_message: true, add_generation_prompt: false },
    names: ['continue_final_message', 'add_generation_prompt'],
  },
  logprobs: { body: { logprobs: true, top_logprobs: 2 }, names: ['logprobs', 'top_logprobs'] },
  isError: (body) => typeof objectOf(objectOf(body).error).message === 'string',
};
