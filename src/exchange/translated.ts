import {
  type Answer,
  type CanonicalError,
  dialects,
  type EncodedRequest,
  type JsonObject,
  type Losses,
  refuseLosses,
  TranslationError,
} from '../../translators/index.js';
import { type BackendAsk, collectBody } from '../backend/index.js';
import { type AnswerSteps, asStream, lossesOf, openExchange, wholeAnswer } from '../call/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { Failure, MB } from '../ground/index.js';
import { LARGE, noteAnswer, printInSlices, serveOthers, takeTurn } from '../http/index.js';
import {
  checkAnswerType,
  createEstimate,
  lengthOf,
  parseAnswer,
  publisherBody,
  vocabularyCount,
} from '../protocol/index.js';
import { containsSecretOf, leakOf } from './answer-guard.js';
import { exchangeHeaders } from './answer-head.js';
import type { AnswerStorage } from './answer-storage.js';
import type { AnsweredCall, Attempt, Media } from './attempt.js';
import { createKeeping, withMedia } from './inlining.js';
import { fitWindow, windowToFit, withLimit } from './overflow.js';
import { reportInAnswer } from './refusal.js';
import { callOf } from './relay-plan.js';
import {
  hasWindow,
  learnedProfile,
  noteRestriction,
  restrictionsOf,
  withinWindow,
  withoutFields,
} from './restrictions.js';
import { learnedFrom, type Revision, reviseFor } from './revision.js';
import { streamTranslated } from './translated-stream.js';
import { askFor, callAgain, contextOf, noteLearned, type OwnWords, type TranslatedPlan } from './translation.js';
import { eventBytes, TRANSPORT } from './transport.js';
import { sendAnswer } from './whole-answer.js';

/**
 * The way through a backend of another dialect, or through one of the client's own that is always asked for a stream
 * and whose answer is then folded. Throws the client's error when the request cannot be said, or when strict
 * refuses; nothing was called then.
 */
export function planTranslation(attempt: Attempt): TranslatedPlan | Promise<TranslatedPlan> {
  const window = windowToFit(attempt);
  if (window === undefined && !hasWindow(restrictionsOf(attempt))) return begin(attempt, {});
  const { request } = attempt.decoded();
  return createEstimate(
    attempt.call,
    vocabularyCount,
  )(request)
    .then((estimated) => (window === undefined ? { estimated } : fitWindow(attempt, window, estimated)))
    .then((revision) => begin(attempt, revision));
}

function begin(attempt: Attempt, revision: Revision): TranslatedPlan | Promise<TranslatedPlan> {
  if (lengthOf(attempt.ask.json) > LARGE) return translateInSteps(attempt, revision);
  return withMedia(attempt, (media) => finish(prepare(attempt, media, revision)));
}

