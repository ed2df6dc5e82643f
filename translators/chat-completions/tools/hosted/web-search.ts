import { furtherKeys, searchPlace } from '../../../adapt/index.js';
import { fieldPlace, type JsonObject, placesOf } from '../../../canonical/node.js';
import type { HostedSettings, HostedTool, UserLocation } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { isObject } from '../../../wire/json.js';
import {
  check,
  DIALECT,
  Keys,
  keep,
  keepInner,
  keepUntyped,
  keysOf,
  remember,
  remembered,
  restore,
  withExtra,
} from '../../nodes.js';
import { serverFlags } from '../../servers/index.js';
import * as wire from '../../wire/index.js';
import type { HostedCodec } from './codec.js';

const PTR = '/web_search_options';
const OPTIONS = keysOf(wire.webSearchOptions);
const LOCATION = new Set(['type', 'approximate']);
const PLACE = ['city', 'region', 'country', 'timezone'] as const;

/** Search of the web: a field of the request at the vendor of the protocol, a plugin at others [H §2.1, §2.2]. */
export const webSearch: HostedCodec = { encodeForeignTool };

/** `web_search_options` as a tool that the model may use (translation.md 2.8). */
export function decodeWebSearch(node: JsonObject): HostedTool {
  const { search_context_size: size, user_location: location } = check(wire.webSearchOptions, node, PTR);
  const place = location?.approximate;
  const settings: HostedSettings = {
    // The default says nothing (translation.md 0.8).
    ...(typeof size === 'string' && size !== 'medium' && { contextSize: size }),
    ...(place && { userLocation: decodePlace(place) }),
  };
  const kept = keepInner(keep(node, OPTIONS, PTR), 'user_location', node.user_location, LOCATION, PTR);
  const src = {
    ...kept.src,
    ...placesOf(settings, {
      contextSize: `${PTR}/search_context_size`,
      userLocation: `${PTR}/user_location/approximate`,
    }),
  };
  return remember(
    { kind: 'hosted', family: 'webSearch', dialect: DIALECT, type: 'web_search_options', settings, ...kept, src },
    node,
  );
}

function decodePlace(place: { readonly [K in (typeof PLACE)[number]]?: string | null }): UserLocation {
  return Object.fromEntries(PLACE.flatMap((key) => (typeof place[key] === 'string' ? [[key, place[key]]] : [])));
}

/** The words under which servers of Gemini models have their search in the list of tools. */
const GOOGLE = ['google_search', 'googleSearch'] as const;
const GOOGLE_KEYS = { google_search: googleKeys('google_search'), googleSearch: googleKeys('googleSearch') };

function googleKeys(word: string): Keys {
  return new Keys(['type', word]);
}

/** Such a tool; undefined for a node that is none. */
export function decodeGoogleSearch(node: JsonObject, ptr: string): HostedTool | undefined {
  const key = GOOGLE.find((word) => isObject(node[word]));
  const type = key ?? GOOGLE.find((word) => node.type === word);
  if (type === undefined || (key !== undefined && node.type !== undefined && node.type !== key)) return undefined;
  const kept = keep(node, GOOGLE_KEYS[type], ptr);
  const settings: JsonObject = { ...(key !== undefined && Object(node[key])) };
  const whole =
    Object.keys(settings).length === 0 ? kept : withExtra(kept, type, furtherKeys(settings, `${ptr}/${type}`));
  return {
    kind: 'hosted',
    family: 'webSearch',
    dialect: DIALECT,
    type,
    settings: {},
    ...keepUntyped(whole, node.type),
  };
}

/** The tool as it came. */
export function encodeGoogleSearch(tool: HostedTool): JsonObject {
  return restore(tool.src?.at?.untyped === undefined ? { type: tool.type } : { [tool.type]: {} }, tool);
}

/** The options as they came. */
export function encodeOwnWebSearch(tool: HostedTool): JsonObject {
  return remembered(tool) ?? restore(options(tool.settings), tool);
}

function options({ contextSize, userLocation }: HostedSettings): JsonObject {
  const approximate: JsonObject = {};
  for (const key of PLACE) if (userLocation?.[key] !== undefined) approximate[key] = userLocation[key];
  return {
    ...(contextSize !== undefined && { search_context_size: contextSize }),
    ...(userLocation !== undefined && { user_location: { type: 'approximate', approximate } }),
  };
}

function encodeForeignTool(tool: HostedTool, context: EncodeRequestContext): JsonObject | undefined {
  const { losses, target } = context;
  const { settings } = tool;
  const form = serverFlags(target).webSearch;
  if (form === 'none') {
    losses.add(tool, 'tool.hosted', 'dropped', 'the model cannot search the web');
    return undefined;
  }
  if (!/^(?:web_search|google_?search$)/i.test(tool.type))
    losses.add(tool, 'tool.hosted', 'approximated', 'another search engine');
  const lose = (field: keyof HostedSettings, kind: 'dropped' | 'approximated', detail: string): void => {
    if (settings[field] !== undefined) losses.add(fieldPlace(tool, field), 'tool.hosted.settings', kind, detail);
  };
  lose('allowedDomains', 'approximated', 'domains cannot be chosen; the set of results is wider');
  lose('blockedDomains', 'approximated', 'domains cannot be blocked; the set of results is wider');
  lose('maxUses', 'dropped', 'the number of searches is not limited');
  if (form === 'plugin') {
    lose('contextSize', 'dropped', 'the amount of search context cannot be chosen');
    lose('userLocation', 'dropped', 'the location of the user is not sent');
    return { plugins: [{ id: 'web' }] };
  }
  if (settings.userLocation?.latitude !== undefined)
    losses.add(fieldPlace(tool, 'userLocation'), 'tool.hosted.settings', 'dropped', 'coordinates are not supported');
  const userLocation = searchPlace(tool, losses);
  return { web_search_options: options({ ...settings, userLocation }) };
}
