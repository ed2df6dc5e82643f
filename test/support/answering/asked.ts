import { type JsonObject, objectOf, objectsOf, stringOf } from '../../../src/simulator/rules/index.js';
import type { FakeDialectName } from '../fake-backend/index.js';
import type { Ignored } from './manners.js';

/** What a request asks, as its server reads it. */
export interface Asked {
  /** All that users said. */
  readonly prompt: string;
  readonly tools: readonly string[];
  readonly choice: 'auto' | 'required' | 'none' | readonly string[];
  readonly schema: JsonObject | undefined;
  readonly stops: readonly string[];
  readonly cap: number | undefined;
  /** The history ends in the result of a call. */
  readonly hasResult: boolean;
  /** The history ends in the middle of an answer. */
  readonly isBegun: boolean;
}

const list = (value: unknown): readonly string[] =>
  typeof value === 'string' ? [value] : Array.isArray(value) ? value.map((one) => stringOf(one)) : [];

/** All strings of a value. */
function stringsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(stringsIn).join(' ');
  return Object.entries(objectOf(value))
    .map(([key, inner]) => (key === 'data' || key === 'url' ? '' : stringsIn(inner)))
    .join(' ');
}

const nameOf = (ref: JsonObject): string => stringOf(objectOf(ref.function).name ?? ref.name);

function choiceOf(value: unknown): Asked['choice'] {
  if (value === 'required' || value === 'none') return value;
  const choice = objectOf(value);
  if (choice.type === 'any') return 'required';
  if (choice.type === 'none') return 'none';
  if (choice.type === 'allowed_tools')
    return objectsOf(objectOf(choice.allowed_tools).tools ?? choice.tools).map(nameOf);
  const name = nameOf(choice);
  return name === '' ? 'auto' : [name];
}

type Reader = (body: JsonObject) => Omit<Asked, 'stops' | 'cap'> & { readonly stops?: unknown; readonly cap?: unknown };

const READERS: Readonly<Record<FakeDialectName, Reader>> = {
  chatCompletions(body) {
    const messages = objectsOf(body.messages);
    const last = messages.at(-1);
    return {
      prompt: messages.map(({ role, content }) => (role === 'user' ? stringsIn(content) : '')).join(' '),
      tools: objectsOf(body.tools).map((tool) => stringOf(objectOf(tool.function ?? tool.custom).name)),
      choice: choiceOf(body.tool_choice),
      schema: schemaIn(objectOf(objectOf(body.response_format).json_schema).schema),
      stops: body.stop,
      cap: body.max_completion_tokens ?? body.max_tokens,
      hasResult: messages.some(({ role }) => role === 'tool') && last?.role !== 'user',
      isBegun: last?.role === 'assistant',
    };
  },
  messages(body) {
    const messages = objectsOf(body.messages);
    const last = messages.at(-1);
    return {
      prompt: messages.map(({ role, content }) => (role === 'user' ? stringsIn(content) : '')).join(' '),
      tools: objectsOf(body.tools).map(({ name }) => stringOf(name)),
      choice: choiceOf(body.tool_choice),
      schema: schemaIn(objectOf(objectOf(body.output_config).format).schema),
      stops: body.stop_sequences,
      cap: body.max_tokens,
      hasResult: objectsOf(last?.content).some(({ type }) => type === 'tool_result'),
      isBegun: last?.role === 'assistant',
    };
  },
  responses(body) {
    const input = typeof body.input === 'string' ? [{ role: 'user', content: body.input }] : objectsOf(body.input);
    return {
      prompt: input.map((item) => (objectOf(item).role === 'user' ? stringsIn(objectOf(item).content) : '')).join(' '),
      tools: objectsOf(body.tools).map(({ name }) => stringOf(name)),
      choice: choiceOf(body.tool_choice),
      schema: schemaIn(objectOf(objectOf(body.text).format).schema),
      stops: body.stop,
      cap: body.max_output_tokens,
      hasResult: objectOf(input.at(-1)).type === 'function_call_output',
      isBegun: false,
    };
  },
  generateContent(body) {
    const contents = objectsOf(body.contents);
    const config = objectOf(body.generationConfig);
    const { mode, allowedFunctionNames: names } = objectOf(objectOf(body.toolConfig).functionCallingConfig);
    const last = contents.at(-1);
    return {
      prompt: contents.map(({ role, parts }) => (role === 'model' ? '' : stringsIn(parts))).join(' '),
      tools: objectsOf(body.tools).flatMap((tool) =>
        objectsOf(tool.functionDeclarations).map(({ name }) => stringOf(name)),
      ),
      choice: mode === 'NONE' ? 'none' : Array.isArray(names) ? list(names) : mode === 'ANY' ? 'required' : 'auto',
      schema: schemaIn(config.responseJsonSchema ?? config.responseSchema),
      stops: config.stopSequences,
      cap: config.maxOutputTokens,
      hasResult: objectsOf(last?.parts).some(({ functionResponse }) => functionResponse !== undefined),
      isBegun: last?.role === 'model',
    };
  },
};

function schemaIn(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null ? objectOf(value) : undefined;
}

/** A request as a server reads it that ignores some of it. */
export function askedOf(dialect: FakeDialectName, body: JsonObject, ignores: readonly Ignored[]): Asked {
  const has = (one: Ignored): boolean => ignores.includes(one);
  const { max_completion_tokens: _newer, ...older } = body;
  const read = READERS[dialect](has('newerCap') ? older : body);
  const { choice } = read;
  const isListed = Array.isArray(choice);
  const isMany = objectOf(body.tool_choice).type === 'allowed_tools' || dialect === 'generateContent';
  const isUnread =
    has('choice') ||
    (has('choiceButNamed') && !isListed) ||
    (has('noneChoice') && choice === 'none') ||
    (isListed && has(isMany ? 'allowedChoice' : 'namedChoice'));
  return {
    ...read,
    choice: isUnread ? 'auto' : choice,
    schema: has('schema') ? undefined : read.schema,
    stops: has('stop') ? [] : list(read.stops),
    cap: has('cap') || typeof read.cap !== 'number' ? undefined : read.cap,
    isBegun: read.isBegun && !has('prefill') && (!has('unmarkedPrefill') || body.continue_final_message === true),
  };
}
