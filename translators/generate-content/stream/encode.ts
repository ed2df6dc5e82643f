import { type AnswerStream, createEncoder, type End } from '../../answer/encoder.js';
import type { CanonicalError } from '../../canonical/errors.js';
import type { Extensions } from '../../canonical/node.js';
import type { Finish, Usage } from '../../canonical/response.js';
import type { EncodeResponseContext, StreamEncoder } from '../../dialect.js';
import { escapeText, inOne, onOneLine } from '../../wire/json.js';
import { answerId, failureOf, isFailure, reportEnvelope } from '../answer/envelope.js';
import type { PartSink } from '../answer/parts.js';
import { type CandidateWriter, createCandidateWriter } from '../answer/writer.js';
import { errorFrame } from '../edge/errors.js';
import { DIALECT } from '../nodes.js';
import { encodeBlock } from '../response/stop.js';
import { encodeUsage } from '../response/usage.js';

/** What is known of a stream between its events. */
interface Chunks {
  readonly context: EncodeResponseContext;
  readonly asArray: boolean;
  writer: CandidateWriter | undefined;
  /** What waits to be sent. */
  out: string;
  /** The answer comes from this dialect. */
  own: boolean;
  /** The text that separates the next chunk from the one before, or begins the stream. */
  before: string;
  /** Members of each chunk, printed: the usage so far, and the names of the model and of the answer. */
  counts: string;
  names: string;
  /** The text of the next chunk before and after its part, printed ahead: `before`, `counts` and `names` are in it. */
  head: string;
  tail: string;
}

/** Writes the chunks of a stream, one JSON object each, in either framing (translation.md 6.4). */
export function createStreamEncoder(context: EncodeResponseContext): StreamEncoder {
  const asArray = context.framing === 'array';
  const chunks: Chunks = {
    context,
    asArray,
    writer: undefined,
    out: '',
    own: false,
    before: asArray ? '[' : 'data: ',
    counts: '',
    names: '',
    head: '',
    tail: '',
  };
  settle(chunks);
  const sink: PartSink = {
    text: (text, thought, signature) => {
      // As the service sends it: readers that keep signed pieces apart from others would mix the pieces of a text.
      const apart = signature !== undefined && text !== '' && !chunks.own;
      if (apart) chunk(chunks, encodeText('', false, signature));
      chunk(chunks, encodeText(text, thought, apart ? undefined : signature));
    },
    part: (node) => chunk(chunks, printed(node)),
  };
  const stream: AnswerStream = {
    begins: 'start',
    take() {
      const text = chunks.out;
      chunks.out = '';
      return text;
    },
    begin({ id, model, ext }, usage) {
      const own = ext?.[DIALECT] !== undefined;
      chunks.own = own;
      chunks.writer = createCandidateWriter(own, sink, context);
      const names = own ? [model, id] : [context.model ?? model, answerId(id, context.nonce)];
      chunks.names = `,"modelVersion":${printed(names[0])},"responseId":${printed(names[1])}}`;
      settle(chunks);
      if (!own && context.request?.toolChoice?.ext?.[DIALECT]?.streamFunctionCallArguments === true) {
        context.losses.add('', 'stream.arguments', 'approximated', 'arguments are not streamed');
      }
      if (usage !== undefined) count(chunks, usage);
    },
    part: (event) => chunks.writer?.parts.write(event),
    counts: (usage) => count(chunks, usage),
    end: (finish, event, usage, bag) => end(chunks, finish, event, usage, bag),
    error: (error) => fail(chunks, error),
    heartbeat(begun) {
      if (begun) chunk(chunks, encodeText('', false, undefined));
    },
  };
  return createEncoder(stream);
}

/** JSON as the service prints it, which escapes what readers of some of its clients take for the end of a line. */
function printed(value: unknown): string {
  return onOneLine(JSON.stringify(value));
}

function frame(chunks: Chunks, json: string): void {
  chunks.out += `${chunks.before}${json}${gap(chunks)}`;
  follow(chunks);
}

/** Behind each chunk. */
function gap({ asArray }: Chunks): string {
  return asArray ? '' : '\r\n\r\n';
}

/** Something was written: chunks of an array are put apart. */
function follow(chunks: Chunks): void {
  if (chunks.before !== '[') return;
  chunks.before = ',\r\n';
  settle(chunks);
}

function settle(chunks: Chunks): void {
  chunks.head = inOne(chunks.before, '{"candidates":[{"content":{"parts":[');
  chunks.tail = tailOf(chunks, '');
}

/** What is behind a part; `more` are further members of the candidate. */
function tailOf(chunks: Chunks, more: string): string {
  return inOne('],"role":"model"}', more, ',"index":0}]', chunks.counts, chunks.names, gap(chunks));
}

/** A chunk around a part that is JSON already. */
function chunk(chunks: Chunks, part: string, tail = chunks.tail): void {
  chunks.out += `${chunks.head}${part}${tail}`;
  follow(chunks);
}

function encodeText(text: string, thought: boolean, signature: string | undefined): string {
  const signed = signature === undefined ? '' : `,"thoughtSignature":${printed(signature)}`;
  return `{"text":"${onOneLine(escapeText(text))}"${thought ? ',"thought":true' : ''}${signed}}`;
}

function count(chunks: Chunks, usage: Usage): void {
  chunks.counts = `,"usageMetadata":${printed(encodeUsage(usage))}`;
  chunks.tail = tailOf(chunks, '');
}

function end(chunks: Chunks, finish: Finish, event: End, usage: Usage | undefined, bag: Extensions | undefined): void {
  const { own, context, writer } = chunks;
  if (isFailure(finish)) throw failureOf({ finish });
  if (!own) reportEnvelope({ ...event, ext: bag, usage }, context.losses);
  if (finish.kind === 'prompt_blocked') {
    frame(chunks, `{"promptFeedback":${printed(encodeBlock(finish))}${chunks.counts}${chunks.names}`);
  } else if (writer !== undefined) {
    const { signature, candidate } = writer.end(finish);
    const { continuationToken } = (own && event.ext?.[DIALECT]) || {};
    const more = printed({ ...candidate, ...(continuationToken !== undefined && { continuationToken }) });
    chunk(chunks, encodeText('', false, signature), tailOf(chunks, `,${more.slice(1, -1)}`));
  }
  if (chunks.asArray) chunks.out += ']';
}

/** Readers of bare JSON throw on the second form, readers of events on the first (translation.md 6.5). */
function fail(chunks: Chunks, error: CanonicalError): void {
  const json = errorFrame(error);
  frame(chunks, json);
  chunks.out += chunks.asArray ? ']' : `${json}\r\n`;
}
