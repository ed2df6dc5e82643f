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
import { type AnswerHeaders, type BackendAsk, collectBody } from '../backend.js';
import { keepBody } from '../conversations/kept-answer.js';
import type { ClientCall } from '../http/client-call.js';
import { Failure, finishOf, sendJson, sendWhole } from '../http/failure.js';
import { httpDialect } from '../http/http-dialects.js';
import { LARGE, printInSlices, serveOthers } from '../http/slices.js';
import { createKeeping, withMedia } from '../media/conversation.js';
import { noteAnswer, noteFirstByte, noteLosses } from '../observe/record.js';
import { randomHex } from '../random.js';
import { exchangeHeaders } from './answer-head.js';
import { checkAnswerType, parseAnswer } from './answer-type.js';
import { betaHeaders, betaLoss, keepBetas } from './betas.js';
import { createEstimate } from './estimate.js';
import type { Attempt, Passage, Reached } from './passage.js';
import { tellInAnswer } from './refusal.js';
import { holdsState, refusesState } from './refused-state.js';
import { clientCredential, relayedBody, relayedHeaders } from './relayed.js';
import { streamTranslated } from './translated-stream.js';
import type { Translation } from './translation.js';
import { type Truncated, withoutOldest } from './truncated.js';
import { namedTuning, withoutField } from './tuning.js';
import { withheld } from './withheld.js';

const MB = 1024 * 1024;

/**
 * The way through a backend of another dialect, or through one of the client's own that is always asked for a stream
 * and whose answer is then folded. Throws what the client is told when the request cannot be said, or when strict
 * refuses; nothing was called then.
 */
export function translatePassage(attempt: Attempt): Passage | Promise<Passage> {
  if (attempt.ask.json.text.length > LARGE) return translateInSteps(attempt);
  return withMedia(attempt, (media) => translated(attempt, media));
}

/** How a request differs from the client's own, since its backend refused that. */
interface Retold {
  /** No opaque state goes along. */
  readonly withholdsState?: boolean;
  readonly truncated?: Truncated;
  /** How often turns were left out. */
  readonly times?: number;
}

/** How often a request that is too long is made shorter: what services count is known to them alone. */
const MOST_TIMES = 3;

/** The same for a large request: others are served between its steps. */
async function translateInSteps(attempt: Attempt): Promise<Passage> {
  attempt.decoded();
  await serveOthers();
  return withMedia(attempt, async (media) => {
    const prepared = prepare(attempt, media, {});
    await serveOthers();
    const { exchange, own } = prepared;
    return finish(prepared, own?.body ?? (await printInSlices(exchange.sent.body)));
  });
}

function translated(attempt: Attempt, media: EncodeRequestContext['media'], retold: Retold = {}): Passage {
  return finish(prepare(attempt, media, retold));
}

/** A request that was encoded, and what its passage is made of. */
interface Prepared extends Translation {
  readonly own: OwnWords | undefined;
  readonly media: EncodeRequestContext['media'];
  readonly retold: Retold;
  /** What was encoded. */
  readonly request: CanonicalRequest;
}

function prepare(attempt: Attempt, media: EncodeRequestContext['media'], retold: Retold): Prepared {
  const { ask, backend, target, call, gateway } = attempt;
  const { dialect } = backend.config;
  const { request: asked, body, losses: decodeLosses } = attempt.decoded();
  const { withholdsState = false, truncated } = retold;
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
    tellFailure: (error) => tellInAnswer(gateway, backend.config, error),
  });
  const askFor: Translation['askFor'] = (sent, printed = JSON.stringify(sent.body)) => ({
    method: 'POST',
    path: dialects[dialect].endpoint('create', { model: sent.model, stream: sent.stream }),
    body: printed,
    headers: translatedHeaders(attempt, sent),
  });
  const own = foreign ? undefined : ownWords(attempt, losses);
  return { attempt, exchange, losses, keeping, askFor, own, media, retold, request };
}

