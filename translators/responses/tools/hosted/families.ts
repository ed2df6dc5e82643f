import type { HostedCallPart, HostedResultPart, Part } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily, HostedTool } from '../../../canonical/tools.js';
import { nativeEntry } from '../../content/reasoning.js';
import { keysOf, origin, type Printer, type Reader } from '../../nodes.js';
import * as wire from '../../wire/index.js';
import { codeExec } from './code-execution.js';
import { type HostedCodec, hostedTool, toolNode } from './codec.js';
import { fileSearch } from './file-search.js';
import { imageGen } from './image-generation.js';
import { mcp } from './mcp.js';
import { webSearch } from './web-search.js';

const PLAIN = keysOf(wire.plainTool);

/** The families of hosted tools that this dialect has. */
const CODECS: Readonly<Partial<Record<HostedFamily, HostedCodec>>> = {
  webSearch,
  codeExec,
  fileSearch,
  mcp,
  imageGen,
  toolSearch: {
    tool: {
      types: ['tool_search'],
      decode: (node, ptr) => hostedTool('toolSearch', 'tool_search', {}, origin(node, PLAIN, ptr)),
      fields: () => ({}),
    },
  },
};

const FAMILIES = Object.keys(CODECS) as HostedFamily[];

/** Families by the type of their tool. */
const TOOL_FAMILIES: ReadonlyMap<string, HostedFamily> = new Map(
  FAMILIES.flatMap((family) => (CODECS[family]?.tool.types ?? []).map((type) => [type, family] as const)),
);

/** Families by the type of their item, where such items are read as theirs. */
const ITEM_FAMILIES: ReadonlyMap<string, HostedFamily> = new Map(
  FAMILIES.flatMap((family) => {
    const item = CODECS[family]?.item;
    return item === undefined ? [] : [[item.type, family] as const];
  }),
);

/** The family whose declared tool has this type. */
export function familyOfTool(type: string): HostedFamily | undefined {
  return TOOL_FAMILIES.get(type);
}

/** The family of items of this type: calls that the service ran itself and that other dialects know too. */
export function familyOfItem(type: unknown): HostedFamily | undefined {
  return typeof type === 'string' ? ITEM_FAMILIES.get(type) : undefined;
}

/** A declared hosted tool; undefined when its type is none. */
export function decodeHostedTool(node: JsonObject, ptr: string, reader: Reader): HostedTool | undefined {
  const family = familyOfTool(String(node.type));
  return family === undefined ? undefined : CODECS[family]?.tool.decode(node, ptr, reader);
}

/** A hosted tool of this dialect as declared. */
export function encodeHostedTool(tool: HostedTool, printer: Printer): JsonObject {
  return toolNode(tool, CODECS[tool.family]?.tool.fields(tool, printer) ?? {});
}

/** The call and the result of a hosted item, or the call alone while it is in progress; undefined for items of other types. */
export function decodeHosted(node: JsonObject, ptr: string, item: number, reader: Reader): readonly Part[] | undefined {
  const family = familyOfItem(node.type);
  const content = family === undefined ? undefined : CODECS[family]?.item?.decode(node, ptr, reader);
  if (family === undefined || content === undefined) return undefined;
  const { input, output, status } = content;
  const id = typeof node.id === 'string' ? node.id : undefined;
  const callId = id ?? `item_${item}`;
  const state = [nativeEntry('hosted', node, reader)];
  const call: HostedCallPart = { kind: 'hostedCall', callId, family, input, status, id, item, src: { ptr } };
  if (status === 'in_progress') return [{ ...call, state }];
  const isError = content.isError === true || status === 'failed' ? true : undefined;
  const result: HostedResultPart = {
    kind: 'hostedResult',
    callId,
    family,
    output,
    isError,
    item,
    state,
    src: { ptr },
  };
  return [call, result];
}
