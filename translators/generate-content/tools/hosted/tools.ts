import type { ToolRefs } from '../../../adapt/index.js';
import { TranslationError } from '../../../canonical/errors.js';
import { type Losses, NO_TOOL_SEARCH } from '../../../canonical/loss.js';
import { fieldPlace, type JsonObject } from '../../../canonical/node.js';
import type { HostedFamily, HostedTool, Tool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject } from '../../../wire/json.js';
import { bagOf } from '../../content/media.js';
import { check, DIALECT, type FieldNames, fieldNames, fieldPtr, open } from '../../nodes.js';
import * as wire from '../../wire/index.js';

/** Tools that the service runs itself, by their key in an entry of `tools` ([G §2.5]). */
export const HOSTED: Readonly<Record<string, HostedFamily>> = {
  googleSearch: 'webSearch',
  googleSearchRetrieval: 'webSearch',
  enterpriseWebSearch: 'webSearch',
  exaAiSearch: 'webSearch',
  parallelAiSearch: 'webSearch',
  urlContext: 'urlFetch',
  codeExecution: 'codeExec',
  fileSearch: 'fileSearch',
  retrieval: 'fileSearch',
  googleMaps: 'maps',
};

const SERVER = fieldNames('name', 'streamableHttpTransport');
const TRANSPORT = fieldNames('url', 'headers');
const SEARCH = fieldNames('excludeDomains');
const FILE_SEARCH = fieldNames('fileSearchStoreNames');

const NOTHING = fieldNames();

export function decodeHosted(
  type: string,
  family: HostedFamily,
  value: JsonObject,
  ptr: string,
  shape: readonly string[],
): HostedTool {
  const fields: FieldNames = type === 'googleSearch' ? SEARCH : type === 'fileSearch' ? FILE_SEARCH : NOTHING;
  const opened = open(value, fields, ptr, '', []);
  const { known, rest } = opened;
  const blockedDomains = strings(known.excludeDomains);
  const storeIds = strings(known.fileSearchStoreNames);
  const ext = bagOf(rest);
  return {
    kind: 'hosted',
    family,
    dialect: DIALECT,
    type,
    settings: {
      ...(blockedDomains.length > 0 && { blockedDomains }),
      ...(storeIds.length > 0 && { storeIds }),
    },
    ...(ext !== undefined && { ext }),
    src: {
      ptr,
      shape,
      raw: value,
      ...(blockedDomains.length > 0 && { at: { blockedDomains: fieldPtr(opened, 'excludeDomains', ptr) } }),
    },
  };
}

/** A server whose tools the service calls by itself, without asking anyone. */
export function decodeServer(value: JsonObject, ptr: string, shape: readonly string[]): HostedTool {
  const opened = open(value, SERVER, ptr, '', []);
  const { name, streamableHttpTransport } = check(wire.mcpServer, opened.known, ptr, opened.names);
  const at = fieldPtr(opened, 'streamableHttpTransport', ptr);
  const transport = open(streamableHttpTransport ?? {}, TRANSPORT, at, '', []);
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
    src: { ptr, shape, raw: value, ...(isObject(headers) && { at: { headers: fieldPtr(transport, 'headers', at) } }) },
  };
}

