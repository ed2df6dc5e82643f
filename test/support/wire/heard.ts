import { listOf, textOf, type Wire } from './wire.js';

/** What a whole answer says, in no dialect's words. */
export interface Heard {
  readonly text: string;
  /** The full words of each thought, or what is told of it. */
  readonly thoughts: readonly string[];
  readonly refusal?: string;
  /** Those whose arguments are whole. */
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: unknown }[];
  /** Why it ended; undefined where it does not say so, as no whole answer does. */
  readonly finish?: 'end' | 'calls' | 'length' | 'refusal' | 'stop';
  /** All tokens of input and output: `cached` is part of the one, `reasoning` of the other. Undefined where nothing is told. */
  readonly usage?: {
    readonly input: number;
    readonly output: number;
    readonly cached?: number;
    readonly reasoning?: number;
  };
}

/** Reads a whole answer by the wire sheet of its dialect. A second opinion, which asks none of our decoders. */
export type Hear = (answer: Wire) => Heard;

const objectOf = (value: unknown): Wire => Object(value);
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0);
const isThere = (value: unknown): boolean => value !== undefined && value !== null;
const told = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

function texts(nodes: readonly Wire[], key: string): string[] {
  return nodes.flatMap((node) => (typeof node[key] === 'string' ? [textOf(node[key])] : []));
}

const joined = (nodes: readonly Wire[], key: string): string => texts(nodes, key).join('');

/** A call with arguments as JSON; none where they were cut. */
function parsedCall(id: unknown, name: unknown, args: unknown): Heard['calls'] {
  try {
    return [{ id: textOf(id), name: textOf(name), args: JSON.parse(textOf(args)) }];
  } catch {
    return [];
  }
}

type Words = Readonly<Record<string, Heard['finish']>>;

/** An end as its word says it; one with calls has another word in some servers. */
function finishOf(words: Words, word: unknown, calls: Heard['calls'] = [], refusals: readonly string[] = []) {
  const finish = words[textOf(word)];
  if (finish !== 'end') return finish;
  if (refusals.length > 0) return 'refusal';
  return calls.length > 0 ? 'calls' : 'end';
}

/** [M §4.1, §4.2] */
export const hearMessages: Hear = ({ content, stop_reason, stop_details, usage: counts }) => {
  const blocks = listOf(content);
  const details = objectOf(stop_details);
  const { input_tokens, output_tokens, output_tokens_details: out, ...usage } = objectOf(counts);
  const cached = numberOf(usage.cache_read_input_tokens);
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  return {
    text: joined(blocks, 'text'),
    thoughts: texts(blocks, 'thinking'),
    ...(typeof details.explanation === 'string' && { refusal: details.explanation }),
    calls: calls.map(({ id, name, input: args }) => ({ id: textOf(id), name: textOf(name), args })),
    finish: finishOf(
      { end_turn: 'end', tool_use: 'calls', max_tokens: 'length', refusal: 'refusal', stop_sequence: 'stop' },
      stop_reason,
    ),
    ...(isThere(counts) && {
      usage: {
        input: numberOf(input_tokens) + cached + numberOf(usage.cache_creation_input_tokens),
        output: numberOf(output_tokens),
        cached,
        reasoning: told(objectOf(out).thinking_tokens),
      },
    }),
  };
};

/** [R §4.1, §4.2, §4.4] */
export const hearResponses: Hear = ({ output, status, incomplete_details: why, usage: counts }) => {
  const items = listOf(output);
  const of = (wanted: string): Wire[] => items.filter(({ type }) => type === wanted);
  const parts = of('message').flatMap(({ content }) => listOf(content));
  const calls = of('function_call')
    .filter((item) => item.status !== 'incomplete')
    .flatMap(({ call_id, name, arguments: args }) => parsedCall(call_id, name, args));
  const refusals = texts(parts, 'refusal');
  const usage = objectOf(counts);
  return {
    text: joined(parts, 'text'),
    thoughts: of('reasoning').flatMap(({ content, summary }) =>
      listOf(content).length > 0 ? joined(listOf(content), 'text') : texts(listOf(summary), 'text'),
    ),
    ...(refusals.length > 0 && { refusal: refusals.join('\n') }),
    calls,
    finish: finishOf(
      { completed: 'end', max_output_tokens: 'length', content_filter: 'refusal' },
      status === 'incomplete' ? objectOf(why).reason : status,
      calls,
      refusals,
    ),
    ...(isThere(counts) && {
      usage: {
        input: numberOf(usage.input_tokens),
        output: numberOf(usage.output_tokens),
        cached: told(objectOf(usage.input_tokens_details).cached_tokens),
        reasoning: told(objectOf(usage.output_tokens_details).reasoning_tokens),
      },
    }),
  };
};

/** [G §5] */
export const hearGenerateContent: Hear = ({ candidates, promptFeedback, usageMetadata }) => {
  const [candidate = {}] = listOf(candidates);
  const parts = listOf(objectOf(candidate.content).parts);
  const calls = parts
    .filter(({ functionCall }) => functionCall !== undefined)
    .map(({ functionCall }) => objectOf(functionCall))
    .map(({ id, name, args = {} }) => ({ id: textOf(id), name: textOf(name), args }));
  const thoughts = joined(
    parts.filter(({ thought }) => thought === true),
    'text',
  );
  const usage = objectOf(usageMetadata);
  return {
    text: joined(
      parts.filter(({ thought }) => thought !== true),
      'text',
    ),
    thoughts: thoughts === '' ? [] : [thoughts],
    calls,
    finish:
      objectOf(promptFeedback).blockReason === undefined
        ? finishOf(
            { STOP: 'end', MAX_TOKENS: 'length', SAFETY: 'refusal', PROHIBITED_CONTENT: 'refusal' },
            candidate.finishReason,
            calls,
          )
        : 'refusal',
    ...(isThere(usageMetadata) && {
      usage: {
        input: numberOf(usage.promptTokenCount) + numberOf(usage.toolUsePromptTokenCount),
        output: numberOf(usage.candidatesTokenCount) + numberOf(usage.thoughtsTokenCount),
        cached: numberOf(usage.cachedContentTokenCount),
        reasoning: numberOf(usage.thoughtsTokenCount),
      },
    }),
  };
};

/** [H §6], thoughts under the names that servers have for them. */
export const hearChatCompletions: Hear = ({ choices, usage: counts }) => {
  const [choice = {}] = listOf(choices);
  const { content, refusal, reasoning, reasoning_content, tool_calls } = objectOf(choice.message);
  const thought = textOf(reasoning ?? reasoning_content);
  const calls = listOf(tool_calls)
    .filter((call) => call.function !== undefined)
    .flatMap(({ id, function: called }) => parsedCall(id, objectOf(called).name, objectOf(called).arguments));
  const refusals = textOf(refusal) === '' ? [] : [textOf(refusal)];
  const usage = objectOf(counts);
  return {
    text: textOf(content),
    thoughts: thought === '' ? [] : [thought],
    ...(refusals.length > 0 && { refusal: textOf(refusal) }),
    calls,
    finish: finishOf(
      { stop: 'end', tool_calls: 'calls', length: 'length', content_filter: 'refusal' },
      choice.finish_reason,
      calls,
      refusals,
    ),
    ...(isThere(counts) && {
      usage: {
        input: numberOf(usage.prompt_tokens),
        output: numberOf(usage.completion_tokens),
        cached: told(objectOf(usage.prompt_tokens_details).cached_tokens),
        reasoning: told(objectOf(usage.completion_tokens_details).reasoning_tokens),
      },
    }),
  };
};
