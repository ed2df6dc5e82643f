import type { Loss } from '../../../../translators/index.js';
import type { Wire } from '../generate/values.js';
import { asList, asObject, asText, isCount, must, type Reading, same } from './reading.js';

const LOSS = ': interlingua-loss ';

/** The blocks of a stream: chunks, what comments told of losses, and whether its last word came. */
interface Blocks {
  readonly chunks: readonly Wire[];
  readonly losses: readonly Loss[];
  readonly done: boolean;
}

/**
 * Reads a stream as a strict client of this dialect: what the readers of [H §7.4] demand together, accumulated as the
 * official Python client does it, which adds up every text that is repeated.
 */
export function readChatCompletions(text: string): Reading {
  const { chunks, losses, done } = blocksIn(text);
  const last = chunks.at(-1);
  must(last !== undefined, 'a stream says something');
  if (last.error !== undefined) return { error: failureIn(chunks, done), losses };
  must(done, 'a stream ends in its last word');
  return { final: wholeOf(chunks), losses };
}

function blocksIn(text: string): Blocks {
  must(!text.includes('\r'), 'lines end in LF');
  must(text.endsWith('\n\n'), 'the stream ends in a whole frame', text.slice(-80));
  const chunks: Wire[] = [];
  const losses: Loss[] = [];
  let done = false;
  for (const block of text.slice(0, -2).split('\n\n')) {
    must(!done, 'nothing follows the last word', block);
    if (block.startsWith(':')) {
      if (block === ': keep-alive') continue;
      const lines = block.split('\n');
      must(losses.length === 0 && lines.every((line) => line.startsWith(LOSS)), 'losses are told once', block);
      losses.push(...lines.map((line) => JSON.parse(line.slice(LOSS.length)) as Loss));
      continue;
    }
    must(block.startsWith('data: ') && !block.includes('\n'), 'a chunk is one line', block);
    const data = block.slice('data: '.length);
    if (data === '[DONE]') done = true;
    else chunks.push(asObject(JSON.parse(data), 'a chunk'));
  }
  return { chunks, losses, done };
}

/** An error is the last frame, with nothing beside it, and nothing follows it (translation.md 6.8). */
function failureIn(chunks: readonly Wire[], done: boolean): Wire {
  const last = chunks.at(-1) ?? {};
  const error = asObject(last.error, 'the error');
  must(!done, 'no last word follows an error');
  must(
    chunks.slice(0, -1).every((chunk) => chunk.error === undefined),
    'an error comes last',
  );
  must(same(Object.keys(last), ['error']), 'an error stands alone', last);
  asText(error.message, 'the message of an error');
  asText(error.type, 'the type of an error');
  must('param' in error && 'code' in error, 'an error names its code and its field', error);
  return error;
}

/** What is read of the choice so far. */
interface Choice {
  /** The deltas, accumulated. */
  message: Record<string, unknown>;
  finish: string | undefined;
  readonly content: unknown[];
  readonly refusal: unknown[];
}

function wholeOf(chunks: readonly Wire[]): Wire {
  const [head] = chunks;
  const { id, created, model, object } = asObject(head, 'a chunk');
  must(object === 'chat.completion.chunk' && isCount(created), 'a chunk says what it is', head);
  asText(id, 'id');
  const choice: Choice = { message: {}, finish: undefined, content: [], refusal: [] };
  const counted = chunks.some(({ usage }) => usage === null);
  let usage: Wire | undefined;
  let tier: unknown;
  for (const chunk of chunks) {
    must(usage === undefined, 'nothing follows the counts', chunk);
    must(same({ id, created, model, object }, pick(chunk)), 'one envelope throughout', chunk);
    tier = chunk.service_tier ?? tier;
    const choices = asList(chunk.choices, 'choices');
    if (choices.length === 0) {
      usage = checkUsage(chunk.usage);
      must(choice.finish !== undefined, 'the counts come behind the end');
      continue;
    }
    must(choices.length === 1, 'a chunk has one choice', chunk);
    must(!counted || chunk.usage === null, 'who asks for counts is told that there are none yet', chunk);
    readChoice(choice, asObject(choices[0], 'the choice'), chunk === head);
  }
  must(choice.finish !== undefined, 'an answer ends');
  must(!counted || usage !== undefined, 'who asks for counts gets them');
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      { index: 0, message: messageOf(choice.message), logprobs: logprobsOf(choice), finish_reason: choice.finish },
    ],
    ...(usage !== undefined && { usage }),
    ...(tier !== undefined && { service_tier: tier }),
    system_fingerprint: null,
  };
}

function pick({ id, created, model, object }: Wire): Wire {
  return { id, created, model, object };
}

