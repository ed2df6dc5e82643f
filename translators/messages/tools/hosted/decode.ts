import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily } from '../../../canonical/tools.js';
import { isObject } from '../../../wire/json.js';
import { nodeState } from '../../content/reasoning.js';
import { check, keep, keepRaw, keysOf, type Mutable, type Scope } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { codeExecBlocks } from './code-execution.js';
import type { BlockReader } from './codec.js';
import { familyOfCall, familyOfResult } from './families.js';
import { mcpBlocks } from './mcp.js';
import { urlFetchBlocks } from './web-fetch.js';
import { webSearchBlocks } from './web-search.js';

/** What the model has other words for; of other families it holds what the service wrote. */
const READERS: Readonly<Partial<Record<HostedFamily, BlockReader>>> = {
  webSearch: webSearchBlocks,
  urlFetch: urlFetchBlocks,
  codeExec: codeExecBlocks,
  mcp: mcpBlocks,
};

const CALL = keysOf(wire.serverToolUse);
const MCP_CALL = keysOf(wire.mcpToolUse);
const RESULT = keysOf(wire.serverToolResult);

/** A call that the service ran itself. */
export function decodeServerToolUse(node: JsonObject, ptr: string, scope: Scope): HostedCallPart {
  const block = check(wire.serverToolUse, node, ptr);
  const family = familyOfCall(block.name) ?? 'other';
  const input = READERS[family]?.decodeInput?.(block.input, block.name) ?? block.input;
  const kept = keepRaw(keep(node, CALL, ptr), { name: block.name, input: block.input });
  scope.hostedCalls?.set(block.id, node);
  return { kind: 'hostedCall', callId: block.id, family, input, ...kept };
}

/** A call of a tool on an MCP server. */
export function decodeMcpToolUse(node: JsonObject, ptr: string, scope: Scope): HostedCallPart {
  const block = check(wire.mcpToolUse, node, ptr);
  scope.hostedCalls?.set(block.id, node);
  const input = { server: block.server_name, name: block.name, arguments: JSON.stringify(block.input) };
  const kept = keepRaw(keep(node, MCP_CALL, ptr), { input: block.input });
  return { kind: 'hostedCall', callId: block.id, family: 'mcp', input, ...kept };
}

/** What a server tool brought. In answers the state entry holds the pair, for the call is of no use alone. */
export function decodeServerResult(node: JsonObject, ptr: string, scope: Scope): HostedResultPart {
  const block = check(wire.serverToolResult, node, ptr);
  const family = familyOfResult(block.type) ?? 'other';
  const { type, content, is_error } = block;
  const flag = is_error !== undefined && is_error !== null;
  const kept = keepRaw(keep(node, RESULT, ptr), { type, content, ...(flag && { is_error }) });
  const part: Mutable<HostedResultPart> = {
    kind: 'hostedResult',
    callId: block.tool_use_id,
    family,
    output: READERS[family]?.decodeOutput?.(content) ?? (isObject(content) ? content : { content }),
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
  return part;
}

function errorCode(content: unknown): string | undefined {
  return isObject(content) && typeof content.error_code === 'string' ? content.error_code : undefined;
}

/** What a call is of, by the name of its tool. */
export function hostedFamily({ type, name }: JsonObject): HostedFamily | undefined {
  return type === 'mcp_tool_use' ? 'mcp' : familyOfCall(String(name));
}

/** Whether two blocks are a call that the service ran and its result. Neither is accepted alone [M §3.16]. */
export function isHostedPair(call: JsonObject, result: JsonObject | undefined): boolean {
  if (call.type !== 'server_tool_use' && call.type !== 'mcp_tool_use') return false;
  if (typeof call.id !== 'string' || typeof call.name !== 'string' || !isObject(call.input)) return false;
  return (
    typeof result?.type === 'string' && familyOfResult(result.type) !== undefined && result.tool_use_id === call.id
  );
}
