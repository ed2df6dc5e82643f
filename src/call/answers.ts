import {
  type Answer,
  type CanonicalError,
  type DialectId,
  type EncodedRequest,
  type Headers,
  type JsonObject,
  type ServiceDialect,
  type StreamExchange,
  type TokenCount,
  TranslationError,
} from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { finishOf } from '../ground/plain/index.js';
import {
  type AnswerReader,
  checkAnswerType,
  errorInAnswer,
  type Host,
  INCOMPLETE,
  isWhole,
  parseAnswer,
} from '../protocol/index.js';
import type { GenerationRequest } from './request.js';

/** How the answers `A` of a host come, and what a call `C` does with them: with sockets, or with the `fetch` of a page. */
export interface Transport<C, A> {
  host(call: C): Host;
  /** The dialect that the host answers in. */
  service(call: C): AnswerReader & Pick<ServiceDialect, 'wholeAsStream'>;
  /** How deep what the host answers may nest. */
  depth(call: C): number;
  headers(answered: A): Headers;
  /** All bytes of an answer. Rejects with what to tell the client when they break off, or are too many. */
  bytes(call: C, answered: A): Promise<Uint8Array>;
  /** The same answer with this stream in the place of its body. */
  streaming(answered: A, stream: string): A;
  /** The client's error for a failure that an answer tells of. */
  failure(call: C, answered: A, error: CanonicalError): Error;
}

/** Content types of the streams that are made here. */
export const STREAM_TYPES = {
  sse: 'text/event-stream; charset=utf-8',
  array: 'application/json; charset=utf-8',
} as const;

/**
 * The answer to a request for a stream. One that came whole all the same, as some servers send it with tools or with a
 * setting that they do not stream, is paid: it goes on as the stream that the dialect's service would have sent. Throws or rejects
 * with what to tell the client where it is none, or an error.
 */
export function asStream<C, A>(transport: Transport<C, A>, call: C, answered: A): A | Promise<A> {
  const headers = transport.headers(answered);
  if (isWhole(headers)) return wholeAsStream(transport, call, answered);
  checkAnswerType(headers, 'sse');
  return answered;
}

async function wholeAsStream<C, A>(transport: Transport<C, A>, call: C, answered: A): Promise<A> {
  const body = await wholeBody(transport, call, answered);
  const service = transport.service(call);
  const failed = errorInAnswer(transport.host(call), service, body);
  if (failed !== undefined) throw transport.failure(call, answered, failed);
  return transport.streaming(answered, service.wholeAsStream(body));
}

/** The value of an answer in one piece. */
async function wholeBody<C, A>(transport: Transport<C, A>, call: C, answered: A): Promise<JsonObject> {
  checkAnswerType(transport.headers(answered), 'json');
  return parseAnswer(await transport.bytes(call, answered), { jsonDepth: transport.depth(call) });
}

/** The tokens that an answer of this dialect counts. */
export async function readCount<C, A>(
  transport: Transport<C, A>,
  call: C,
  answered: A,
  { count }: Pick<ServiceDialect, 'count'>,
): Promise<TokenCount> {
  return count.decodeResponse(await wholeBody(transport, call, answered));
}

/** Answers of services that have no endpoint for what was asked. */
export const NO_ENDPOINT: ReadonlySet<number> = new Set([404, 405, 501]);

/** How the answers to a request that was translated are had. */
export interface AnswerSteps<A> {
  /** Reads the answer to `sent`. */
  read(sent: EncodedRequest, answered: A): Promise<Answer>;
  /** Sends another request. Rejects unless it succeeds. */
  ask(sent: EncodedRequest): Promise<A>;
}

/**
 * Reads answers until one does not pause; one that holds a call the model itself broke is asked for once more. What that one used is not among
 * the counts, which have no price then.
 */
export async function wholeAnswer<A>(
  first: EncodedRequest,
  answered: A,
  { read, ask }: AnswerSteps<A>,
): Promise<{ readonly answer: Answer; readonly answered: A }> {
  let current = answered;
  let sent = first;
  let repeated = false;
  for (;;) {
    try {
      const answer = await read(sent, current);
      if (answer.resume === undefined) return { answer: repeated ? unpriced(answer) : answer, answered: current };
      sent = answer.resume;
    } catch (thrown) {
      if (repeated || !isMalformedCall(thrown)) throw thrown;
      repeated = true;
    }
    current = await ask(sent);
  }
}

function unpriced(answer: Answer): Answer {
  return { ...answer, usage: answer.usage && { ...answer.usage, apart: true } };
}

function isMalformedCall(thrown: unknown): boolean {
  return thrown instanceof TranslationError && finishOf(thrown)?.kind === 'malformed_call';
}

/** What the end of an answer's bytes says of a stream that is translated, and what is to be sent where it only paused. */
export function endOfBytes(stream: StreamExchange): { readonly text: string; readonly sent?: EncodedRequest } {
  const text = stream.end();
  if (stream.done) return { text };
  const sent = stream.takeResume();
  return sent === undefined ? { text: text + stream.fail(INCOMPLETE) } : { text, sent };
}

/** Whether a failed stream has no end by which every reader knows (translation.md 6.5). An array is JSON only with its end. */
export function breaks(dialect: DialectId, framing: GenerationRequest['framing']): boolean {
  return framing === 'sse' && !gatewayDialect(dialect).endsFailed;
}
