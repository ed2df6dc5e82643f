import {
  choiceAtHost,
  choiceOfLeft,
  chosenIn,
  isEffort,
  keepsOnly,
  leavesOut,
  nearestEffort,
  schemaInWords,
  type WireChoice,
  withChosen,
  withoutEmpty,
} from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { NEAR_EFFORTS } from '../../target/unsupported.js';
import { isObject } from '../../wire/json.js';
import { withMember } from '../../wire/shared-copies.js';
import { members } from '../request/members.js';
import type { Fit, Fitting } from './fitting.js';

/** The choice among the tools of a body; undefined where it has none that can be read. */
function readChoice(choice: unknown): WireChoice | undefined {
  if (typeof choice === 'string') return { mode: choice };
  if (!isObject(choice)) return undefined;
  const list: readonly unknown[] | undefined =
    choice.type === 'allowed_tools' && Array.isArray(choice.tools) ? choice.tools : undefined;
  return {
    mode: list === undefined ? 'required' : choice.mode,
    refs: list ?? (choice.type === 'allowed_tools' ? [] : [choice]),
    isList: list !== undefined,
    names: (ref, tool) => isObject(ref) && ref.type === tool.type && calledIn(ref) === calledIn(tool),
    stays: (ref, left) => !isObject(ref) || NAMED.has(ref.type) || left.some(({ type }) => type === ref.type),
    bare: () => (list === undefined ? 'required' : choice.mode),
    only: (refs) => ({ ...choice, tools: refs }),
  };
}

/** Types of tools that may be within others, and that no host lacks. A choice calls others by their type, in words of its own. */
const NAMED: ReadonlySet<unknown> = new Set(['function', 'custom']);

/** What a choice calls a tool by, beside its type. */
function calledIn({ name, server_label: server }: JsonObject): unknown {
  return name ?? server;
}

/** For hosts that do not read a choice among tools, or not all of its forms. */
export const withOfferedTools: Fit = (body, fitting) => {
  const choice = readChoice(body.tool_choice);
  return choice === undefined ? body : withChosen(body, choiceAtHost(chosenIn(body), choice, fitting));
};

/** A body whose tools have changed, without a choice of those that are not sent. */
export function withLeftChoice(body: JsonObject, before: JsonObject, { losses }: Fitting): JsonObject {
  const choice = readChoice(body.tool_choice) ?? { mode: undefined };
  return withChosen(body, choiceOfLeft(before.tools, chosenIn(body), choice, losses));
}

/** No switch for calls at once, where it is not read. */
export const withoutParallelSwitch: Fit = leavesOut(
  '/parallel_tool_calls',
  'toolChoice.parallel',
  'the host does not support this switch',
  (value) => value === false,
);

/** The form of the answer, asked for in words (translation.md 2.10). */
export const withFormInWords: Fit = (body, { losses }) => {
  const { text, instructions } = body;
  const format = isObject(text) ? text.format : undefined;
  if (!isObject(text) || !isObject(format) || (format.type !== 'json_schema' && format.type !== 'json_object'))
    return body;
  const path = '/text/format';
  if (format.type === 'json_object')
    losses.add(path, 'output.format', 'approximated', 'JSON output is requested in the instructions');
  else
    losses.add(
      path,
      'output.schema',
      'approximated',
      'the schema is part of the instructions; the answer is not validated',
    );
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

/** No word for how hard the model thinks. That it is not to think is another wish. */
export const withoutEffort: Fit = leavesOut(
  '/reasoning/effort',
  'reasoning.effort',
  'the host does not support this value',
  (value) => typeof value === 'string' && value !== 'none',
);

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
      'the host ignores it; reasoning is left out of the answer',
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
    losses.add(asked ? '/include' : '/top_logprobs', 'logprobs', 'dropped', 'the host does not return it');
  const others = asked ? include.filter((entry) => entry !== LOGPROBS) : include;
  return withMember(withMember(body, 'include', others), 'top_logprobs', undefined);
};

/** No word for how thoughts are summed up but the common one. */
export const withAutoSummary: Fit = (body, { losses }) => {
  const { reasoning } = body;
  if (!isObject(reasoning) || typeof reasoning.summary !== 'string' || reasoning.summary === 'auto') return body;
  losses.add('/reasoning/summary', 'reasoning.show', 'approximated', 'the host chooses the form of summaries');
  return { ...body, reasoning: { ...reasoning, summary: 'auto' } };
};

/** Tiers that every host takes. */
const COMMON_TIERS: ReadonlySet<unknown> = new Set([null, 'auto', 'default']);

/** No tier but the common ones. */
export const withoutTier: Fit = leavesOut(
  '/service_tier',
  'tier',
  'the host does not support this tier',
  (value) => !COMMON_TIERS.has(value),
);

/** The answer is given at once. */
export const withoutBackground: Fit = leavesOut(
  '/background',
  'ext.background',
  'the host does not support background answers',
  (value) => value === true,
);

/** Nothing is to be stored by the host. */
export const withoutStoring: Fit = (body) => (body.store === true ? { ...body, store: false } : body);

/** No members that the host does not know. */
export const withKnownMembers: Fit = keepsOnly(members, (key) => key === 'stream_options');