function finish(prepared: Prepared, printed?: BackendAsk['body']): Passage {
  const { attempt, exchange, own, media, retold, request } = prepared;
  const passage = { ...passageOf(prepared, exchange.sent, own, printed), once: media !== undefined };
  if (own !== undefined) return passage;
  const { request: asked } = attempt.decoded();
  const { withholdsState = false, times = 0 } = retold;
  return {
    ...passage,
    without(error) {
      if (error.kind === 'context_length' && asked.truncate === true && times < MOST_TIMES) {
        return shorter(attempt.call, request, asked, error).then(
          (next) => next && translated(attempt, media, { withholdsState, truncated: next, times: times + 1 }),
        );
      }
      // State that its own issuer refuses would make the conversation end here (translation.md 4.5).
      if (!withholdsState && refusesState(error) && holdsState(request)) {
        return translated(attempt, media, { ...retold, withholdsState: true });
      }
      return withholdsState ? undefined : passage.without(error);
    },
  };
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
  const state = withheld(attempt);
  const edits = { ...betas.edits, ...state.edits };
  for (const loss of state.losses) losses.add(loss.path, loss.feature, loss.kind, loss.detail);
  const { asksInBody } = httpDialect(attempt.backend.config.dialect);
  return {
    body: relayedBody(attempt, asksInBody ? { ...edits, stream: { json: 'true', add: true } } : edits),
    headers: relayedHeaders(attempt, betas.header),
  };
}

function passageOf(
  translation: Translation,
  sent: EncodedRequest,
  own: OwnWords | undefined,
  printed?: BackendAsk['body'],
): Passage {
  const { attempt, losses } = translation;
  const { call, backend, target } = attempt;
  const { dialect } = backend.config;
  const { policy } = attempt;
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  return {
    sent: { ...translation.askFor(sent, printed), ...own },
    losses: losses.list,
    deliver: (reached) => deliver(translation, sent, reached),
    without(error) {
      const field = own === undefined ? namedTuning(dialect, sent.body, error) : undefined;
      if (field === undefined) return undefined;
      const path = attempt.decoded().request.at?.[field.feature] ?? '';
      losses.add(path, field.feature, 'dropped', `${target.model} does not take it`);
      return { ...passageOf(translation, withoutField(sent, field), undefined), without: () => undefined };
    },
  };
}

function deliver(translation: Translation, sent: EncodedRequest, reached: Reached): Promise<void> {
  const { ask } = translation.attempt;
  if (ask.stream) return streamTranslated(translation, reached);
  return deliverWhole(translation, sent, reached);
}

async function deliverWhole(translation: Translation, sent: EncodedRequest, reached: Reached): Promise<void> {
  const { attempt, losses, keeping } = translation;
  const { call, target } = attempt;
  const { answer, bytes, received } = await wholeAnswer(translation, sent, reached);
  noteAnswer(call, { ...answer, finish: answer.finish.raw });
  await keeping.settled();
  const body = attempt.keeper === undefined ? answer.body : await keepBody(attempt.keeper, answer.body);
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
  readonly received: Reached['answer']['headers'];
}

/** Reads answers until one does not pause; one that holds a call the model itself broke is asked for once more. */
async function wholeAnswer(translation: Translation, first: EncodedRequest, reached: Reached): Promise<Whole> {
  const { attempt } = translation;
  let current = reached;
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
    current = await attempt.reach(translation.askFor(sent));
    if (current.answer.status !== 200) throw await attempt.refusal(current);
  }
}

/** A refusal of our own key that came as an answer. */
function refusedKey({ gateway, target }: Attempt, thrown: unknown): Failure | undefined {
  if (!(thrown instanceof TranslationError)) return undefined;
  const error = thrown.toCanonical();
  const told = tellInAnswer(gateway, target.backend, error);
  return told === error ? undefined : new Failure(told);
}

function isMalformedCall(thrown: unknown): boolean {
  return thrown instanceof TranslationError && finishOf(thrown)?.kind === 'malformed_call';
}

async function readAnswer(
  { attempt, exchange }: Translation,
  sent: EncodedRequest,
  { answer, running }: Reached,
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
