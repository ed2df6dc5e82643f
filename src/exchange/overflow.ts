import { type CanonicalError, type CanonicalRequest, readOverflow } from '../../translators/index.js';
import type { Restriction } from '../backend/index.js';
import { windowOfServer } from '../models/index.js';
import { createEstimate, lengthOf, vocabularyCount } from '../protocol/index.js';
import type { Attempt } from './attempt.js';
import { restrictionsOf } from './restrictions.js';
import type { Revision } from './revision.js';
import { RESERVED, withoutOldest } from './truncated.js';

type Window = Extract<Restriction, { kind: 'window' }>;

/** The window of the model of an attempt: what its own refusals revealed, else what the file or its host says. */
function windowOf(attempt: Attempt): Window | undefined {
  for (const restriction of restrictionsOf(attempt)) if (restriction.kind === 'window') return restriction;
  const told = windowOfServer(attempt.gateway.models, attempt.target);
  if (told === undefined) return undefined;
  return { kind: 'window', tokens: told.value, input: 1, estimated: 1, ...(told.inputAlone && { inputAlone: true }) };
}

/** What the service counts where so many tokens are estimated. */
function countOf({ input, estimated }: Window, tokens: number): number {
  return Math.ceil((input * tokens) / estimated);
}

/** The part of a window that a request leaves to its input. */
function roomFor({ maxOutput = 0 }: CanonicalRequest, { tokens, inputAlone }: Window): number {
  return inputAlone ? tokens : tokens - Math.min(maxOutput, tokens * RESERVED);
}

/**
 * The window that a request, which is translated, has to be fitted to before the call: it wants its oldest turns left out, or has a cap,
 * and may be too long by its characters, of which hardly any is more than a token. Under strict nothing is changed: that would refuse a
 * request for a window which its server alone knows for sure.
 */
export function windowToFit(attempt: Attempt): Window | undefined {
  const { backend, call, policy, ask } = attempt;
  if (backend.config.dialect === call.dialect || policy.policy === 'strict') return undefined;
  const window = windowOf(attempt);
  if (window === undefined) return undefined;
  const { request } = attempt.decoded();
  const { maxOutput = 0, truncate } = request;
  if (maxOutput === 0 && truncate !== true) return undefined;
  const most = window.inputAlone ? 0 : maxOutput;
  return countOf(window, lengthOf(ask.json)) + most > window.tokens ? window : undefined;
}

/** How a request of so many estimated tokens differs from the client's own, so that it fits a window. */
export async function fitWindow(attempt: Attempt, window: Window, estimated: number): Promise<Revision> {
  const { request } = attempt.decoded();
  const room = roomFor(request, window);
  const count = countOf(window, estimated);
  if (request.truncate !== true || count <= room) return { estimated, window };
  const estimate = createEstimate(attempt.call, vocabularyCount);
  const truncated = await withoutOldest(request, room / count, estimate);
  if (truncated === undefined) return { estimated, window };
  return { truncated, window, estimated: await estimate(truncated.request) };
}

/**
 * The error for an input that is too long, with the window that is known here and about how long the input is, as far as the refusal does
 * not say so.
 */
export async function withSizes(attempt: Attempt, error: CanonicalError): Promise<CanonicalError> {
  const known = withLimit(attempt, error);
  const window = windowOf(attempt);
  if (known === error || window === undefined || readOverflow(error.message).input !== undefined) return known;
  const request = translatedRequest(attempt);
  if (request === undefined) return known;
  const input = countOf(window, await createEstimate(attempt.call, vocabularyCount)(request));
  return { ...known, overflow: { ...known.overflow, input, estimated: true, cap: request.maxOutput } };
}

/** What an attempt translates; undefined where it relays, as it does what no decoder of ours reads. */
function translatedRequest({ backend, call, decoded }: Attempt): CanonicalRequest | undefined {
  if (backend.config.dialect === call.dialect) return undefined;
  try {
    return decoded().request;
  } catch {
    // Requests for pictures and videos are no conversation.
    return undefined;
  }
}

/** The same without an estimate, for an answer that has begun. */
export function withLimit(attempt: Attempt, error: CanonicalError): CanonicalError {
  const limit = error.kind === 'context_length' ? windowOf(attempt)?.tokens : undefined;
  return limit === undefined ? error : { ...error, overflow: { limit } };
}
