import {
  type CanonicalError,
  createWatcher,
  type DialectId,
  dialects,
  type Loss,
  type Watcher,
} from '../../translators/index.js';
import { credentials } from '../access.js';
import { type AnswerHeaders, collectBody, credentialHeader } from '../backend.js';
import { directStage, keepText, relayedStage } from '../conversations/kept-answer.js';
import { Failure, sendWhole } from '../http/failure.js';
import { httpDialect } from '../http/http-dialects.js';
import { isObject } from '../json.js';
import { noteAnswer, noteFirstByte, noteFirstToken, noteLastToken, noteLosses } from '../observe/record.js';
import { exchangeHeaders, relayedType } from './answer-head.js';
import { checkAnswerType, parseAnswer } from './answer-type.js';
import { keepBetas } from './betas.js';
import { createExit, LEAKED, leaks } from './leak-guard.js';
import type { Ask, Attempt, Passage, Reached } from './passage.js';
import { type Edit, editMembers, editMembersOf } from './raw-json.js';
import { tellInAnswer } from './refusal.js';
import { createOutlet } from './relay.js';
import { beforeFailure, createRelayGuard, guarded } from './relay-guard.js';
import { errorInAnswer } from './upstream-error.js';
import { withheld } from './withheld.js';

const MB = 1024 * 1024;

/**
 * The way through a backend of the client's own dialect: nothing is decoded. In the request the model's name and the
 * credentials change, in the answer nothing (contract.md 4).
 */
export function relayPassage(attempt: Attempt, operation: 'create' | 'count'): Passage {
  const { ask, backend, target, call } = attempt;
  const betas = keepBetas(backend.config, call.request.headers);
  const { edits, losses } = withheld(attempt);
  const path = dialects[backend.config.dialect].endpoint(operation, { model: target.model, stream: ask.stream });
  return {
    sent: {
      method: 'POST',
      path: withQuery(path, call.query),
      body: relayedBody(attempt, { ...betas.edits, ...edits }),
      headers: relayedHeaders(attempt, betas.header),
    },
    losses,
    deliver: (reached) => (ask.stream ? relayStream(attempt, reached, losses) : relayWhole(attempt, reached, losses)),
    without(error) {
      const { conversation } = ask;
      if (error.code !== 'previous_response_not_found' || conversation?.rebuild(target) !== true) return undefined;
      const keeper = conversation.keeperOf(target);
      return relayPassage({ ...attempt, ask: conversation.askOf(target, ask), keeper }, operation);
    },
  };
}

/** The client's body with another model name and without what belongs to features that stay behind. */
export function relayedBody(
  { ask, backend, target }: Pick<Attempt, 'ask' | 'backend' | 'target'>,
  edits: Readonly<Record<string, Edit>>,
): string {
  return RENAME[backend.config.dialect](ask, target.model, edits);
}

type Rename = (ask: Pick<Ask, 'json' | 'model'>, model: string, edits: Readonly<Record<string, Edit>>) => string;

const renameMember: Rename = ({ json: { text }, model: asked }, model, edits) => {
  if (model === asked && Object.keys(edits).length === 0) return text;
  return editMembers(text, { ...edits, ...(model !== asked && { model: { json: JSON.stringify(model) } }) });
};

/** Requests inside a generateContent body, in both spellings that the service reads. */
const REPEATING = ['generateContentRequest', 'generate_content_request'];

/** Where each dialect's body names the model. */
const RENAME = {
  messages: renameMember,
  responses: renameMember,
  /** The path names it; a body may repeat it as a resource name [G §2.2], and whatever it says, it is the target's. */
  generateContent({ json: { text, value } }, model, edits) {
    const repeated = isObject(value) && ['model', ...REPEATING].some((key) => Object.hasOwn(value, key));
    if (!repeated) return Object.keys(edits).length === 0 ? text : editMembers(text, edits);
    const named = { model: { json: JSON.stringify(`models/${model}`) } };
    const own = editMembers(text, { ...edits, ...named });
    return REPEATING.reduce((edited, key) => editMembersOf(edited, key, named), own);
  },
} as const satisfies Record<DialectId, Rename>;

