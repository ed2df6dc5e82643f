import { fitEncodedBody, fitOwnBody, type HostRow } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext, FitHostContext, FittedBody } from '../../dialect.js';
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
  withoutBackground,
  withoutEffort,
  withoutLogprobs,
  withoutParallelSwitch,
  withoutStoring,
  withoutTier,
  withResponseFormat,
} from './settings.js';
import { withFoundTools, withoutHostedTools, withoutMcp } from './tools.js';

export { asEnded } from './cut.js';
export { createCompletion } from './events.js';
export { createPlacing } from './places.js';
export { REFUSALS } from './refusals.js';

/**
 * What becomes of a body for each unsupported feature, in this order: tools are declared before they are named, and named before one is chosen.
 * For other features encoders have flags of the profile.
 */
const STEPS: readonly HostRow<Fitting>[] = [
  [['additionalTools', 'toolSearch'], withFoundTools],
  [['hostedTools'], withoutHostedTools],
  [['mcp'], withoutMcp],
  [['codexItems'], withPlainItems],
  [['customTools', 'namespaces'], withPlainFunctions],
  [['toolChoice', 'namedToolChoice', 'allowedTools'], withOfferedTools, 'any request'],
  [['parallelSwitch'], withoutParallelSwitch, 'any request'],
  [['encryptedReasoning'], withoutEncryptedReasoning, 'any request'],
  [['summaryReasoning'], withReasoningContent],
  [['shortMessages'], withWholeMessages],
  [['documents', 'images', 'imageUrls'], withPlainMedia],
  [['resultMedia'], withResultsOfText],
  [['resultParts'], withResultsOfOneText, 'any request'],
  [['outputFormat'], withFormInWords],
  [['textFormat'], withResponseFormat, 'any request'],
  [['effort'], withoutEffort],
  [['farEfforts'], withNearEffort],
  [['thinkingOff'], toldThinkingOff, 'any request'],
  [['logprobs'], withoutLogprobs, 'any request'],
  [['summaryWords'], withAutoSummary, 'any request'],
  [['tiers'], withoutTier, 'any request'],
  [['background'], withoutBackground],
  [['storeTrue'], withoutStoring],
  [['unknownKeys'], withKnownMembers, 'any request'],
];

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

/** A body for a host that speaks the dialect in part (hosts.md#presets), as {@link fitOwnBody} has it. */
export function fitHost(body: JsonObject, context: FitHostContext): FittedBody {
  const places = createPlaces(body, ['input', 'tools']);
  const fitting: Fitting = { ...context, places };
  const fitted = fitOwnBody(STEPS, body, fitting);
  const changed = ECHOED.filter((key) => fitted[key] !== body[key]);
  const echo = Object.fromEntries(changed.map((key) => [key, body[key]]));
  const restore = createHostRestorer({ ...fitting.renamed, echo }, context.unsupported, fitted);
  return { body: fitted, pathOf: (path) => places.original(fitted, path), ...(restore !== undefined && { restore }) };
}

/** The body as which a request of another dialect was encoded, as {@link fitEncodedBody} has it. */
export function fitSettings(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  return fitEncodedBody(STEPS, body, request, context);
}
