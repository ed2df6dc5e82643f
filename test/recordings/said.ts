import { type JsonObject, objectOf, objectsOf, stringOf } from '../../src/simulator/rules/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';

/** What an answer says, in no dialect's words. */
export interface Said {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly { readonly name: string; readonly args: unknown }[];
  readonly finish: string;
  /** All tokens of the input and of the output, and those of the input that came from a cache; undefined where nothing is told. */
  readonly usage?: { readonly input: number; readonly output: number; readonly cached: number };
}

/** Reads whole answers by the wire sheets: [M §4], [R §4], [G §4], [H §4]. A second opinion, which asks none of our decoders. */
export const saidBy: Readonly<Record<FakeDialectName, (body: JsonObject) => Said>> = {
  messages(body) {
    const blocks = objectsOf(body.content);
    const { usage } = body;
    const { cache_read_input_tokens: read, cache_creation_input_tokens: made, ...counts } = objectOf(usage);
    return {
      text: joined(blocks, 'text'),
      thoughts: joined(blocks, 'thinking'),
      ...ending(
        blocks.flatMap(({ type, name, input }) => (type === 'tool_use' ? [{ name: stringOf(name), args: input }] : [])),
        body.stop_reason,
      ),
      ...counted(usage, numberOf(counts.input_tokens) + numberOf(read) + numberOf(made), counts.output_tokens, read),
    };
  },
  responses(body) {
    const items = objectsOf(body.output);
    const thoughts = items.filter(({ type }) => type === 'reasoning');
    const usage = objectOf(body.usage);
    return {
      text: joined(
        items.flatMap(({ type, content }) => (type === 'message' ? objectsOf(content) : [])),
        'text',
      ),
      // Whole where it is there, else what is told of it.
      thoughts: thoughts
        .map(({ content, summary }) => joined(objectsOf(content), 'text') || joined(objectsOf(summary), 'text'))
        .join(''),
      ...ending(
        items.flatMap(({ type, name, arguments: args }) => (type === 'function_call' ? [called(name, args)] : [])),
        objectOf(body.incomplete_details).reason ?? body.status,
      ),
      ...counted(
        body.usage,
        usage.input_tokens,
        usage.output_tokens,
        objectOf(usage.input_tokens_details).cached_tokens,
      ),
    };
  },
  generateContent(body) {
    const [candidate = {}] = objectsOf(body.candidates);
    const parts = objectsOf(objectOf(candidate.content).parts);
    const usage = objectOf(body.usageMetadata);
    return {
      text: joined(
        parts.filter(({ thought }) => thought !== true),
        'text',
      ),
      thoughts: joined(
        parts.filter(({ thought }) => thought === true),
        'text',
      ),
      ...ending(
        parts.flatMap(({ functionCall }) =>
          functionCall === undefined
            ? []
            : [{ name: stringOf(objectOf(functionCall).name), args: objectOf(functionCall).args }],
        ),
        candidate.finishReason,
      ),
      ...counted(
        body.usageMetadata,
        usage.promptTokenCount,
        numberOf(usage.candidatesTokenCount) + numberOf(usage.thoughtsTokenCount),
        usage.cachedContentTokenCount,
      ),
    };
  },
  chatCompletions(body) {
    const [choice = {}] = objectsOf(body.choices);
    const { content, reasoning, reasoning_content: thought, tool_calls: calls } = objectOf(choice.message);
    const usage = objectOf(body.usage);
    return {
      text: stringOf(content),
      thoughts: stringOf(reasoning ?? thought),
      ...ending(
        objectsOf(calls).map(({ function: made }) => called(objectOf(made).name, objectOf(made).arguments)),
        choice.finish_reason,
      ),
      ...counted(
        body.usage,
        usage.prompt_tokens,
        usage.completion_tokens,
        objectOf(usage.prompt_tokens_details).cached_tokens,
      ),
    };
  },
};

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);

function joined(parts: readonly JsonObject[], key: string): string {
  return parts.map((part) => stringOf(part[key])).join('');
}

