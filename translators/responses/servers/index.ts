import { TranslationError } from '../../canonical/errors.js';
import type { JsonObject } from '../../canonical/node.js';
import type { FitHostContext, FittedBody } from '../../dialect.js';
import { type Fits, fitEach } from '../../target/lacks.js';
import { createPlaces } from '../../wire/shared-copies.js';
import type { Fitting } from './fitting.js';
import {
  withoutEncryptedReasoning,
  withPlainItems,
  withPlainMedia,
  withReasoningContent,
  withResultsOfOneText,
  withResultsOfText,
  withWholeMessages,
} from './items.js';
import { withPlainFunctions } from './named.js';
import { createHostRestorer } from './restore.js';
import {
  toldThinkingOff,
  withAutoSummary,
  withFormInWords,
  withKnownMembers,
  withNearEffort,
  withOfferedTools,
  withoutAllowedTools,
  withoutBackground,
  withoutEffort,
  withoutLogprobs,
  withoutParallelSwitch,
  withoutStoring,
  withoutTier,
  withResponseFormat,
  withWordsOfChoice,
} from './settings.js';
import { withoutAdditionalTools, withoutHostedTools, withoutMcp, withoutToolSearch } from './tools.js';

export { asEnded } from './cut.js';
export { fitSettings } from './encoded.js';
export { createCompletion } from './events.js';
export { createPlacing } from './places.js';
export { REFUSALS } from './refusals.js';

/** What becomes of a body for each lack, in this order: tools are declared before they are named, and named before one is chosen. */
const FITS: Fits<Fitting> = {
  additionalTools: withoutAdditionalTools,
  toolSearch: withoutToolSearch,
  hostedTools: withoutHostedTools,
  mcp: withoutMcp,
  codexItems: withPlainItems,
  customTools: withPlainFunctions,
  namespaces: withPlainFunctions,
  toolChoice: withOfferedTools,
  namedToolChoice: withWordsOfChoice,
  allowedTools: withoutAllowedTools,
  parallelSwitch: withoutParallelSwitch,
  encryptedReasoning: withoutEncryptedReasoning,
  summaryReasoning: withReasoningContent,
  shortMessages: withWholeMessages,
  documents: withPlainMedia,
  images: withPlainMedia,
  imageUrls: withPlainMedia,
  resultMedia: withResultsOfText,
  resultParts: withResultsOfOneText,
  outputFormat: withFormInWords,
  textFormat: withResponseFormat,
  effort: withoutEffort,
  farEfforts: withNearEffort,
  thinkingOff: toldThinkingOff,
  logprobs: withoutLogprobs,
  summaryWords: withAutoSummary,
  tiers: withoutTier,
  background: withoutBackground,
  storeTrue: withoutStoring,
  unknownKeys: withKnownMembers,
};

/** Members that answers repeat. */
const ECHOED = [
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'text',
  'instructions',
  'reasoning',
  'store',
  'include',
  'top_logprobs',
] as const;

/**
 * A body for a host that speaks the dialect in part (hosts.md#presets). One that cannot be read is left to the host, which
 * refuses it in its own words. Throws `unsupported` for media that the host does not take and that is not to be omitted.
 */
export function fitHost(body: JsonObject, context: FitHostContext): FittedBody {
  const places = createPlaces(body, ['input', 'tools']);
  const fitting: Fitting = { ...context, places, custom: new Set() };
  let fitted = body;
  try {
    fitted = fitEach(FITS, context.lacks, body, fitting);
  } catch (error) {
    if (!(error instanceof TranslationError) || error.kind !== 'invalid_request') throw error;
    return { body, pathOf: (path) => path };
  }
  const changed = ECHOED.filter((key) => fitted[key] !== body[key]);
  const echo = Object.fromEntries(changed.map((key) => [key, body[key]]));
  const restore = createHostRestorer({ names: fitting.names, custom: fitting.custom, echo }, context.lacks, fitted);
  return { body: fitted, pathOf: (path) => places.original(fitted, path), ...(restore !== undefined && { restore }) };
}
