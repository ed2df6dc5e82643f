import { type JsonObject, objectOf, objectsOf, stringOf } from '../../src/simulator/rules/index.js';
import { WIRES } from '../support/answers.js';
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

/** What a whole answer says. An end by a stop sequence is one of its own in one dialect only. */
export function saidBy(dialect: FakeDialectName, body: JsonObject): Said {
  const { text, thoughts, calls, finish = 'no end', usage } = WIRES[dialect].hear(body);
  const end = finish === 'stop' ? 'end' : finish;
  return {
    text,
    thoughts: thoughts.join(''),
    calls: calls.map(({ name, args }) => ({ name, args })),
    finish: end === 'end' && calls.length > 0 ? 'calls' : end,
    ...(usage && { usage: { input: usage.input, output: usage.output, cached: usage.cached ?? 0 } }),
  };
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
  return Array.isArray(told)
    ? objectsOf(told)
        .map(({ msg }) => stringOf(msg))
        .join('')
    : stringOf(told);
}
