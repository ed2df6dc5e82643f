import type { DialectId } from '../../translators/index.js';
import { isObject } from './cases.js';
import { tableOf } from './dialects/index.js';
import { readData } from './frames.js';

type Wire = Record<string, unknown>;
type Rule = (node: Wire, path: readonly string[]) => unknown;

/** How bodies of a dialect can be spelled: what says nothing in each object, and below which keys there is only data. */
export interface Spelling {
  readonly rule: Rule;
  readonly data: readonly string[];
}

/** The facts of a dialect in `neutral.yaml`. */
interface Spelled
  extends Readonly<Record<'data' | 'echo' | 'lists' | 'numbers' | 'words' | 'retold' | 'figures', readonly string[]>> {
  readonly nothing: Readonly<Record<string, readonly unknown[]>>;
  readonly schemas: Readonly<Record<string, string>>;
}

const {
  messages: MESSAGES,
  responses: RESPONSES,
  generateContent: GENERATE_CONTENT,
  chatCompletions: CHAT_COMPLETIONS,
}: Readonly<Record<'messages' | 'responses' | 'generateContent' | 'chatCompletions', Spelled>> = readData(
  'support/neutral.yaml',
);

const SPELLINGS = tableOf('spelling');

/**
 * A body without what its spelling alone says: two bodies of a dialect that give the same here mean the same to its
 * service (translation.md 0.5, 0.8). Values that are data, such as the arguments of a call or a schema, stay as they are.
 */
export function neutral(dialect: DialectId, body: unknown): unknown {
  const { rule, data } = SPELLINGS[dialect];
  return walk(body, [], rule, new Set(data));
}

/** Children first; explicit nulls go (0.8). A list in which nothing is said of a node loses it. */
function walk(value: unknown, path: readonly string[], rule: Rule, data: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((child) => walk(child, [...path, '*'], rule, data));
  if (!isObject(value)) return value;
  const out: Wire = Object.create(null);
  for (const [key, child] of Object.entries(value)) {
    // At the top of a request of responses, `input` and `metadata` are its own.
    const isData = data.has(key) && !(key === 'input' && Array.isArray(child));
    if (child !== null && child !== undefined) out[key] = isData ? child : walk(child, [...path, key], rule, data);
  }
  return rule(out, path);
}

function drop(node: Wire, key: string, ...said: readonly unknown[]): void {
  if (said.some((value) => JSON.stringify(node[key]) === JSON.stringify(value))) delete node[key];
}

/** Drops what says nothing in any node of the dialect. */
function hush(node: Wire, { nothing }: Spelled): void {
  for (const [key, said] of Object.entries(nothing)) if (key in node) drop(node, key, ...said);
}

function texts(content: unknown, type: string): unknown {
  return typeof content === 'string' ? [{ type, text: content }] : content;
}

function messages(node: Wire, path: readonly string[]): unknown {
  hush(node, MESSAGES);
  if (path.at(-2) === 'tools') drop(node, 'type', 'custom');
  if ('system' in node) node.system = texts(node.system, 'text');
  if ('role' in node || node.type === 'tool_result' || (path.at(-1) === 'source' && node.type === 'content')) {
    node.content = texts(node.content ?? [], 'text');
  }
  if (Array.isArray(node.mcp_servers)) node.mcp_servers = sorted(node.mcp_servers);
  return node;
}

