import {
  type EncodedRow,
  type EncodedStep,
  fitEncodedBody,
  joinsTexts,
  keepsOnly,
  leavesOut,
  tellsThinkingOff,
  withOfferedTools,
} from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { members } from '../request/members.js';
import { isThinkingOff } from '../restored/index.js';
import { readChoice } from '../tools/choice.js';

/** That the model is not to think is told its template too, where the server takes it. */
const withTemplateSwitch: EncodedStep = (body) =>
  isThinkingOff(body) && body.chat_template_kwargs === undefined
    ? { ...body, chat_template_kwargs: { enable_thinking: false } }
    : body;

/** What any body needs. */
export const ENCODED: readonly EncodedRow[] = [
  [['toolChoice', 'namedToolChoice', 'noneToolChoice'], withOfferedTools],
  leavesOut('parallelSwitch', '/tool_choice/disable_parallel_tool_use', (value) => value === true),
  tellsThinkingOff('/thinking', isThinkingOff),
  [['thinkingSwitch'], withTemplateSwitch],
  [['messageParts'], joinsTexts('messages')],
  leavesOut('tiers', '/service_tier', (tier) => tier !== 'auto'),
  keepsOnly(members),
];

/** The body as which a request of another dialect was encoded, as {@link fitEncodedBody} has it. */
export function fitEncoded(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  return fitEncodedBody({ readChoice }, ENCODED, body, request, context);
}
