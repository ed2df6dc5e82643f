import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { type AsciiJson, asciiJson, type JsonBounds } from '../../translators/index.js';
import type { Config } from '../config/index.js';
import { clientGone, Failure, MB } from '../ground/index.js';
import { checkBodyType, type JsonText, parseBody } from '../protocol/index.js';
import { keptJson, readArrived } from './arrived-json.js';
import type { ClientCall } from './client-call.js';
import { sawRequest } from './content.js';
import { encodingOf, inflate } from './inflate.js';
import { countInflated } from './inflated.js';
import { type Offloader, OffloadRequest, type Served } from './offload-request.js';
import { createGathered, joined, lengthOf } from './pieces.js';
import type { Pressure } from './pressure.js';
import { LARGE, serveOthers } from './slices.js';
import type { GatewayState } from './state.js';
import { takeTurn } from './turns.js';
import { weightOf } from './weight.js';

/** A JSON body: the value, and the text it was read from. */
export type JsonBody = JsonText;

/** Guesses whether a body goes on as it came, and gives its text as Latin-1 where it seems so. */
export type Passes = (bytes: Buffer) => string | undefined;

/** What the reading of a body needs of the gateway. */
export interface BodyServices {
  readonly config: Pick<Config, 'limits' | 'keys'>;
  readonly state: Pick<GatewayState, 'open' | 'inflated' | 'turns'>;
  readonly pressure: Pressure;
  /** Threads for large bodies; undefined where there are none, and in those themselves. */
  readonly offload: Offloader | undefined;
}

/**
 * Reads the body of a request as JSON. Throws Failure: 415 for a type or encoding that is no JSON, 413 above the limit
 * (counted after decompression), 408 when it comes too slowly, 503 while memory is short or the caller's key holds too much
 * of it, 400 for what is empty, no UTF-8, no JSON, nested too deeply or made of too many values. These are counted in the
 * text, before anything that recurses sees the value (hardening.md 2.2). Gives OffloadRequest for what a thread is to read. Where
 * there are no threads, others are served between the steps of reading a large body. What `passes` takes for a
 * body that goes on as it came is read as far as anybody asks.
 */
export async function readJson(
  gateway: BodyServices,
  call: ClientCall,
  passes?: Passes,
): Promise<JsonBody | OffloadRequest> {
  let bytes = call.body;
  if (bytes === undefined) {
    const { request } = call;
    checkBodyType(request.headers['content-type']);
    const encoding = encodingOf(request.headers['content-encoding']);
    const raw = await readBytes(request, gateway.config.limits);
    const pieces = encoding === 'identity' ? raw : await inflate(raw, encoding, takeInflated(gateway, call));
    const turn = takeTurn(gateway, call, lengthOf(pieces));
    if (turn !== undefined) await turn;
    if (isForThread(gateway, call, pieces)) return new OffloadRequest(pieces);
    bytes = joined(pieces);
  }
  const large = bytes.length > LARGE;
  if (large) await serveOthers();
  bytes = checkUtf8(bytes);
  const { jsonDepth: depth, jsonValues: values } = gateway.config.limits;
  const latin1 = passes?.(bytes);
  let json: JsonText | undefined;
  if (latin1 !== undefined) {
    if (large) await serveOthers();
    json = readArrived(bytes, latin1, { depth, values });
    if (large) await serveOthers();
  }
  if (json === undefined) {
    const text = textOf(bytes, latin1);
    if (large) await serveOthers();
    json = keptJson(parse(text, bytes, { depth, values }), text.length, bytes);
    if (large) await serveOthers();
  }
  call.body = undefined;
  call.json = json;
  return json;
}

/** What a body is read from: its text, or one that is as good and costs less; and the length of its text. */
type BodyText = AsciiJson;

function textOf(bytes: Buffer, latin1: string | undefined): BodyText {
  const text = isAscii(bytes) ? (latin1 ?? bytes.toString('latin1')) : undefined;
  return text === undefined ? (asciiJson(bytes) ?? whole(bytes.toString())) : whole(text);
}

function whole(text: string): BodyText {
  return { text, length: text.length };
}

