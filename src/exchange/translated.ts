import {
  type Answer,
  type CanonicalError,
  type CanonicalRequest,
  createExchange,
  createLosses,
  dialects,
  type EncodedRequest,
  type EncodeRequestContext,
  type Losses,
  refuseLosses,
  TranslationError,
} from '../../translators/index.js';
import { type AnswerHeaders, type BackendAsk, collectBody } from '../backend/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { Failure, finishOf, MB, randomHex } from '../ground/index.js';
import {
  type ClientCall,
  LARGE,
  noteAnswer,
  noteFirstByte,
  noteLosses,
  printInSlices,
  sendJson,
  sendWhole,
  serveOthers,
} from '../http/index.js';
import { exchangeHeaders } from './answer-head.js';
import { checkAnswerType, parseAnswer } from './answer-type.js';
import { betaHeaders, betaLoss, keepBetas } from './betas.js';
import type { AnsweredCall, Attempt, CallPlan } from './call-plan.js';
import { createEstimate } from './estimate.js';
import { holdsState, refusesState, stripForeignState } from './foreign-state.js';
import { createKeeping, withMedia } from './inlining.js';
import { reportInAnswer } from './refusal.js';
import { rejectedField, withoutField } from './rejected-field.js';
import { clientCredential, relayedBody, relayedHeaders } from './relayed.js';
import { streamTranslated } from './translated-stream.js';
import type { Translation } from './translation.js';
import { type Truncated, withoutOldest } from './truncated.js';

/**
 * The way through a backend of another dialect, or through one of the client's own that is always asked for a stream
 * and whose answer is then folded. Throws the client's error when the request cannot be said, or when strict
 * refuses; nothing was called then.
 */
export function planTranslation(attempt: Attempt): CallPlan | Promise<CallPlan> {
  if (attempt.ask.json.text.length > LARGE) return translateInSteps(attempt);
  return withMedia(attempt, (media) => translated(attempt, media));
}

/** How a request differs from the client's own, since its backend refused that. */
interface Revision {
  /** No opaque state goes along. */
  readonly withholdsState?: boolean;
  readonly truncated?: Truncated;
  /** How often turns were left out. */
  readonly times?: number;
  /** The same request is sent for the second time. */
  readonly repeated?: boolean;
}

/** How often a request that is too long is made shorter: what services count is known to them alone. */
const MOST_TIMES = 3;

/** The same for a large request: others are served between its steps. */
async function translateInSteps(attempt: Attempt): Promise<CallPlan> {
  attempt.decoded();
  await serveOthers();
  return withMedia(attempt, async (media) => {
    const prepared = prepare(attempt, media, {});
    await serveOthers();
    const { exchange, own } = prepared;
    return finish(prepared, own?.body ?? (await printInSlices(exchange.sent.body)));
  });
}

function translated(attempt: Attempt, media: EncodeRequestContext['media'], revision: Revision = {}): CallPlan {
  return finish(prepare(attempt, media, revision));
}

/** A request that was encoded, and what its passage is made of. */
interface Prepared extends Translation {
  readonly own: OwnWords | undefined;
  readonly media: EncodeRequestContext['media'];
  readonly revision: Revision;
  /** What was encoded. */
  readonly request: CanonicalRequest;
}

