import type { JsonObject } from '../../../translators/index.js';
import { type Ask, CAP, type Choice, PICTURE, SCHEMA, TOOLS } from '../asks.js';
import { documentBase64 } from '../document.js';
import { countOf, errorIn, objectOf, objectsIn, type ParsedAnswer, type ParsedStream, textOf } from '../parsed.js';
import type { Speech } from './speech.js';

const TOOL_LIST = TOOLS.map((name) => ({
  type: 'function',
  name,
  description: `Tells the ${name}.`,
  parameters: { type: 'object', properties: {} },
  strict: false,
}));

function choiceOf(choice: Choice): unknown {
  if (typeof choice === 'string') return choice;
  const named = (name: string): JsonObject => ({ type: 'function', name });
  return 'only' in choice
    ? named(choice.only)
    : { type: 'allowed_tools', mode: 'required', tools: [named(choice.among)] };
}

function inputOf({ prompt, picture, document, history }: Ask): unknown {
  const text = { type: 'input_text', text: prompt };
  const user = (...content: readonly JsonObject[]): JsonObject => ({ type: 'message', role: 'user', content });
  if (picture)
    return [user(text, { type: 'input_image', image_url: `data:image/png;base64,${PICTURE}`, detail: 'auto' })];
  if (document) {
    const file_data = `data:application/pdf;base64,${documentBase64()}`;
    return [user(text, { type: 'input_file', filename: 'a.pdf', file_data })];
  }
  if (history === undefined) return [user(text)];
  return [
    user(text),
    { type: 'function_call', call_id: 'call_00001', name: 'time', arguments: '{}' },
    {
      type: 'function_call_output',
      call_id: 'call_00001',
      output: history === 'results' ? [{ type: 'input_text', text: 'noon' }] : 'noon',
    },
  ];
}

function read(body: unknown): ParsedAnswer | undefined {
  const { output, usage, incomplete_details: details, status } = objectOf(body);
  if (!Array.isArray(output)) return undefined;
  const items = objectsIn(output);
  const parts = items.flatMap(({ type, content }) => (type === 'message' ? objectsIn(content) : []));
  const thoughts = items.filter(({ type }) => type === 'reasoning');
  const reported = thoughts
    .flatMap(({ summary, content }) => [...objectsIn(content), ...objectsIn(summary)].map(({ text }) => textOf(text)))
    .join('');
  const figures = objectOf(usage);
  const [input, made] = [countOf(figures.input_tokens), countOf(figures.output_tokens)];
  const cached = countOf(objectOf(figures.input_tokens_details).cached_tokens);
  return {
    text: parts.map(({ text }) => textOf(text)).join(''),
    thoughts: reported,
    ...(thoughts.length > 0 && {
      field: reported !== '' && thoughts.some(({ content }) => objectsIn(content).length > 0) ? 'content' : 'summary',
    }),
    calls: items.flatMap(({ type, name }) =>
      type === 'function_call' || type === 'custom_tool_call' ? [{ name: textOf(name), type }] : [],
    ),
    isCut: status === 'incomplete' && objectOf(details).reason !== 'content_filter',
    choices: 1,
    logprobs: parts.some(({ logprobs }) => objectsIn(logprobs).length > 0),
    ...(input !== undefined && { input }),
    ...(made !== undefined && { output: made }),
    ...(cached !== undefined && { cached }),
    isBare: false,
  };
}

const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed']);

function fold(events: readonly unknown[]): ParsedStream {
  const named = events.map(objectOf);
  const last = named.find(({ type }) => LAST.has(textOf(type)));
  const deltas = named.filter(({ type }) => textOf(type).endsWith('.delta'));
  const whole = last === undefined ? undefined : read(last.response);
  const text = deltas.map(({ type, delta }) => (type === 'response.output_text.delta' ? textOf(delta) : '')).join('');
  const error = errorIn(named[0]) ?? (named[0]?.type === 'error' ? textOf(named[0].message) : undefined);
  const isStream = named.some(({ type }) => textOf(type).startsWith('response.'));
  const partial: ParsedAnswer = {
    text,
    thoughts: '',
    calls: [],
    isCut: false,
    choices: 1,
    logprobs: false,
    isBare: false,
  };
  return {
    ...(isStream && { parsed: whole ?? partial }),
    isWhole: last !== undefined,
    ...(error !== undefined && { error }),
    isOdd: deltas.some((event) => event.output_index === undefined) || lacksParts(named),
  };
}

/** Whether thoughts come as a summary that was never begun, at which the vendor's own client fails. */
function lacksParts(events: readonly ReturnType<typeof objectOf>[]): boolean {
  const has = (type: string): boolean => events.some((event) => event.type === type);
  return has('response.reasoning_summary_text.delta') && !has('response.reasoning_summary_part.added');
}

const effort = (level: string) => ({ body: { reasoning: { effort: level } }, names: ['reasoning', 'effort', 'think'] });

export const responses: Speech = {
  dialect: 'responses',
  body(ask, model) {
    const { cap = CAP, stream, tools, choice, schema, history } = ask;
    if (history === 'begun') return undefined;
    return {
      model,
      input: inputOf(ask),
      max_output_tokens: cap,
      store: false,
      ...(stream && { stream }),
      ...(tools && { tools: TOOL_LIST }),
      ...(choice !== undefined && { tool_choice: choiceOf(choice) }),
      ...(schema && { text: { format: { type: 'json_schema', name: 'answer', schema: SCHEMA, strict: true } } }),
    };
  },
  read,
  fold,
  on: [{ title: 'reasoning.effort', extra: effort('high') }],
  off: [{ title: 'reasoning.effort', extra: effort('none') }],
  level: effort('max'),
  single: { body: { parallel_tool_calls: false }, names: ['parallel_tool_calls'] },
  vendorTool: {
    body: { tools: [{ type: 'custom', name: 'note', description: 'Takes a note.' }], tool_choice: 'required' },
    call: 'custom_tool_call',
  },
  strict: (body) => ({
    ...body,
    tools: TOOL_LIST.map((tool) => ({
      ...tool,
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      strict: true,
    })),
  }),
  stop: (text) => ({ body: { stop: [text] }, names: ['stop'] }),
  logprobs: {
    body: { top_logprobs: 2, include: ['message.output_text.logprobs'] },
    names: ['logprobs', 'top_logprobs', 'include'],
  },
  count: {
    body: (model) => ({ model, input: 'Say hello.' }),
    read: (body) => countOf(objectOf(body).input_tokens),
  },
  isError: (body) => typeof objectOf(objectOf(body).error).message === 'string',
};