/** The kinds of content of which a delta has one at most: some readers look at one only [H §7.4]. */
const KINDS = [
  ['content'],
  ['refusal'],
  ['reasoning_content', 'reasoning'],
  ['reasoning_details'],
  ['tool_calls'],
  ['function_call'],
  ['annotations'],
  ['images'],
];

function readChoice(choice: Choice, wire: Wire, isFirst: boolean): void {
  const { index, delta: given, finish_reason: finish, logprobs } = wire;
  const delta = asObject(given, 'the delta');
  must(choice.finish === undefined, 'nothing follows the end', wire);
  must(index === 0, 'the choice is the first', wire);
  must('role' in delta === isFirst, 'the first chunk has the role', wire);
  if (finish !== null) {
    choice.finish = asText(finish, 'the finish');
    must(FINISHES.has(choice.finish), 'only words that every reader knows', finish);
    must(Object.keys(delta).length === 0, 'the end is a chunk of its own', wire);
  }
  const told = KINDS.filter((keys) => keys.some((key) => key in delta && delta[key] !== null));
  must(told.length <= 1, 'a delta has one kind of content', delta);
  if (delta.tool_calls !== undefined) checkCalls(choice.message, asList(delta.tool_calls, 'tool_calls'));
  for (const key of ['content', 'refusal'] as const) {
    if (logprobs === null || logprobs === undefined) continue;
    const tokens = asObject(logprobs, 'logprobs')[key];
    if (tokens !== null && tokens !== undefined) choice[key].push(...asList(tokens, 'tokens'));
  }
  choice.message = accumulated(choice.message, delta);
}

const FINISHES: ReadonlySet<string> = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call']);

/** Calls are whole one after the other; ids, types and names come once, in the opening delta. */
function checkCalls(message: Wire, deltas: readonly unknown[]): void {
  must(deltas.length === 1, 'a delta is of one call', deltas);
  const delta = asObject(deltas[0], 'a call');
  const open = Array.isArray(message.tool_calls) ? message.tool_calls.length : 0;
  const { index, id, type, function: called, custom } = delta;
  const isNew = index === open;
  must(isNew || index === open - 1, 'calls come in order, one after the other', delta);
  const body = asObject(type === 'custom' || custom !== undefined ? custom : called, 'what is called');
  if (isNew) {
    must(/^[A-Za-z0-9_-]{1,40}$/.test(asText(id, 'the id')), 'an id is legal', delta);
    must(type === 'function' || type === 'custom', 'a call has a type', delta);
    must(asText(body.name, 'the name') !== '', 'a call has a name', delta);
  } else {
    must(id === undefined && type === undefined && body.name === undefined, 'what a call is stands once', delta);
  }
  asText(body.arguments ?? body.input, 'the arguments');
}

/** Adds a delta: texts to texts, numbers to numbers, entries of lists by their `index`. */
function accumulated(before: Wire, delta: Wire): Record<string, unknown> {
  const out: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(delta)) {
    const held = out[key];
    if (held === undefined || held === null || key === 'index' || key === 'type') out[key] = value;
    else if (typeof held === 'string' && typeof value === 'string') out[key] = held + value;
    else if (typeof held === 'number' && typeof value === 'number') out[key] = held + value;
    else if (Array.isArray(held) && Array.isArray(value)) out[key] = joined(held, value);
    else if (typeof held === 'object' && typeof value === 'object' && value !== null)
      out[key] = accumulated(held as Wire, value as Wire);
  }
  return out;
}

function joined(held: readonly unknown[], more: readonly unknown[]): unknown[] {
  const out = [...held];
  for (const entry of more) {
    const { index } = asObject(entry, 'an entry');
    if (!isCount(index)) out.push(entry);
    else if (out[index] === undefined) out[index] = entry;
    else out[index] = accumulated(out[index] as Wire, entry as Wire);
  }
  return out;
}

/** The message as a whole answer has it: without the numbers of its calls. */
export function messageOf({ tool_calls: calls, refusal, ...rest }: Wire): Wire {
  const called = Array.isArray(calls) ? calls.map(({ index: _index, ...call }: Wire) => call) : undefined;
  return { ...rest, refusal: refusal ?? null, ...(called !== undefined && { tool_calls: called }) };
}

function logprobsOf({ content, refusal }: Choice): Wire | null {
  if (content.length === 0 && refusal.length === 0) return null;
  return { content: content.length > 0 ? content : null, refusal: refusal.length > 0 ? refusal : null };
}

function checkUsage(value: unknown): Wire {
  const usage = asObject(value, 'usage');
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  must(isCount(input) && isCount(output) && total === input + output, 'the total is the sum', usage);
  return usage;
}
