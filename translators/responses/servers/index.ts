import {
  asksInWords,
  fitEncodedBody,
  fitOwnBody,
  type HostRules,
  type HostStep,
  keepsOnly,
  leavesOut,
  nearsEffort,
  rewrites,
  tellsThinkingOff,
  withOfferedTools,
  withoutTools,
  withPlainMedia,
} from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { Dialect, EncodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { withMember } from '../../wire/shared-copies.js';
import { members } from '../request/members.js';
import { ENCRYPTED, LOGPROBS } from '../request/settings.js';
import { createHostRestorer } from '../restored/index.js';
import { withFoundTools, withPlainFunctions, withPlainItems } from '../tools/at-hosts.js';
import { FORM } from './form.js';
import {
  withoutEncryptedReasoning,
  withReasoningContent,
  withResultsOfOneText,
  withResultsOfText,
  withWholeMessages,
} from './items.js';

/** The words for the form of an answer stand behind the instructions. */
const withFormInWords = asksInWords(['/text/format'], (body, words) => {
  const { instructions } = body;
  const before = typeof instructions === 'string' && instructions !== '' ? `${instructions}\n\n` : '';
  return { ...body, instructions: before + words };
});

/** The form of the answer as chat completions have it, beside that of the dialect: the server reads it there. */
const withResponseFormat: HostStep = (body) => {
  const format = isObject(body.text) ? body.text.format : undefined;
  if (!isObject(format) || body.response_format !== undefined) return body;
  const { type, ...schema } = format;
  if (type === 'json_object') return { ...body, response_format: { type } };
  return type === 'json_schema' ? { ...body, response_format: { type, json_schema: schema } } : body;
};

/** The body without a word for a detail of the answer; the very body where it has none. */
function withoutDetail(body: JsonObject, word: string): JsonObject {
  const { include } = body;
  if (!Array.isArray(include) || !include.includes(word)) return body;
  return { ...body, include: include.filter((entry) => entry !== word) };
}

/** Nothing encrypted is asked for. */
const withoutState: HostStep = (body, { losses }) => {
  const bare = withoutDetail(body, ENCRYPTED);
  if (bare !== body) losses.add('/include', 'include.detail', 'dropped', 'the host has no encrypted reasoning');
  return bare;
};

/** No log probabilities: some servers refuse the wish, others ignore it. */
const withoutLogprobs: HostStep = (body, { losses }) => {
  const { top_logprobs: count } = body;
  const bare = withoutDetail(body, LOGPROBS);
  const asked = bare !== body;
  if (!asked && (count === undefined || count === null)) return body;
  if (asked || count !== 0)
    losses.add(asked ? '/include' : '/top_logprobs', 'logprobs', 'dropped', 'the host does not return it');
  return withMember(bare, 'top_logprobs', undefined);
};

function isThinkingOff({ reasoning }: JsonObject): boolean {
  return isObject(reasoning) && reasoning.effort === 'none';
}

const AUTO = ['reasoning.show', 'approximated', 'the host chooses the form of summaries'] as const;

const RULES: HostRules = {
  form: FORM,
  // Tools are declared before they are named, and named before one is chosen.
  rows: [
    [['additionalTools', 'toolSearch'], withFoundTools],
    [['hostedTools', 'mcp'], withoutTools()],
    [['codexItems'], withPlainItems],
    [['customTools', 'namespaces'], withPlainFunctions],
    [['toolChoice', 'namedToolChoice', 'allowedTools'], withOfferedTools, 'any request'],
    leavesOut('parallelSwitch', '/parallel_tool_calls', (value) => value === false, 'any request'),
    [['encryptedReasoning'], withoutEncryptedReasoning, 'any request'],
    [['encryptedReasoning'], withoutState, 'any request'],
    [['summaryReasoning'], withReasoningContent],
    [['shortMessages'], withWholeMessages],
    [['documents', 'images', 'imageUrls'], withPlainMedia],
    [['resultMedia'], withResultsOfText],
    [['resultParts'], withResultsOfOneText, 'any request'],
    withFormInWords,
    [['textFormat'], withResponseFormat, 'any request'],
    leavesOut('effort', '/reasoning/effort', (effort) => typeof effort === 'string' && effort !== 'none'),
    nearsEffort('/reasoning/effort'),
    tellsThinkingOff('/reasoning/effort', isThinkingOff),
    [['logprobs'], withoutLogprobs, 'any request'],
    [
      ['summaryWords'],
      rewrites('/reasoning/summary', (word) => (typeof word === 'string' ? 'auto' : word), AUTO),
      'any request',
    ],
    leavesOut(
      'tiers',
      '/service_tier',
      (tier) => tier !== null && tier !== 'auto' && tier !== 'default',
      'any request',
    ),
    leavesOut('background', '/background', (value) => value === true),
    [['storeTrue'], rewrites('/store', (stores) => stores !== true && stores)],
    keepsOnly(members, (key) => key === 'stream_options'),
  ],
};

/** A body for a host that speaks the dialect in part (hosts.md#presets), as {@link fitOwnBody} has it. */
export const fitHost: Dialect['fitHost'] = (body, context) =>
  fitOwnBody(RULES, body, context, (given, fitted, fitting) =>
    createHostRestorer(given, fitted, fitting, fitting.unsupported.has('thinkingOff') && isThinkingOff(fitted)),
  );

/** The body as which a request of another dialect was encoded, as {@link fitEncodedBody} has it. */
export function fitEncoded(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  return fitEncodedBody(RULES, body, request, context);
}
