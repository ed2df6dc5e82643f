import { type JsonObject, objectOf, objectsOf, stringOf } from '../../../src/simulator/rules/index.js';
import { countTokens } from '../services/tokens.js';
import type { Limits } from './limits.js';

/** What a host makes of a body that goes beyond its limits. */
export interface Finding {
  /** The status by which it refuses the body; undefined = it answers as if that were not there. */
  readonly status?: number;
  readonly message: string;
}

/** What of a body a host refuses or misreads. */
export function findingsIn(body: JsonObject, limits: Limits): readonly Finding[] {
  return [
    ...toolFindings(body, limits),
    ...itemFindings(body, limits),
    ...contentFindings(body, limits),
    ...memberFindings(body, limits),
    ...windowFindings(body, limits),
  ];
}

const refused = (message: string, status = 400): Finding => ({ status, message });
const misread = (message: string): Finding => ({ message });

function toolFindings({ tools }: JsonObject, { tools: known, otherTools = 400 }: Limits): Finding[] {
  if (known === undefined) return [];
  return objectsOf(tools).flatMap(({ type = 'custom' }, index) => {
    if (known.includes(stringOf(type))) return [];
    const message = `tools.${index}.type: ${type} is no tool`;
    return [otherTools === 'misread' ? misread(message) : refused(message, otherTools)];
  });
}

function itemFindings({ input }: JsonObject, { items, wholeReasoning, typed }: Limits): Finding[] {
  return objectsOf(input).flatMap(({ type = 'message', role, content, namespace }, index) => [
    ...(items?.includes(stringOf(type)) === false ? [refused(`unknown input item type: ${type}`)] : []),
    ...(typed && role === 'assistant' && objectsOf(input)[index]?.type === undefined
      ? [refused("Cannot determine type of 'item'")]
      : []),
    ...(items !== undefined && namespace !== undefined ? [refused(`input.${index}.namespace is unknown`)] : []),
    ...(wholeReasoning && type === 'reasoning' && objectsOf(content).length === 0
      ? [refused(`input.${index}: 'content' is needed`)]
      : []),
  ]);
}

/** The lists in which contents stand: those of messages and items, and those of results within and beside them. */
function contentFindings({ messages, input }: JsonObject, limits: Limits): Finding[] {
  const { roles, parts, resultParts = parts, otherParts, fetchless, firstPart } = limits;
  const places = [...objectsOf(messages), ...objectsOf(input)];
  const shown = places
    .filter(({ type = 'message' }) => type === 'message')
    .flatMap(({ content }) => objectsOf(content));
  const results = [
    ...places.flatMap(({ output }) => objectsOf(output)),
    ...shown.flatMap(({ type, content }) => (type === 'tool_result' ? objectsOf(content) : [])),
  ];
  const unknown = (list: readonly JsonObject[], types: readonly string[] | undefined): Finding[] =>
    list.flatMap(({ type }) => {
      if (types === undefined || types.includes(stringOf(type))) return [];
      const message = `a part of the type ${type}`;
      return [otherParts === 'misread' ? misread(message) : refused(message)];
    });
  const strange = places.filter(({ role }) => roles?.includes(stringOf(role)) === false);
  const remote = [...shown, ...results].filter(({ source, image_url: url }) => {
    return objectOf(source).type === 'url' || stringOf(url).startsWith('http');
  });
  const isText = ({ type }: JsonObject): boolean => type === 'text' || type === 'output_text';
  const inParts = places.filter(
    ({ role, content }) => role === 'assistant' && objectsOf(content).filter(isText).length > 1,
  );
  return [
    ...(firstPart ? inParts.map(() => misread('a message in parts')) : []),
    ...unknown(shown, parts),
    ...unknown(results, resultParts),
    ...strange.map(({ role }) => refused(`messages: role ${role}`)),
    ...(fetchless ? remote.map(() => refused('a picture by URL')) : []),
  ];
}

function memberFindings(body: JsonObject, { members, values = {}, ignores = [] }: Limits): Finding[] {
  return [
    ...Object.keys(body)
      .filter((key) => members?.includes(key) === false)
      .map((key) => refused(`Extra inputs are not permitted: ${key}`)),
    ...Object.entries(values)
      .filter(([path, taken]) => at(body, path) !== undefined && !taken.includes(at(body, path)))
      .map(([path]) => refused(wordsFor(path, at(body, path)))),
    ...ignores.filter((path) => says(body, path)).map((path) => misread(path)),
  ];
}

/** As vLLM 0.32.0 refuses them; what a prompt leaves no room for it cuts in silence. */
function windowFindings(body: JsonObject, { window }: Limits): Finding[] {
  if (window === undefined) return [];
  const cap = Number(body.max_tokens ?? body.max_completion_tokens ?? 0);
  if (cap > window) {
    const words = `max_completion_tokens=${cap} cannot be greater than max_model_len=${window}. Please request fewer output tokens.`;
    return [refused(`${words} (parameter=max_tokens, value=${cap})`)];
  }
  const input = countTokens(JSON.stringify(body));
  const least = window + 1;
  if (input <= window) return [];
  return [
    refused(
      `This model's maximum context length is ${window} tokens. However, your prompt contains at least ${least} input tokens.`,
    ),
  ];
}

function wordsFor(path: string, value: unknown): string {
  if (path === 'reasoning_effort') return `think value "${value}" is not supported for this model`;
  return `${path}: ${value} is not supported`;
}

function at(body: JsonObject, path: string): unknown {
  return path.split('.').reduce<unknown>((node, key) => objectOf(node)[key], body);
}

/** Whether a member says what is not the case anyway, so that it would be lost where it is ignored. */
function says(body: JsonObject, path: string): boolean {
  const value = at(body, path);
  const { type = value } = objectOf(value);
  const choice = SAYS[path];
  if (choice !== undefined) return choice(body);
  return value !== undefined && value !== null && value !== false && type !== 'text';
}

/** Members that say something in a way of their own; forms of a choice of tools, which some hosts know in part, among them. */
const SAYS: Readonly<Record<string, (body: JsonObject) => boolean>> = {
  'text.format': (body) => {
    const { type = 'text' } = objectOf(at(body, 'text.format'));
    return type !== 'text' && body.response_format === undefined;
  },
  tool_choice: (body) => isNone(body) || leavesOut(body),
  'tool_choice.name': leavesOut,
  'tool_choice.none': isNone,
  'tool_choice.object': ({ tool_choice: choice }) => typeof choice === 'object' && choice !== null,
  'tool_choice.allowed_tools': ({ tool_choice: choice }) => objectOf(choice).type === 'allowed_tools',
  parallel_tool_calls: ({ parallel_tool_calls: parallel }) => parallel === false,
  include: ({ include }) => JSON.stringify(include ?? []).includes('logprobs'),
};

function isNone({ tools, tool_choice: choice }: JsonObject): boolean {
  const { type = choice } = objectOf(choice);
  return type === 'none' && objectsOf(tools).length > 0;
}

/** Whether a choice by name leaves out tools that are declared. That one has to be called cannot be said in another way. */
function leavesOut({ tools, tool_choice: choice }: JsonObject): boolean {
  const { name = objectOf(objectOf(choice).function).name } = objectOf(choice);
  return objectsOf(tools).some((tool) => name !== undefined && (tool.name ?? objectOf(tool.function).name) !== name);
}
