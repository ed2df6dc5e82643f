import type { CallPart, Part, TextPart } from '../canonical/content.js';
import type { EventSink, StreamEvent } from '../canonical/events.js';
import type { JsonObject } from '../canonical/node.js';
import { type CanonicalRequest, declaredTools } from '../canonical/request.js';
import type { CanonicalResponse } from '../canonical/response.js';
import type { Tool } from '../canonical/tools.js';
import { isNamed } from '../canonical/tools.js';
import { removeAddedNulls, unwrapValue } from '../schema/index.js';
import type { TargetRules } from '../target/target.js';
import { isObject, parseJson } from '../wire/json.js';
import { parsedArguments } from './arguments.js';
import { callsAsText, createCallReader, mayAnswerByCall } from './final-answer.js';
import { createNames, type Names } from './names.js';

/** Gives an answer back what the request's adaptation took away: names, free text input, unwrapped values. */
export interface Restorer {
  response(response: CanonicalResponse): CanonicalResponse;
  /** A stage in front of `next`. */
  stage(next: EventSink): EventSink;
}

/** How the arguments of one tool come back. */
type ArgumentRule =
  | { readonly to: 'freeform' }
  | { readonly to: 'value'; readonly restore: (args: unknown) => unknown };

/**
 * The restorer for answers of a backend whose dialect has these rules, or undefined when an answer needs none. `request`
 * is the client's own.
 */
export function createRestorer(request: CanonicalRequest, rules: TargetRules): Restorer | undefined {
  if (request.source === rules.dialect) return undefined;
  const names = createNames(request, rules);
  const tools = argumentRules(declaredTools(request), names, rules);
  const answer = answerRule(request, rules);
  const byCall = mayAnswerByCall(request, rules);
  if (!names.changed && tools.size === 0 && answer === undefined && !byCall) return undefined;
  const restorePart = (part: Part): Part => {
    if (part.kind === 'call') return part.fixedName === true ? part : restoreCall(part, names, tools.get(part.name));
    return answer !== undefined && part.kind === 'text' ? { ...part, text: answer(part.text) } : part;
  };
  const stage = (next: EventSink) => createStage(next, names, tools, answer !== undefined, restorePart);
  return {
    response(response) {
      const told = byCall ? callsAsText(response) : response;
      return { ...told, parts: told.parts.map(restorePart) };
    },
    stage: (next) => (byCall ? createCallReader(stage(next)) : stage(next)),
  };
}

const NO_RULES: ReadonlyMap<string, ArgumentRule> = new Map();

/** By the names that the backend knows. */
function argumentRules(tools: readonly Tool[], names: Names, rules: TargetRules): ReadonlyMap<string, ArgumentRule> {
  if (tools.length === 0) return NO_RULES;
  const found = new Map<string, ArgumentRule>();
  for (const tool of tools) {
    const rule = argumentRule(tool, rules);
    if (rule !== undefined && isNamed(tool)) found.set(names.alias(tool.name, tool.namespace), rule);
  }
  return found;
}

function argumentRule(tool: Tool, rules: TargetRules): ArgumentRule | undefined {
  // Who answers may know of no target: whether the tool was sent as a function shows in the call.
  if (tool.kind === 'custom') return { to: 'freeform' };
  if (tool.kind !== 'function' || tool.schema === undefined) return undefined;
  const wrapped = mayWrap(tool.schema) && rules.schemas.wrapsArguments(tool);
  const restore = valueRule(
    tool.schema,
    wrapped,
    tool.strict === true && rules.schemas.fillsNulls(tool.schema, 'arguments'),
  );
  return restore === undefined ? undefined : { to: 'value', restore };
}

/** Keywords that make a root more than a plain object. */
const NOT_PLAIN = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum', 'const'];

/** Names that every target takes at a root. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;

/** Whether the root of a schema is anything else than a plain object; only then it can be wrapped. */
export function mayWrap(schema: JsonObject): boolean {
  if (schema.type !== 'object' || NOT_PLAIN.some((key) => key in schema)) return true;
  return isObject(schema.properties) && Object.keys(schema.properties).some((name) => !PLAIN_NAME.test(name));
}

