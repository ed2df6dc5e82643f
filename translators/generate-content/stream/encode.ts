import { createPartQueue, type PartQueue } from '../../answer/part-queue.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { StreamEvent } from '../../canonical/events.js';
import { mergeUsage } from '../../canonical/fold.js';
import type { Extensions } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { onOneLine, printText } from '../../wire/json.js';
import { type AnswerWriter, createAnswerWriter, type PartSink } from '../answer/writer.js';
import { errorFrame } from '../edge/errors.js';
import { answerId, failureOf, isFailure, reportEnvelope } from '../response/encode.js';
import { encodeBlock } from '../response/stop.js';
import { encodeUsage } from '../response/usage.js';

/** What is known of a stream between its events. */
interface EncoderState {
  readonly context: EncodeResponseContext;
  readonly asArray: boolean;
  readonly sink: PartSink;
  readonly queue: PartQueue;
  writer: AnswerWriter;
  /** What the last event brought. */
  out: string;
  /** The answer comes from this dialect. */
  own: boolean;
  started: boolean;
  done: boolean;
  first: boolean;
  /** The end of every chunk. */
  tail: string;
  startBag: Extensions | undefined;
  usage: Usage | undefined;
  usageText: string;
  finish: Finish | undefined;
  failure: CanonicalError | undefined;
}

/** Writes the chunks of a stream, one JSON object each, in either framing (translation.md 6.4). */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const sink: PartSink = {
    text: (text, thought, signature) => {
      // As the service sends it: readers that keep signed pieces apart from others would mix the pieces of a text.
      const apart = signature !== undefined && text !== '' && !state.own;
      if (apart) state.out += chunk(state, encodeText('', false, signature));
      state.out += chunk(state, encodeText(text, thought, apart ? undefined : signature));
    },
    part: (node) => {
      state.out += chunk(state, printed(node));
    },
  };
  const state: EncoderState = {
    context,
    asArray: context.framing === 'array',
    sink,
    // Only one part is written at a time; what comes for others waits (translation.md 6.2).
    queue: createPartQueue((event) => state.writer.write(event)),
    writer: createAnswerWriter(false, sink, context),
    out: '',
    own: false,
    started: false,
    done: false,
    first: true,
    tail: '',
    startBag: undefined,
    usage: undefined,
    usageText: '',
    finish: undefined,
    failure: undefined,
  };
  return {
    encode(event) {
      if (state.done) return '';
      encode(state, event);
      const text = state.out;
      state.out = '';
      return text;
    },
    heartbeat: () => (state.started && !state.done ? chunk(state, encodeText('', false, undefined)) : ''),
    get failure() {
      return state.failure;
    },
  };
}

function encode(state: EncoderState, event: StreamEvent): void {
  switch (event.type) {
    case 'part.delta':
    case 'part.start':
    case 'part.state':
    case 'part.end':
    case 'part.citation':
    case 'part.logprobs':
      state.queue.push(event);
      return;
    case 'start':
      start(state, event);
      return;
    case 'usage':
      setUsage(state, event.usage);
      return;
    case 'finish':
      state.finish = event.finish;
      return;
    case 'end':
      end(state, event);
      return;
    case 'error':
      fail(state, event.error);
      return;
    case 'ping':
    case 'loss':
    case 'opaque':
      return;
    default:
      event satisfies never;
  }
}

/** JSON as the service prints it, which escapes what readers of some of its clients take for the end of a line. */
function printed(value: unknown): string {
  return onOneLine(JSON.stringify(value));
}

function frame(state: EncoderState, json: string): string {
  if (!state.asArray) return `data: ${json}\r\n\r\n`;
  const lead = state.first ? '[' : ',\r\n';
  state.first = false;
  return lead + json;
}

/** A chunk around a part that is JSON already. */
function chunk(state: EncoderState, part: string, more = ''): string {
  return frame(
    state,
    `{"candidates":[{"content":{"parts":[${part}],"role":"model"}${more},"index":0}]${state.usageText}${state.tail}`,
  );
}

function encodeText(text: string, thought: boolean, signature: string | undefined): string {
  const signed = signature === undefined ? '' : `,"thoughtSignature":${printed(signature)}`;
  return `{"text":${onOneLine(printText(text))}${thought ? ',"thought":true' : ''}${signed}}`;
}

function start(state: EncoderState, event: Extract<StreamEvent, { type: 'start' }>): void {
  const { context } = state;
  state.started = true;
  state.own = event.ext?.generateContent !== undefined;
  state.startBag = event.ext;
  state.writer = createAnswerWriter(state.own, state.sink, context);
  const id = state.own ? event.id : answerId(event.id, context.nonce);
  const model = state.own ? event.model : (context.model ?? event.model);
  state.tail = `,"modelVersion":${printed(model)},"responseId":${printed(id)}}`;
  if (!state.own && context.request?.toolChoice?.ext?.generateContent?.streamFunctionCallArguments === true) {
    context.losses.add('', 'stream.arguments', 'approximated', 'every call comes whole');
  }
  setUsage(state, event.usage);
}

function setUsage(state: EncoderState, more: Usage | undefined): void {
  if (more === undefined) return;
  state.usage = mergeUsage(state.usage, more);
  if (state.usage !== undefined) state.usageText = `,"usageMetadata":${printed(encodeUsage(state.usage))}`;
}

function end(state: EncoderState, event: Extract<StreamEvent, { type: 'end' }>): void {
  const { finish, usage, context } = state;
  if (finish === undefined || isFailure(finish)) {
    if (finish !== undefined) {
      state.failure = failureOf({ finish }).toCanonical();
      fail(state, state.failure);
    }
    state.done = true;
    return;
  }
  if (!state.own) reportEnvelope({ ...event, ext: event.ext ?? state.startBag, usage }, context.losses);
  if (finish.kind === 'prompt_blocked') {
    const feedback = printed(encodeBlock(finish));
    state.out += frame(state, `{"promptFeedback":${feedback}${state.usageText}${state.tail}`);
  } else {
    state.queue.flush();
    const { signature, candidate } = state.writer.end(finish);
    const { continuationToken } = (state.own && event.ext?.generateContent) || {};
    const more = printed({ ...candidate, ...(continuationToken !== undefined && { continuationToken }) });
    state.out += chunk(state, encodeText('', false, signature), `,${more.slice(1, -1)}`);
  }
  if (state.asArray) state.out += ']';
  state.done = true;
}

/** Readers of bare JSON throw on the second form, readers of events on the first (translation.md 6.5). */
function fail(state: EncoderState, error: CanonicalError): void {
  state.done = true;
  const json = errorFrame(error);
  state.out += state.asArray ? `${frame(state, json)}]` : `${frame(state, json)}${json}\r\n`;
}
