import type { CanonicalError } from '../../translators/index.js';
import { collectBody } from '../backend/index.js';
import { type FailedTarget as Failed, NO_ENDPOINT, type Refused } from '../call/index.js';
import type { BackendConfig, Target } from '../config/index.js';
import { type CallFailure, Failure } from '../ground/index.js';
import { noteTried, sendWhole, sharerOf } from '../http/index.js';
import type { PassReason } from '../observe/index.js';
import { anyErrors, errorForClient, readUpstreamError, type UpstreamError } from '../protocol/index.js';
import { exchangeHeaders, relayedType } from './answer-head.js';
import type { AnsweredCall, Attempt, Planned } from './attempt.js';
import { calledFacts } from './call-with-retry.js';
import { withSizes } from './overflow.js';
import type { ExchangeServices } from './services.js';

/** An error body of a backend is read up to this size in bytes. */
const ERROR_BYTES = 1024 * 1024;

/** Why a target did not serve, and what the client gets when no other does. */
export interface Refusal extends Refused {
  readonly reason: PassReason;
  /** The endpoint that refused, where its backend was called. */
  readonly endpoint?: BackendConfig;
  /** Milliseconds for which the gateway itself does not call the backend; undefined when the backend was called. */
  readonly heldMs?: number;
  /** Answers with it, or rejects with what is to be answered. */
  answer(): Promise<void>;
}

/** Whether a failure says that the request cannot be answered as it is. */
export function isAboutRequest({ kind }: CanonicalError): boolean {
  return kind === 'invalid_request' || kind === 'context_length';
}

/** A refusal with the target it is of. */
type FailedTarget = Failed<Target, Refusal>;

/**
 * The last refusal is the one that is reported (configuration.md#rules). That the gateway held a call back says less than what any
 * backend said, and among several such the one that is over first says when to come again.
 */
export function worthReporting(earlier: FailedTarget, later: FailedTarget): FailedTarget {
  if (later.refusal.heldMs === undefined) return later;
  const { heldMs } = earlier.refusal;
  return heldMs === undefined || heldMs < later.refusal.heldMs ? earlier : later;
}

/** No connection was made, or the gateway held the call back: another target costs nothing. */
export function unreachedRefusal({ call, target }: Attempt, failure: CallFailure): Refusal {
  const { hindrance, error } = failure;
  noteTried(call, { ...calledFacts(target), reason: hindrance ?? 'unreachable' }, error);
  return {
    next: true,
    reason: hindrance ?? 'unreachable',
    heldMs: hindrance && error.retryAfterMs,
    answer: () => Promise.reject(failure),
  };
}

/** Statuses whose `retry-after` is the time in which a backend wants to be left alone. */
const COOLING = new Set([429, 503, 529]);

/** Notes that a target wants to be left alone, when its answer says so. */
function noteCooling({ gateway, call, backend, target }: Attempt, status: number, { original }: ReadRefusal): void {
  if (!COOLING.has(status)) return;
  backend.cooling.note(target.model, sharerOf(gateway.config, call), original.retryAfterMs ?? 0);
}

/** A refusal of a backend with its bytes. */
interface ReadRefusal extends UpstreamError {
  readonly bytes: Buffer;
}

/** Reads and understands an answer that is no success. */
async function readRefusal(
  { gateway, target: { backend } }: Attempt,
  { answer, running }: AnsweredCall,
): Promise<ReadRefusal> {
  const bytes = await collectBody(answer, ERROR_BYTES, running.abort).catch(brokenWords);
  const broken = bytes instanceof Failure ? bytes.error : undefined;
  const words = bytes instanceof Failure ? NOTHING : bytes;
  const read = readUpstreamError(backend, anyErrors, answer.status, answer.headers, words);
  if (read.ours) noteRefusedKey(gateway, backend, answer.status);
  return { ...read, ...(broken !== undefined && !read.ours && { error: broken }), bytes: words };
}

const NOTHING = Buffer.alloc(0);

