import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { HostedFamily, HostedSettings, HostedTool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';
import { complete, DIALECT, keepDifferences, NATIVE, type Origin, type Printer, type Reader } from '../../nodes.js';

/** How this dialect has one family of hosted tools: what its bodies say of it is read, and printed as it came. */
export interface HostedCodec {
  /** Its declared tool. */
  readonly tool: ToolCodec;
  /** The item of its calls, where there is one. */
  readonly item?: ItemReader;
}

/**
 * The tool of another dialect as one of this, or undefined when it is dropped; reports both. Throws `unsupported` where
 * dropping it would widen what the model may do.
 */
export type ForeignTool = (tool: HostedTool, context: EncodeRequestContext) => JsonObject | undefined;

/** A declared tool [R §2.6]. */
interface ToolCodec {
  readonly types: readonly string[];
  decode(node: JsonObject, ptr: string, reader: Reader): HostedTool;
  /** Its fields without `type`. */
  fields(tool: HostedTool, printer: Printer): JsonObject;
}

/** What an item holds: the request and, once there is something, the result. */
export interface ItemContent {
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly isError?: boolean;
  readonly status: string | undefined;
}

/** The item of a call and its result [R §4.2]. */
interface ItemReader {
  readonly type: string;
  decode(node: JsonObject, ptr: string, reader: Reader): ItemContent;
}

/** The item as which the call of another service is written, and how it streams [R §5.3 `hosted`]. */
export interface ItemCodec {
  readonly type: string;
  /** Events sent when the item opens. */
  readonly opening: readonly string[];
  /** Events of text deltas: their stem, and the field of the item that holds the text. */
  readonly piece?: { readonly stem: string; readonly key: 'code' | 'arguments' };
  /** Event of a picture on its way. */
  readonly partialImage?: string;
  /** Event sent when the call is whole. */
  readonly running?: string;
  readonly completed: string;
  readonly failed?: string;
  /** Status of an item that got no result: for some types the vendor's schema has no `incomplete`. */
  readonly cut: 'incomplete' | 'in_progress';
  /** The item at its start, without `id`, `type`, `status`. */
  head(call: HostedCallPart, container: string): JsonObject;
  /** The item when it is whole. */
  whole(call: HostedCallPart, result: HostedResultPart | undefined, container: string): JsonObject;
  /** Keys of a result that the item shows. */
  readonly shownKeys: readonly string[];
  /** What of a call the item does not show. */
  hiddenInput?(call: HostedCallPart): string | undefined;
  /** What the item shows that the call does not have. */
  inventedInput?(call: HostedCallPart): string | undefined;
  /** What of a result the item does not show, beyond further keys. */
  hiddenOutput?(result: HostedResultPart, call: HostedCallPart): string | undefined;
}

/** A declared tool of this dialect. */
export function hostedTool(family: HostedFamily, type: string, settings: HostedSettings, from: Origin): HostedTool {
  return { kind: 'hosted', family, dialect: DIALECT, type, settings, ...from };
}

/** The wire node of a declared tool with these fields. */
export function toolNode(tool: HostedTool, fields: JsonObject): JsonObject {
  return complete({ type: tool.type, ...fields }, tool);
}

/** A tool with every key of which encoding would give back something else kept in its bag. */
export function keepTool(tool: HostedTool, node: JsonObject, fields: ToolCodec['fields']): HostedTool {
  return keepDifferences(tool, node, toolNode(tool, fields(tool, NATIVE)));
}

/** The way of a foreign tool that has no counterpart. */
export function dropTool(detail: string): ForeignTool {
  return (tool, { losses }) => {
    losses.add(tool, 'tool.hosted', 'dropped', detail);
    return undefined;
  };
}

/** The value if it is a string, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The value if it is a list, else an empty one. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
