import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf } from '../json.js';
import { findProblems, type Problem } from '../shape.js';
import type { StateKeeper } from '../state.js';
import type { Violation } from '../violation.js';
import { checkItems, checkMessages, type IssuedItems } from './item-rules.js';
import { RESPONSES_SHAPES } from './shapes.js';
import { checkTools } from './tool-rules.js';

/** What the rules depend on besides the body. */
export interface ResponsesReading {
  /** Items of the chained responses. */
  readonly context: readonly JsonObject[];
  readonly issued: IssuedItems;
  readonly state: StateKeeper;
  readonly counting?: boolean;
}

/** What the service would refuse a create request for [R §3], the first finding first. */
export function checkResponses(body: JsonObject, reading: ResponsesReading): Violation[] {
  const legacy = checkLegacy(body);
  if (legacy.length > 0) return legacy;
  const root = reading.counting ? 'CountRequest' : 'Request';
  const problems = findProblems(body, root, { shapes: RESPONSES_SHAPES });
  if (problems.length > 0) return problems.map(describe);
  const input = objectsOf(body.input);
  return [
    ...checkTop(body),
    ...checkMessages(input),
    ...checkItems(input, reading.context, reading.issued, reading.state),
    ...checkTools(body),
  ];
}

const MOVED: Readonly<Record<string, string>> = {
  response_format: 'text.format',
  reasoning_effort: 'reasoning.effort',
};

/** Names of the older protocol [R §3.21], and tools in its nested shape [R §3.25]. */
function checkLegacy(body: JsonObject): Violation[] {
  const moved = Object.entries(MOVED).flatMap(([name, home]): Violation[] => {
    if (!(name in body)) return [];
    const message = `Unsupported parameter: '${name}'. In the Responses API, this parameter has moved to '${home}'.`;
    return [{ message, param: name, code: 'unsupported_parameter' }];
  });
  const nested = objectsOf(body.tools).flatMap((tool, index): Violation[] =>
    isObject(tool.function) ? [missing(`tools[${index}].name`)] : [],
  );
  return [...moved, ...nested];
}

function missing(param: string): Violation {
  return { message: `Missing required parameter: '${param}'.`, param, code: 'missing_required_parameter' };
}

function describe({ kind, path, expected, value }: Problem): Violation {
  const param = path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
  switch (kind) {
    case 'unknown':
    case 'twice':
      return { message: `Unknown parameter: '${param}'.`, param, code: 'unknown_parameter' };
    case 'missing':
      return missing(param);
    case 'value': {
      const supported = expected.map((word) => `'${word}'`).join(', ');
      // The service names the part, and not its type, when a part's type is wrong [R §3.23].
      const place = /\]\.type$/.test(param) && param.includes('.content[') ? param.replace(/\.type$/, '') : param;
      const message = `Invalid value: '${String(value)}'. Supported values are: ${supported}.`;
      return { message, param: place, code: 'invalid_value' };
    }
    case 'base64':
    case 'type': {
      const words = expected.map((word) => word.replace(/^.*\[\]$/, 'an array').replace(/^[A-Z].*$/, 'an object'));
      const message = `Invalid type for '${param}': expected one of ${words.join(', ')}, but got ${typeof value} instead.`;
      return { message, param, code: 'invalid_type' };
    }
  }
}

/** Rules on top-level values [R §3.13, §3.19, §3.20, §3.37, §3.38, §7.1]. */
function checkTop(body: JsonObject): Violation[] {
  const found: Violation[] = [];
  if (typeof body.model !== 'string' && !isObject(body.prompt)) found.push(missing('model'));
  const sources = [body.input, body.instructions, body.previous_response_id, body.conversation, body.prompt];
  if (sources.every((source) => source === undefined || source === null)) found.push(missing('input'));
  if (body.previous_response_id && body.conversation) {
    const message = "Mutually exclusive parameters: 'previous_response_id' and 'conversation'.";
    found.push({ message, code: 'mutually_exclusive_parameters' });
  }
  const cap = numberOf(body.max_output_tokens);
  if (cap !== undefined && cap < 16) found.push(outOfBounds('max_output_tokens', 'integer', 'below_min', 16, cap));
  found.push(...checkRange(body, 'temperature', 0, 2), ...checkRange(body, 'top_p', 0, 1));
  found.push(...checkRange(body, 'top_logprobs', 0, 20, 'integer'), ...checkTexts(body), ...checkCompaction(body));
  if (body.stream_options && body.stream !== true) {
    const message = "The 'stream_options' parameter is only allowed when 'stream' is enabled.";
    found.push({ message, param: 'stream_options' });
  }
  return [...found, ...checkMetadata(objectOf(body.metadata))];
}

function checkRange(
  body: JsonObject,
  field: string,
  low: number,
  high: number,
  type: 'integer' | 'decimal' = 'decimal',
): Violation[] {
  const value = numberOf(body[field]);
  if (value === undefined) return [];
  if (value < low) return [outOfBounds(field, type, 'below_min', low, value)];
  return value > high ? [outOfBounds(field, type, 'above_max', high, value)] : [];
}

/** Lengths of texts [R §2.1, §2.5]. */
function checkTexts(body: JsonObject): Violation[] {
  const longest = { input: 10_485_760, safety_identifier: 128 };
  return Object.entries(longest).flatMap(([param, most]): Violation[] => {
    const { length } = stringOf(body[param]);
    return length > most ? [tooLong(param, most, length)] : [];
  });
}

/** Rules on the list of what keeps a context short [R §2.1]. */
function checkCompaction({ context_management: list }: JsonObject): Violation[] {
  if (!Array.isArray(list)) return [];
  const param = 'context_management';
  if (list.length === 0) {
    const message = `Invalid '${param}': empty array. Expected an array with minimum length 1, but got an empty array instead.`;
    return [{ message, param, code: 'empty_array' }];
  }
  return objectsOf(list).flatMap((entry, index): Violation[] => {
    if (entry.type !== 'compaction') {
      const place = `${param}[${index}].type`;
      const message = `Invalid value: '${String(entry.type)}'. Supported values are: 'compaction'.`;
      return [{ message, param: place, code: 'invalid_value' }];
    }
    const threshold = numberOf(entry.compact_threshold);
    if (threshold === undefined || threshold >= 1000) return [];
    return [outOfBounds(`${param}[${index}].compact_threshold`, 'integer', 'below_min', 1000, threshold)];
  });
}

function outOfBounds(
  param: string,
  type: 'integer' | 'decimal',
  side: 'below_min' | 'above_max',
  bound: number,
  value: number,
): Violation {
  const [words, sign] = side === 'below_min' ? ['below minimum', '>='] : ['above maximum', '<='];
  const message = `Invalid '${param}': ${type} ${words} value. Expected a value ${sign} ${bound}, but got ${value} instead.`;
  return { message, param, code: `${type}_${side}_value` };
}

/** A text above its longest. */
function tooLong(param: string, most: number, length: number): Violation {
  const message = `Invalid '${param}': string too long. Expected a string with maximum length ${most}, but got a string with length ${length} instead.`;
  return { message, param, code: 'string_above_max_length' };
}

function checkMetadata(metadata: JsonObject): Violation[] {
  const entries = Object.entries(metadata);
  const fits =
    entries.length <= 16 &&
    entries.every(([key, value]) => key.length <= 64 && typeof value === 'string' && stringOf(value).length <= 512);
  if (fits) return [];
  const message = "Invalid 'metadata': at most 16 pairs of strings, keys up to 64 and values up to 512 characters.";
  return [{ message, param: 'metadata', code: 'string_above_max_length' }];
}