const PRIVATE = new Set(['key', 'access_token', 'api_key']);

/** The client's own query, but for credentials, in the place of the one a translated call would have. */
export function withQuery(path: string, query: string): string {
  const [bare = path] = path.split('?');
  const kept = query.split('&').filter((pair) => pair !== '' && !PRIVATE.has(nameOf(pair)));
  return kept.length === 0 ? bare : `${bare}?${kept.join('&').replace(/[^\x21-\x7e]/g, encodeURIComponent)}`;
}

function nameOf(pair: string): string {
  return new URLSearchParams(pair).keys().next().value ?? '';
}

/** Headers that the client's own dialect gives a meaning, with the account selectors that go with its own credentials. */
const KEPT = ['anthropic-version', 'idempotency-key'];
const SELECTORS = [
  'anthropic-workspace-id',
  'anthropic-user-profile-id',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
];
const CREDENTIALS = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** The headers that go along with a client's own request. */
export function relayedHeaders(
  { call, backend }: Attempt,
  betas: { readonly name: string; readonly value: string } | undefined,
): AnswerHeaders {
  const { headers } = call.request;
  const hops = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((hop) => hop.trim());
  const own = backend.config.auth === 'client';
  const kept: Record<string, string | undefined> = {};
  for (const name of own ? [...KEPT, ...SELECTORS, ...CREDENTIALS] : KEPT) {
    const value = headers[name];
    if (typeof value === 'string' && !hops.includes(name)) kept[name] = value;
  }
  if (betas !== undefined && !hops.includes(betas.name)) kept[betas.name] = betas.value;
  if (own && CREDENTIALS.every((name) => kept[name] === undefined))
    return { ...kept, ...clientCredential(call, backend.config.dialect) };
  return kept;
}

/** The caller's own credential in the form of a backend's dialect. */
export function clientCredential(call: Attempt['call'], dialect: DialectId): Record<string, string> {
  const [key] = credentials(call.request.headers, call.query);
  return key === undefined || !/^[\x21-\x7e]+$/.test(key) ? {} : credentialHeader(httpDialect(dialect).keyForm, key);
}

async function relayWhole(attempt: Attempt, { answer, running }: Reached, losses: readonly Loss[]): Promise<void> {
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answer.headers, 'json');
  const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
  const parsed = parseAnswer(bytes, limits);
  const failed = errorInAnswer(attempt.backend.config, parsed);
  if (failed !== undefined) {
    const told = tellInAnswer(gateway, target.backend, failed);
    throw new Failure(told, { headers: exchangeHeaders(call, target, answer.headers, losses) });
  }
  noteAnswer(call, dialects[target.backend.dialect].relayedFacts.read([parsed]));
  const { keeper } = attempt;
  const shown = guarded(bytes, gateway.redact);
  if (leaks(target.backend, shown)) throw leakOf(attempt, exchangeHeaders(call, target, answer.headers, losses));
  const body = keeper === undefined ? shown : await keepText(keeper, shown.toString());
  noteFirstByte(call);
  noteLosses(call, losses);
  sendWhole(call.response, answer.status, body, {
    ...exchangeHeaders(call, target, answer.headers, losses),
    'content-type': relayedType(target.backend, answer.headers, 'application/json'),
  });
}

/** What the client is told in the place of an answer, or of its rest, that holds a secret; the operator hears of it. */
function leakOf({ gateway, call, target }: Attempt, headers?: Record<string, string>): Failure {
  gateway.logger.error(
    { id: call.id, backend: target.backend.name },
    'the answer of the backend contains a secret of the gateway',
  );
  return new Failure(LEAKED, { headers });
}

