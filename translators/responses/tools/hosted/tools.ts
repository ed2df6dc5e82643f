import { furtherKeys } from '../../../adapt/index.js';
import { type JsonObject, placesOf } from '../../../canonical/node.js';
import type {
  ClientTool,
  HostedFamily,
  HostedSettings,
  HostedTool,
  Tool,
  UserLocation,
} from '../../../canonical/tools.js';
import { isObject } from '../../../wire/json.js';
import {
  check,
  complete,
  DIALECT,
  keepDifferences,
  keysOf,
  NATIVE,
  origin,
  type Printer,
  type Reader,
  spelled,
  withExtra,
} from '../../nodes.js';
import * as wire from '../../wire/index.js';

/** The four names of web search [R §7 row 8]. */
export const WEB_SEARCH_TYPES: readonly string[] = [
  'web_search',
  'web_search_2025_08_26',
  'web_search_preview',
  'web_search_preview_2025_03_11',
];

const WEB_SEARCH = keysOf(wire.webSearchTool);
const WEB_SEARCH_OPEN = new Set([...WEB_SEARCH, 'external_web_access']);
const FILE_SEARCH = new Set(['type', 'vector_store_ids']);
const CODE_INTERPRETER = keysOf(wire.codeInterpreterTool);
/** What of a container of its own the model holds. */
const CONTAINER = new Set(['type', 'file_ids']);
const MCP = keysOf(wire.mcpTool);
const PREVIEW = keysOf(wire.computerPreviewTool);
const SHELL = keysOf(wire.shellTool);
const PLAIN = keysOf(wire.plainTool);

/** A hosted tool or a built-in one of the client [R §2.6]; undefined when nobody else knows its type. */
export function decodeBuiltinTool(node: JsonObject, ptr: string, reader: Reader): Tool | undefined {
  const type = String(node.type);
  if (WEB_SEARCH_TYPES.includes(type)) return decodeWebSearch(node, ptr, type, reader);
  switch (type) {
    case 'file_search':
      return decodeFileSearch(node, ptr, reader);
    case 'code_interpreter':
      return decodeCodeInterpreter(node, ptr, reader);
    case 'image_generation':
      return decodeImageGeneration(node, ptr, reader);
    case 'mcp':
      return decodeMcp(node, ptr, reader);
    case 'tool_search':
      return hosted('toolSearch', type, {}, origin(node, PLAIN, ptr));
    case 'computer':
      return client('computer', type, 'computer', origin(node, PLAIN, ptr));
    case 'computer_use_preview':
      return decodeComputerPreview(node, ptr, reader);
    case 'local_shell':
      return client('localShell', type, 'local_shell', origin(node, PLAIN, ptr));
    case 'apply_patch':
      return client('patch', type, 'apply_patch', origin(node, PLAIN, ptr));
    case 'shell':
      return decodeShell(node, ptr, reader);
    default:
      return undefined;
  }
}

type Origin = ReturnType<typeof origin>;

function hosted(family: HostedFamily, type: string, settings: HostedSettings, from: Origin): HostedTool {
  return { kind: 'hosted', family, dialect: DIALECT, type, settings, ...from };
}

function client(family: ClientTool['family'], type: string, name: string, from: Origin): ClientTool {
  return { kind: 'client', family, dialect: DIALECT, type, name, ...from };
}

/** A tool with every key of which printing would give back something else kept in its bag. */
function kept<T extends HostedTool | ClientTool>(tool: T, node: JsonObject): T {
  return keepDifferences(tool, node, encodeBuiltinTool(tool, NATIVE));
}

function decodeWebSearch(node: JsonObject, ptr: string, type: string, reader: Reader): HostedTool {
  const tool = check(wire.webSearchTool, node, ptr, reader);
  const settings: HostedSettings = {
    allowedDomains: tool.filters?.allowed_domains ?? tool.domains ?? undefined,
    blockedDomains: tool.filters?.blocked_domains ?? undefined,
    userLocation: decodeLocation(tool.user_location),
    contextSize: tool.search_context_size === 'medium' ? undefined : (tool.search_context_size ?? undefined),
  };
  const words = tool.domains ? ['domains'] : [];
  // Defaults carry no meaning: they are kept as spelling alone (translation.md 0.8, [R §2.6]).
  if (tool.search_context_size === 'medium') words.push('json:search_context_size="medium"');
  const open = node.external_web_access === true;
  if (open) words.push('json:external_web_access=true');
  const from = origin(node, open ? WEB_SEARCH_OPEN : WEB_SEARCH, ptr, words);
  const places = placesOf(settings, {
    allowedDomains: tool.filters?.allowed_domains ? `${ptr}/filters/allowed_domains` : `${ptr}/domains`,
    blockedDomains: `${ptr}/filters/blocked_domains`,
    userLocation: `${ptr}/user_location`,
    contextSize: `${ptr}/search_context_size`,
  });
  return kept(hosted('webSearch', type, settings, { ...from, src: { ...from.src, ...places } }), node);
}

function decodeLocation(
  location: { [key: string]: string | null | undefined } | null | undefined,
): UserLocation | undefined {
  if (location === undefined || location === null) return undefined;
  return {
    city: location.city ?? undefined,
    region: location.region ?? undefined,
    country: location.country ?? undefined,
    timezone: location.timezone ?? undefined,
  };
}

function decodeFileSearch(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  const { vector_store_ids: storeIds } = check(wire.fileSearchTool, node, ptr, reader);
  return hosted('fileSearch', 'file_search', { storeIds }, origin(node, FILE_SEARCH, ptr));
}

