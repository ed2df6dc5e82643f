import type { DialectStream, Frame } from '../stream.js';
import { cutByLength, cutIntoDeltas } from '../tokens.js';
import { errorBody } from './errors.js';
import {
  type ChatCall,
  type ChatMessage,
  type ChatPrinting,
  finishOf,
  headOf,
  messageOf,
  printReasoning,
  printUsage,
  stopOf,
} from './print.js';
import type { StreamManner } from './server.js';

/** The event stream of an answer [H §7]. */
export function streamCompletion(printing: ChatPrinting): DialectStream {
  const { stream = {}, errors } = printing.server;
  return {
    frames: framesOf(printing, stream),
    fail: (status, message) => [write(errorBody(status, message, {}, errors === 'array' ? undefined : errors), stream)],
  };
}

function write(data: object | '[DONE]', manner: StreamManner): string {
  const end = manner.crlf ? '\r\n\r\n' : '\n\n';
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}${end}`;
}

function* framesOf(printing: ChatPrinting, manner: StreamManner): Generator<Frame> {
  const head = headOf(printing, 'chat.completion.chunk');
  const asked = printing.includeUsage && manner.usage === undefined;
  const chunk = (choices: readonly object[], more: object = {}): string => {
    const usage = manner.usage === 'every' ? { usage: printUsage(printing) } : asked ? { usage: null } : {};
    return write({ ...head, choices, ...usage, ...more }, manner);
  };
  const choice = (delta: object, more: object = {}) => {
    const role = manner.roleInEveryChunk ? { role: 'assistant' } : {};
    return { index: 0, delta: { ...role, ...delta }, logprobs: null, finish_reason: null, ...more };
  };
  if (manner.comment !== undefined) yield { text: `: ${manner.comment}\n\n` };
  if (manner.emptyHead) {
    const empty = { id: '', object: '', created: 0, model: '', choices: [], prompt_filter_results: [] };
    yield { text: write(empty, manner) };
  }
  const message = messageOf(printing);
  const content = message.text === '' && message.calls.length > 0 ? null : '';
  yield { text: chunk([choice({ role: 'assistant', content, refusal: null })]) };

  const end = { finish_reason: finishOf(printing), ...stopOf(printing) };
  const usage = manner.usage === 'finish' ? { usage: printUsage(printing) } : {};
  const deltas = [...deltasOf(message, printing)];
  const last = manner.finishWithContent ? deltas.pop() : {};
  const padding = manner.padding === undefined ? {} : { [manner.padding]: 'abcdef' };
  for (const delta of deltas) yield { text: chunk([choice(delta)], padding), mark: 'delta' };
  yield { text: chunk([choice(last ?? {}, end)], usage), mark: 'end' };
  if (asked) yield { text: chunk([], { usage: printUsage(printing) }) };
  if (!manner.withoutDone) yield { text: write('[DONE]', manner) };
}

function* deltasOf(message: ChatMessage, { server }: ChatPrinting): Generator<object> {
  const { text, refusal, reasoning, state, calls } = message;
  for (const piece of cutIntoDeltas(reasoning)) {
    yield server.reasoning === 'chunks'
      ? { content: [{ type: 'thinking', thinking: [{ type: 'text', text: piece }] }] }
      : printReasoning(piece, server);
  }
  if (state.length > 0) yield { reasoning_details: state };
  for (const content of cutIntoDeltas(text)) yield { content };
  for (const piece of cutIntoDeltas(refusal ?? '')) yield { refusal: piece };
  for (const [index, call] of calls.entries()) yield* callDeltas(call, index, server.stream?.calls);
}

const FRAGMENT = 12;

/** The deltas of one call [H §7.3]. */
function* callDeltas(call: ChatCall, index: number, manner: StreamManner['calls']): Generator<object> {
  const { function: named, custom } = call;
  const at = manner === 'unnumbered' ? {} : { index: manner === 'same' ? 0 : index };
  if (manner !== undefined) {
    yield { tool_calls: [{ ...at, ...call }] };
    return;
  }
  if (named !== undefined) yield { tool_calls: [{ ...at, ...call, function: { ...named, arguments: '' } }] };
  else yield { tool_calls: [{ ...at, ...call, custom: { ...custom, input: '' } }] };
  const pieces = cutByLength(named?.arguments ?? custom?.input ?? '', FRAGMENT);
  for (const text of pieces) {
    yield { tool_calls: [{ ...at, ...(named ? { function: { arguments: text } } : { custom: { input: text } }) }] };
  }
}
