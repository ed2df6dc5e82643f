import {
  type CanonicalError,
  createWatcher,
  type DialectId,
  dialects,
  type Edit,
  editMembers,
  editMembersOf,
  type Loss,
  type Watcher,
} from '../../translators/index.js';
import { type AnswerHeaders, collectBody, credentialHeader } from '../backend/index.js';
import { gatewayDialect, gatewayDialects, KEY_FORMS } from '../dialects/index.js';
import { Failure, isObject, MB } from '../ground/index.js';
import {
  credentials,
  noteAnswer,
  noteFirstByte,
  noteFirstToken,
  noteLastToken,
  noteLosses,
  QUERY_CREDENTIALS,
  sendWhole,
} from '../http/index.js';
import { exchangeHeaders, relayedType } from './answer-head.js';
import { checkAnswerType, parseAnswer } from './answer-type.js';
import { keepBetas } from './betas.js';
import type { AnsweredCall, Attempt, CallPlan } from './call-plan.js';
import { createClientStream } from './client-stream.js';
import { stripForeignState } from './foreign-state.js';
import { createExit, LEAKED, leaks } from './leak-guard.js';
import { directStage } from './persister.js';
import { pathOf, publisherEdits, takesQuery } from './publisher.js';
import { reportInAnswer } from './refusal.js';
import { beforeFailure, createRelayGuard, guarded } from './relay-guard.js';
import { errorInAnswer } from './upstream-error.js';

/**
 * The way through a backend of the client's own dialect: nothing is decoded. In the request the model's name and the
 * credentials change, in the answer nothing (contract.md 4).
 */
export function planRelay(attempt: Attempt, operation: 'create' | 'count'): CallPlan {
  const { ask, backend, target, call } = attempt;
  const betas = keepBetas(backend.config, call.request.headers);
  const { edits, losses } = stripForeignState(attempt);
  const path = pathOf(backend.config, operation, { model: target.model, stream: ask.stream });
  return {
    sent: {
      method: 'POST',
      path: takesQuery(backend.config) ? withQuery(path, call.query) : path,
      body: relayedBody(attempt, { ...betas.edits, ...edits }, operation),
      headers: relayedHeaders(attempt, betas.header),
    },
    losses,
    deliver: (answered) =>
      ask.stream ? relayStream(attempt, answered, losses) : relayWhole(attempt, answered, losses),
    without(error) {
      const { conversation } = ask;
      if (error.code !== 'previous_response_not_found' || conversation?.rebuild(target) !== true) return undefined;
      const persister = conversation.persisterOf(target);
      return planRelay({ ...attempt, ask: conversation.askOf(target, ask), persister }, operation);
    },
  };
}

/** The client's body with another model name and without what belongs to features that stay behind. */
export function relayedBody(
  { ask, backend, target }: Pick<Attempt, 'ask' | 'backend' | 'target'>,
  edits: Readonly<Record<string, Edit>>,
  operation: 'create' | 'count' = 'create',
): string {
  const { dialect } = backend.config;
  const { resource, repeatedIn } = dialects[dialect].requestFields.model;
  const { text, value } = ask.json;
  const renames = gatewayDialect(dialect).asksInBody
    ? target.model !== ask.model
    : isObject(value) && ['model', ...repeatedIn].some((key) => Object.hasOwn(value, key));
  const named = { model: { json: JSON.stringify(resource(target.model)) } };
  const changes = { ...edits, ...(renames && named), ...publisherEdits(backend.config, operation) };
  const own = Object.keys(changes).length === 0 ? text : editMembers(text, changes);
  return renames ? repeatedIn.reduce((edited, key) => editMembersOf(edited, key, named), own) : own;
}

/** The client's own query, but for credentials, in the place of the one a translated call would have. */
export function withQuery(path: string, query: string): string {
  const [bare = path] = path.split('?');
  const kept = query.split('&').filter((pair) => pair !== '' && !QUERY_CREDENTIALS.includes(nameOf(pair)));
  return kept.length === 0 ? bare : `${bare}?${kept.join('&').replace(/[^\x21-\x7e]/g, encodeURIComponent)}`;
}