function valueRule(schema: JsonObject, wrapped: boolean, filled: boolean): ((value: unknown) => unknown) | undefined {
  if (!wrapped && !filled) return undefined;
  return (value) => {
    const bare = wrapped ? unwrapValue(value) : value;
    return filled ? removeAddedNulls(bare, schema) : bare;
  };
}

/** How an answer that is under `value` begins. */
const WRAPPER_HEAD = /^\s*\{\s*"value"\s*:\s*/;

/** How the answer's text comes back. A word from a list is bare, without quotes. */
function answerRule({ output }: CanonicalRequest, rules: TargetRules): ((text: string) => string) | undefined {
  if (output === undefined || (output.kind !== 'enum' && output.kind !== 'schema')) return undefined;
  const { schema = {} } = output;
  const wrapped = rules.schemas.wrapsAnswer(output);
  const filled = output.strict === true && rules.schemas.fillsNulls(schema, 'answer');
  const restore = valueRule(schema, wrapped, filled);
  if (restore === undefined) return undefined;
  return (text) => {
    const parsed = parseJson(text);
    // A cut answer begins like the value that it would have been.
    if (!parsed.ok) return wrapped ? text.replace(WRAPPER_HEAD, '') : text;
    const value = restore(parsed.value);
    return output.kind === 'enum' && typeof value === 'string' ? value : JSON.stringify(value);
  };
}

function restoreCall(part: CallPart, names: Names, rule: ArgumentRule | undefined): CallPart {
  const { name, namespace } = names.original(part.name);
  const named = name === part.name && namespace === undefined ? part : { ...part, name, namespace };
  // Servers that have such tools give their input as it is.
  if (rule === undefined || part.freeform !== undefined) return named;
  if (rule.to === 'freeform') return { ...named, args: { value: {} }, freeform: freeformOf(part) };
  const args = part.truncated === true ? undefined : parsedArguments(part);
  if (args === undefined) return named;
  const restored = rule.restore(args);
  return { ...named, args: isObject(restored) ? { value: restored } : { text: JSON.stringify(restored) } };
}

/** The free text in the arguments; what was cut, or is not in the form that was asked for, stays as it came. */
function freeformOf(part: CallPart): string {
  const args = parsedArguments(part);
  if (isObject(args) && typeof args.input === 'string') return args.input;
  if (args === undefined) return part.args.text ?? '';
  return part.truncated === true && isObject(args) && Object.keys(args).length === 0 ? '' : JSON.stringify(args);
}

/** Deltas of parts whose content has to be rewritten are held until the part is whole, and so is what cites them. */
function createStage(
  next: EventSink,
  names: Names,
  tools: ReadonlyMap<string, ArgumentRule>,
  unwraps: boolean,
  restorePart: (part: Part) => Part,
): EventSink {
  const held = new Set<number>();
  return (event: StreamEvent) => {
    if (event.type === 'part.delta' || event.type === 'part.citation') {
      if (!held.has(event.ix)) next(event);
    } else if (event.type === 'part.start' && event.part.kind === 'call' && event.part.fixedName !== true) {
      const rule = event.part.freeform === undefined ? tools.get(event.part.name) : undefined;
      if (rule !== undefined) held.add(event.ix);
      const head = restoreCall(event.part, names, undefined);
      next({ ...event, part: rule?.to === 'freeform' ? { ...head, freeform: '' } : head });
    } else if (event.type === 'part.start' && event.part.kind === 'text') {
      if (unwraps) held.add(event.ix);
      next(unwraps ? { type: event.type, ix: event.ix, part: event.part } : event);
    } else if (event.type === 'part.end') {
      const part = restorePart(event.part);
      if (held.delete(event.ix)) next(wholeDelta(event.ix, part));
      next({ ...event, part });
    } else {
      next(event);
    }
  };
}

function wholeDelta(ix: number, part: Part): StreamEvent {
  if (part.kind !== 'call') return { type: 'part.delta', ix, op: 'text', value: (part as TextPart).text };
  if (part.freeform !== undefined) return { type: 'part.delta', ix, op: 'freeform', value: part.freeform };
  const { text, value = {} } = part.args;
  // Whether a call without arguments shows an empty object, or nothing because it was cut, shows at its end.
  const whole = text ?? (Object.keys(value).length === 0 ? '' : JSON.stringify(value));
  return { type: 'part.delta', ix, op: 'args', value: whole };
}
