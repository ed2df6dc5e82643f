import type { CallPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import { isBlank } from '../wire/blank.js';
import { isObject, parseJson } from '../wire/json.js';

/** What the input of a call becomes when its text is no JSON object; the client's own check then fails visibly [hard case CALL-14]. */
const RAW_ARGUMENTS = '_raw_arguments';

/** The object that a call's argument text holds; undefined when it holds none. An empty text is an empty object. */
export function parseArguments(text: string, maxDepth?: number): JsonObject | undefined {
  if (isBlank(text)) return {};
  const parsed = parseJson(text, maxDepth);
  if (!parsed.ok) return undefined;
  if (parsed.value === null) return {};
  return isObject(parsed.value) ? parsed.value : undefined;
}

/** An argument text that is no JSON object, under one key of an object. */
export function rawArguments(text: string): JsonObject {
  return { [RAW_ARGUMENTS]: text };
}

/** The input of a call, in any case an object: its value, or what its text holds. */
export function argumentsOf({ freeform, args }: CallPart, maxDepth?: number): JsonObject {
  if (freeform !== undefined) return { input: freeform };
  if (args.value !== undefined) return args.value;
  const text = args.text ?? '';
  return parseArguments(text, maxDepth) ?? rawArguments(text);
}

/** The arguments of a call as they are, an object or not; undefined for a text that is no JSON. */
export function parsedArguments({ args }: Pick<CallPart, 'args'>): unknown {
  if (args.value !== undefined) return args.value;
  const parsed = parseJson(args.text ?? '{}');
  return parsed.ok ? parsed.value : undefined;
}
