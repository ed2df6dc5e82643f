import { dialects, type Loss } from '../../translators/index.js';
import type { AnswerHeaders } from '../backend/index.js';
import type { BackendConfig, Target } from '../config/index.js';
import { gatewayDialects } from '../dialects/index.js';
import { showsSecret } from '../ground/index.js';
import { answerHeaders, backendHeaders, type ClientCall, lossHeaders, relayedLossHeaders } from '../http/index.js';
import { withoutOwnKinds } from '../limits/index.js';
import { translateLimits } from './upstream-error.js';

/** Headers of an answer that a backend gave, success or refusal, but for its content type. */
export function exchangeHeaders(
  call: ClientCall,
  target: Target,
  received: AnswerHeaders,
  losses: readonly Loss[],
): Record<string, string> {
  const { backend } = target;
  const relayed = backend.dialect === call.dialect;
  return {
    ...withoutOwnKinds(
      call,
      relayed ? relayedHeaders(target, received) : translateLimits(backend.dialect, call.dialect, received, Date.now()),
    ),
    ...answerHeaders(call),
    ...backendHeaders(backend.name, backend.dialect, target.model),
    ...upstreamId(target, received),
    ...(relayed ? relayedLossHeaders(losses) : lossHeaders(losses)),
  };
}

/** A host may send what another dialect's service sends. */
const RELAYED = new RegExp(gatewayDialects.map(({ answerHeaders }) => answerHeaders.source).join('|'));

/** Limits and hints pass as they are, but for a delay that no client should obey (hardening.md row 49). */
function relayedHeaders({ backend }: Target, received: AnswerHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in received) {
    const value = received[name];
    if (value !== undefined && RELAYED.test(name) && !showsSecret(backend, `${name}: ${value}`)) kept[name] = value;
  }
  if (received['retry-after'] === undefined && received['retry-after-ms'] === undefined) return kept;
  const dialect = dialects[backend.dialect];
  const now = Date.now();
  const { retryAfterMs } = dialect.decodeLimits(received, now);
  return { ...kept, ...dialect.encodeLimits({ retryAfterMs }, now) };
}

/** The type under which an answer goes on as it came. One that tells a secret is given up for `usual`. */
export function relayedType(backend: BackendConfig, received: AnswerHeaders, usual: string): string {
  const type = received['content-type'];
  return type === undefined || showsSecret(backend, type) ? usual : type;
}

/** The backend's own id of a request; undefined when it gave none that can be shown. */
export function upstreamIdOf(backend: BackendConfig, received: AnswerHeaders): string | undefined {
  const id = received['request-id'] ?? received['x-request-id'];
  return id !== undefined && /^[\x21-\x7e]{1,256}$/.test(id) && !showsSecret(backend, id) ? id : undefined;
}

function upstreamId({ backend }: Target, received: AnswerHeaders): Record<string, string> {
  const id = upstreamIdOf(backend, received);
  return id === undefined ? {} : { 'x-interlingua-upstream-request-id': id };
}
