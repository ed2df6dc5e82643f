import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { isObject, lookUp } from '../../../wire/json.js';
import { nodeState } from '../../content/reasoning.js';
import { check, decodeCache, keep, keepRaw, keysOf, type Mutable, type Scope } from '../../nodes.js';
import * as wire from '../../wire/index.js';

const CALL = keysOf(wire.serverToolUse);
const MCP_CALL = keysOf(wire.mcpToolUse);
const RESULT = keysOf(wire.serverToolResult);

/** Families by the name of the server tool [M §2.3]. */
const FAMILIES: Readonly<Record<string, HostedFamily>> = {
  web_search: 'webSearch',
  web_fetch: 'urlFetch',
  code_execution: 'codeExec',
  bash_code_execution: 'codeExec',
  text_editor_code_execution: 'codeExec',
  tool_search_tool_regex: 'toolSearch',
  tool_search_tool_bm25: 'toolSearch',
  advisor: 'advisor',
};

/** Families by the type of the result block. */
const RESULT_FAMILIES: Readonly<Record<string, HostedFamily>> = {
  web_search_tool_result: 'webSearch',
  web_fetch_tool_result: 'urlFetch',
  code_execution_tool_result: 'codeExec',
  bash_code_execution_tool_result: 'codeExec',
  text_editor_code_execution_tool_result: 'codeExec',
  tool_search_tool_result: 'toolSearch',
  advisor_tool_result: 'advisor',
  mcp_tool_result: 'mcp',
};

/** Whether a block type is the result of a server tool, known or not. */
export function isServerResult(type: string): boolean {
  return Object.hasOwn(RESULT_FAMILIES, type);
}

/** A call that the service ran itself. */
export function decodeServerToolUse(node: JsonObject, ptr: string, scope: Scope): HostedCallPart {
  const block = check(wire.serverToolUse, node, ptr);
  const family = lookUp(FAMILIES, block.name) ?? 'other';
  const kept = keepRaw(keep(node, CALL, ptr), { name: block.name, input: block.input });
  scope.hostedCalls?.set(block.id, node);
  return withCache(
    { kind: 'hostedCall', callId: block.id, family, input: decodeInput(family, block.name, block.input), ...kept },
    block.cache_control,
  );
}

function decodeInput(family: HostedFamily, name: string, input: JsonObject): JsonObject {
  if (family === 'webSearch') return { action: 'search', query: input.query };
  if (family !== 'codeExec') return input;
  if (name === 'bash_code_execution') return { code: input.command, language: 'bash' };
  if (name === 'text_editor_code_execution') return { code: JSON.stringify(input), language: 'text_editor' };
  return { code: input.code };
}

function withCache<P extends HostedCallPart | HostedResultPart>(
  part: Mutable<P>,
  mark: Parameters<typeof decodeCache>[0],
): P {
  const cache = decodeCache(mark);
  if (cache !== undefined) part.cache = cache;
  return part;
}

/** A call of a tool on an MCP server. */
export function decodeMcpToolUse(node: JsonObject, ptr: string, scope: Scope): HostedCallPart {
  const block = check(wire.mcpToolUse, node, ptr);
  scope.hostedCalls?.set(block.id, node);
  const input = { server: block.server_name, name: block.name, arguments: JSON.stringify(block.input) };
  const kept = keepRaw(keep(node, MCP_CALL, ptr), { input: block.input });
  return withCache({ kind: 'hostedCall', callId: block.id, family: 'mcp', input, ...kept }, block.cache_control);
}

/** What a server tool brought. In answers the state entry holds the pair, for the call is of no use alone. */
export function decodeServerResult(node: JsonObject, ptr: string, scope: Scope): HostedResultPart {
  const block = check(wire.serverToolResult, node, ptr);
  const family = RESULT_FAMILIES[block.type] ?? 'other';
  const { type, content, is_error } = block;
  const flag = is_error !== undefined && is_error !== null;
  const kept = keepRaw(keep(node, RESULT, ptr), { type, content, ...(flag && { is_error }) });
  const part: Mutable<HostedResultPart> = {
    kind: 'hostedResult',
    callId: block.tool_use_id,
    family,
    output: decodeOutput(family, block.content),
    ...kept,
  };
  const failure = errorCode(block.content);
  if (is_error === true || failure !== undefined) part.isError = true;
  if (failure !== undefined) part.errorCode = failure;
  if (scope.hostedCalls !== undefined) {
    const call = scope.hostedCalls.get(block.tool_use_id);
    part.state = [nodeState('hosted', call === undefined ? [node] : [call, node], scope)];
    scope.hostedCalls.delete(block.tool_use_id);
  }
  return withCache(part, block.cache_control);
}

function errorCode(content: unknown): string | undefined {
  return isObject(content) && typeof content.error_code === 'string' ? content.error_code : undefined;
}

function decodeOutput(family: HostedFamily, content: unknown): JsonObject {
  switch (family) {
    case 'webSearch':
      return { sources: Array.isArray(content) ? content.filter(isObject).map(decodeSource) : [] };
    case 'urlFetch':
      return isObject(content) ? decodeFetched(content) : {};
    case 'codeExec':
      return isObject(content) ? decodeExecution(content) : {};
    case 'mcp':
      return { text: decodeText(content) };
    default:
      return isObject(content) ? content : { content };
  }
}

function decodeSource(hit: JsonObject): JsonObject {
  return {
    url: hit.url,
    title: hit.title,
    ...(typeof hit.page_age === 'string' && { pageAge: hit.page_age }),
  };
}

function decodeFetched(content: JsonObject): JsonObject {
  const document = isObject(content.content) ? content.content : {};
  const source = isObject(document.source) ? document.source : {};
  return {
    url: content.url,
    ...(typeof document.title === 'string' && { title: document.title }),
    ...(source.type === 'text' && typeof source.data === 'string' && { text: source.data }),
  };
}

function decodeExecution(content: JsonObject): JsonObject {
  if (content.error_code === 'execution_time_exceeded') return { stdout: '', timedOut: true };
  const files = Array.isArray(content.content) ? content.content.filter(isObject).map((file) => file.file_id) : [];
  const viewed = typeof content.content === 'string' ? content.content : undefined;
  return {
    stdout: typeof content.stdout === 'string' ? content.stdout : (viewed ?? ''),
    ...(typeof content.stderr === 'string' && content.stderr !== '' && { stderr: content.stderr }),
    ...(typeof content.return_code === 'number' && { exitCode: content.return_code }),
    ...(files.length > 0 && { files }),
  };
}

function decodeText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((block) => (isObject(block) && typeof block.text === 'string' ? block.text : '')).join('');
}

/** What a call is of, by the name of its tool. */
export function hostedFamily({ type, name }: JsonObject): HostedFamily | undefined {
  return type === 'mcp_tool_use' ? 'mcp' : FAMILIES[String(name)];
}

/** Whether two blocks are a call that the service ran and its result. Neither is accepted alone [M §3.16]. */
export function isHostedPair(call: JsonObject, result: JsonObject | undefined): boolean {
  if (call.type !== 'server_tool_use' && call.type !== 'mcp_tool_use') return false;
  if (typeof call.id !== 'string' || typeof call.name !== 'string' || !isObject(call.input)) return false;
  return typeof result?.type === 'string' && isServerResult(result.type) && result.tool_use_id === call.id;
}
