import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import type { CanonicalRequest } from '../../../canonical/request.js';
import type { HostedTool, Tool } from '../../../canonical/tools.js';
import type { EncodeRequestContext } from '../../../dialect.js';

/** A tool of another dialect as one of this, with the server that it is on. */
export interface EncodedTool {
  readonly tool: Tool;
  readonly node: JsonObject;
  readonly server?: JsonObject;
}

/**
 * The tool of another dialect as one of this, or undefined when it is dropped; reports both. Throws `unsupported` where
 * dropping it would widen what the model may do.
 */
export type ForeignTool = (
  tool: HostedTool,
  request: CanonicalRequest,
  context: EncodeRequestContext,
) => EncodedTool | undefined;

/** Keys of a declared tool for which the model has settings. */
export type SettingKey = 'allowed_domains' | 'blocked_domains' | 'user_location' | 'max_uses';

/** A declared tool that the service runs itself [M §2.5]. */
export interface ToolCodec {
  /** Its names, with which the type words begin that a date ends. */
  readonly names: readonly string[];
  readonly keys: readonly SettingKey[];
}

/** How blocks of calls and results are read [M §2.3]. */
export interface BlockReader {
  /** The input of a call in the words of the model. */
  decodeInput?(input: JsonObject, name: string): JsonObject;
  /** What a result brought, in the words of the model. */
  decodeOutput?(content: unknown): JsonObject;
}

/** A call and a result of another service as blocks of this dialect (translation.md 5.1). */
export interface PairCodec {
  encodeCall(call: HostedCallPart, id: string): JsonObject;
  encodeResult(result: HostedResultPart, id: string): JsonObject;
  /** The count of the usage that grows with each call. */
  readonly counts?: 'webSearch' | 'webFetch';
  /** What of a call the block does not hold. */
  hiddenInput?(input: JsonObject): readonly string[];
  /** What of a result the block does not hold. */
  hiddenOutput(result: HostedResultPart): readonly string[];
  /** What the block of a result holds that the result does not. */
  inventedOutput?(result: HostedResultPart): string | undefined;
}

/** The way of a foreign tool that has no counterpart. */
export function dropTool(detail: string): ForeignTool {
  return (tool, _request, { losses }) => {
    losses.add(tool, 'tool.hosted', 'dropped', detail);
    return undefined;
  };
}

/** The value if it is a string, else an empty one. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