function called(name: unknown, args: unknown): Said['calls'][number] {
  return { name: stringOf(name), args: JSON.parse(stringOf(args)) };
}

function counted(usage: unknown, input: unknown, output: unknown, cached: unknown): Pick<Said, 'usage'> {
  if (usage === undefined || usage === null) return {};
  return { usage: { input: numberOf(input), output: numberOf(output), cached: numberOf(cached) } };
}

/** An end by a stop sequence is one of its own in one dialect only, and one with calls has another word in some servers. */
const ENDS: Readonly<Record<string, string>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  completed: 'end',
  stop: 'end',
  STOP: 'end',
  tool_use: 'calls',
  tool_calls: 'calls',
  max_tokens: 'length',
  max_output_tokens: 'length',
  length: 'length',
  MAX_TOKENS: 'length',
};

function ending(calls: Said['calls'], word: unknown): Pick<Said, 'calls' | 'finish'> {
  const end = ENDS[stringOf(word)] ?? `no end: ${word}`;
  return { calls, finish: end === 'end' && calls.length > 0 ? 'calls' : end };
}

/** Puts the events of a server's stream together to the whole answer that they make: [M §5], [R §5], [H §7]. */
export function wholeOf(dialect: FakeDialectName, events: readonly string[]): JsonObject {
  const data = events.flatMap((event) => {
    const [, json] = /^data: (\{.*)$/m.exec(event) ?? [];
    return json === undefined ? [] : [objectOf(JSON.parse(json))];
  });
  if (dialect === 'messages') return messageOf(data);
  if (dialect === 'chatCompletions') return completionOf(data);
  return objectOf(data.find(({ type }) => /^response\.(?:completed|incomplete)$/.test(stringOf(type)))?.response);
}

function messageOf(events: readonly JsonObject[]): JsonObject {
  let message: JsonObject = {};
  const blocks: Record<string, unknown>[] = [];
  for (const { type, message: begun, index, content_block: block, delta, usage } of events) {
    if (type === 'message_start') message = objectOf(begun);
    if (type === 'content_block_start') blocks[Number(index)] = { ...objectOf(block) };
    if (type === 'content_block_delta') append(blocks[Number(index)], objectOf(delta));
    if (type === 'message_delta')
      message = { ...message, ...objectOf(delta), usage: { ...objectOf(message.usage), ...objectOf(usage) } };
  }
  const content = blocks.map(({ partial_json: json, ...block }) => ({
    ...block,
    ...(json !== undefined && { input: JSON.parse(stringOf(json)) }),
  }));
  return { ...message, content };
}

/** Adds the texts of a delta to those that came before. */
function append(held: Record<string, unknown> = {}, delta: JsonObject): void {
  for (const [key, text] of Object.entries(delta))
    if (typeof text === 'string' && key !== 'type') held[key] = stringOf(held[key]) + text;
}

function completionOf(chunks: readonly JsonObject[]): JsonObject {
  const message: Record<string, unknown> = {};
  const calls: Record<string, unknown>[] = [];
  let finish: unknown;
  let usage: unknown;
  for (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    const [choice = {}] = objectsOf(chunk.choices);
    finish = choice.finish_reason ?? finish;
    append(message, objectOf(choice.delta));
    for (const { index, function: told } of objectsOf(objectOf(choice.delta).tool_calls)) {
      calls[Number(index)] ??= {};
      append(calls[Number(index)], objectOf(told));
    }
  }
  const choice = {
    message: { ...message, tool_calls: calls.map((call) => ({ function: call })) },
    finish_reason: finish,
  };
  return { choices: [choice], ...(usage !== undefined && { usage }) };
}

/** The texts in which a body tells an error, whatever its form. */
export function errorTextIn(body: unknown): string {
  const { error, message, detail } = objectOf(body);
  if (typeof body === 'string') return body;
  const told = objectOf(error).message ?? error ?? message ?? detail;
  return Array.isArray(told) ? joined(objectsOf(told), 'msg') : stringOf(told);
}
