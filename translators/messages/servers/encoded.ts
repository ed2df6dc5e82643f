import { lossesAtSource } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { type Fits, fitEach } from '../../target/lacks.js';
import { createPlaces } from '../../wire/shared-copies.js';
import type { Fitting } from './fitting.js';
import { toldThinkingOff, withKnownMembers, withoutTier, withTemplateSwitch } from './settings.js';
import { withOfferedTools, withoutNone, withoutParallelSwitch, withWordsOfChoice } from './tools.js';

/** What becomes of settings for each lack that no flag of the profile tells, as in relayed bodies. */
const FITS: Fits<Fitting> = {
  toolChoice: withOfferedTools,
  namedToolChoice: withWordsOfChoice,
  noneToolChoice: withoutNone,
  parallelSwitch: withoutParallelSwitch,
  thinkingOff: toldThinkingOff,
  thinkingSwitch: withTemplateSwitch,
  tiers: withoutTier,
  unknownKeys: withKnownMembers,
};

/** A body that was encoded of a request of another dialect, with the settings that its host has of the dialect. */
export function fitSettings(
  body: JsonObject,
  request: CanonicalRequest,
  { losses, profile }: EncodeRequestContext,
): JsonObject {
  const lacks = new Set(profile.lacks);
  if (lacks.size === 0) return body;
  const fitting: Fitting = { lacks, profile, losses: lossesAtSource(request, losses), places: createPlaces(body, []) };
  return fitEach(FITS, lacks, body, fitting);
}