/** What a text says that may have escapes in place of characters of the body: a Failure names places of the body. */
function parse({ text, length }: BodyText, bytes: Buffer, bounds: JsonBounds): unknown {
  try {
    return parseBody(text, bounds, BOUND_KEYS).value;
  } catch (failure) {
    if (text.length === length) throw failure;
    return parseBody(bytes.toString(), bounds, BOUND_KEYS).value;
  }
}

/** Reads the body of a request as `readJson` does, and serves the request unless a thread is to read it. */
export async function withJson(
  gateway: BodyServices,
  call: ClientCall,
  serve: (json: JsonBody) => Promise<Served>,
  passes?: Passes,
): Promise<Served> {
  const json = await readJson(gateway, call, passes);
  return json instanceof OffloadRequest ? json : serve(json);
}

/** Whether a thread is to read a body that was unpacked. Throws Failure while memory is short. */
function isForThread(gateway: BodyServices, call: ClientCall, pieces: readonly Buffer[]): boolean {
  for (const piece of pieces) sawRequest(call.request, piece);
  const length = lengthOf(pieces);
  if (length > LARGE) gateway.pressure.check(gateway.state.open.size - 1, length);
  return gateway.offload?.takes(call, weightOf(pieces)) === true;
}

/** Counts what is decompressed towards the request and its key. */
function takeInflated({ config, state }: BodyServices, call: ClientCall): (bytes: number) => void {
  const { bodyMb, inflateMb } = config.limits;
  const count = countInflated(state.inflated, call, inflateMb);
  const limit = Math.min(bodyMb, inflateMb) * MB;
  let length = 0;
  return (bytes) => {
    length += bytes;
    if (length > limit) throw tooLarge(limit);
    count(bytes);
  };
}

function tooLarge(limit: number): Failure {
  return new Failure(
    { kind: 'too_large', message: `the body is larger than ${Math.floor(limit / MB)} MB` },
    { headers: { connection: 'close' } },
  );
}

function readBytes(request: IncomingMessage, { bodyMb, bodySeconds }: Config['limits']): Promise<readonly Buffer[]> {
  const limit = bodyMb * MB;
  const consumed = consumedBody(request);
  if (consumed !== undefined) return Promise.resolve([consumed]);
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const gathered = createGathered();
    const settle = (failure?: Failure): void => {
      clearTimeout(timer);
      request.off('data', take);
      request.off('end', finish);
      request.off('close', broken);
      request.off('error', broken);
      if (failure !== undefined) reject(failure);
    };
    const take = (chunk: Buffer): void => {
      if (gathered.length + chunk.length > limit) settle(tooLarge(limit));
      else gathered.add(chunk);
    };
    const finish = (): void => {
      settle();
      resolve(gathered.take());
    };
    const broken = (): void => settle(clientGone());
    const timer = setTimeout(() => settle(tooSlow()), bodySeconds * 1000);
    request.on('data', take);
    request.on('end', finish);
    request.on('close', broken);
    request.on('error', broken);
  });
}

function tooSlow(): Failure {
  return new Failure(
    { kind: 'timeout', status: 408, message: 'the body did not arrive in time' },
    { headers: { connection: 'close' } },
  );
}

/** The body where a body parser of the application around us has read it already. */
function consumedBody(request: IncomingMessage): Buffer | undefined {
  if (!request.readableEnded || !('body' in request)) return undefined;
  const { body } = request;
  // Its owner may go on with it, and a thread would take it away.
  if (Buffer.isBuffer(body)) return Buffer.from(body);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? null));
}

/** The bytes without a mark of their order. */
function checkUtf8(bytes: Buffer): Buffer {
  if (!isUtf8(bytes)) throw invalid('the body is not valid UTF-8');
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return marked ? bytes.subarray(3) : bytes;
}

/** Where an operator changes the bounds of bodies. */
const BOUND_KEYS = { depth: ' (limits.jsonDepth)', values: ' (limits.jsonValues)' };

function invalid(message: string): Failure {
  return new Failure({ kind: 'invalid_request', message });
}
