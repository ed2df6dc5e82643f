import { type CanonicalError, type HostFeature, TranslationError } from '../../translators/index.js';
import { type RelayContext, type RelayedCall, relayedCall } from '../call/index.js';
import type { BackendConfig } from '../config/index.js';
import { Failure } from '../ground/index.js';
import type { Attempt, Media, Planned } from './attempt.js';
import { withMedia } from './inlining.js';
import { capIn, hostProfile, noteRestriction, relayedCap, unsupportedIn, unsupportedOf } from './restrictions.js';
import { callerOf } from './transport.js';

/** A request that goes to a backend of the client's own dialect. */
export interface RelayedPlan extends Planned, Omit<RelayedCall, 'sent'> {
  readonly kind: 'relayed';
  readonly sent: RelayedCall['sent'];
  readonly operation: 'create' | 'count';
  readonly restrictions: RelayRestrictions;
}

/** What the refusals of a relayed request revealed of its host. */
interface RelayRestrictions {
  /** What it does not support. */
  readonly unsupported: readonly HostFeature[];
  /** How many tokens its model generates at most. */
  readonly cap?: number;
  /** How many refusals that were. */
  readonly times: number;
}

const UNRESTRICTED: RelayRestrictions = { unsupported: [], times: 0 };

/** How many refusals of one request may reveal a restriction: each has to name a member that none before it named. */
const MAX_RESTRICTIONS = 3;

/**
 * The way through a backend of the client's own dialect: nothing is decoded. In the request the model's name and the
 * credentials change, in the answer nothing (http.md#same-dialect), but for what the host lacks of the dialect (hosts.md#presets).
 * `media` = pictures that were fetched for it.
 */
export function planRelay(
  attempt: Attempt,
  operation: 'create' | 'count',
  media?: Media,
  restrictions: RelayRestrictions = UNRESTRICTED,
): RelayedPlan {
  const mostOutput = operation === 'create' ? relayedCap(attempt, restrictions.cap) : undefined;
  const call = callOf(attempt, restrictions.unsupported, { operation, media, mostOutput });
  return { kind: 'relayed', attempt, operation, media, restrictions, ...call };
}

/**
 * The call of a request for a backend of the client's own dialect, as far as its host can take it; `learned` = what else that does not
 * support, as it said of the same request before. Only state of backends configured here is kept from it: a carrier of another gateway
 * may be what the backend, itself a gateway, waits for. Throws the client's error when strict refuses, or for media that the host does
 * not take.
 */
export function callOf(
  attempt: Attempt,
  learned: readonly HostFeature[],
  options: Pick<RelayContext, 'operation' | 'media' | 'mostOutput' | 'edits'>,
): RelayedCall {
  const { ask, backend, call, gateway, policy, target } = attempt;
  const { conversation } = ask;
  const { translate, backends } = gateway.config;
  const { domain: own } = backend.config;
  return relayedCall({
    ...options,
    caller: callerOf(call),
    host: backend.config,
    policy,
    request: ask,
    model: target.model,
    unsupported: unsupportedOf(attempt, learned),
    profile: () => hostProfile(attempt, learned),
    omitMedia: translate.omitMedia,
    isForeign: (domain) => domain !== own && Object.values(backends).some((other) => issues(other, domain)),
    pathOf: conversation && ((path) => conversation.pathOf(target, path)),
  });
}

function issues(backend: BackendConfig, domain: string | undefined): boolean {
  return backend.domain === domain || backend.endpoints.some((endpoint) => endpoint.domain === domain);
}

/** What earlier refusals revealed is stored: the host takes the request without it. */
export function noteLearned({ attempt, restrictions: { cap, unsupported } }: RelayedPlan): void {
  if (cap !== undefined) noteRestriction(attempt, { kind: 'cap', tokens: cap });
  if (unsupported.length > 0) noteRestriction(attempt, { kind: 'unsupported', unsupported });
}

/**
 * The same without what the host refused: the conversation that it does not know any more, or a member that it may not support, by the
 * first restriction that changes what was sent. undefined where none does, and where the member cannot be done without.
 */
export async function reviseRelayed(plan: RelayedPlan, error: CanonicalError): Promise<RelayedPlan | undefined> {
  const { attempt, operation, media, restrictions, sent } = plan;
  const { ask, target } = attempt;
  if (error.code === 'previous_response_not_found') {
    const { conversation } = ask;
    if (conversation?.rebuild(target) !== true) return undefined;
    const whole = { ...attempt, ask: conversation.askOf(target, ask), storage: conversation.storageOf(target) };
    return planRelay(whole, operation, media, restrictions);
  }
  for (const learned of restrictionsAfter(plan, error)) {
    try {
      const next = await withMedia(
        attempt,
        (found) => planRelay(attempt, operation, found, learned),
        learned.unsupported,
      );
      if (!isSame(next.sent.body, sent.body)) return next;
    } catch (thrown) {
      // What the host said tells the client more than that it cannot be mended.
      if (!(thrown instanceof TranslationError) && !(thrown instanceof Failure)) throw thrown;
    }
  }
  return undefined;
}

/** The restrictions that a refusal of a relayed body may reveal, in the order in which they are tried. */
export function restrictionsAfter(
  { attempt, json, restrictions }: RelayedPlan,
  error: CanonicalError,
): readonly RelayRestrictions[] {
  if (restrictions.times === MAX_RESTRICTIONS) return [];
  const { config } = attempt.backend;
  const cap = capIn(config, error, json.value);
  const tries = [...(cap === undefined ? [] : [[]]), ...unsupportedIn(config, error, json.value)];
  return tries.map((unsupported) => ({
    unsupported: [...new Set([...restrictions.unsupported, ...unsupported])],
    cap: cap ?? restrictions.cap,
    times: restrictions.times + 1,
  }));
}

function isSame(body: string | Uint8Array, other: string | Uint8Array): boolean {
  return body === other || Buffer.from(body).equals(Buffer.from(other));
}
