import {
  type Answer,
  type CanonicalRequest,
  type EncodedRequest,
  type EncodeRequestContext,
  type HostRestorer,
  type Losses,
  refuseLosses,
  TranslationError,
} from '../../translators/index.js';
import { type AnswerHeaders, type BackendAsk, collectBody } from '../backend/index.js';
import {
  type AnswerSteps,
  asStream,
  lossesOf,
  openExchange,
  type TranslationContext,
  translatedAsk,
  wholeAnswer,
} from '../call/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { Failure, MB, randomHex } from '../ground/index.js';
import {
  LARGE,
  noteAnswer,
  noteFirstByte,
  noteLosses,
  printInSlices,
  sendWhole,
  serveOthers,
  takeTurn,
} from '../http/index.js';
import {
  betaHeaders,
  checkAnswerType,
  createEstimate,
  parseAnswer,
  publisherBody,
  vocabularyCount,
} from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';
import type { AnsweredCall, Attempt, CallPlan } from './call-plan.js';
import { clientCredential } from './client-credential.js';
import { callOf } from './host.js';
import { createKeeping, withMedia } from './inlining.js';
import { leakOf, tellsSecret } from './output-filter.js';
import { reportInAnswer } from './refusal.js';
import {
  hasWindow,
  learnedProfile,
  noteRestriction,
  restrictionsOf,
  withinWindow,
  withoutFields,
} from './restrictions.js';
import { type Revision, reviseFor } from './revision.js';
import { streamTranslated } from './translated-stream.js';
import type { Translation } from './translation.js';
import { callAgain } from './translation.js';
import { callerOf, eventBytes, TRANSPORT } from './transport.js';

/**
 * The way through a backend of another dialect, or through one of the client's own that is always asked for a stream
 * and whose answer is then folded. Throws the client's error when the request cannot be said, or when strict
 * refuses; nothing was called then.
 */
export function planTranslation(attempt: Attempt): CallPlan | Promise<CallPlan> {
  if (!hasWindow(restrictionsOf(attempt))) return begin(attempt, {});
  const { request } = attempt.decoded();
  return createEstimate(attempt.call, vocabularyCount)(request).then((estimated) => begin(attempt, { estimated }));
}

function begin(attempt: Attempt, revision: Revision): CallPlan | Promise<CallPlan> {
  if (attempt.ask.json.text.length > LARGE) return translateInSteps(attempt, revision);
  return withMedia(attempt, (media) => finish(prepare(attempt, media, revision)));
}

/** The same for a large request: others are served between its steps. */
async function translateInSteps(attempt: Attempt, revision: Revision): Promise<CallPlan> {
  attempt.decoded();
  await serveOthers();
  return withMedia(attempt, async (media) => {
    const prepared = prepare(attempt, media, revision);
    await serveOthers();
    const { exchange, own } = prepared;
    return finish(
      prepared,
      own?.body ?? (await printInSlices(publisherBody(attempt.backend.config, 'create', exchange.sent.body))),
    );
  });
}

/** A request that was encoded, and what its call plan is made of. */
interface Prepared extends Translation {
  readonly own: OwnWords | undefined;
  readonly media: EncodeRequestContext['media'];
  readonly revision: Revision;
  /** What was encoded. */
  readonly request: CanonicalRequest;
}

function prepare(attempt: Attempt, media: EncodeRequestContext['media'], revision: Revision): Prepared {
  const { ask, backend, target, call, gateway } = attempt;
  const decoded = attempt.decoded();
  const asked = decoded.request;
  const { withholdsState = false, truncated, learned, estimated } = revision;
  const request = truncated?.request ?? asked;
  const losses = lossesOf(decoded);
  if (truncated !== undefined) {
    const detail = `the oldest ${truncated.dropped} of ${asked.turns.length} turns were left out`;
    losses.add(asked, 'truncate', 'approximated', detail);
  }
  const foreign = backend.config.dialect !== call.dialect;
  // A client's own words go as they are, whatever is known of the server.
  const restrictions = foreign
    ? [...restrictionsOf(attempt), ...(learned === undefined ? [] : [learned.restriction])]
    : [];
  const keeping = createKeeping(gateway, call);
  const { limits, translate } = gateway.config;
  const context: TranslationContext = {
    caller: callerOf(call),
    host: backend.config,
    policy: attempt.policy,
    request: ask,
    decoded: { ...decoded, request },
    model: target.model,
    stream: ask.stream || backend.config.stream === 'always',
    profile: withinWindow(learnedProfile(target, restrictions, estimated), attempt, asked),
    losses,
    counting: false,
    nonce: randomHex(),
    depth: limits.jsonDepth,
    media,
  };
  const exchange = openExchange(context, {
    amend: (sent) => withoutFields(sent, restrictions, { ...request, model: target.model }, losses),
    withholdsState,
    omitMedia: translate.omitMedia,
    seedUser: translate.seedUser,
    cache: backend.config.cache,
    trailingState: translate.trailingState,
    maxEventBytes: eventBytes(limits),
    keepPicture: keeping.keepPicture,
    tellFailure: (error) => reportInAnswer(gateway, backend.config, error),
  });
  const askFor: Translation['askFor'] = (sent, printed) => ({
    ...translatedAsk(backend.config, 'create', sent, printed),
    headers: translatedHeaders(attempt, sent),
  });
  const own = foreign ? undefined : ownWords(attempt, losses, media);
  const answered = (): void => {
    if (learned?.lasts === true) noteRestriction(attempt, learned.restriction);
  };
  return { attempt, exchange, losses, keeping, askFor, answered, own, media, revision, request };
}