function nameOf(pair: string): string {
  return new URLSearchParams(pair).keys().next().value ?? '';
}

/** Headers that the client's own dialect gives a meaning, with the account selectors that go with its own credentials. */
const KEPT = [...gatewayDialects.flatMap(({ versionHeader }) => versionHeader ?? []), 'idempotency-key'];
const SELECTORS = gatewayDialects.flatMap(({ accountHeaders }) => accountHeaders);
const CREDENTIALS = KEY_FORMS.map((form) => (form === 'bearer' ? 'authorization' : form));

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
  return key === undefined || !/^[\x21-\x7e]+$/.test(key) ? {} : credentialHeader(gatewayDialect(dialect).keyForm, key);
}

async function relayWhole(attempt: Attempt, { answer, running }: AnsweredCall, losses: readonly Loss[]): Promise<void> {
  const { gateway, call, target } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answer.headers, 'json');
  const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
  const parsed = parseAnswer(bytes, limits);
  const failed = errorInAnswer(attempt.backend.config, parsed);
  if (failed !== undefined) {
    const reported = reportInAnswer(gateway, target.backend, failed);
    throw new Failure(reported, { headers: exchangeHeaders(call, target, answer.headers, losses) });
  }
  noteAnswer(call, dialects[target.backend.dialect].relayedFacts.read([parsed]));
  const { persister } = attempt;
  const shown = guarded(bytes, gateway.redact);
  if (leaks(target.backend, shown)) throw leakOf(attempt, exchangeHeaders(call, target, answer.headers, losses));
  const body = persister === undefined ? shown : await persister.text(shown.toString());
  noteFirstByte(call);
  noteLosses(call, losses);
  sendWhole(call.response, answer.status, body, {
    ...exchangeHeaders(call, target, answer.headers, losses),
    'content-type': relayedType(target.backend, answer.headers, 'application/json'),
  });
}

/** The client's error in place of an answer, or of its rest, that holds a secret; it is logged for the operator. */
function leakOf({ gateway, call, target }: Attempt, headers?: Record<string, string>): Failure {
  gateway.logger.error(
    { id: call.id, backend: target.backend.name },
    'the answer of the backend contains a secret of the gateway',
  );
  return new Failure(LEAKED, { headers });
}

/** Passes a stream on as it comes, and looks on to know whether it ended with its last word. */
function relayStream(attempt: Attempt, { answer, running }: AnsweredCall, losses: readonly Loss[]): Promise<void> {
  const { gateway, call, ask, target } = attempt;
  const { limits } = gateway.config;
  checkAnswerType(answer.headers, ask.framing === 'sse' ? 'sse' : 'json');
  noteLosses(call, losses);
  const clientStream = createClientStream(
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
  const stage = attempt.persister?.relayed(clientStream) ?? directStage(clientStream);
  const dialect = dialects[target.backend.dialect];
  const watcher = createWatcher(dialect, ask.framing, limits.eventMb * MB);
  let refused: CanonicalError | undefined;
  const guard = createRelayGuard(watcher, (events) => {
    const { failure } = watcher;
    const before = failure && beforeFailure(events, failure, ask.framing);
    if (failure === undefined || before === undefined) return gateway.redact(events);
    const reported = reportInAnswer(gateway, target.backend, failure.error);
    if (reported === failure.error) return gateway.redact(events);
    refused = reported;
    return gateway.redact(before);
  });
  const exit = createExit(target.backend, watcher, stage);
  let shown = false;
  call.record.soFar = watcher.facts;
  clientStream.source = answer;
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
      // What was cut out of an array cannot be reported in it.
      const between = leak === undefined ? watcher.between : exit.between && ask.framing === 'sse';
      if (clientStream.begun) endBroken(attempt, watcher, broken, clientStream, between);
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

/** The error for a stream without its final event. */
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
  clientStream: ReturnType<typeof createClientStream>,
  between: boolean,
): void {
  if (!watcher.finished || !between) call.record.error = error.kind;
  if (!between) {
    clientStream.breakOff();
    return;
  }
  clientStream.write(watcher.ending({ ...error, message: gateway.redact(error.message) }, { requestId: call.id }));
  clientStream.end();
}
