import { fitEncodedBody, fitOwnBody, type HostFitting, type HostRow } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext, FitHostContext, FittedBody } from '../../dialect.js';
import { createPlaces } from '../../wire/shared-copies.js';
import { withNotes, withoutRedacted, withPlainMedia, withResultsOfText } from './blocks.js';
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
import { withClientFunctions, withOfferedTools, withoutHostedTools, withoutParallelSwitch } from './tools.js';

export { REFUSALS } from './refusals.js';

/**
 * What becomes of a body for each unsupported feature, in this order: a budget of thinking is read from the effort before that goes. For other
 * features encoders have flags of the profile.
 */
const STEPS: readonly HostRow<HostFitting>[] = [
  [['hostedTools', 'mcp'], withoutHostedTools],
  [['clientTools'], withClientFunctions],
  [['toolChoice', 'namedToolChoice', 'noneToolChoice'], withOfferedTools, 'any request'],
  [['parallelSwitch'], withoutParallelSwitch, 'any request'],
  [['documents', 'images', 'imageUrls'], withPlainMedia],
  [['resultMedia'], withResultsOfText],
  [['systemTurns'], withNotes],
  [['outputFormat'], withFormInWords],
  [['redactedThinking'], withoutRedacted],
  [['adaptive'], withBudget],
  [['thinkingBudget'], withoutBudget],
  [['effort'], withoutEffort],
  [['thinkingOff'], toldThinkingOff, 'any request'],
  [['thinkingSwitch'], withTemplateSwitch, 'any request'],
  [['prefill'], toldPrefill],
  [['tiers'], withoutTier, 'any request'],
  [['containers'], withoutContainer],
  [['unknownKeys'], withKnownMembers, 'any request'],
];

/**
 * A body for a host that speaks the dialect in part (hosts.md#presets), as {@link fitOwnBody} has it. Calls in its answers have
 * the names they were declared by.
 */
export function fitHost(body: JsonObject, context: FitHostContext): FittedBody {
  const places = createPlaces(body, ['messages', 'tools']);
  const fitted = fitOwnBody(STEPS, body, { ...context, places });
  const restore = createHostRestorer(fitted, context.unsupported);
  return { body: fitted, pathOf: (path) => places.original(fitted, path), ...(restore !== undefined && { restore }) };
}

/** The body as which a request of another dialect was encoded, as {@link fitEncodedBody} has it. */
export function fitSettings(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  return fitEncodedBody(STEPS, body, request, context);
}