/** The same for a large request: others are served between its steps. */
async function translateInSteps(attempt: Attempt, revision: Revision): Promise<TranslatedPlan> {
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

/** A request that was encoded. */
type Prepared = Omit<TranslatedPlan, 'kind' | 'sent'>;

function prepare(attempt: Attempt, media: Media | undefined, revision: Revision): Prepared {
  const { ask, backend, target, call, gateway } = attempt;
  const decoded = attempt.decoded();
  const asked = decoded.request;
  const { withholdsState = false, truncated, learned, estimated, window } = revision;
  const request = truncated?.request ?? asked;
  const losses = lossesOf(decoded);
  if (truncated !== undefined) {
    const detail = `the oldest ${truncated.dropped} of ${asked.turns.length} turns were left out`;
    losses.add(asked, 'truncate', 'approximated', detail);
  }
  const foreign = backend.config.dialect !== call.dialect;
  // A client's own words go as they are, whatever is known of the server.
  const restrictions = foreign
    ? [
        ...(window === undefined ? [] : [window]),
        ...restrictionsOf(attempt),
        ...(learned === undefined ? [] : [learned.restriction]),
      ]
    : [];
  const keeping = createKeeping(gateway, call);
  const { limits, translate } = gateway.config;
  const context = contextOf(attempt, {
    backend: dialects[backend.config.dialect],
    stream: ask.stream || backend.config.stream === 'always',
    profile: withinWindow(learnedProfile(target, restrictions, estimated), attempt, asked),
    losses,
    counting: false,
    media,
  });
  const exchange = openExchange(
    { ...context, decoded: { ...decoded, request } },
    {
      amend: (sent) => withoutFields(sent, restrictions, { ...request, model: target.model }, losses),
      withholdsState,
      omitMedia: translate.omitMedia,
      seedUser: translate.seedUser,
      cache: backend.config.cache,
      trailingState: translate.trailingState,
      maxEventBytes: eventBytes(limits),
      keepPicture: keeping.keepPicture,
      tellFailure: (error) => withLimit(attempt, reportInAnswer(gateway, backend.config, error)),
    },
  );
  const own = foreign ? undefined : ownWords(attempt, losses, media);
  return { attempt, exchange, losses, keeping, own, media, revision, request };
}

/** Throws the client's error when strict refuses what is lost. */
function finish(prepared: Prepared, printed?: BackendAsk['body']): TranslatedPlan {
  const { attempt, exchange, losses, own } = prepared;
  const { call, policy } = attempt;
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  const sent = askFor(attempt, exchange.sent, printed);
  return {
    kind: 'translated',
    ...prepared,
    sent: own === undefined ? sent : { ...sent, body: own.body, headers: own.headers },
  };
}

/** The same without what the backend refused; undefined where there is no other way, or the words are the client's own. */
export async function reviseTranslated(
  plan: TranslatedPlan,
  error: CanonicalError,
): Promise<TranslatedPlan | undefined> {
  const { attempt, media, own, exchange } = plan;
  if (own !== undefined) return undefined;
  const refused = { ...plan, sent: exchange.sent };
  const before = JSON.stringify(exchange.sent.body);
  const revisions = await learnedFrom(refused, error);
  noteOverflow(attempt, revisions);
  for (const revision of revisions) {
    const next = prepare(attempt, media, revision);
    if (JSON.stringify(next.exchange.sent.body) !== before) return finish(next);
  }
  const revision = await reviseFor(refused, error);
  return revision && finish(prepare(attempt, media, revision));
}

/** Stores the window that a refusal tells of an input that is longer by itself: no answer could prove it. */
function noteOverflow(attempt: Attempt, revisions: readonly Revision[]): void {
  for (const { learned } of revisions) {
    const told = learned?.restriction;
    if (told?.kind !== 'window' || told.input <= told.tokens) continue;
    const known = restrictionsOf(attempt).some((other) => other.kind === 'window' && other.tokens === told.tokens);
    if (!known) noteRestriction(attempt, told);
  }
}

/** The client's own request, asking for a stream: the backend speaks its dialect, so that nothing needs to be rebuilt. */
function ownWords(attempt: Attempt, losses: Losses, media: Media | undefined): OwnWords {
  const { asksInBody } = gatewayDialect(attempt.backend.config.dialect);
  const edits = asksInBody ? { stream: { json: 'true', add: true } } : undefined;
  const { sent, restore, losses: found } = callOf(attempt, [], { operation: 'create', media, edits });
  for (const loss of found.list) losses.add(loss.path, loss.feature, loss.kind, loss.detail);
  return { body: sent.body, headers: sent.headers, restore };
}

/** Brings the translated answer to the client. */
export function deliverTranslated(plan: TranslatedPlan, answered: AnsweredCall): Promise<void> {
  if (plan.attempt.ask.stream) return streamTranslated(plan, answered);
  noteLearned(plan);
  return deliverWhole(plan, answered);
}

async function deliverWhole(plan: TranslatedPlan, answered: AnsweredCall): Promise<void> {
  const { attempt, exchange, losses, keeping, own: words } = plan;
  const { call, target } = attempt;
  const size = { bytes: 0 };
  const steps: AnswerSteps<AnsweredCall> = {
    read: (asked, came) => readAnswer(plan, asked, came, size),
    ask: (next) => callAgain(plan, next),
  };
  let whole: Awaited<ReturnType<typeof wholeAnswer<AnsweredCall>>>;
  try {
    whole = await wholeAnswer(exchange.sent, answered, steps);
  } catch (thrown) {
    throw refusedKey(attempt, thrown) ?? thrown;
  }
  const { answer } = whole;
  const { id, model, usage, tier, fees } = answer;
  noteAnswer(call, { id, model, usage, tier, fees, finish: answer.finish.raw });
  const settled = keeping.settled();
  if (settled !== undefined) await settled;
  const own = words?.restore?.answer(answer.body) ?? answer.body;
  const print = (body: object): string | Promise<Buffer> =>
    size.bytes <= LARGE ? JSON.stringify(body) : printInSlices(body);
  const text = print(own);
  const printed = typeof text === 'string' ? text : await text;
  const { headers: received } = whole.answered.answer;
  if (containsSecretOf(target.backend, printed, own))
    throw leakOf(attempt, exchangeHeaders(call, target, received, losses.list));
  const head = { call, target, status: 200, type: 'application/json', received, losses: losses.list };
  sendAnswer(head, attempt.storage === undefined ? printed : keep(attempt.storage, own, printed));
}

/** Keeps an answer; gives what to send of it. */
function keep(storage: AnswerStorage, own: JsonObject, printed: string | Uint8Array): Promise<string | Uint8Array> {
  if (typeof printed === 'string') return storage.text(printed, own);
  return storage.body(own).then((body) => (body === own ? printed : printInSlices(body)));
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
  { attempt, exchange }: TranslatedPlan,
  sent: EncodedRequest,
  answered: AnsweredCall,
  size: { bytes: number },
): Promise<Answer> {
  const { limits } = attempt.gateway.config;
  if (!sent.stream) {
    const { answer, running } = answered;
    checkAnswerType(answer.headers, 'json');
    const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
    const turn = takeTurn(attempt.gateway, attempt.call, bytes.length);
    if (turn !== undefined) await turn;
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