/** Passes a stream on as it comes, and looks on to know whether it ended with its last word. */
function relayStream(attempt: Attempt, { answer, running }: Reached, losses: readonly Loss[]): Promise<void> {
  const { gateway, call, ask, target } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answer.headers, ask.framing === 'sse' ? 'sse' : 'json');
  noteLosses(call, losses);
  const outlet = createOutlet(
    call,
    () => ({
      ...exchangeHeaders(call, target, answer.headers, losses),
      'content-type': relayedType(
        target.backend,
        answer.headers,
        ask.framing === 'sse' ? 'text/event-stream' : 'application/json',
      ),
      'cache-control': 'no-cache',
    }),
    limits.writeIdleSeconds,
  );
  const stage = attempt.keeper === undefined ? directStage(outlet) : relayedStage(attempt.keeper, outlet);
  const dialect = dialects[target.backend.dialect];
  const watcher = createWatcher(dialect, ask.framing, limits.eventMb * MB);
  let refused: CanonicalError | undefined;
  const guard = createRelayGuard(watcher, (events) => {
    const { failure } = watcher;
    const before = failure && beforeFailure(events, failure, ask.framing);
    if (failure === undefined || before === undefined) return gateway.redact(events);
    const told = tellInAnswer(gateway, target.backend, failure.error);
    if (told === failure.error) return gateway.redact(events);
    refused = told;
    return gateway.redact(before);
  });
  const exit = createExit(target.backend, watcher, stage);
  let shown = false;
  call.record.soFar = watcher.facts;
  outlet.source = answer;
  return new Promise((resolve, reject) => {
    let over = false;
    const finish = (failure: Failure | undefined): void => {
      if (over) return;
      over = true;
      noteLastToken(call);
      if (refused === undefined && (watcher.whole || (watcher.between && watcher.begun))) exit.write(guard.rest());
      exit.flush();
      const leak = exit.leaked ? leakOf(attempt) : undefined;
      if (refused !== undefined || (leak !== undefined && !exit.whole)) watcher.retract();
      if (watcher.whole) {
        call.record.error = watcher.failure?.error.kind;
        stage.end().then(resolve, reject);
        return;
      }
      const broken = leak ?? (refused === undefined ? (failure ?? new Failure(INCOMPLETE)) : new Failure(refused));
      stage.flush();
      // What was cut out of an array cannot be told in it.
      const between = leak === undefined ? watcher.between : exit.between && ask.framing === 'sse';
      if (outlet.begun) endBroken(attempt, watcher, broken, outlet, between);
      else reject(broken);
      resolve();
    };
    answer.pipe({
      data(chunk) {
        const failure = watch(watcher, chunk);
        exit.write(guard.pass(chunk));
        if (!shown && watcher.content) {
          shown = true;
          noteFirstToken(call);
        }
        if (failure === undefined && refused === undefined && !exit.leaked) return;
        finish(failure);
        running.abort();
      },
      end() {
        const failure = watch(watcher, undefined);
        finish(failure);
      },
      fail(failure) {
        watch(watcher, undefined);
        finish(failure);
      },
    });
  });
}

/** How a stream without its last word is told. */
export const INCOMPLETE = {
  kind: 'upstream',
  message: 'the backend ended its answer without its final event',
  code: 'upstream_incomplete',
} as const;

/** Lets the watcher see a chunk, or the end; what it cannot read is a failure of the backend. */
function watch(watcher: Watcher, chunk: Uint8Array | undefined): Failure | undefined {
  try {
    if (chunk === undefined) watcher.end();
    else watcher.push(chunk);
    return undefined;
  } catch (error) {
    return new Failure(
      { kind: 'upstream', message: 'the backend sent a stream that cannot be read' },
      { cause: error },
    );
  }
}

/** Says in the dialect's own frames that the answer broke off, where a frame can still be appended (translation.md 6.5). */
function endBroken(
  { call, gateway }: Attempt,
  watcher: Watcher,
  { error }: Failure,
  outlet: ReturnType<typeof createOutlet>,
  between: boolean,
): void {
  if (!watcher.finished || !between) call.record.error = error.kind;
  if (!between) {
    outlet.breakOff();
    return;
  }
  outlet.write(watcher.ending({ ...error, message: gateway.redact(error.message) }, { requestId: call.id }));
  outlet.end();
}
