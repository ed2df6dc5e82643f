import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedTool } from '../../../canonical/tools.js';
import type { Sources } from '../../content/citations.js';
import { bagOf } from '../../content/media.js';
import { check, DIALECT, fieldNames, fieldPtr, open } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { stringsOf } from './codec.js';
import { familyOf, hostedCodecs, TOOL_KEYS } from './families.js';
import { decodeRetrievals } from './url-context.js';
import { decodeSearch } from './web-search.js';

/** A declared tool that the service runs, under its key in an entry of `tools`. */
export function decodeHostedTool(type: string, value: JsonObject, ptr: string): HostedTool {
  const family = TOOL_KEYS.get(type) ?? 'other';
  const lists = Object.entries(hostedCodecs[family]?.tools?.[type] ?? {});
  const opened = open(value, fieldNames(...lists.map(([field]) => field)), ptr);
  const settings: Record<string, readonly string[]> = {};
  const at: Record<string, string> = {};
  for (const [field, setting] of lists) {
    const list = stringsOf(opened.known[field]);
    if (list.length === 0) continue;
    settings[setting] = list;
    at[setting] = fieldPtr(opened, field, ptr);
  }
  const ext = bagOf(opened.rest);
  return {
    kind: 'hosted',
    family,
    dialect: DIALECT,
    type,
    settings,
    ...(ext !== undefined && { ext }),
    src: { ptr, ...(Object.keys(at).length > 0 && { at }) },
  };
}

const TOOL_CALL = fieldNames('id', 'toolType', 'args');
const TOOL_RESPONSE = fieldNames('id', 'toolType', 'response');

/** Reads `toolCall`. */
export function decodeToolCall(value: JsonObject, ptr: string): Pick<HostedCallPart, 'callId' | 'family' | 'input'> {
  const { known, names } = open(value, TOOL_CALL, ptr);
  const { id = '', toolType, args = {} } = check(wire.toolCall, known, ptr, names);
  const family = familyOf(toolType);
  return { callId: id, family, input: hostedCodecs[family]?.decodeInput?.(args) ?? args };
}

/** Reads `toolResponse`. */
export function decodeToolResponse(
  value: JsonObject,
  ptr: string,
): Pick<HostedResultPart, 'callId' | 'family' | 'output'> {
  const { known, names } = open(value, TOOL_RESPONSE, ptr);
  const { id = '', toolType, response = {} } = check(wire.toolResponse, known, ptr, names);
  const family = familyOf(toolType);
  return { callId: id, family, output: hostedCodecs[family]?.decodeOutput?.(response) ?? response };
}

/**
 * Searches and fetches that only metadata speak of, as hosted calls with their results (translation.md 5.5). No search
 * when one was `searched` among the parts.
 */
export function derivedPairs(sources: Sources, searched: boolean): readonly (HostedCallPart | HostedResultPart)[] {
  return [...(searched ? [] : decodeSearch(sources)), ...decodeRetrievals(sources)];
}