/** Throws the client's error when strict refuses what is lost. */
function finish(prepared: Prepared, printed?: BackendAsk['body']): CallPlan {
  const { attempt, exchange, losses, own, media, revision, request } = prepared;
  const { call, policy } = attempt;
  const { sent } = exchange;
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  const again = (next: Revision) => {
    const other = prepare(attempt, media, next);
    return { plan: finish(other), sent: other.exchange.sent };
  };
  return {
    sent: { ...prepared.askFor(sent, printed), ...(own && { body: own.body, headers: own.headers }) },
    losses: losses.list,
    once: media !== undefined,
    deliver(answered) {
      if (attempt.ask.stream) return streamTranslated(prepared, answered);
      prepared.answered();
      return deliverWhole(prepared, sent, answered, own?.restore);
    },
    without: (error) => (own === undefined ? reviseFor({ attempt, revision, request, sent, again }, error) : undefined),
  };
}

/** Headers of a translated call: the features its body needs, and the caller's own credential where that is sent on. */
export function translatedHeaders({ backend, call }: Attempt, { betas }: EncodedRequest): AnswerHeaders {
  const { config } = backend;
  return { ...betaHeaders(config, betas), ...(config.auth === 'client' && clientCredential(call, config.dialect)) };
}

/** The client's own request, asking for a stream: the backend speaks its dialect, so that nothing needs to be rebuilt. */
function ownWords(attempt: Attempt, losses: Losses, media: EncodeRequestContext['media']): OwnWords {
  const { asksInBody } = gatewayDialect(attempt.backend.config.dialect);
  const edits = asksInBody ? { stream: { json: 'true', add: true } } : undefined;
  const { sent, restore, losses: found } = callOf(attempt, { operation: 'create', media, edits });
  for (const loss of found) losses.add(loss.path, loss.feature, loss.kind, loss.detail);
  return { body: sent.body, headers: sent.headers, restore };
}

interface OwnWords extends Pick<BackendAsk, 'body' | 'headers'> {
  /** Gives the answer back what the host could not take. */
  readonly restore: HostRestorer | undefined;
}

async function deliverWhole(
  translation: Translation,
  sent: EncodedRequest,
  answered: AnsweredCall,
  restore: HostRestorer | undefined,
): Promise<void> {
  const { attempt, losses, keeping } = translation;
  const { call, target } = attempt;
  const size = { bytes: 0 };
  const steps: AnswerSteps<AnsweredCall> = {
    read: (asked, came) => readAnswer(translation, asked, came, size),
    ask: (next) => callAgain(translation, next),
  };
  let whole: Awaited<ReturnType<typeof wholeAnswer<AnsweredCall>>>;
  try {
    whole = await wholeAnswer(sent, answered, steps);
  } catch (thrown) {
    throw refusedKey(attempt, thrown) ?? thrown;
  }
  const { answer } = whole;
  noteAnswer(call, { ...answer, finish: answer.finish.raw });
  await keeping.settled();
  const own = restore?.answer(answer.body) ?? answer.body;
  const headers = (): Record<string, string> =>
    exchangeHeaders(call, target, whole.answered.answer.headers, losses.list);
  const print = (body: object): string | Promise<Buffer> =>
    size.bytes <= LARGE ? JSON.stringify(body) : printInSlices(body);
  let printed = await print(own);
  if (tellsSecret(target.backend, printed, own)) throw leakOf(attempt, headers());
  const body = await attempt.storage?.body(own);
  if (body !== undefined && body !== own) printed = await print(body);
  noteFirstByte(call);
  noteLosses(call, losses.list);
  sendWhole(call.response, 200, printed, { 'content-type': 'application/json', ...headers() });
}

/** A refusal of our own key that came as an answer. */
function refusedKey({ gateway, target }: Attempt, thrown: unknown): Failure | undefined {
  if (!(thrown instanceof TranslationError)) return undefined;
  const error = thrown.toCanonical();
  const reported = reportInAnswer(gateway, target.backend, error);
  return reported === error ? undefined : new Failure(reported);
}

/** Reads the answer to `sent`, and adds to `size` what the backend sent. */
async function readAnswer(
  { attempt, exchange }: Translation,
  sent: EncodedRequest,
  answered: AnsweredCall,
  size: { bytes: number },
): Promise<Answer> {
  const { limits } = attempt.gateway.config;
  if (!sent.stream) {
    const { answer, running } = answered;
    checkAnswerType(answer.headers, 'json');
    const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
    await takeTurn(attempt.gateway, attempt.call, bytes.length);
    size.bytes += bytes.length;
    const large = bytes.length > LARGE;
    if (large) await serveOthers();
    const parsed = parseAnswer(bytes, limits);
    if (large) await serveOthers();
    return exchange.response(parsed);
  }
  const { answer, running } = await asStream(TRANSPORT, attempt, answered);
  const collector = exchange.collect();
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
        size.bytes += chunk.length;
        settle(() => collector.push(chunk));
      },
      end: () => settle(() => resolve(collector.end())),
      fail: (failure: Failure) => reject(failure),
    });
  });
}