/** The client's error for a failure that came inside an answer. A refused key is logged for the operator. */
export function reportInAnswer(
  gateway: ExchangeServices,
  backend: BackendConfig,
  error: CanonicalError,
): CanonicalError {
  const reported = errorForClient(backend, error);
  if (reported !== error) noteRefusedKey(gateway, backend, 200);
  return reported;
}

function noteRefusedKey({ logger, backends }: ExchangeServices, { name }: BackendConfig, status: number): void {
  backends.get(name).noteRefusedKey();
  logger.error({ backend: name, status }, 'the backend refused the credentials of the gateway');
}

/**
 * A refusal whose words broke off, or never end, is reported as what broke (hardening.md section 4 rows 8, 21, 26); its status
 * still says whether another target may serve. What we ended ourselves is no refusal.
 */
function brokenWords(thrown: unknown): Failure {
  if (thrown instanceof Failure && (thrown.error.kind === 'upstream' || thrown.error.kind === 'timeout')) return thrown;
  throw thrown;
}

/** The client's error for an answer that is no success. */
export async function failureOf(attempt: Attempt, answered: AnsweredCall): Promise<Failure> {
  return new Failure((await readRefusal(attempt, answered)).error);
}

/** The code of a refusal that says that its host has not the endpoint, or does not serve the model there. */
export const NO_ENDPOINT_HERE = 'no_endpoint_here';

/**
 * How services say in an error of their dialect that they have no such route, or do not serve the model there: OpenAI, Azure, Groq,
 * Anthropic, vLLM, llama.cpp.
 */
const NO_ROUTE =
  /^(?:(?:file|page|resource|route|endpoint) )?not found\.?$|\b(?:invalid|unknown request|requested) url\b|\bunexpected endpoint\b|\bv1\/(?:messages|responses|chat\/completions)\b/i;

/**
 * Whether a refusal is about the endpoint, and not about the model, which hosts name where they do not have it, nor about anything else that
 * the body names.
 */
function isOfEndpoint({ gateway, target }: Attempt, status: number, { original, ours, shaped }: ReadRefusal): boolean {
  if (!NO_ENDPOINT.has(status) || ours || original.code === 'previous_response_not_found') return false;
  if (status === 404 && shaped && !NO_ROUTE.test(original.message)) return false;
  const { backend, model } = target;
  const hasOthers = (gateway.config.backends[backend.name]?.endpoints.length ?? 0) > 0;
  return hasOthers && !original.message.toLowerCase().includes(model.toLowerCase());
}

/** Reads a refusal as the client will see it: as it came when it is of the client's own dialect, else translated. */
export async function refusalOf({ attempt, losses, relaysErrors }: Planned, answered: AnsweredCall): Promise<Refusal> {
  const { call, target, gateway } = attempt;
  const { status, headers: received } = answered.answer;
  const read = await readRefusal(attempt, answered);
  noteCooling(attempt, status, read);
  const reason = read.ours ? 'credentials' : 'refused';
  noteTried(call, { ...calledFacts(target), reason, status, ...(!read.ours && { quotes: true }) }, read.error);
  const own = relaysErrors ?? target.backend.dialect === call.dialect;
  const headers = exchangeHeaders(call, target, received, losses.list);
  const relayed = own && read.shaped && !read.ours && call.detached !== true;
  return {
    next: read.next,
    reason,
    // Some servers say with a 500 that the request is not valid.
    ...((status === 400 || status === 422 || (status === 500 && read.original.kind === 'invalid_request')) && {
      mends: read.original,
    }),
    ...(isOfEndpoint(attempt, status, read) && { mends: { ...read.original, code: NO_ENDPOINT_HERE } }),
    endpoint: target.backend,
    async answer() {
      if (!relayed) throw new Failure(await withSizes(attempt, read.error), { headers });
      call.record.error = read.error.kind;
      sendWhole(call.response, status, gateway.redact(read.mended ?? read.bytes.toString()), {
        ...headers,
        'content-type': relayedType(target.backend, received, 'application/json'),
      });
    },
  };
}
