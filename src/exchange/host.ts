import { createStreamRestorer, type Edit, type HostFeature, type HostRestorer } from '../../translators/index.js';
import { type RelayedCall, relayedCall } from '../call/index.js';
import type { Stage } from './answer-storage.js';
import type { Attempt, Media } from './attempt.js';
import { hostProfile, unsupportedOf } from './restrictions.js';
import { callerOf } from './transport.js';

/** What a relayed request is sent with, beside itself. */
export interface RelayOptions {
  readonly operation: 'create' | 'count';
  /** Pictures that were fetched for it. */
  readonly media?: Media;
  /** What else the host does not support, as it said of the same request before. */
  readonly learned?: readonly HostFeature[];
  /** The most tokens that the model is known to generate. */
  readonly mostOutput?: number;
  /** Further changes to members of its body. */
  readonly edits?: Readonly<Record<string, Edit>>;
}

/**
 * The call of a request for a backend of the client's own dialect, as far as its host can take it. Only state of backends
 * configured here is kept from it: a carrier of another gateway may be what the backend, itself a gateway, waits for. Throws the
 * client's error when strict refuses, or for media that the host does not take.
 */
export function callOf(attempt: Attempt, { learned = [], ...options }: RelayOptions): RelayedCall {
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
    isForeign: (domain) => domain !== own && Object.values(backends).some((other) => other.domain === domain),
    pathOf: conversation && ((path) => conversation.pathOf(target, path)),
  });
}

/** Restores the events of a relayed stream on their way to `stage`. */
export function restoredStage(stage: Stage, restore: HostRestorer | undefined, depth: number): Stage {
  if (restore?.stream === undefined) return stage;
  const restorer = createStreamRestorer(restore, depth);
  const write = (text: string): void => {
    if (text !== '') stage.write(text);
  };
  return {
    write: (piece) => write(restorer.push(piece)),
    flush() {
      write(restorer.end());
      stage.flush();
    },
    end() {
      write(restorer.end());
      return stage.end();
    },
  };
}
