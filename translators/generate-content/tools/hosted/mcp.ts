import type { CallPart, HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import { TranslationError } from '../../../canonical/errors.js';
import { type JsonObject, ptrOf } from '../../../canonical/node.js';
import type { HostedTool } from '../../../canonical/tools.js';
import { isObject } from '../../../wire/json.js';
import { bagOf } from '../../content/media.js';
import { check, DIALECT, fieldNames, fieldPtr, open } from '../../nodes.js';
import * as wire from '../../wire/index.js';

const SERVER = fieldNames('name', 'streamableHttpTransport');
const TRANSPORT = fieldNames('url', 'headers');

/** A server whose tools the service calls by itself, without asking anyone. */
export function decodeServer(value: JsonObject, ptr: string): HostedTool {
  const opened = open(value, SERVER, ptr);
  const { name, streamableHttpTransport } = check(wire.mcpServer, opened.known, ptr, opened.names);
  const at = fieldPtr(opened, 'streamableHttpTransport', ptr);
  const transport = open(streamableHttpTransport ?? {}, TRANSPORT, at);
  const { url, headers } = transport.known;
  const ext = bagOf(opened.rest, transport.rest && { streamableHttpTransport: transport.rest });
  return {
    kind: 'hosted',
    family: 'mcp',
    dialect: DIALECT,
    type: 'mcpServers',
    settings: {
      server: {
        label: name,
        ...(typeof url === 'string' && { url }),
        ...(isObject(headers) && { headers: stringMap(headers) }),
        approval: 'never',
      },
    },
    ...(ext !== undefined && { ext }),
    src: { ptr, ...(isObject(headers) && { at: { headers: fieldPtr(transport, 'headers', at) } }) },
  };
}

/** A server of this dialect. */
export function ownServer({ settings: { server }, ext }: HostedTool): JsonObject {
  const rest = ext?.generateContent ?? {};
  const transport = {
    ...(isObject(rest.streamableHttpTransport) && rest.streamableHttpTransport),
    ...(server?.url !== undefined && { url: server.url }),
    ...(server?.headers !== undefined && { headers: server.headers }),
  };
  return { ...rest, name: server?.label, streamableHttpTransport: transport };
}

function stringMap(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** A server of tools of another dialect; the target asks nobody for consent and allows all of a server's tools ([G §2.5]). */
export function encodeServer(tool: HostedTool): JsonObject {
  const path = ptrOf(tool);
  const { server } = tool.settings;
  const refuse = (message: string): TranslationError =>
    new TranslationError('unsupported', message, { path, dialect: DIALECT });
  if (server?.url === undefined || server.connectorId !== undefined) {
    throw refuse('the target accepts MCP servers by URL only');
  }
  if (server.approval !== 'never') throw refuse('the target would run tools without the consent that was asked for');
  if (server.allowedTools !== undefined || server.restricted === true)
    throw refuse('the target cannot restrict an MCP server to a list of tools');
  const headers = {
    ...server.headers,
    ...(server.authorization !== undefined && { Authorization: `Bearer ${server.authorization}` }),
  };
  return {
    name: server.label,
    streamableHttpTransport: { url: server.url, ...(Object.keys(headers).length > 0 && { headers }) },
  };
}

/** The hosted form of a call that the service answered itself. */
export function servedCall({ name, args, state, ext, src }: CallPart, callId: string): HostedCallPart {
  return {
    kind: 'hostedCall',
    callId,
    family: 'mcp',
    input: { server: '', name, arguments: JSON.stringify(args.value ?? {}) },
    ...(state !== undefined && { state }),
    ...(ext !== undefined && { ext }),
    src,
  };
}

/** The hosted form of a `functionResponse` part in a model turn. */
export function servedResult(part: JsonObject, callId: string, ptr: string): HostedResultPart {
  const inner = part.functionResponse ?? part.function_response;
  const response = isObject(inner) && isObject(inner.response) ? inner.response : {};
  const text = typeof response.result === 'string' ? response.result : JSON.stringify(response);
  return { kind: 'hostedResult', callId, family: 'mcp', output: { text }, src: { ptr, raw: part } };
}
