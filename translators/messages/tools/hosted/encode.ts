import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { JsonObject } from '../../../canonical/node.js';
import { hash32 } from '../../../wire/hash.js';
import { SHOWN_HOSTED, SHOWN_MCP } from '../../edge/withhold.js';
import { rawOf, restore } from '../../nodes.js';
import { pairs } from './pairs.js';

/** A hosted call as it came. */
export function encodeOwnHostedCall(part: HostedCallPart): JsonObject {
  const raw = rawOf(part);
  if (part.family === 'mcp') {
    const { server, name } = part.input;
    return restore({ type: 'mcp_tool_use', id: part.callId, name, server_name: server, input: raw.input ?? {} }, part);
  }
  return restore({ type: 'server_tool_use', id: part.callId, ...raw }, part);
}

/** A hosted result as it came. */
export function encodeOwnHostedResult(part: HostedResultPart): JsonObject {
  return restore({ tool_use_id: part.callId, ...rawOf(part) }, part);
}

/** Hosted calls of another service as pairs of this dialect (translation.md 5.1). Undefined: the family has no pair here. */
export function encodeForeignHosted(
  part: HostedCallPart | HostedResultPart,
  responseId: string,
): JsonObject | undefined {
  const pair = pairs[part.family];
  if (pair === undefined) return undefined;
  const hash = hash32(`${responseId}:${part.callId}`, 20);
  const id = part.family === 'mcp' ? SHOWN_MCP + hash : SHOWN_HOSTED + hash;
  return part.kind === 'hostedCall' ? pair.encodeCall(part, id) : pair.encodeResult(part, id);
}
