import type { HostedCallPart } from '../../../canonical/content.js';
import { TranslationError } from '../../../canonical/errors.js';
import { type JsonObject, placesOf, ptrOf } from '../../../canonical/node.js';
import type { HostedSettings, HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject } from '../../../wire/json.js';
import { check, keysOf, origin, type Reader } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { type HostedCodec, hostedTool, type ItemCodec, type ItemContent, keepTool, textOf } from './codec.js';

const TYPE = 'mcp_call';

/** Tools of a server that the service calls. */
export const mcp: HostedCodec = {
  tool: { types: ['mcp'], decode: decodeTool, fields: ({ settings }) => serverFields(settings.server) },
  item: { type: TYPE, decode: decodeItem },
};

export const mcpItem: ItemCodec = {
  type: TYPE,
  opening: ['response.mcp_call.in_progress'],
  piece: { stem: 'response.mcp_call_arguments', key: 'arguments' },
  completed: 'response.mcp_call.completed',
  failed: 'response.mcp_call.failed',
  cut: 'incomplete',
  head: (call) => ({ ...namesOf(call), arguments: '', output: null, error: null, approval_request_id: null }),
  whole: (call, result) => ({
    ...namesOf(call),
    arguments: textOf(call.input.arguments),
    output: result === undefined || result.isError === true ? null : textOf(result.output.text),
    error: result?.isError === true ? { type: 'mcp_tool_execution_error', content: textOf(result.output.text) } : null,
    approval_request_id: null,
  }),
  shownKeys: ['text'],
};

const TOOL = keysOf(wire.mcpTool);

type Server = NonNullable<HostedSettings['server']>;

function decodeTool(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  const tool = check(wire.mcpTool, node, ptr, reader);
  const server: Server = {
    label: tool.server_label,
    url: tool.server_url ?? undefined,
    authorization: tool.authorization ?? undefined,
    headers: tool.headers ?? undefined,
    allowedTools: Array.isArray(tool.allowed_tools) ? tool.allowed_tools : undefined,
    approval: tool.require_approval ?? undefined,
    connectorId: tool.connector_id ?? undefined,
  };
  const { ext, src } = origin(node, TOOL, ptr);
  const places = placesOf(server, { headers: `${ptr}/headers` });
  const bare = hostedTool('mcp', 'mcp', { server }, { ext, src: { ...src, ...places } });
  return keepTool(bare, node, ({ settings }) => serverFields(settings.server));
}

function serverFields(server: Server | undefined): JsonObject {
  const fields: JsonObject = { server_label: server?.label ?? '' };
  if (server?.url !== undefined) fields.server_url = server.url;
  if (server?.connectorId !== undefined) fields.connector_id = server.connectorId;
  if (server?.authorization !== undefined) fields.authorization = server.authorization;
  if (server?.headers !== undefined) fields.headers = server.headers;
  if (server?.allowedTools !== undefined) fields.allowed_tools = server.allowedTools;
  if (server?.approval !== undefined) fields.require_approval = server.approval;
  return fields;
}

/** Servers ask for consent by default; other dialects never ask, so this is written out. */
export function encodeMcp(tool: HostedTool, { losses }: EncodeRequestContext): JsonObject | undefined {
  const { server } = tool.settings;
  if (server?.restricted === true) {
    const message = 'the target cannot keep the model from the tools of a server that are switched off';
    throw new TranslationError('unsupported', message, { path: ptrOf(tool) });
  }
  if (server?.url === undefined) {
    losses.add(tool, 'tool.hosted', 'dropped', 'the server has no address');
    return undefined;
  }
  return { type: 'mcp', ...serverFields({ ...server, approval: server.approval ?? 'never' }) };
}

function decodeItem(node: JsonObject, ptr: string, reader: Reader): ItemContent {
  const call = check(wire.mcpCall, node, ptr, reader);
  const failed = node.error !== undefined && node.error !== null;
  return {
    input: { server: call.server_label, name: call.name, arguments: call.arguments },
    output: { text: call.output ?? (failed ? errorText(node.error) : '') },
    isError: failed,
    status: call.status ?? undefined,
  };
}

/** Older traffic had a string here, newer has an object [R §4.2 rule 1]. */
function errorText(error: unknown): string {
  if (typeof error === 'string') return error;
  const { message, content }: { message?: unknown; content?: unknown } = Object(error);
  if (typeof message === 'string') return message;
  // What the tool itself said is text, or text parts.
  if (typeof content === 'string') return content;
  const texts = Array.isArray(content) ? content.map((part) => (isObject(part) ? part.text : undefined)) : [];
  return texts.length > 0 && texts.every((text) => typeof text === 'string') ? texts.join('') : JSON.stringify(error);
}

function namesOf(call: HostedCallPart): JsonObject {
  return { server_label: textOf(call.input.server), name: textOf(call.input.name) };
}
