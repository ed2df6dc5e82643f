import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';
import { findProblems, type Problem } from '../shape.js';
import type { StateKeeper } from '../state.js';
import { type Violation, when } from '../violation.js';
import { checkItems, type IssuedItems } from './item-rules.js';
import { checkMessages } from './message-rules.js';
import { checkReasoning } from './model-rules.js';
import { RESPONSES_SHAPES } from './shapes.js';
import { checkTools } from './tool-rules.js';
import { missing, TOO_LONG, tooLong, unsupported } from './violations.js';

/** What the rules depend on besides the body. */
export interface ResponsesReading {
  /** Items of the chained responses. */
  readonly context: readonly JsonObject[];
  readonly issued: IssuedItems;
  readonly state: StateKeeper;
  readonly counting?: boolean;
}

/** What the service would refuse a create request for [R §3], the first finding first. */
export function checkResponses(body: JsonObject, { context, issued, state, counting }: ResponsesReading): Violation[] {
  const legacy = checkLegacy(body);
  if (legacy.length > 0) return legacy;
  const problems = findProblems(body, counting ? 'CountRequest' : 'Request', { shapes: RESPONSES_SHAPES });
  if (problems.length > 0) return problems.flatMap(describe);
  const input = objectsOf(body.input);
  return [
    ...checkTop(body),
    ...checkModel(body),
    ...checkMessages(input),
    ...checkItems(input, context, issued, state),
    ...checkTools(body),
  ];
}

const MOVED = { response_format: 'text.format', reasoning_effort: 'reasoning.effort' };

/** Names of the older protocol [R §3.21], and tools in its nested shape [R §3.25]. */
function checkLegacy(body: JsonObject): Violation[] {
  return [
    ...Object.entries(MOVED).flatMap(([param, home]) => {
      const message = `Unsupported parameter: '${param}'. In the Responses API, this parameter has moved to '${home}'.`;
      return when(param in body, message, { param, code: 'unsupported_parameter' });
    }),
    ...objectsOf(body.tools).flatMap((tool, index) => missing(isObject(tool.function), `tools[${index}].name`)),
  ];
}

/** What the service says of a value that does not keep to its shape. */
export function describe({ kind, path, expected, bounds = [-Infinity, Infinity], value }: Problem): Violation[] {
  const param = path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
  switch (kind) {
    case 'unknown':
    case 'twice':
      return when(true, `Unknown parameter: '${param}'.`, { param, code: 'unknown_parameter' });
    case 'missing':
      return missing(true, param);
    case 'value': {
      // The service names the part, and not its type, when a part's type is wrong [R §3.23].
      const place = param.includes('.content[') ? param.replace(/(?<=\])\.type$/, '') : param;
      return unsupported(true, place, value, expected);
    }
    case 'range': {
      const type = expected.includes('int') ? 'integer' : 'decimal';
      const [side, sign, bound] =
        Number(value) < bounds[0] ? ['below_min', '>=', bounds[0]] : ['above_max', '<=', bounds[1]];
      const words = side.replace('_min', ' minimum').replace('_max', ' maximum');
      const message = `Invalid '${param}': ${type} ${words} value. Expected a value ${sign} ${bound}, but got ${value} instead.`;
      return when(true, message, { param, code: `${type}_${side}_value` });
    }
    case 'length':
      return describeLength(param, value, bounds[1]);
    case 'base64':
    case 'type': {
      const words = expected.map((word) => word.replace(/^.*\[\]$/, 'an array').replace(/^[A-Z].*$/, 'an object'));
      const message = `Invalid type for '${param}': expected one of ${words.join(', ')}, but got ${typeof value} instead.`;
      return when(true, message, { param, code: 'invalid_type' });
    }
  }
}

/** A list or a text that is empty, or a text above its longest. */
function describeLength(param: string, value: unknown, most: number): Violation[] {
  if (!Array.isArray(value) && value !== '') return tooLong(param, stringOf(value), most);
  const [type, code] = value === '' ? ['a string', 'empty_string'] : ['an array', 'empty_array'];
  const message = `Invalid '${param}': empty ${type.replace(/^an? /, '')}. Expected ${type} with minimum length 1.`;
  return when(true, message, { param, code });
}

function checkModel({ model, reasoning, temperature, top_p, top_logprobs }: JsonObject): Violation[] {
  const { effort } = objectOf(reasoning);
  const sampling = { temperature, top_p, top_logprobs };
  return checkReasoning({ model: stringOf(model), effort, param: 'reasoning.effort', sampling });
}

/** Rules between top-level values [R §3.13, §3.37, §3.38, §7.1]. */
function checkTop(body: JsonObject): Violation[] {
  const { model, input, instructions, previous_response_id: previous, conversation, prompt } = body;
  const sources = [input, instructions, previous, conversation, prompt];
  const pairs = Object.entries(objectOf(body.metadata));
  const fits = pairs.every(([key, value]) => key.length <= 64 && typeof value === 'string' && value.length <= 512);
  return [
    ...missing(typeof model !== 'string' && !isObject(prompt), 'model'),
    ...missing(!sources.some((source) => source !== undefined && source !== null), 'input'),
    ...when(
      Boolean(previous && conversation),
      "Mutually exclusive parameters: 'previous_response_id' and 'conversation'.",
      { code: 'mutually_exclusive_parameters' },
    ),
    ...when(
      Boolean(body.stream_options) && body.stream !== true,
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      { param: 'stream_options' },
    ),
    ...when(
      pairs.length > 16 || !fits,
      "Invalid 'metadata': at most 16 pairs of strings, keys up to 64 and values up to 512 characters.",
      { param: 'metadata', code: TOO_LONG },
    ),
  ];
}
