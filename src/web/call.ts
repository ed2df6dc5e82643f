import type { CallerDialect, DialectId, Headers as HeaderMap, Loss } from '../../translators/index.js';
import type { Refused } from '../call/index.js';
import { DEFAULT_DIALECT, gatewayDialect } from '../dialects/index.js';
import { Failure } from '../ground/plain/index.js';
import {
  backendHeaders,
  type LossPolicy,
  lossHeaders,
  lossPolicy,
  plainPath,
  relayedLossHeaders,
  spokenAt,
  translateLimits,
} from '../protocol/index.js';
import type { Settings } from './settings.js';

/** One call of an SDK. */
export interface ClientCall {
  readonly method: string;
  readonly path: string;
  /** Without the question mark; '' = none. */
  readonly query: string;
  readonly headers: HeaderMap;
  /** The client's, by its path and headers. */
  readonly client: CallerDialect<DialectId>;
  readonly dialect: DialectId;
  /** The dialect that the client speaks, where it is not served; it is answered in that of another. */
  readonly unknown: DialectId | undefined;
  readonly id: string;
  readonly signal: AbortSignal | undefined;
  text(): Promise<string>;
}

/** The same where it goes to a host. */
export interface Call extends ClientCall {
  readonly settings: Settings;
}

/** What clients speak. */
export type Clients = readonly [CallerDialect<DialectId>, ...CallerDialect<DialectId>[]];

/**
 * Reads what `fetch` was given. The signal is the caller's own: that of a temporary Request dies with it on Node.js 20. `base` is taken
 * off the front of the path.
 */
export function openCall(
  clients: Clients,
  input: string | URL | Request,
  init: RequestInit = {},
  base = '',
): ClientCall {
  const request = input instanceof Request ? input : undefined;
  const { pathname: given, search } = new URL(request?.url ?? String(input), 'http://localhost');
  const pathname = given.startsWith(`${base}/`) ? given.slice(base.length) : given;
  const headers = Object.fromEntries(new Headers(init.headers ?? request?.headers).entries());
  const path = plainPath(pathname);
  const spoken = spokenAt(path, headers);
  const known = clients.find(({ id }) => id === (spoken ?? DEFAULT_DIALECT));
  const client = known ?? clients[0];
  return {
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    path,
    query: search.slice(1),
    headers,
    client,
    dialect: client.id,
    unknown: known === undefined ? spoken : undefined,
    id: idOf(headers),
    signal: init.signal ?? request?.signal ?? undefined,
    async text() {
      if (init.body === undefined || init.body === null) return request?.text() ?? '';
      return typeof init.body === 'string' ? init.body : new Response(init.body).text();
    },
  };
}

/** The client's own id where it is short and plain, as with the gateway. */
function idOf(headers: HeaderMap): string {
  const given = headers['x-request-id'];
  return given !== undefined && /^[\w.-]{1,128}$/.test(given) ? given : randomHex();
}

/** 128 random bits as 32 hex digits. */
export function randomHex(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What becomes of the losses of a call. Throws Failure for a header that says it in no known way. */
export function policyOf({ settings, headers }: Call): LossPolicy {
  return lossPolicy(settings.policy, headers['x-interlingua-losses']);
}

/** The id of a call in the form that the client's SDK reads. */
export function idHeaders({ dialect, id }: Pick<ClientCall, 'dialect' | 'id'>): Record<string, string> {
  return Object.fromEntries(gatewayDialect(dialect).idHeaders.map((name) => [name, id]));
}

/** Headers of an answer that the backend gave, success or refusal, but for its content type. */
export function answerHeaders(
  call: Call,
  model: string,
  received: HeaderMap,
  losses: readonly Loss[],
): Record<string, string> {
  const { host, name, relayedLimits, service } = call.settings;
  const relayed = service.id === call.dialect;
  const upstream = received['request-id'] ?? received['x-request-id'];
  return {
    ...(relayed ? relayedLimits?.(service.id, received) : translateLimits(service, call.client, received, Date.now())),
    ...idHeaders(call),
    ...backendHeaders(name, host.dialect, model),
    ...(upstream !== undefined && { 'x-interlingua-upstream-request-id': upstream }),
    ...(relayed ? relayedLossHeaders(losses) : lossHeaders(losses)),
  };
}

/** A whole JSON answer. */
export function jsonAnswer(status: number, body: unknown, headers: Readonly<Record<string, string>>): Response {
  return jsonText(status, JSON.stringify(body), headers);
}

/** The same of a text of JSON. */
export function jsonText(status: number, text: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** What a refusal has next to its error. */
interface RefusalDetails {
  readonly own: Readonly<Record<string, string>>;
  readonly losses: readonly Loss[];
  /** As it came, when it is of the client's own dialect. */
  readonly relayed?: { readonly status: number; readonly body: string; readonly type: string };
}

/** A refusal of the backend. */
export class Refusal extends Failure implements Refused {
  readonly next: boolean;
  readonly details: RefusalDetails;

  constructor(error: Failure['error'], details: RefusalDetails, next = false) {
    super(error);
    this.next = next;
    this.details = details;
  }
}

/** The answer to a call that failed, in the client's dialect. */
export function errorAnswer(
  call: Pick<ClientCall, 'client' | 'dialect' | 'id'>,
  error: Failure['error'],
  own: Readonly<Record<string, string>>,
): Response {
  const { status, body, headers } = call.client.encodeError(error, { requestId: call.id });
  return jsonAnswer(status, body, { ...idHeaders(call), ...headers, ...own });
}
