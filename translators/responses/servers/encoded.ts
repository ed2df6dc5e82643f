import {
  type EncodedRow,
  type EncodedStep,
  fitEncodedBody,
  joinsTexts,
  keepsOnly,
  leavesOut,
  rewrites,
  tellsThinkingOff,
  withOfferedTools,
} from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isCarrier } from '../../wire/carrier.js';
import { isObject } from '../../wire/json.js';
import { withMember } from '../../wire/shared-copies.js';
import { members } from '../request/members.js';
import { ENCRYPTED, LOGPROBS } from '../request/settings.js';
import { isThinkingOff } from '../restored/index.js';
import { isOutput, textsOf } from '../tools/at-hosts.js';
import { readChoice } from '../tools/choice.js';

/** What a host writes in the place of encrypted reasoning is text with spaces; what a service encrypts never has any. */
const NOT_OPAQUE = /[^\w+/=-]/;
const OPAQUE_LENGTH = 32;

/** What a service encrypted. Carriers are looked at where state of other backends is taken out. */
function isOpaque(state: string): boolean {
  return state.length >= OPAQUE_LENGTH && !NOT_OPAQUE.test(state) && !isCarrier(state);
}

/** What another service encrypted is not sent: such a host would read it as a thought. */
const withoutEncryptedReasoning: EncodedStep = (body, { losses, places }) =>
  places.map(body, 'input', (item, path) => {
    const { encrypted_content: state } = item;
    if (item.type !== 'reasoning' || typeof state !== 'string' || !isOpaque(state)) return item;
    losses.add(path, 'reasoning.state', 'dropped', 'the host cannot read it');
    const isShown = textsOf(item.summary).length + textsOf(item.content).length > 0;
    return isShown ? withMember(item, 'encrypted_content', undefined) : [];
  });

/** Reasoning has its text as content, as the host wants it back; an item without any is left out. */
const withReasoningContent: EncodedStep = (body, { losses, places }) =>
  places.map(body, 'input', (item, path) => {
    if (item.type !== 'reasoning' || textsOf(item.content).length > 0) return item;
    const content = textsOf(item.summary).map((text) => ({ type: 'reasoning_text', text }));
    if (content.length === 0) {
      losses.add(path, 'reasoning.state', 'dropped', 'the host accepts reasoning as text only');
      return [];
    }
    losses.add(path, 'reasoning.text', 'moved', 'the host accepts reasoning text as content');
    return { ...item, content };
  });

/** Results of tools are one text, where all that they hold is text. */
const withResultsOfOneText: EncodedStep = (body, { places }) =>
  places.map(body, 'input', (item) => {
    const parts: readonly unknown[] | undefined =
      isOutput(item) && Array.isArray(item.output) ? item.output : undefined;
    const isText = parts?.every((part) => isObject(part) && typeof part.text === 'string') === true;
    return isText ? { ...item, output: textsOf(parts).join('\n') } : item;
  });

/** The form of the answer as chat completions have it, beside that of the dialect: the server reads it there. */
const withResponseFormat: EncodedStep = (body) => {
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
const withoutState: EncodedStep = (body, { losses }) => {
  const bare = withoutDetail(body, ENCRYPTED);
  if (bare !== body) losses.add('/include', 'include.detail', 'dropped', 'the host has no encrypted reasoning');
  return bare;
};

/** No log probabilities: some servers refuse the wish, others ignore it. */
const withoutLogprobs: EncodedStep = (body, { losses }) => {
  const { top_logprobs: count } = body;
  const bare = withoutDetail(body, LOGPROBS);
  const asked = bare !== body;
  if (!asked && (count === undefined || count === null)) return body;
  if (asked || count !== 0)
    losses.add(asked ? '/include' : '/top_logprobs', 'logprobs', 'dropped', 'the host does not return it');
  return withMember(bare, 'top_logprobs', undefined);
};

const AUTO = ['reasoning.show', 'approximated', 'the host chooses the form of summaries'] as const;

/** What any body needs. */
export const ENCODED: readonly EncodedRow[] = [
  [['toolChoice', 'namedToolChoice', 'allowedTools'], withOfferedTools],
  leavesOut('parallelSwitch', '/parallel_tool_calls', (value) => value === false),
  [['encryptedReasoning'], withoutEncryptedReasoning],
  [['encryptedReasoning'], withoutState],
  [['summaryReasoning'], withReasoningContent],
  [['messageParts'], joinsTexts('input')],
  [['resultParts'], withResultsOfOneText],
  [['textFormat'], withResponseFormat],
  tellsThinkingOff('/reasoning/effort', isThinkingOff),
  [['logprobs'], withoutLogprobs],
  [['summaryWords'], rewrites('/reasoning/summary', (word) => (typeof word === 'string' ? 'auto' : word), AUTO)],
  leavesOut('tiers', '/service_tier', (tier) => tier !== null && tier !== 'auto' && tier !== 'default'),
  keepsOnly(members, (key) => key === 'stream_options'),
];

/** The body as which a request of another dialect was encoded, as {@link fitEncodedBody} has it. */
export function fitEncoded(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): JsonObject {
  return fitEncodedBody({ readChoice }, ENCODED, body, request, context);
}