function prepare(attempt: Attempt, media: EncodeRequestContext['media'], revision: Revision): Prepared {
  const { ask, backend, target, call, gateway } = attempt;
  const { dialect } = backend.config;
  const { request: asked, body, losses: decodeLosses } = attempt.decoded();
  const { withholdsState = false, truncated } = revision;
  const request = truncated?.request ?? asked;
  const losses = createLosses();
  for (const loss of decodeLosses) losses.add(loss.path, loss.feature, loss.kind, loss.detail);
  if (truncated !== undefined) {
    const detail = `the oldest ${truncated.dropped} of ${asked.turns.length} turns were left out`;
    losses.add(asked.at?.truncate ?? '', 'truncate', 'approximated', detail);
  }
  const foreign = dialect !== call.dialect;
  if (foreign) betaLoss(call.dialect, call.request.headers, body, losses);
  const stream = ask.stream || backend.config.stream === 'always';
  const keeping = createKeeping(gateway, call);
  const exchange = createExchange({
    client: call.dialect,
    backend: dialect,
    request: { ...request, model: target.model, stream },
    requestBody: body,
    requestedModel: ask.model,
    profile: dialects[dialect].profile(target.model, target.profile),
    domain: backend.config.domain,
    withholdsState,
    losses,
    now: Math.floor(Date.now() / 1000),
    nonce: randomHex(),
    omitMedia: gateway.config.translate.omitMedia,
    seedUser: gateway.config.translate.seedUser,
    strict: attempt.policy.policy === 'strict',
    trailingState: gateway.config.translate.trailingState,
    requestId: call.id,
    maxEventBytes: gateway.config.limits.eventMb * MB,
    maxEventDepth: gateway.config.limits.jsonDepth,
    media,
    keepPicture: keeping.keepPicture,
    tellFailure: (error) => reportInAnswer(gateway, backend.config, error),
  });
  const askFor: Translation['askFor'] = (sent, printed = JSON.stringify(sent.body)) => ({
    method: 'POST',
    path: dialects[dialect].endpoint('create', { model: sent.model, stream: sent.stream }),
    body: printed,
    headers: translatedHeaders(attempt, sent),
  });
  const own = foreign ? undefined : ownWords(attempt, losses);
  return { attempt, exchange, losses, keeping, askFor, own, media, revision, request };
}

function finish(prepared: Prepared, printed?: BackendAsk['body']): CallPlan {
  const { attempt, exchange, own, media, revision, request } = prepared;
  const plan = { ...planOf(prepared, exchange.sent, own, printed), once: media !== undefined };
  if (own !== undefined) return plan;
  const { request: asked } = attempt.decoded();
  const { withholdsState = false, times = 0 } = revision;
  return {
    ...plan,
    without(error) {
      if (error.kind === 'context_length' && asked.truncate === true && times < MOST_TIMES) {
        return shorter(attempt.call, request, asked, error).then(
          (next) => next && translated(attempt, media, { withholdsState, truncated: next, times: times + 1 }),
        );
      }
      // State that its own issuer refuses would make the conversation end here (translation.md 4.5).
      if (!withholdsState && refusesState(error) && holdsState(request)) {
        return translated(attempt, media, { ...revision, withholdsState: true });
      }
      if (isPassing(error) && revision.repeated !== true) {
        return translated(attempt, media, { ...revision, repeated: true });
      }
      return withholdsState ? undefined : plan.without(error);
    },
  };
}

/** Whether a refusal is a failure of the model, which wrote a call that its service could not read. */
function isPassing({ kind, retry }: CanonicalError): boolean {
  return kind === 'internal' && retry === true;
}

/** Leaves out more of the oldest turns, and says how many that are in all. */
async function shorter(
  call: ClientCall,
  request: CanonicalRequest,
  asked: CanonicalRequest,
  error: CanonicalError,
): Promise<Truncated | undefined> {
  const next = await withoutOldest(request, error, createEstimate(call));
  return next && { ...next, dropped: asked.turns.length - next.request.turns.length };
}

/** Headers of a translated call: the features its body needs, and the caller's own credential where that is sent on. */
export function translatedHeaders({ backend, call }: Attempt, { betas }: EncodedRequest): AnswerHeaders {
  const { config } = backend;
  return { ...betaHeaders(config, betas), ...(config.auth === 'client' && clientCredential(call, config.dialect)) };
}

type OwnWords = Pick<BackendAsk, 'body' | 'headers'>;

/** The client's own request, asking for a stream: the backend speaks its dialect, so that nothing needs to be rebuilt. */
function ownWords(attempt: Attempt, losses: Losses): OwnWords {
  const betas = keepBetas(attempt.backend.config, attempt.call.request.headers);
  const state = stripForeignState(attempt);
  const edits = { ...betas.edits, ...state.edits };
  for (const loss of state.losses) losses.add(loss.path, loss.feature, loss.kind, loss.detail);
  const { asksInBody } = gatewayDialect(attempt.backend.config.dialect);
  return {
    body: relayedBody(attempt, asksInBody ? { ...edits, stream: { json: 'true', add: true } } : edits),
    headers: relayedHeaders(attempt, betas.header),
  };
}

