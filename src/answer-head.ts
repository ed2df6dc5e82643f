import { dialects, type Loss } from '../translators/index.js';
import type { AnswerHeaders } from './backend.js';
import type { ClientCall } from './client-call.js';
import { answerHeaders, backendHeaders, lossHeaders } from './own-headers.js';
import type { Target } from './target.js';
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
    ...(relayed
      ? relayedHeaders(target, received)
      : translateLimits(backend.dialect, call.dialect, received, Date.now())),
    ...answerHeaders(call),
    ...backendHeaders(backend.name, backend.dialect, target.model),
    ...upstreamId(target, received),
    ...lossHeaders(losses),
  };
}

const RELAYED = /^(?:anthropic-(?:ratelimit|priority)-|x-ratelimit-|x-should-retry$|openai-(?:processing-ms|version)$)/;

/** Limits and hints pass as they are, but for a delay that no client should obey (hardening.md row 49). */
function relayedHeaders({ backend }: Target, received: AnswerHeaders): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in received) {
    const value = received[name];
    if (value !== undefined && RELAYED.test(name) && !tellsKey(backend, value)) kept[name] = value;
  }
  if (received['retry-after'] === undefined && received['retry-after-ms'] === undefined) return kept;
  const dialect = dialects[backend.dialect];
  const now = Date.now();
  const { retryAfterMs } = dialect.decodeLimits(received, now);
  return { ...kept, ...dialect.encodeLimits({ retryAfterMs }, now) };
}

/** How many characters at either end of a key give it away. */
const SHOWN = 8;

/** Whether a header's value quotes the key of the backend that sent it. */
function tellsKey({ apiKey }: Target['backend'], value: string): boolean {
  if (apiKey === undefined || apiKey.length < SHOWN) return false;
  return value.includes(apiKey.slice(0, SHOWN)) || value.includes(apiKey.slice(-SHOWN));
}

function upstreamId({ backend }: Target, received: AnswerHeaders): Record<string, string> {
  const id = received['request-id'] ?? received['x-request-id'];
  return id !== undefined && /^[\x21-\x7e]{1,256}$/.test(id) && !tellsKey(backend, id)
    ? { 'x-interlingua-upstream-request-id': id }
    : {};
}
