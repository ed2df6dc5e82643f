import { dialects, type Loss } from '../../translators/index.js';
import type { AnswerHeaders } from '../backend/index.js';
import type { BackendConfig, Target } from '../config/index.js';
import { showsSecret } from '../ground/index.js';
import { answerHeaders, type ClientCall } from '../http/index.js';
import { withoutOwnKinds } from '../limits/index.js';
import { backendHeaders, limitHeaders, lossHeaders, relayedLossHeaders, translateLimits } from '../protocol/index.js';

/** Headers of an answer that a backend gave, success or refusal, but for its content type. */
export function exchangeHeaders(
  call: ClientCall,
  target: Target,
  received: AnswerHeaders,
  losses: readonly Loss[],
): Record<string, string> {
  const { backend } = target;
  const relayed = backend.dialect === call.dialect;
  const headers = {
    ...withoutOwnKinds(
      call,
      relayed
        ? limitHeaders(backend.dialect, received, (text) => showsSecret(backend, text))
        : translateLimits(dialects[backend.dialect], dialects[call.dialect], received, Date.now()),
    ),
    ...answerHeaders(call),
    ...backendHeaders(nameOf(call, backend), backend.dialect, target.model),
    ...upstreamId(target, received),
    'server-timing': timing(call),
    ...(relayed ? relayedLossHeaders(losses) : lossHeaders(losses)),
  };
  call.record.headers = headers;
  return headers;
}

/** The milliseconds until now: in the row before backends, at them, and all (http.md#headers). */
function timing({ startedAt, record: { waitedMs = 0, backendMs = 0, leftAt } }: ClientCall): string {
  const now = performance.now();
  const backend = backendMs + (leftAt === undefined ? 0 : now - leftAt);
  const head = `head;dur=${Math.round(now - startedAt)};desc="until the head of the answer"`;
  return `queue;dur=${Math.round(waitedMs)}, backend;dur=${Math.round(backend)}, ${head}`;
}

/** The name of a backend, with its endpoint where that is not the one which it would have been called by. */
function nameOf({ record: { facts } }: ClientCall, { name, dialect }: BackendConfig): string {
  const [usual = dialect] = Object.keys(facts?.endpoints ?? {});
  return usual === dialect ? name : `${name};endpoint=${dialect}`;
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
