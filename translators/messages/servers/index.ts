import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { FitHostContext, FittedBody } from '../../dialect.js';
import { type Fits, fitEach } from '../../target/lacks.js';
import { createPlaces } from '../../wire/shared-copies.js';
import { withNotes, withoutRedacted, withPlainMedia, withResultsOfText } from './blocks.js';
import type { Fitting } from './fitting.js';
import { createHostRestorer } from './restore.js';
import {
  toldPrefill,
  toldThinkingOff,
  withBudget,
  withFormInWords,
  withKnownMembers,
  withoutBudget,
  withoutContainer,
  withoutEffort,
  withoutTier,
  withTemplateSwitch,
} from './settings.js';
import {
  withClientFunctions,
  withOfferedTools,
  withoutHostedTools,
  withoutMcp,
  withoutNone,
  withoutParallelSwitch,
  withWordsOfChoice,
} from './tools.js';

export { fitSettings } from './encoded.js';
export { REFUSALS } from './refusals.js';

/** What becomes of a body for each lack, in this order: a budget of thinking is read from the effort before that goes. */
const FITS: Fits<Fitting> = {
  hostedTools: withoutHostedTools,
  mcp: withoutMcp,
  clientTools: withClientFunctions,
  toolChoice: withOfferedTools,
  namedToolChoice: withWordsOfChoice,
  noneToolChoice: withoutNone,
  parallelSwitch: withoutParallelSwitch,
  documents: withPlainMedia,
  images: withPlainMedia,
  imageUrls: withPlainMedia,
  resultMedia: withResultsOfText,
  systemTurns: withNotes,
  outputFormat: withFormInWords,
  redactedThinking: withoutRedacted,
  adaptive: withBudget,
  thinkingBudget: withoutBudget,
  effort: withoutEffort,
  thinkingOff: toldThinkingOff,
  thinkingSwitch: withTemplateSwitch,
  prefill: toldPrefill,
  tiers: withoutTier,
  containers: withoutContainer,
  unknownKeys: withKnownMembers,
};

/**
 * A body for a host that speaks the dialect in part (hosts.md#presets). Calls in its answers have the names they were declared
 * by. One that cannot be read is left to the host, which refuses it in its own words. Throws `unsupported` for media
 * that the host does not take and that is not to be omitted.
 */
export function fitHost(body: JsonObject, context: FitHostContext): FittedBody {
  const places = createPlaces(body, ['messages', 'tools']);
  let fitted = body;
  try {
    fitted = fitEach(FITS, context.lacks, body, { ...context, places });
  } catch (error) {
    if (!(error instanceof TranslationError) || error.kind !== 'invalid_request') throw error;
    return { body, pathOf: (path) => path };
  }
  const restore = createHostRestorer(fitted, context.lacks);
  return { body: fitted, pathOf: (path) => places.original(fitted, path), ...(restore !== undefined && { restore }) };
}
