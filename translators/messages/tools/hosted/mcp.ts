import { untoldKeys } from '../../../adapt/index.js';
import { TranslationError } from '../../../canonical/errors.js';
import { fieldPlace, ptrOf } from '../../../canonical/node.js';
import type { CanonicalRequest } from '../../../canonical/request.js';
import type { HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject, parseJson } from '../../../wire/json.js';
import { changedNumber } from '../../../wire/json-numbers.js';
import { textBlock } from '../../nodes.js';
import type { EncodedTool } from './codec.js';
import { type BlockReader, type PairCodec, textOf } from './codec.js';
import { encodeServer, encodeToolset } from './mcp-servers.js';

/** Results of tools of MCP servers. */
export const mcpBlocks: BlockReader = { decodeOutput: (content) => ({ text: decodeText(content) }) };

export const mcpPair: PairCodec = {
  encodeCall({ input }, id) {
    const parsed = parseJson(typeof input.arguments === 'string' ? input.arguments : '{}');
    const args = parsed.ok && isObject(parsed.value) ? parsed.value : {};
    return { type: 'mcp_tool_use', id, name: textOf(input.name), server_name: textOf(input.server), input: args };
  },
  encodeResult: ({ output, isError }, id) => ({
    type: 'mcp_tool_result',
    tool_use_id: id,
    is_error: isError === true,
    content: [textBlock(textOf(output.text))],
  }),
  hiddenInput: (input) => (isExact(input.arguments) ? [] : ['the exact arguments']),
  hiddenOutput: (result) => [
    ...untoldKeys(result, ['text']),
    ...(result.errorCode === undefined ? [] : ['the reason']),
  ],
};

function decodeText(content: unknown): string {
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? content.map((block) => (isObject(block) ? textOf(block.text) : '')).join('') : '';
}

/** Whether the text is that of an object which survives as one. */
function isExact(text: unknown): boolean {
  if (typeof text !== 'string' || text === '') return true;
  const parsed = parseJson(text);
  return parsed.ok && isObject(parsed.value) && changedNumber(text) === undefined;
}

/** A server of another service. A declared one is a toolset, whose server is named in another list of the request. */
export function encodeMcp(tool: HostedTool, _request: CanonicalRequest, { losses }: EncodeRequestContext): EncodedTool {
  const { server } = tool.settings;
  const path = ptrOf(tool);
  const refuse = (message: string): never => {
    throw new TranslationError('unsupported', message, { path });
  };
  if (server?.connectorId !== undefined) refuse('connectors of another service are not available at this backend');
  if (server?.url === undefined) return refuse('the service accepts MCP servers by URL only');
  // Absent means always where consent exists at all (translation.md 2.8).
  if (server.approval !== 'never') refuse('the backend runs MCP tools without asking for consent');
  const others = Object.keys(server.headers ?? {}).filter((name) => name.toLowerCase() !== 'authorization');
  if (others.length > 0) {
    const detail = 'only the token is sent to MCP servers';
    losses.add(fieldPlace(tool, 'headers'), 'tool.hosted.settings', 'dropped', detail);
  }
  const named = {
    ...tool,
    settings: { server: { ...server, authorization: server.authorization ?? bearer(server.headers) } },
  };
  const node = encodeToolset(named, false);
  if (node === undefined) return refuse('an MCP server needs a label');
  return { tool, node, server: encodeServer(named, false) };
}

function bearer(headers: Readonly<Record<string, string>> | undefined): string | undefined {
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (name.toLowerCase() === 'authorization') return value.replace(/^bearer\s+/i, '');
  }
  return undefined;
}
