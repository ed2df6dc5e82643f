import { TranslationError } from '../canonical/errors.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { EncodeRequestContext } from '../context.js';
import type { HostFeature } from '../target/host-words.js';
import { createPlaces, type Places } from '../wire/shared-copies.js';
import { lossesAtSource } from './host.js';

/** What the steps of fitting one body share. */
export interface HostFitting
  extends Pick<EncodeRequestContext, 'losses' | 'target' | 'media' | 'mediaPath' | 'omitMedia'> {
  readonly unsupported: ReadonlySet<HostFeature>;
  readonly places: Places;
}

/** Rewrites a body at the members of an unsupported feature, and shares all others: the very body where it holds nothing of it. */
export type HostStep<F extends HostFitting = HostFitting> = (body: JsonObject, fitting: F) => JsonObject;

/** One step, the lacks for which it is taken (once), and whether bodies that were encoded of other dialects need it too. */
export type HostRow<F extends HostFitting> = readonly [
  unsupported: readonly HostFeature[],
  step: HostStep<F>,
  of?: 'any request',
];

/**
 * A body of the host's own dialect after the steps for what the host lacks, in their order. One that cannot be read is left to
 * the host, which refuses it in its own words. Throws `unsupported` for media that is not to be omitted.
 */
export function fitOwnBody<F extends HostFitting>(
  rows: readonly HostRow<F>[],
  body: JsonObject,
  fitting: F,
): JsonObject {
  try {
    return rows.reduce((fitted, row) => taken(row, fitted, fitting), body);
  } catch (error) {
    if (error instanceof TranslationError && error.kind === 'invalid_request') return body;
    throw error;
  }
}

function taken<F extends HostFitting>([unsupported, step]: HostRow<F>, body: JsonObject, fitting: F): JsonObject {
  return unsupported.some((feature) => fitting.unsupported.has(feature)) ? step(body, fitting) : body;
}

/**
 * The body as which a request of another dialect was encoded, after the steps that its encoder leaves to them. Losses are told
 * at their places in the request.
 */
export function fitEncodedBody(
  rows: readonly HostRow<HostFitting>[],
  body: JsonObject,
  request: CanonicalRequest,
  { losses, target }: EncodeRequestContext,
): JsonObject {
  if (target.unsupported.size === 0) return body;
  const fitting: HostFitting = {
    unsupported: target.unsupported,
    target,
    losses: lossesAtSource(request, losses),
    places: createPlaces(body, []),
  };
  return rows.reduce((fitted, row) => (row[2] === undefined ? fitted : taken(row, fitted, fitting)), body);
}