function planOf(
  translation: Translation,
  sent: EncodedRequest,
  own: OwnWords | undefined,
  printed?: BackendAsk['body'],
): CallPlan {
  const { attempt, losses } = translation;
  const { call, backend, target } = attempt;
  const { dialect } = backend.config;
  const { policy } = attempt;
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return {
    sent: { ...translation.askFor(sent, printed), ...own },
    losses: losses.list,
    deliver: (answered) => deliver(translation, sent, answered),
    without(error) {
      const field = own === undefined ? rejectedField(dialect, sent.body, error) : undefined;
      if (field === undefined) return undefined;
      const path = attempt.decoded().request.at?.[field.feature] ?? '';
      if (field.otherName === undefined) losses.add(path, field.feature, 'dropped', `${target.model} does not take it`);
      return { ...planOf(translation, withoutField(sent, field), undefined), without: () => undefined };
    },
  };
}

function deliver(translation: Translation, sent: EncodedRequest, answered: AnsweredCall): Promise<void> {
  const { ask } = translation.attempt;
  if (ask.stream) return streamTranslated(translation, answered);
  return deliverWhole(translation, sent, answered);
}

async function deliverWhole(translation: Translation, sent: EncodedRequest, answered: AnsweredCall): Promise<void> {
  const { attempt, losses, keeping } = translation;
  const { call, target } = attempt;
  const { answer, bytes, received } = await wholeAnswer(translation, sent, answered);
  noteAnswer(call, { ...answer, finish: answer.finish.raw });
  await keeping.settled();
  const body = (await attempt.persister?.body(answer.body)) ?? answer.body;
  noteFirstByte(call);
  noteLosses(call, losses.list);
  const headers = exchangeHeaders(call, target, received, losses.list);
  if (bytes <= LARGE) {
    sendJson(call.response, 200, body, headers);
    return;
  }
  const printed = await printInSlices(body);
  sendWhole(call.response, 200, printed, { 'content-type': 'application/json', ...headers });
}

interface Read {
  readonly answer: Answer;
  /** What the backend sent. */
  readonly bytes: number;
}

interface Whole extends Read {
  readonly received: AnsweredCall['answer']['headers'];
}

/** Reads answers until one does not pause; one that holds a call the model itself broke is asked for once more. */
async function wholeAnswer(translation: Translation, first: EncodedRequest, answered: AnsweredCall): Promise<Whole> {
  const { attempt } = translation;
  let current = answered;
  let sent = first;
  let length = 0;
  let repeated = false;
  for (;;) {
    const received = current.answer.headers;
    try {
      const { answer, bytes } = await readAnswer(translation, sent, current);
      length += bytes;
      if (answer.resume === undefined) return { answer, bytes: length, received };
      sent = answer.resume;
    } catch (thrown) {
      if (repeated || !isMalformedCall(thrown)) throw refusedKey(attempt, thrown) ?? thrown;
      repeated = true;
    }
    current = await attempt.callWithRetry(translation.askFor(sent));
    if (current.answer.status !== 200) throw await attempt.refusal(current);
  }
}

/** A refusal of our own key that came as an answer. */
function refusedKey({ gateway, target }: Attempt, thrown: unknown): Failure | undefined {
  if (!(thrown instanceof TranslationError)) return undefined;
  const error = thrown.toCanonical();
  const reported = reportInAnswer(gateway, target.backend, error);
  return reported === error ? undefined : new Failure(reported);
}

function isMalformedCall(thrown: unknown): boolean {
  return thrown instanceof TranslationError && finishOf(thrown)?.kind === 'malformed_call';
}

async function readAnswer(
  { attempt, exchange }: Translation,
  sent: EncodedRequest,
  { answer, running }: AnsweredCall,
): Promise<Read> {
  const { limits } = attempt.gateway.config;
  if (!sent.stream) {
    checkAnswerType(answer.headers, 'json');
    const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
    const large = bytes.length > LARGE;
    if (large) await serveOthers();
    const parsed = parseAnswer(bytes, limits);
    if (large) await serveOthers();
    return { answer: exchange.response(parsed), bytes: bytes.length };
  }
  checkAnswerType(answer.headers, 'sse');
  const collector = exchange.collect();
  let length = 0;
  return new Promise((resolve, reject) => {
    const settle = (work: () => void): void => {
      try {
        work();
      } catch (thrown) {
        reject(thrown);
        running.abort();
      }
    };
    answer.pipe({
      data: (chunk) => {
        length += chunk.length;
        settle(() => collector.push(chunk));
      },
      end: () => settle(() => resolve({ answer: collector.end(), bytes: length })),
      fail: (failure: Failure) => reject(failure),
    });
  });
}