/** Servers are told apart by their names, not by their order. */
function sorted(list: readonly unknown[]): unknown[] {
  return [...list].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

function responses(node: Wire, path: readonly string[]): unknown {
  hush(node, RESPONSES);
  delete node.stream_options;
  if (path.length === 0) {
    if (node.object === 'response' || 'output' in node) for (const key of RESPONSES.echo) delete node[key];
    delete node.object;
    if (typeof node.input === 'string') node.input = [{ role: 'user', content: texts(node.input, 'text') }];
    if (isObject(node.conversation)) node.conversation = node.conversation.id ?? node.conversation;
    if (Array.isArray(node.input) && node.input.length === 0) delete node.input;
  }
  if (isObject(node.usage))
    for (const key of ['input_tokens_details', 'output_tokens_details']) drop(node.usage, key, {});
  if ('generate_summary' in node) {
    node.summary ??= node.generate_summary;
    delete node.generate_summary;
  }
  if (Array.isArray(node.domains)) {
    node.filters = { allowed_domains: node.domains, ...(isObject(node.filters) && node.filters) };
    delete node.domains;
  }
  // One listed tool that has to be called is the tool that is forced.
  if (
    node.type === 'allowed_tools' &&
    node.mode === 'required' &&
    Array.isArray(node.tools) &&
    node.tools.length === 1
  ) {
    return node.tools[0];
  }
  // The words of some failures are the service's own affair (translation.md 7.1).
  if (path.at(-1) === 'error') delete node.message;
  if (node.type === 'input_text' || node.type === 'output_text') node.type = 'text';
  for (const key of ['image_url', 'file_data']) if (typeof node[key] === 'string') node[key] = dataUrl(node[key]);
  if (!isItem(path)) return node;
  // A part in the place of an item is what the user says.
  if (['text', 'input_image', 'input_file'].includes(String(node.type))) return { role: 'user', content: [node] };
  item(node);
  return node;
}

function isItem(path: readonly string[]): boolean {
  return path.length === 2 && path[1] === '*' && (path[0] === 'input' || path[0] === 'output');
}

function item(node: Wire): void {
  if ('role' in node) drop(node, 'type', 'message');
  else if (node.type === undefined) node.type = 'item_reference';
  if (node.type === 'additional_tools') drop(node, 'role', 'developer');
  if ('content' in node && 'role' in node) {
    node.content = spoken(node.content);
  }
  if (node.type === 'reasoning') node.summary ??= [];
  if (String(node.type).endsWith('_call_output')) node.output = spoken(node.output);
  if (node.type === 'function_call' && (node.arguments ?? '') === '') node.arguments = '{}';
}

/** Content without empty texts, which say nothing (translation.md 0.7). */
function spoken(content: unknown): unknown {
  const list = texts(content, 'text');
  return Array.isArray(list) ? list.filter((part) => !isObject(part) || part.text !== '') : list;
}

/** Base64 in one alphabet, padded; parameters between type and data say nothing. */
function dataUrl(url: string): string {
  const [, mime, data] = /^data:([^;,]*)[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return url;
  return `data:${mime};base64,${Buffer.from(data, 'base64').toString('base64')}`;
}

function generateContent(given: Wire, path: readonly string[]): unknown {
  const node = camel(given);
  for (const key of Object.keys(node)) {
    if (GENERATE_CONTENT.lists.includes(key) && !Array.isArray(node[key])) node[key] = [node[key]];
    if (GENERATE_CONTENT.numbers.includes(key)) node[key] = Number(node[key]);
    const schema = GENERATE_CONTENT.schemas[key];
    if (schema !== undefined) {
      node[schema] = 'a schema';
      delete node[key];
    }
  }
  for (const key of GENERATE_CONTENT.words) {
    if (typeof node[key] === 'string') node[key] = node[key].toUpperCase();
  }
  hush(node, GENERATE_CONTENT);
  if (node.responseLogprobs === undefined) delete node.logprobs;
  // Both schemas and the list of formats say that the answer is JSON.
  if ('answerSchema' in node) node.responseMimeType ??= 'application/json';
  if (isObject(node.functionResponse)) result(node.functionResponse);
  if (isObject(node.inlineData) && typeof node.inlineData.data === 'string') {
    node.inlineData.data = Buffer.from(node.inlineData.data, 'base64').toString('base64');
  }
  if (Array.isArray(node.parts)) node.parts = node.parts.filter((part) => !isBlank(part)).map(signedText);
  if (/^contents(?:\.\*)?$/.test(path.join('.'))) node.role = node.role === 'model' ? 'model' : 'user';
  if (path.at(-1) === 'systemInstruction') {
    delete node.role;
    if (!('parts' in node)) return { parts: [node] };
  }
  if (path.length === 0) body(node);
  if (path.at(-2) === 'candidates') {
    for (const key of GENERATE_CONTENT.retold) delete node[key];
    node.content ??= { role: 'model' };
  }
  if (path.at(-1) === 'content') {
    node.role ??= 'model';
    drop(node, 'parts', []);
  }
  return node;
}

function body(node: Wire): void {
  delete node.model;
  delete node.createTime;
  if (typeof node.systemInstruction === 'string')
    node.systemInstruction = { parts: [{ text: node.systemInstruction }] };
  if (
    isObject(node.systemInstruction) &&
    Array.isArray(node.systemInstruction.parts) &&
    node.systemInstruction.parts.length === 0
  )
    delete node.systemInstruction;
  if (Array.isArray(node.tools)) {
    node.tools = node.tools.filter((entry) => Object.keys(Object(entry)).length > 0);
    drop(node, 'tools', []);
  }
  if (isObject(node.usageMetadata)) {
    const { promptTokenCount = 0, totalTokenCount, serviceTier } = node.usageMetadata;
    node.usageMetadata = { promptTokenCount, totalTokenCount, serviceTier };
    if (totalTokenCount === undefined) delete node.usageMetadata;
  }
}

function camel(node: Wire): Wire {
  const out: Wire = Object.create(null);
  for (const [key, value] of Object.entries(node)) {
    out[key.replace(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase())] = value;
  }
  return out;
}

/** A text alone is the result, under whichever of its two names. */
function result(node: Wire): void {
  const keys = Object.keys(Object(node.response ?? {}));
  if (isObject(node.response) && keys.join() === 'result' && typeof node.response.result === 'string')
    node.response = { output: node.response.result };
  node.response ??= { output: '' };
  drop(node, 'parts', []);
}

/** An empty text without a signature, which may be a part without anything (translation.md 2.5). */
function isBlank(part: unknown): boolean {
  if (!isObject(part)) return false;
  const keys = Object.keys(part);
  return keys.length === 0 || (keys.join() === 'text' && part.text === '');
}

/** A signature alone is on an empty text. */
function signedText(part: unknown): unknown {
  const isAlone = isObject(part) && Object.keys(part).join() === 'thoughtSignature';
  return isAlone ? { ...part, text: '' } : part;
}

/** The counts that the model has, without zeros and sums; others are figures that change nothing in an answer [H §6.3]. */
function counts({ prompt_tokens, completion_tokens, ...usage }: Wire): Wire {
  const inside = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const made = isObject(usage.completion_tokens_details) ? usage.completion_tokens_details : {};
  const read = inside.cached_tokens ?? usage.prompt_cache_hit_tokens ?? usage.cached_tokens ?? usage.num_cached_tokens;
  // vLLM and LiteLLM have names of their own for what is written.
  const written = inside.cache_write_tokens ?? inside.created_cache_tokens ?? inside.cache_creation_tokens;
  const told = { read, written, thought: made.reasoning_tokens };
  const some = Object.entries(told).filter(([, count]) => count !== undefined && count !== 0);
  return { prompt_tokens, completion_tokens, ...Object.fromEntries(some) };
}

/** A data URL is read by its type: what is no picture is a file, wherever it stands. */
function fileUnderImage(node: Wire): void {
  const { image_url: image } = node;
  if (node.type !== 'image_url' || !isObject(image) || !/^data:application\//.test(String(image.url))) return;
  delete node.image_url;
  Object.assign(node, { type: 'file', file: { file_data: image.url } });
}

/** llama-cpp-python tells a call in the older form as well [H §4.5]. */
function isToldTwice({ function_call: call, tool_calls: calls }: Wire): boolean {
  const isIt = (one: unknown) => isObject(one) && isObject(one.function) && one.function.name === Object(call).name;
  return Array.isArray(calls) && calls.some(isIt);
}

function chatCompletions(node: Wire, path: readonly string[]): unknown {
  hush(node, CHAT_COMPLETIONS);
  // Beside a whole message a delta says nothing [H §6.1].
  if ('message' in node) drop(node, 'delta', { role: 'assistant' });
  if (isObject(node.audio)) drop(node.audio, 'id', '');
  if (isObject(node.audio) && node.audio.id === undefined && node.audio.data === '') delete node.audio;
  if (isObject(node.function)) drop(node, 'type', 'function');
  // A result without the id of its call is found by its name, as those of functions were [H §4.5].
  if (node.role === 'tool' && node.tool_call_id === '') node.role = 'function';
  drop(node, 'tool_call_id', '');
  fileUnderImage(node);
  if ('role' in node && 'content' in node) {
    node.content = spoken(node.content);
    drop(node, 'content', []);
  }
  if (typeof node.stop === 'string') node.stop = [node.stop];
  if (typeof node.image_url === 'string') node.image_url = { url: node.image_url };
  if (isObject(node.image_url)) drop(node.image_url, 'detail', 'auto');
  // One listed tool that has to be called is the tool that is forced.
  const listed = isObject(node.allowed_tools) ? node.allowed_tools : {};
  if (listed.mode === 'required' && Array.isArray(listed.tools) && listed.tools.length === 1) return listed.tools[0];
  if (isObject(node.usage)) node.usage = counts(node.usage);
  for (const key of CHAT_COMPLETIONS.figures) delete node[key];
  if (path.at(-2) === 'tool_calls') delete node.index;
  if (path.at(-1) === 'prompt_cache_options') drop(node, 'mode', 'implicit');
  if (isObject(node.function_call)) drop(node, 'function_call', { name: '' });
  if (isToldTwice(node)) delete node.function_call;
  if (path.length === 0) {
    drop(node, 'response_format', { type: 'text' });
    for (const key of ['object', 'created', 'system_fingerprint']) delete node[key];
  }
  return node;
}

export const MESSAGES_SPELLING: Spelling = { ...MESSAGES, rule: messages };
export const RESPONSES_SPELLING: Spelling = { ...RESPONSES, rule: responses };
export const GENERATE_CONTENT_SPELLING: Spelling = { ...GENERATE_CONTENT, rule: generateContent };
export const CHAT_COMPLETIONS_SPELLING: Spelling = { ...CHAT_COMPLETIONS, rule: chatCompletions };
