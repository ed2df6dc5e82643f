import { hearChatCompletions } from './heard.js';
import { type Cut, type DialectWire, inOne, listOf, readAnswerShapes, type Said, textOf, type Wire } from './wire.js';

/** Answers as [H §6], with the carriers of state and the pictures that are ours (translation.md 4.6, 5.1). */
const SHAPES = `
Answer: id! string, object! 'chat.completion', created! int, model! string, choices! Choice[], usage! Usage|null,
  service_tier string, system_fingerprint? null, system_fingerprint@heard string|null
Usage: prompt_tokens! int, completion_tokens! int, total_tokens! int, prompt_tokens_details? InputDetails,
  completion_tokens_details? OutputDetails
InputDetails: cached_tokens! int, cache_write_tokens int, audio_tokens? int
OutputDetails: reasoning_tokens! int, audio_tokens? int, accepted_prediction_tokens? int,
  rejected_prediction_tokens? int
Choice: index! int, message! Message, logprobs? Logprobs|null,
  finish_reason! 'stop'|'length'|'tool_calls'|'content_filter'|'function_call', finish_reason@heard string,
  stop_reason@heard any, native_finish_reason@heard string
Message: role! 'assistant', content! string|null, refusal? string|null, annotations Annotation[],
  reasoning_content string, reasoning string, reasoning_details Detail[], tool_calls ToolCall[],
  function_call Called, images Image[], audio@heard object
Detail: type! 'reasoning.encrypted', id! string, format! 'unknown', index! int, data! string
ToolCall by type: function FunctionToolCall, custom CustomToolCall
FunctionToolCall: id! string, function! Called, extra_content ExtraContent
CustomToolCall: id! string, custom! Written, extra_content ExtraContent
Called: name! string, arguments! string
Written: name! string, input! string
ExtraContent: google! Google
Google: thought_signature! string
Annotation by type: url_citation UrlCitation
UrlCitation: url_citation! Cited
Cited: url! string, title! string, start_index! int, end_index! int
Image: type! 'image_url', image_url! ImageUrl
ImageUrl: url! string
Logprobs: content! Token[]|null, refusal! Token[]|null
Token: token! string, logprob! number, bytes! int[]|null, top_logprobs! Top[]
Top: token! string, logprob! number, bytes! int[]|null
`;

/** A whole answer with one message [H §6.1]. */
export function completion(message: object, choice: object = {}, more: object = {}): Wire {
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
  shapes: readAnswerShapes(SHAPES),
  hear: hearChatCompletions,
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