function stringMap(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** Reports a tool that the target cannot have; a tool that must be called cannot be left out. */
export function lose(tool: Tool, forced: ToolRefs, losses: Losses): void {
  const path = tool.src?.ptr ?? '';
  if (forced.names(tool)) {
    throw new TranslationError('unsupported', 'the tool choice forces a tool that the target cannot have', {
      path,
      dialect: DIALECT,
    });
  }
  const feature = tool.kind === 'client' ? 'tool.client' : tool.kind === 'opaque' ? 'tool.opaque' : 'tool.hosted';
  const searchesTools = tool.kind === 'hosted' && tool.family === 'toolSearch';
  losses.add(path, feature, 'dropped', searchesTools ? NO_TOOL_SEARCH : 'the target has no such tool');
}

export function encodeHostedTool(tool: Tool, context: EncodeRequestContext): JsonObject | undefined {
  if (tool.kind !== 'hosted') return undefined;
  const { family } = tool;
  const word = context.profile.toolTypes[family];
  switch (family) {
    case 'webSearch':
      return word === undefined ? undefined : { [word]: searchConfig(tool, context) };
    case 'urlFetch':
    case 'codeExec':
      if (tool.settings.containerId !== undefined || (tool.settings.fileIds?.length ?? 0) > 0) {
        const message = 'containers and files of another service are unknown to this backend';
        throw new TranslationError('unsupported', message, {
          path: tool.src?.ptr ?? '',
          dialect: DIALECT,
        });
      }
      if (word !== undefined) reportSettings(tool, context.losses);
      return word === undefined ? undefined : { [word]: {} };
    case 'mcp':
      return word === undefined ? undefined : { [word]: [encodeServer(tool)] };
    case 'fileSearch':
    case 'imageGen':
    case 'toolSearch':
    case 'maps':
    case 'advisor':
    case 'other':
      return undefined;
    default:
      return family satisfies never;
  }
}

function searchConfig(tool: HostedTool, { losses, profile }: EncodeRequestContext): JsonObject {
  const { blockedDomains, ...others } = tool.settings;
  reportSettings({ ...tool, settings: others }, losses);
  if (blockedDomains === undefined || blockedDomains.length === 0) return {};
  if (profile.cloud === true) return { excludeDomains: [...blockedDomains] };
  loseSetting(tool, 'blockedDomains', losses);
  return {};
}

/** Settings that the target has no place for; coordinates of a place are printed with the tool choice. */
function reportSettings(tool: HostedTool, losses: Losses): void {
  const { userLocation } = tool.settings;
  const placed = userLocation?.latitude !== undefined && userLocation.longitude !== undefined;
  for (const [field, value] of Object.entries(tool.settings)) {
    if (value !== undefined && !(field === 'userLocation' && placed)) loseSetting(tool, field, losses);
  }
}

function loseSetting(tool: HostedTool, field: string, losses: Losses): void {
  losses.add(fieldPlace(tool, field), 'tool.hosted.settings', 'dropped', `${field}: the target has no such setting`);
}

/** A server of tools; the target asks nobody for consent and allows all of a server's tools ([G §2.5]). */
function encodeServer(tool: HostedTool): JsonObject {
  const path = tool.src?.ptr ?? '';
  const { server } = tool.settings;
  const refuse = (message: string): TranslationError =>
    new TranslationError('unsupported', message, { path, dialect: DIALECT });
  if (server?.url === undefined || server.connectorId !== undefined) {
    throw refuse('the target reaches tool servers by their URL only');
  }
  if (server.approval !== 'never') throw refuse('the target would run tools without the consent that was asked for');
  if (server.allowedTools !== undefined || server.restricted === true)
    throw refuse('the target cannot hold a server to a list of tools');
  const headers = {
    ...server.headers,
    ...(server.authorization !== undefined && { Authorization: `Bearer ${server.authorization}` }),
  };
  return {
    name: server.label,
    streamableHttpTransport: { url: server.url, ...(Object.keys(headers).length > 0 && { headers }) },
  };
}

export function imageTool(
  tool: HostedTool,
  forced: ToolRefs,
  { losses, profile }: EncodeRequestContext,
): JsonObject | undefined {
  if (!profile.outputMedia.includes('image')) {
    lose(tool, forced, losses);
    return undefined;
  }
  const path = tool.src?.ptr ?? '';
  losses.add(path, 'tool.hosted', 'approximated', 'the model makes pictures itself');
  const size = tool.settings.image?.size;
  const ratio = typeof size === 'string' ? ratioOf(size) : undefined;
  return ratio === undefined ? {} : { aspectRatio: ratio };
}

const RATIOS = ['1:1', '3:2', '2:3', '4:3', '3:4', '16:9', '9:16', '5:4', '4:5', '21:9'];

/** The aspect ratio nearest to a size like `1536x1024`. */
function ratioOf(size: string): string | undefined {
  const [width, height] = size.split('x').map(Number);
  if (width === undefined || height === undefined || !(width > 0) || !(height > 0)) return undefined;
  let best = '1:1';
  let distance = Number.POSITIVE_INFINITY;
  for (const ratio of RATIOS) {
    const [w = 1, h = 1] = ratio.split(':').map(Number);
    const off = Math.abs(Math.log(width / height / (w / h)));
    if (off < distance) {
      best = ratio;
      distance = off;
    }
  }
  return best;
}
