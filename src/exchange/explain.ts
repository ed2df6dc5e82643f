import { Readable } from 'node:stream';
import { dialects, encodeMediaError, type Loss, TranslationError } from '../../translators/index.js';
import { type BackendAsk, createRequests, restrictionText } from '../backend/index.js';
import { asksToExplain, type ExplainedRefusal, explanation } from '../call/index.js';
import type { BackendConfig, Target } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { credentialsOf, isUnforeseen, secretsOf, toCanonicalError, withoutSecrets } from '../ground/index.js';
import { type ClientCall, noteLosses, sendWhole, sharerOf } from '../http/index.js';
import {
  createEstimate,
  lengthOf,
  ownService,
  pathOf,
  type ShownAddress,
  shownRequest,
  vocabularyCount,
} from '../protocol/index.js';
import { exchangeHeaders } from './answer-head.js';
import type { Attempt, Planned } from './attempt.js';
import type { ExchangeServices } from './services.js';

/** Whether a client asks what would be sent for its request. Throws for a value that is neither yes nor no. */
export function isExplained({ request }: Pick<ClientCall, 'request'>): boolean {
  return asksToExplain(request.headers['x-interlingua-explain']);
}

/** Answers with the call that a plan would make. */
export async function explainPlan(plan: Planned): Promise<void> {
  const { attempt } = plan;
  const sent = plan.local === true ? { ...plan.sent, body: undefined } : plan.sent;
  const tokens = await tokensOf(attempt);
  const refusal = await refusedByService(attempt, sent);
  explainCall(attempt, { sent, losses: plan.losses.list, tokens, ...(refusal && { refusal }) });
}

/** What the service that gets a conversation refuses in it, where its rules are known. */
async function refusedByService(
  { gateway, call, target }: Attempt,
  sent: BackendAsk,
): Promise<ExplainedRefusal | undefined> {
  const { backend, model } = target;
  const service = ownService(backend);
  const paths = [false, true].map((stream) =>
    withoutQuery(pathOf(backend, dialects[backend.dialect], 'create', { model, stream })),
  );
  if (service === undefined || call.surface !== undefined || !paths.includes(withoutQuery(sent.path))) return undefined;
  const made = requestOf(backend, sent);
  const text = jsonOf(made);
  if (text === 'null') return undefined;
  const version = made.headers[gatewayDialect(backend.dialect).versionHeader ?? ''];
  // Loaded here, so that a start does not wait for it.
  const { serviceRefusal } = await import('../simulator/index.js');
  const request = { body: JSON.parse(text), model, version, cloud: service === 'cloud' };
  const refused = serviceRefusal(backend.dialect, request);
  if (refused === undefined) return undefined;
  const message = gateway.redact(refused.message);
  return { by: 'service', status: 400, kind: 'invalid_request', path: refused.path, message };
}

function withoutQuery(path: string): string {
  return path.replace(/\?.*$/, '');
}

/** Answers with why there is no call. Throws what is no refusal. */
export async function explainRefusal(attempt: Attempt, thrown: unknown): Promise<void> {
  const { call, gateway, target } = attempt;
  if (call.gone || isUnforeseen(thrown)) throw thrown;
  const error = withoutSecrets(toCanonicalError(thrown), gateway.redact);
  const { status } =
    call.surface === undefined
      ? dialects[call.dialect].encodeError(error, { requestId: call.id })
      : encodeMediaError(call.surface, error, { requestId: call.id });
  const losses = thrown instanceof TranslationError ? thrown.losses : [];
  // Where a media request would have gone depends on what it says.
  const path =
    call.surface === undefined
      ? pathOf(target.backend, dialects[target.backend.dialect], 'create', {
          model: target.model,
          stream: attempt.ask.stream,
        })
      : '';
  explainCall(attempt, {
    sent: { method: 'POST', path },
    losses,
    tokens: await tokensOf(attempt),
    refusal: { by: 'gateway', status, kind: error.kind, path: error.path ?? null, message: error.message },
  });
}

/** A call that is explained. */
export interface ExplainedCall {
  readonly sent: BackendAsk;
  readonly losses: readonly Loss[];
  /** The estimate; null = the request is no conversation, or cannot be read. */
  readonly tokens: number | null;
  readonly refusal?: ExplainedRefusal;
}

/** Whose call it would be. */
interface Explaining {
  readonly gateway: ExchangeServices;
  readonly call: ClientCall;
  readonly target: Target;
  readonly ask: { readonly model: string };
}

/** Answers with a call that is not made. Its body stands in the answer byte for byte. */
export function explainCall(
  { gateway, call, target, ask }: Explaining,
  { sent, losses, tokens, refusal }: ExplainedCall,
): void {
  const { backend } = target;
  const made = requestOf(backend, sent);
  const { method, url, headers } = shownRequest(backend, made, {
    address: addressFor(gateway, call),
    known: secretsOf(backend),
  });
  const before = { target: ask.model, backend: backend.name, dialect: backend.dialect, method, url, headers };
  const known = gateway.backends.at(backend).restrictions.of(target.model, sharerOf(gateway.config, call));
  const restrictions = known.map((restriction) => ({
    kind: restriction.kind,
    restriction: restrictionText(restriction),
    shared: restriction.shared ?? false,
  }));
  const endpoints = call.record.facts?.endpoints ?? null;
  const after = { losses, tokens, restrictions, endpoints, refusal: refusal ?? null };
  const text = explanation({ before, after }, jsonOf(made));
  if (call.record.facts !== undefined) call.record.facts.explained = true;
  noteLosses(call, losses);
  sendWhole(call.response, 200, text, {
    ...exchangeHeaders(call, target, {}, losses),
    'content-type': 'application/json',
  });
}

/** The request that a backend would get. */
function requestOf(backend: BackendConfig, sent: BackendAsk): ReturnType<ReturnType<typeof createRequests>> {
  return createRequests(backend)(sent, credentialsOf(backend));
}

/** What a caller sees of addresses: where there are no keys and only this machine is admitted, the operator asks. */
function addressFor({ config, state }: ExchangeServices, { key }: ClientCall): ShownAddress {
  if (key !== undefined) return key.explain ?? 'path';
  return config.open || state.insecure ? 'path' : 'full';
}

/** The body of a call as JSON: null where it has none, or is a form or another upload. */
function jsonOf({ headers, body }: ReturnType<typeof requestOf>): string {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '');
  if (!isJson || body === undefined || body instanceof Readable) return 'null';
  if (typeof body === 'string') return body;
  return Buffer.concat(body instanceof Uint8Array ? [body] : body).toString();
}

/** About how many tokens the request has. */
async function tokensOf({ call, ask, decoded }: Attempt): Promise<number | null> {
  if (call.surface !== undefined || lengthOf(ask.json) === 0) return null;
  try {
    return await createEstimate(call, vocabularyCount)(decoded().request);
  } catch (thrown) {
    if (call.gone) throw thrown;
    // What is only relayed need not be a conversation, nor be valid.
    return null;
  }
}
