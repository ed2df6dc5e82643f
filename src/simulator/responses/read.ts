import { isObject, type JsonObject, numberOf, objectOf, objectsOf, stringOf, stringsOf } from '../json.js';
import type { OutputForm, Tool, ToolOutcome, View } from '../plan.js';
import { countTokens } from '../tokens.js';
import type { ReasoningShow } from './items.js';

/** The input as items; a string is one user message. */
export function itemsOf(input: unknown): JsonObject[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : objectsOf(input);
}

/** Which reasoning the answer shows: summaries when asked for, state when asked for or needed [R §2.2, §2.4]. */
export function readShow(body: JsonObject): ReasoningShow {
  const { summary, generate_summary } = objectOf(body.reasoning);
  return {
    summary: typeof (summary ?? generate_summary) === 'string',
    encrypted: body.store === false || stringsOf(body.include).includes('reasoning.encrypted_content'),
  };
}

/**
 * The request as the script wants to see it.
 * @param items the whole context: items of earlier responses, then the input
 */
export function readResponses(body: JsonObject, items: readonly JsonObject[]): View {
  const lastSpoken = items.findLastIndex(isSpoken);
  const current = items.slice(lastSpoken + 1);
  const asked = lastSpoken === items.length - 1 ? items.filter((item) => item.role === 'user').slice(-1) : current;
  const names = new Map(items.flatMap((item) => (item.name ? [[item.call_id, stringOf(item.name)] as const] : [])));
  const instructions = items.filter((item) => item.role === 'system' || item.role === 'developer');
  const prefixTokens =
    countTokens(stringOf(body.instructions)) +
    instructions.reduce((sum, item) => sum + countTokens(textOf(item.content)), 0) +
    countTokens(body.tools ? JSON.stringify(body.tools) : '');
  const others = items.filter((item) => !instructions.includes(item));
  return {
    model: stringOf(body.model),
    userText: asked.flatMap((item) => (item.role === 'user' ? [textOf(item.content)] : [])).join('\n'),
    results: current.flatMap((item) => readResult(item, names)),
    media: asked.flatMap((item) => [...objectsOf(item.content), ...objectsOf(item.output)]).flatMap(readMedia),
    tools: readTools(body.tools),
    choice: readChoice(body.tool_choice),
    parallel: body.parallel_tool_calls !== false,
    wantsReasoning: wantsReasoning(body.reasoning),
    output: readOutput(objectOf(objectOf(body.text).format)),
    ...(numberOf(body.max_output_tokens) === undefined ? {} : { maxTokens: Number(body.max_output_tokens) }),
    stop: [],
    promptTokens: prefixTokens + others.reduce((sum, item) => sum + countItem(item), 0),
    prefixTokens,
    laterTurn: lastSpoken >= 0,
  };
}

function isSpoken(item: JsonObject): boolean {
  const type = stringOf(item.type, 'message');
  if (type === 'message') return item.role === 'assistant';
  return type === 'reasoning' || type.endsWith('_call');
}

function wantsReasoning(reasoning: unknown): boolean {
  const { effort, summary } = objectOf(reasoning);
  return typeof effort === 'string' ? effort !== 'none' : typeof summary === 'string';
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsOf(content)
    .map((part) => stringOf(part.text))
    .join('\n');
}

function readResult(item: JsonObject, names: ReadonlyMap<unknown, string>): ToolOutcome[] {
  if (!stringOf(item.type).endsWith('call_output')) return [];
  const name = names.get(item.call_id) ?? stringOf(item.call_id);
  return [{ name, text: textOf(item.output), isError: false }];
}

function readMedia(part: JsonObject): string[] {
  if (part.type !== 'input_image' && part.type !== 'input_file') return [];
  const url = stringOf(part.type === 'input_image' ? part.image_url : part.file_data);
  const mime = /^data:([^;,]+)/i.exec(url)?.[1];
  const kind = part.type === 'input_image' ? 'image' : 'file';
  return [mime ?? (part.file_id ? `${kind} by file id` : `${kind} by URL`)];
}

function readTools(tools: unknown): Tool[] {
  return objectsOf(tools).flatMap((tool): Tool[] => {
    const name = stringOf(tool.name);
    if (tool.type === 'custom') return [{ name, freeform: true }];
    if (tool.type !== 'function') return [];
    return [isObject(tool.parameters) ? { name, schema: tool.parameters } : { name }];
  });
}

function readChoice(choice: unknown): View['choice'] {
  if (choice === 'none') return { mode: 'none' };
  if (choice === 'required') return { mode: 'required' };
  const { type, name, mode, tools } = objectOf(choice);
  if (type === 'function' || type === 'custom') return { mode: 'required', only: [stringOf(name)] };
  if (type !== 'allowed_tools') return { mode: 'auto' };
  const only = objectsOf(tools).map((tool) => stringOf(tool.name));
  return { mode: mode === 'required' ? 'required' : 'auto', only };
}

function readOutput(format: JsonObject): OutputForm {
  if (format.type === 'json_object') return { kind: 'json' };
  return format.type === 'json_schema' ? { kind: 'schema', schema: objectOf(format.schema) } : { kind: 'text' };
}

const TOKENS_PER_MEDIUM = 250;

function countItem(item: JsonObject): number {
  const content = item.content ?? item.output ?? item.summary;
  const media = objectsOf(content).flatMap(readMedia).length * TOKENS_PER_MEDIUM;
  const call = item.name ? 1 + countTokens(stringOf(item.arguments, stringOf(item.input))) : 0;
  return media + call + countTokens(textOf(content));
}
