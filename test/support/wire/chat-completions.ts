import { type Cut, type DialectWire, inOne, listOf, type Said, textOf, type Wire } from './wire.js';

/** A whole answer with one message [H §6.1]. */
function completion(message: object, choice: object = {}, more: object = {}): Wire {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_760_000_000,
    model: 'h-real',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', refusal: null, ...message },
        logprobs: null,
        finish_reason: 'stop',
        ...choice,
      },
    ],
    usage: {
      prompt_tokens: 3,
      completion_tokens: 2,
      total_tokens: 5,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: {
        reasoning_tokens: 0,
        audio_tokens: 0,
        accepted_prediction_tokens: 0,
        rejected_prediction_tokens: 0,
      },
    },
    ...more,
  };
}

/** A call of a function as a message holds it [H §4.4]. */
export function functionCall(id: string, name: string, args: string): Wire {
  return { id, type: 'function', function: { name, arguments: args } };
}

/** The chunks of a stream that gives an answer, with its counts where it has some [H §7.1, §7.3]. */
function completionEvents(answer: Wire, cut: Cut = inOne): Wire[] {
  const { choices, usage, ...head } = answer;
  const [choice = {}] = listOf(choices);
  const chunk = (delta: Wire, finish_reason: unknown = null): Wire => ({
    ...head,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  });
  return [
    ...messageDeltas(choice.message as Wire, cut).map((delta) => chunk(delta)),
    chunk({}, choice.finish_reason),
    ...(usage === undefined || usage === null ? [] : [{ ...chunk({}), choices: [], usage }]),
  ];
}

/** Members whose text comes in pieces. */
const THOUGHTS = ['reasoning', 'reasoning_content'];
const WORDS = ['content', 'refusal'];
/** Members of which each is a delta of its own, in front of the words or behind them. */
const BEFORE = ['reasoning_details'];
const BEHIND = ['annotations', 'images', 'function_call'];

/** The deltas of a message: its role, its thoughts, its words and its calls. */
function messageDeltas(message: Wire, cut: Cut): Wire[] {
  const alone = (keys: readonly string[]): Wire[] =>
    keys.filter((key) => message[key] !== undefined).map((key) => ({ [key]: message[key] }));
  const texts = (keys: readonly string[]): Wire[] =>
    keys
      .filter((key) => (key === 'content' && typeof message.content === 'string') || textOf(message[key]) !== '')
      .flatMap((key) => cut(textOf(message[key]), key, message).map((piece) => ({ [key]: piece })));
  return [
    { role: 'assistant', content: message.content === null ? null : '', refusal: null },
    ...texts(THOUGHTS),
    ...alone(BEFORE),
    ...texts(WORDS),
    ...alone(BEHIND),
    ...listOf(message.tool_calls).flatMap((call, index) => callDeltas(call, index, cut)),
  ];
}

/** The deltas of one call: the first has all but the arguments [H §7.3]. */
function callDeltas(call: Wire, index: number, cut: Cut): Wire[] {
  const [key, member] = call.type === 'custom' ? ['custom', 'input'] : ['function', 'arguments'];
  const called = call[key] as Wire;
  const opening = { ...call, [key]: { ...called, [member]: '' }, index };
  const pieces = cut(textOf(called[member]), member, call);
  return [opening, ...pieces.map((piece) => ({ index, [key]: { [member]: piece } }))].map((one) => ({
    tool_calls: [one],
  }));
}

/** What ends every stream [H §7.1]. */
const DONE = 'data: [DONE]\n\n';

function printData(chunk: Wire): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}

function say(parts: readonly Said[]): Wire {
  const calls = parts.flatMap((part) => (part.kind === 'call' ? [functionCall(part.id, part.name, part.args)] : []));
  const texts = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const thoughts = parts.flatMap((part) => (part.kind === 'thought' && part.text !== '' ? [part.text] : []));
  const states = parts.flatMap((part) => (part.kind === 'thought' && part.state !== undefined ? [part.state] : []));
  const details = states.map((data, index) => ({
    type: 'reasoning.encrypted',
    id: `r${index}`,
    format: 'unknown',
    index,
    data,
  }));
  const message = {
    content: texts.length === 0 && calls.length > 0 ? null : texts.join(''),
    ...(thoughts.length > 0 && { reasoning_content: thoughts.join('') }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  return completion(message, calls.length > 0 ? { finish_reason: 'tool_calls' } : {});
}

export const chatCompletionsWire: DialectWire = {
  say,
  events: completionEvents,
  print: printData,
  /** The last frame holds the finish, the usage and the mark behind them, for a stream ends with the first of these. */
  frames(answer, cut) {
    const events = completionEvents(answer, cut);
    const end = events.findIndex(({ choices }) => listOf(choices)[0]?.finish_reason !== null);
    return [...events.slice(0, end).map(printData), [...events.slice(end).map(printData), DONE].join('')];
  },
};
