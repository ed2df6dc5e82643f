import { isEffort, nearestEffort, schemaInWords } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { NEAR_EFFORTS } from '../../target/lacks.js';
import { isObject } from '../../wire/json.js';
import { commonKeys, lossFeature } from '../../wire/members.js';
import { withMember } from '../../wire/shared-copies.js';
import { members } from '../request/members.js';
import type { Fit } from './fitting.js';

/** What hosts make of a choice among tools: they ignore it, know no names in it, or no list of several. */
type Deafness = 'ignored' | 'unnamed' | 'unlisted';

/** A choice among tools for such hosts: others are not declared. */
function chooseByTools(deafness: Deafness): Fit {
  const ignored = deafness === 'ignored';
  return (body, { losses }) => {
    const { tool_choice: choice, tools } = body;
    if (!Array.isArray(tools) || tools.length === 0) return body;
    if (choice === 'none' && ignored) {
      losses.add('/tool_choice', 'toolChoice', 'approximated', 'the tools are left out, because the host ignores it');
      return withMember(withMember(body, 'tools', undefined), 'tool_choice', undefined);
    }
    if (choice === 'required' && ignored)
      losses.add('/tool_choice', 'toolChoice', 'approximated', 'the host may answer without a call');
    if (!isObject(choice)) return body;
    const list = choice.type === 'allowed_tools' && Array.isArray(choice.tools) ? choice.tools : undefined;
    if (deafness === 'unlisted' && list === undefined) return body;
    const refs: readonly unknown[] = list ?? [choice];
    const offered = tools.filter((tool) => refs.some((ref) => isObject(ref) && isObject(tool) && names(ref, tool)));
    if (offered.length === 0) return body;
    losses.add('/tool_choice', 'toolChoice', 'approximated', 'only the tools that it names are offered');
    const mode = list === undefined ? 'required' : choice.mode;
    return { ...body, tools: offered, tool_choice: mode };
  };
}

function names(ref: JsonObject, tool: JsonObject): boolean {
  return ref.type === tool.type && (ref.name ?? ref.server_label) === (tool.name ?? tool.server_label);
}

/** For hosts that ignore the choice. */
export const withOfferedTools = chooseByTools('ignored');
/** For hosts that know the words of the choice, but no names in it. */
export const withWordsOfChoice = chooseByTools('unnamed');
/** For hosts that know no list of allowed tools. */
export const withoutAllowedTools = chooseByTools('unlisted');

/** No switch for calls at once, where it is not read. */
export const withoutParallelSwitch: Fit = (body, { losses }) => {
  if (body.parallel_tool_calls !== false) return body;
  losses.add('/parallel_tool_calls', 'toolChoice.parallel', 'dropped', 'the host has no such switch');
  return withMember(body, 'parallel_tool_calls', undefined);
};

/** The form of the answer, asked for in words (translation.md 2.10). */
export const withFormInWords: Fit = (body, { losses }) => {
  const { text, instructions } = body;
  const format = isObject(text) ? text.format : undefined;
  if (!isObject(text) || !isObject(format) || (format.type !== 'json_schema' && format.type !== 'json_object'))
    return body;
  const path = '/text/format';
  if (format.type === 'json_object')
    losses.add(path, 'output.format', 'approximated', 'JSON without a schema is asked for in words');
  else losses.add(path, 'output.schema', 'approximated', 'the schema is asked for in words; nothing checks the answer');
  const words = schemaInWords(isObject(format.schema) ? format.schema : undefined);
  const before = typeof instructions === 'string' && instructions !== '' ? `${instructions}\n\n` : '';
  return { ...withoutEmpty(body, 'text', withMember(text, 'format', undefined)), instructions: before + words };
};

/** The form of the answer as chat completions have it, beside that of the dialect: the server reads it there. */
export const withResponseFormat: Fit = (body) => {
  const format = isObject(body.text) ? body.text.format : undefined;
  if (!isObject(format) || body.response_format !== undefined) return body;
  if (format.type === 'json_object') return { ...body, response_format: { type: 'json_object' } };
  if (format.type !== 'json_schema') return body;
  const { type, ...schema } = format;
  return { ...body, response_format: { type, json_schema: schema } };
};

