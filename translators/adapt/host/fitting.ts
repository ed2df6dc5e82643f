import { TranslationError } from '../../canonical/errors.js';
import { createLosses, type Feature, type Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext, FitHostContext, FittedBody, HostRestorer } from '../../context.js';
import { createPlaces } from '../../wire/shared-copies.js';
import type { EncodedForm, EncodedRow, HostFitting, HostForm, HostRow, HostStep } from './form.js';

/** What gives the answers to `fitted` back what `body` lost; undefined where they pass as they come. */
type RestorerOf = (body: JsonObject, fitted: JsonObject, fitting: HostFitting) => HostRestorer | undefined;

/**
 * A body of the host's own dialect as the host takes it. One that cannot be read is left to the host, which refuses it in its own
 * words, and nothing is lost of it. Throws `unsupported` for media that is not to be omitted.
 */
export function fitOwnBody(
  form: HostForm,
  rows: readonly HostRow[],
  body: JsonObject,
  context: FitHostContext,
  restorerOf: RestorerOf,
): FittedBody {
  const places = createPlaces(body, [form.history, 'tools']);
  const tried: HostFitting = { ...context, losses: createLosses(), form, places };
  const whole = readable(() => taken(rows, body, tried));
  const fitted = whole ?? body;
  if (whole !== undefined)
    for (const { path, feature, kind, detail } of tried.losses.list) context.losses.add(path, feature, kind, detail);
  const restore = restorerOf(body, fitted, whole === undefined ? { ...context, form, places } : tried);
  return { body: fitted, pathOf: (path) => places.original(fitted, path), ...(restore !== undefined && { restore }) };
}

/** What `work` gives; undefined where it finds something that cannot be read. */
export function readable<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof TranslationError && error.kind === 'invalid_request') return undefined;
    throw error;
  }
}

/** A body after the steps for what the host does not support. */
function taken<F extends FitHostContext>(
  rows: readonly HostRow<HostStep<F>>[],
  body: JsonObject,
  fitting: F,
): JsonObject {
  const steps = rows.filter(([features]) => features.some((feature) => fitting.unsupported.has(feature)));
  return steps.reduce((fitted, [, step]) => step(fitted, fitting), body);
}

/**
 * The body as which a request of another dialect was encoded, after the steps that its encoder leaves to them. Losses are told
 * at their places in the request.
 */
export function fitEncodedBody(
  form: EncodedForm,
  rows: readonly EncodedRow[],
  body: JsonObject,
  request: CanonicalRequest,
  { losses, target }: EncodeRequestContext,
): JsonObject {
  const { unsupported } = target;
  if (unsupported.size === 0) return body;
  const places = createPlaces(body, []);
  return taken(rows, body, { unsupported, target, form, losses: lossesAtSource(request, losses), places });
}

/** Features that are told of the whole request: its further members, and state that is never made here. */
function isOfRequest(feature: Feature): boolean {
  return feature.startsWith('ext.') || feature === 'reasoning.state';
}

/**
 * Losses of the settings of a body that was encoded of `request`, told where that has them. What was nowhere in it was
 * added by the encoder, so that nothing is lost with it.
 */
function lossesAtSource({ at = {}, output, reasoning, toolChoice }: CanonicalRequest, losses: Losses): Losses {
  const paths: Readonly<Record<string, string | undefined>> = {
    ...at,
    toolChoice: toolChoice?.src?.ptr,
    'toolChoice.parallel': toolChoice?.src?.at?.parallel ?? toolChoice?.src?.ptr,
    'output.schema': output?.src?.ptr,
    'output.format': output?.src?.ptr,
    'reasoning.effort': at['reasoning.effort'] ?? reasoning?.src?.ptr,
    'reasoning.show': at['reasoning.show'] ?? reasoning?.src?.ptr,
    'reasoning.mode': reasoning?.src?.ptr,
  };
  return {
    list: losses.list,
    add(_path, feature, kind, detail) {
      const path = paths[feature] ?? (isOfRequest(feature) ? '' : undefined);
      if (path !== undefined) losses.add(path, feature, kind, detail);
    },
  };
}
