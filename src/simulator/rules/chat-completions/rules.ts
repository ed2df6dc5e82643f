import { type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import { checkReasoning, effortOf } from '../responses/model-rules.js';
import { describe } from '../responses/rules.js';
import { TOO_LONG } from '../responses/violations.js';
import { findProblems } from '../shape.js';
import { type Violation, when } from '../violation.js';
import { checkMessages } from './message-rules.js';
import { CHAT_SHAPES } from './shapes.js';
import { checkTools } from './tool-rules.js';

/** What the service would refuse a create request for [H §2.1, §3.4], the first finding first. */
export function checkChatCompletions(body: JsonObject): Violation[] {
  const problems = findProblems(body, 'Request', { shapes: CHAT_SHAPES });
  if (problems.length > 0) return problems.flatMap(describe);
  return [
    ...checkPairsOfFields(body),
    ...checkValues(body),
    ...checkModel(body),
    ...checkMessages(objectsOf(body.messages)),
    ...checkTools(body),
  ];
}

/** Whether a field is there: `null` is absence. */
function given(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Fields that exclude or need each other. */
function checkPairsOfFields(body: JsonObject): Violation[] {
  const { max_tokens: old, max_completion_tokens: cap, top_logprobs: top, logprobs, modalities, audio } = body;
  const speaks = Array.isArray(modalities) && modalities.includes('audio');
  return [
    ...when(
      given(old) && given(cap),
      "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
      { param: 'max_tokens', code: 'invalid_parameter_combination' },
    ),
    ...when(
      given(body.stream_options) && body.stream !== true,
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      { param: 'stream_options' },
    ),
    ...when(
      given(top) && logprobs !== true,
      "The 'top_logprobs' parameter is only allowed when 'logprobs' is enabled.",
      {
        param: 'top_logprobs',
      },
    ),
    ...when(speaks !== given(audio), "Audio output requires both 'modalities' with 'audio' and 'audio'.", {
      param: 'audio',
    }),
  ];
}

/** Bounds of what is inside a field. */
function checkValues({ stop, logit_bias: bias, metadata }: JsonObject): Violation[] {
  const pairs = Object.entries(objectOf(metadata));
  const fits = pairs.every(([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512);
  const biased = Object.values(objectOf(bias)).every((value) => typeof value === 'number' && Math.abs(value) <= 100);
  const stops = Array.isArray(stop) ? stop.length : 1;
  return [
    ...when(
      stops > 4 || stops === 0,
      `Invalid 'stop': array too ${stops === 0 ? 'short' : 'long'}. Expected an array with 1 to 4 entries, but got an array with length ${stops} instead.`,
      { param: 'stop', code: stops === 0 ? 'array_below_min_length' : 'array_above_max_length' },
    ),
    ...when(!biased, "Invalid 'logit_bias': expected values between -100 and 100.", {
      param: 'logit_bias',
      code: 'invalid_value',
    }),
    ...when(
      pairs.length > 16 || !fits,
      "Invalid 'metadata': at most 16 pairs of strings, keys up to 64 and values up to 512 characters.",
      { param: 'metadata', code: TOO_LONG },
    ),
  ];
}

const REASONING = /^(?:o\d|gpt-[5-9])(?!.*chat)/;
const WITHOUT_STOP = /^(?:o3|o4-mini)/;
const WITHOUT_SYSTEM = /^o1-mini/;
const TOOLS_WITHOUT_REASONING = /^gpt-(?:5\.[4-9]|6-|6\.1)/;
const SEARCHES = /search/;

/** What models of a family refuse [H §2.1, §2.3, §3.1]; other names are older models, which take everything. */
function checkModel(body: JsonObject): Violation[] {
  const model = stringOf(body.model);
  const code = 'unsupported_parameter';
  const refuse = (param: string, hint = ''): Violation => ({
    message: `Unsupported parameter: '${param}' is not supported with this model.${hint}`,
    param,
    code,
  });
  const roles = objectsOf(body.messages).map(({ role }) => stringOf(role));
  const odd = WITHOUT_SYSTEM.test(model) ? roles.findIndex((role) => role === 'system' || role === 'developer') : -1;
  const { reasoning_effort: asked, temperature, top_p, top_logprobs } = body;
  const effort = effortOf({ model, effort: asked });
  const reasonsWithTools = TOOLS_WITHOUT_REASONING.test(model) && given(body.tools) && effort !== 'none';
  return [
    ...(REASONING.test(model) && given(body.max_tokens)
      ? [refuse('max_tokens', " Use 'max_completion_tokens' instead.")]
      : []),
    ...(WITHOUT_STOP.test(model) && given(body.stop) ? [refuse('stop')] : []),
    ...when(odd >= 0, `Unsupported value: 'messages[${odd}].role' does not support '${roles[odd]}' with this model.`, {
      param: `messages[${odd}].role`,
      code: 'unsupported_value',
    }),
    ...when(
      reasonsWithTools,
      `Function tools with reasoning_effort are not supported for ${model} in /v1/chat/completions. Please use /v1/responses instead.`,
      { param: 'reasoning_effort' },
    ),
    ...checkReasoning({
      model,
      effort: asked,
      param: 'reasoning_effort',
      sampling: { temperature, top_p, top_logprobs },
    }),
    ...when(
      given(body.web_search_options) && !SEARCHES.test(model),
      'Web search options not supported with this model.',
    ),
  ];
}