/** No word for how hard the model thinks. */
export const withoutEffort: Fit = (body, { losses }) => {
  const { reasoning } = body;
  // That a model is not to think is another wish.
  if (!isObject(reasoning) || typeof reasoning.effort !== 'string' || reasoning.effort === 'none') return body;
  losses.add('/reasoning/effort', 'reasoning.effort', 'dropped', 'the host does not know the word');
  return withoutEmpty(body, 'reasoning', withMember(reasoning, 'effort', undefined));
};

/** The nearest word for how hard the model thinks of those that every host knows. */
export const withNearEffort: Fit = (body, { losses }) => {
  const { reasoning } = body;
  if (!isObject(reasoning) || !isEffort(reasoning.effort)) return body;
  const effort = nearestEffort(reasoning.effort, NEAR_EFFORTS);
  if (effort === undefined || effort === reasoning.effort) return body;
  losses.add('/reasoning/effort', 'reasoning.effort', 'approximated', `the nearest effort of the host is ${effort}`);
  return { ...body, reasoning: { ...reasoning, effort } };
};

/** That the model is not to think goes as it came: newer servers may know it. Thoughts are left out of the answer. */
export const toldThinkingOff: Fit = (body, { losses }) => {
  if (isObject(body.reasoning) && body.reasoning.effort === 'none')
    losses.add(
      '/reasoning/effort',
      'reasoning.mode',
      'approximated',
      'the host ignores it: what the model thinks is left out',
    );
  return body;
};

const LOGPROBS = 'message.output_text.logprobs';

/** No log probabilities: some servers refuse the wish, others ignore it. */
export const withoutLogprobs: Fit = (body, { losses }) => {
  const { include, top_logprobs: count } = body;
  const asked = Array.isArray(include) && include.includes(LOGPROBS);
  if (!asked && (count === undefined || count === null)) return body;
  if (asked || count !== 0)
    losses.add(asked ? '/include' : '/top_logprobs', 'logprobs', 'dropped', 'the host gives none');
  const others = asked ? include.filter((entry) => entry !== LOGPROBS) : include;
  return withMember(withMember(body, 'include', others), 'top_logprobs', undefined);
};

/** No word for how thoughts are summed up but the common one. */
export const withAutoSummary: Fit = (body, { losses }) => {
  const { reasoning } = body;
  if (!isObject(reasoning) || typeof reasoning.summary !== 'string' || reasoning.summary === 'auto') return body;
  losses.add('/reasoning/summary', 'reasoning.show', 'approximated', 'the host sums up as it sees fit');
  return { ...body, reasoning: { ...reasoning, summary: 'auto' } };
};

/** Tiers that every host takes. */
const COMMON_TIERS: ReadonlySet<unknown> = new Set([undefined, null, 'auto', 'default']);

/** No tier but the common ones. */
export const withoutTier: Fit = (body, { losses }) => {
  if (COMMON_TIERS.has(body.service_tier)) return body;
  losses.add('/service_tier', 'tier', 'dropped', 'the host has no such tier');
  return withMember(body, 'service_tier', undefined);
};

/** The answer is given at once. */
export const withoutBackground: Fit = (body, { losses }) => {
  if (body.background !== true) return body;
  losses.add('/background', 'ext.background', 'dropped', 'the host answers at once');
  return withMember(body, 'background', undefined);
};

/** Nothing is to be stored by the host. */
export const withoutStoring: Fit = (body) => (body.store === true ? { ...body, store: false } : body);

/** What hosts know that refuse other members. */
const COMMON = commonKeys(members);

/** No members that the host does not know. */
export const withKnownMembers: Fit = (body, { losses }) => {
  const others = Object.keys(body).filter((key) => !COMMON.has(key));
  if (others.length === 0) return body;
  for (const key of others) {
    const silent = body[key] === null || body[key] === undefined || key === 'stream_options';
    if (!silent) losses.add(`/${key}`, lossFeature(members, key), 'dropped', 'the host refuses unknown members');
  }
  return Object.fromEntries(Object.entries(body).filter(([key]) => COMMON.has(key)));
};

function withoutEmpty(body: JsonObject, key: string, value: JsonObject): JsonObject {
  return withMember(body, key, Object.keys(value).length === 0 ? undefined : value);
}
