import { searchPlace } from '../../../adapt/index.js';
import type { HostedResultPart } from '../../../canonical/content.js';
import { fieldPlace, type JsonObject, placesOf } from '../../../canonical/node.js';
import type { HostedSettings, HostedTool, UserLocation } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject, lookUp } from '../../../wire/json.js';
import { check, DIALECT, keysOf, origin, type Printer, type Reader } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { type HostedCodec, hostedTool, type ItemCodec, type ItemContent, keepTool, listOf, textOf } from './codec.js';

const TYPE = 'web_search_call';

/** The item of a search, as which one of these is written. */
function searchItem(own: Pick<ItemCodec, 'whole' | 'shownKeys' | 'hiddenInput' | 'hiddenOutput'>): ItemCodec {
  return {
    type: TYPE,
    opening: ['response.web_search_call.in_progress', 'response.web_search_call.searching'],
    completed: 'response.web_search_call.completed',
    cut: 'in_progress',
    head: () => ({}),
    ...own,
  };
}

/** Web search, which has four names [R §7 row 8]. */
export const webSearch: HostedCodec = {
  tool: {
    types: ['web_search', 'web_search_2025_08_26', 'web_search_preview', 'web_search_preview_2025_03_11'],
    decode: decodeTool,
    fields: toolFields,
  },
  item: { type: TYPE, decode: decodeItem },
};

export const webSearchItem: ItemCodec = searchItem({
  whole: (call, result) => ({ action: encodeAction(call.input, result?.output) }),
  shownKeys: ['sources'],
  hiddenOutput: ({ output }) => (hasDetails(output) ? 'titles and ages of the pages' : undefined),
});

/** Fetching a page: an action of web search here, as which it is read too. */
export const urlFetchItem: ItemCodec = searchItem({
  whole: (call) => ({ action: { type: 'open_page', url: textOf(call.input.url) } }),
  shownKeys: ['url'],
  hiddenInput: () => 'the fetch is reported as an opened page',
  hiddenOutput: ({ output }, call) =>
    output.url !== undefined && output.url !== call.input.url ? 'the address that answered' : undefined,
});

const TOOL = keysOf(wire.webSearchTool);

function decodeTool(node: JsonObject, ptr: string, reader: Reader): HostedTool {
  const tool = check(wire.webSearchTool, node, ptr, reader);
  const settings: HostedSettings = {
    allowedDomains: tool.filters?.allowed_domains ?? tool.domains ?? undefined,
    blockedDomains: tool.filters?.blocked_domains ?? undefined,
    userLocation: decodeLocation(tool.user_location),
    contextSize: tool.search_context_size === 'medium' ? undefined : (tool.search_context_size ?? undefined),
  };
  // Defaults carry no meaning (translation.md 0.8, [R §2.6]), and neither does the older name of a list.
  const said = { ...node };
  if (said.search_context_size === 'medium') delete said.search_context_size;
  if (said.external_web_access === true) delete said.external_web_access;
  if (tool.domains) {
    delete said.domains;
    said.filters = { allowed_domains: tool.domains, ...tool.filters };
  }
  const from = origin(said, TOOL, ptr);
  const places = placesOf(settings, {
    allowedDomains: tool.filters?.allowed_domains ? `${ptr}/filters/allowed_domains` : `${ptr}/domains`,
    blockedDomains: `${ptr}/filters/blocked_domains`,
    userLocation: `${ptr}/user_location`,
    contextSize: `${ptr}/search_context_size`,
  });
  const src = { ...from.src, ...places };
  return keepTool(hostedTool('webSearch', tool.type, settings, { ...from, src }), said, toolFields);
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

/** Blocked domains are a key that only some hosts of this dialect know. */
function toolFields(tool: HostedTool, printer: Printer): JsonObject {
  const { settings } = tool;
  const fields: JsonObject = {};
  const filters: JsonObject = {};
  if (settings.allowedDomains !== undefined) filters.allowed_domains = settings.allowedDomains;
  if (printer.native && settings.blockedDomains !== undefined) filters.blocked_domains = settings.blockedDomains;
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

/** The search of another service. */
export function encodeSearch(tool: HostedTool, { losses, target }: EncodeRequestContext): JsonObject {
  const { settings } = tool;
  const lose = (field: keyof HostedSettings, kind: 'dropped' | 'approximated', detail: string): void =>
    losses.add(fieldPlace(tool, field), 'tool.hosted.settings', kind, detail);
  if (settings.blockedDomains !== undefined && settings.blockedDomains.length > 0) {
    lose('blockedDomains', 'approximated', 'blocked domains cannot be named; the set of results is wider');
  }
  if (settings.userLocation?.latitude !== undefined) lose('userLocation', 'dropped', 'coordinates are not supported');
  if (settings.maxUses !== undefined) lose('maxUses', 'dropped', 'the number of searches is not limited');
  if (tool.dialect !== DIALECT && !/^(?:web_search|google_?search$)/i.test(tool.type)) {
    losses.add(tool, 'tool.hosted', 'approximated', 'another search engine');
  }
  const located = { ...tool, settings: { ...settings, userLocation: searchPlace(tool, losses) } };
  return { type: target.toolTypes.webSearch ?? 'web_search', ...toolFields(located, { native: false }) };
}

function decodeItem(node: JsonObject, ptr: string, reader: Reader): ItemContent {
  const { action, status } = check(wire.webSearchCall, node, ptr, reader);
  return {
    input: decodeAction(action ?? {}),
    output: { sources: sourcesOf(action?.sources) },
    status: status ?? undefined,
  };
}

const ACTIONS: Readonly<Record<string, string>> = {
  search: 'search',
  open_page: 'openPage',
  find_in_page: 'findInPage',
};

function decodeAction(action: JsonObject): JsonObject {
  const input: JsonObject = { action: lookUp(ACTIONS, action.type) ?? 'search' };
  if (typeof action.query === 'string') input.query = action.query;
  if (Array.isArray(action.queries)) input.queries = action.queries;
  if (typeof action.url === 'string') input.url = action.url;
  if (typeof action.pattern === 'string') input.pattern = action.pattern;
  return input;
}

/** The addresses in a list of sources. */
function sourcesOf(sources: unknown): { url: string }[] {
  return listOf(sources).flatMap((source) =>
    isObject(source) && typeof source.url === 'string' ? [{ url: source.url }] : [],
  );
}

function encodeAction(input: JsonObject, output: JsonObject | undefined): JsonObject {
  if (input.action === 'openPage') return { type: 'open_page', url: textOf(input.url) };
  if (input.action === 'findInPage')
    return { type: 'find_in_page', url: textOf(input.url), pattern: textOf(input.pattern) };
  const listed = listOf(input.queries).filter((query) => typeof query === 'string');
  const query = typeof input.query === 'string' ? input.query : textOf(listed[0]);
  const sources = sourcesOf(output?.sources).map(({ url }) => ({ type: 'url', url }));
  return { type: 'search', query, queries: listed.length > 0 ? listed : [query], sources };
}

function hasDetails({ sources }: HostedResultPart['output']): boolean {
  const hasValue = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
  return listOf(sources).some((source) => isObject(source) && (hasValue(source.title) || hasValue(source.pageAge)));
}
