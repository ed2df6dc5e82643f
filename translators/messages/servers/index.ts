import {
  asksInWords,
  fitEncodedBody,
  fitOwnBody,
  type HostRules,
  type HostStep,
  keepsOnly,
  leavesOut,
  tellsThinkingOff,
  withOfferedTools,
  withPlainMedia,
} from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Dialect, EncodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { members } from '../request/members.js';
import { createHostRestorer } from '../restored/index.js';
import { withClientFunctions, withoutHostedTools } from '../tools/at-hosts.js';
import { FORM } from './form.js';
import { withNotes, withoutRedacted, withResultsOfText } from './history.js';
import { isThinkingOff, withBudget, withoutBudget, withTemplateSwitch } from './thinking.js';

/** The words for the form of an answer stand at the end of the instructions. */
const withFormInWords = asksInWords(['/output_config/format', '/output_format'], (body, words) => {
  const { system } = body;
  if (Array.isArray(system)) return { ...body, system: [...system, { type: 'text', text: words }] };
  return { ...body, system: typeof system === 'string' && system !== '' ? `${system}\n\n${words}` : words };
});

/** A last message of the assistant goes as it came, but is not continued. */
const toldPrefill: HostStep = (body, { losses }) => {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const last = messages.at(-1);
  if (isObject(last) && last.role === 'assistant')
    losses.add(`/messages/${messages.length - 1}`, 'turn.prefill', 'approximated', 'the host starts a new answer');
  return body;
};

const RULES: HostRules = {
  form: FORM,
  // A budget of thinking is read from the effort before that goes.
  rows: [
    leavesOut('mcp', '/mcp_servers'),
    [['hostedTools', 'mcp'], withoutHostedTools],
    [['clientTools'], withClientFunctions],
    [['toolChoice', 'namedToolChoice', 'noneToolChoice'], withOfferedTools, 'any request'],
    leavesOut('parallelSwitch', '/tool_choice/disable_parallel_tool_use', (value) => value === true, 'any request'),
    [['documents', 'images', 'imageUrls'], withPlainMedia],
    [['resultMedia'], withResultsOfText],
    [['systemTurns'], withNotes],
    withFormInWords,
    [['redactedThinking'], withoutRedacted],
    [['adaptive'], withBudget],
    [['thinkingBudget'], withoutBudget],
    leavesOut('effort', '/output_config/effort'),
    tellsThinkingOff('/thinking', isThinkingOff),
    [['thinkingSwitch'], withTemplateSwitch, 'any request'],
    [['prefill'], toldPrefill],
    leavesOut('tiers', '/service_tier', (tier) => tier !== 'auto', 'any request'),
    leavesOut('containers', '/container'),
    keepsOnly(members),
  ],
};

/** A body for a host that speaks the dialect in part (hosts.md#presets), as {@link fitOwnBody} has it. */
export const fitHost: Dialect['fitHost'] = (body, context) =>
  fitOwnBody(RULES, body, context, (_body, fitted, { unsupported }) =>
    createHostRestorer(unsupported, unsupported.has('thinkingOff') && isThinkingOff(fitted)),
  );

/** The body as which a request of another dialect was encoded, as {@link fitEncodedBody} has it. */
export function fitEncoded(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  return fitEncodedBody(RULES, body, request, context);
}