function decodeCodeInterpreter(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  const { container } = check(wire.codeInterpreterTool, node, ptr, reader);
  const settings: HostedSettings =
    typeof container === 'string' ? { containerId: container } : { fileIds: container.file_ids ?? undefined };
  const tool = kept(hosted('codeExec', 'code_interpreter', settings, origin(node, CODE_INTERPRETER, ptr)), node);
  if (!isObject(node.container)) return tool;
  const further = Object.keys(node.container).filter((key) => !CONTAINER.has(key));
  if (further.length === 0) return tool;
  return withExtra(tool, 'container', furtherKeys({ ...node.container }, `${ptr}/container`, further));
}

function decodeImageGeneration(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  check(wire.imageGenerationTool, node, ptr, reader);
  const { type: _type, ...image } = node;
  return hosted('imageGen', 'image_generation', { image }, { ext: undefined, src: { ptr } });
}

function decodeMcp(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  const tool = check(wire.mcpTool, node, ptr, reader);
  const server: NonNullable<HostedSettings['server']> = {
    label: tool.server_label,
    url: tool.server_url ?? undefined,
    authorization: tool.authorization ?? undefined,
    headers: tool.headers ?? undefined,
    allowedTools: Array.isArray(tool.allowed_tools) ? tool.allowed_tools : undefined,
    approval: tool.require_approval ?? undefined,
    connectorId: tool.connector_id ?? undefined,
  };
  const { ext, src } = origin(node, MCP, ptr);
  const places = placesOf(server, { headers: `${ptr}/headers` });
  return kept(hosted('mcp', 'mcp', { server }, { ext, src: { ...src, ...places } }), node);
}

function decodeComputerPreview(node: JsonObject, ptr: string, reader: Reader): ClientTool {
  const tool = check(wire.computerPreviewTool, node, ptr, reader);
  const display = { width: tool.display_width ?? undefined, height: tool.display_height ?? undefined };
  const environment = tool.environment ?? undefined;
  return {
    ...client('computer', 'computer_use_preview', 'computer', origin(node, PREVIEW, ptr)),
    display,
    environment,
  };
}

/** In a container of the service nobody but the service runs it. */
function decodeShell(node: JsonObject, ptr: string, reader: Reader): ClientTool | undefined {
  const { environment } = check(wire.shellTool, node, ptr, reader);
  if (environment && environment.type !== 'local') return undefined;
  return kept(client('shell', 'shell', 'shell', origin(node, SHELL, ptr)), node);
}

/** A built-in tool of this dialect. */
export function encodeBuiltinTool(tool: HostedTool | ClientTool, printer: Printer): JsonObject {
  return complete(builtinFields(tool, printer), tool, printer);
}

function builtinFields(tool: HostedTool | ClientTool, printer: Printer): JsonObject {
  const fields: JsonObject = { type: tool.type };
  if (tool.kind === 'client') {
    if (tool.display?.width !== undefined) fields.display_width = tool.display.width;
    if (tool.display?.height !== undefined) fields.display_height = tool.display.height;
    if (tool.environment !== undefined) fields.environment = tool.environment;
    return fields;
  }
  const { settings } = tool;
  switch (tool.family) {
    case 'webSearch':
      return { ...fields, ...webSearchFields(settings, spelled(printer, tool, 'domains'), printer.native) };
    case 'fileSearch':
      return { ...fields, vector_store_ids: settings.storeIds ?? [] };
    case 'codeExec':
      return { ...fields, container: settings.containerId ?? containerFields(settings) };
    case 'imageGen':
      return { ...fields, ...settings.image };
    case 'mcp':
      return { ...fields, ...mcpFields(settings.server) };
    default:
      return fields;
  }
}

/** Blocked domains are a key that only some hosts of this dialect know. */
function webSearchFields(settings: HostedSettings, older: boolean, native: boolean): JsonObject {
  const fields: JsonObject = {};
  const filters: JsonObject = {};
  if (older) fields.domains = settings.allowedDomains;
  else if (settings.allowedDomains !== undefined) filters.allowed_domains = settings.allowedDomains;
  if (native && settings.blockedDomains !== undefined) filters.blocked_domains = settings.blockedDomains;
  if (Object.keys(filters).length > 0) fields.filters = filters;
  if (settings.contextSize !== undefined) fields.search_context_size = settings.contextSize;
  if (settings.userLocation !== undefined) {
    const { city, region, country, timezone } = settings.userLocation;
    const location: JsonObject = { type: 'approximate' };
    if (city !== undefined) location.city = city;
    if (region !== undefined) location.region = region;
    if (country !== undefined) location.country = country;
    if (timezone !== undefined) location.timezone = timezone;
    fields.user_location = location;
  }
  return fields;
}

function containerFields(settings: HostedSettings): JsonObject {
  return settings.fileIds === undefined ? { type: 'auto' } : { type: 'auto', file_ids: settings.fileIds };
}

function mcpFields(server: HostedSettings['server']): JsonObject {
  const fields: JsonObject = { server_label: server?.label ?? '' };
  if (server?.url !== undefined) fields.server_url = server.url;
  if (server?.connectorId !== undefined) fields.connector_id = server.connectorId;
  if (server?.authorization !== undefined) fields.authorization = server.authorization;
  if (server?.headers !== undefined) fields.headers = server.headers;
  if (server?.allowedTools !== undefined) fields.allowed_tools = server.allowedTools;
  if (server?.approval !== undefined) fields.require_approval = server.approval;
  return fields;
}
