import type { ApprovalPart, Part, RefPart, ToolChangePart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import {
  check,
  complete,
  DIALECT,
  fault,
  keysOf,
  origin,
  type Printer,
  put,
  type Reader,
  remember,
  remembered,
  withExtra,
} from '../nodes.js';
import {
  decodeCustomCall,
  decodeFunctionCall,
  decodeToolUse,
  encodeCall,
  encodeCallOutput,
  runsRemotely,
} from '../tools/calls.js';
import {
  decodeFamilyCall,
  encodeFamilyCall,
  encodeScreenshot,
  isFamilyItem,
  nativeItem,
} from '../tools/client-items.js';
import { decodeTools } from '../tools/decode.js';
import { encodeTools } from '../tools/encode.js';
import { decodeHosted } from '../tools/hosted/families.js';
import * as wire from '../wire/index.js';
import { decodeCompaction, decodeReasoning, encodeCompaction, encodeReasoning, nodeOf } from './reasoning.js';

const REFERENCE = keysOf(wire.itemReference);
const APPROVAL = new Set(['type', 'id', 'approval_request_id']);
const ADDITIONAL_TOOLS = keysOf(wire.additionalTools);

/** An item that belongs to an assistant's turn [R §2.5, §4.2]; messages are not among them. Unknown types come back opaque. */
export function decodeAssistantItem(node: JsonObject, ptr: string, item: number, reader: Reader): readonly Part[] {
  return decodeHosted(node, ptr, item, reader) ?? [remember(decodeKind(node, ptr, item, reader), node)];
}

function decodeKind(node: JsonObject, ptr: string, item: number, reader: Reader): Part {
  switch (node.type) {
    case 'function_call':
      return decodeFunctionCall(node, ptr, item, reader);
    case 'custom_tool_call':
      return decodeCustomCall(node, ptr, item, reader);
    case 'tool_use':
      return decodeToolUse(node, ptr, item, reader);
    case 'reasoning':
      return decodeReasoning(node, ptr, item, reader);
    case 'compaction':
      return decodeCompaction(node, ptr, item, reader);
    case 'mcp_approval_request':
      return decodeApproval(node, ptr, item, reader);
    case 'item_reference':
    case null:
    case undefined:
      return decodeReference(node, ptr, item, reader);
    default:
      return decodeOther(node, ptr, item, reader);
  }
}

function decodeOther(node: JsonObject, ptr: string, item: number, reader: Reader): Part {
  if (typeof node.type !== 'string') throw fault(reader, `${ptr}/type`, 'expected the type of an item');
  if (isFamilyItem(node.type) && !runsRemotely(node)) {
    const call = decodeFamilyCall(node, ptr, item, reader);
    if (call !== undefined) return call;
  }
  const id = typeof node.id === 'string' ? node.id : undefined;
  return { kind: 'opaque', dialect: DIALECT, type: node.type, raw: node, id, item, src: { ptr } };
}

function decodeReference(node: JsonObject, ptr: string, item: number, reader: Reader): RefPart {
  if (typeof node.id !== 'string') throw fault(reader, ptr, 'an item needs a type, a role or an id');
  return { kind: 'ref', id: node.id, item, ...origin(node, REFERENCE, ptr) };
}

/** A question for consent, or the client's answer to one. */
export function decodeApproval(node: JsonObject, ptr: string, item: number, reader: Reader): ApprovalPart {
  const isRequest = node.type === 'mcp_approval_request';
  const approvalId = isRequest
    ? check(wire.approvalRequest, node, ptr, reader).id
    : check(wire.approvalResponse, node, ptr, reader).approval_request_id;
  const fields: JsonObject = {};
  for (const key of Object.keys(node)) if (!APPROVAL.has(key)) put(fields, key, node[key]);
  const id = !isRequest && typeof node.id === 'string' ? node.id : undefined;
  return { kind: 'approval', role: isRequest ? 'request' : 'response', approvalId, fields, id, item, src: { ptr } };
}

/** Tools that are added in mid-history. */
export function decodeAdditionalTools(node: JsonObject, ptr: string, reader: Reader): ToolChangePart {
  const { role, id } = check(wire.additionalTools, node, ptr, reader);
  const part: ToolChangePart = {
    kind: 'toolChange',
    added: decodeTools(node.tools, `${ptr}/tools`, reader),
    removed: [],
    id: id ?? undefined,
    ...origin(node, ADDITIONAL_TOOLS, ptr),
  };
  return remember(typeof role === 'string' && role !== 'developer' ? withExtra(part, 'role', role) : part, node);
}

/** The item of a part that is not part of a message; undefined for the first half of a pair that is one item. */
export function encodeItem(part: Part, printer: Printer): JsonObject | undefined {
  const form = printer.native ? remembered(part) : undefined;
  if (form !== undefined) return form;
  switch (part.kind) {
    case 'call':
      return (printer.native ? nativeItem(part) : encodeFamilyCall(part)) ?? encodeCall(part, printer);
    case 'result':
      return (printer.native ? nativeItem(part) : encodeScreenshot(part)) ?? encodeCallOutput(part, printer);
    case 'reasoning':
      return encodeReasoning(part);
    case 'hostedCall':
    case 'hostedResult': {
      const native = part.state?.find((entry) => entry.dialect === DIALECT && entry.kind === 'hosted');
      return native === undefined ? undefined : nodeOf(native);
    }
    case 'compaction':
      return encodeCompaction(part);
    case 'ref':
      return complete({ type: 'item_reference', id: part.id }, part);
    case 'approval':
      return encodeApproval(part, printer);
    case 'toolChange':
      return encodeAdditionalTools(part, printer);
    case 'opaque':
      return part.restored === 'reasoning' ? withoutId(part.raw) : part.raw;
    case 'text':
    case 'refusal':
    case 'media':
    case 'textdoc':
    case 'searchResult':
    case 'handover':
      return undefined;
    default:
      return part satisfies never;
  }
}

/** Replayed reasoning carries no id, so that the service does not look for its neighbours by id (translation.md 4.4). */
function withoutId(node: JsonObject): JsonObject {
  const { id: _id, ...rest } = node;
  return rest;
}

function encodeApproval(part: ApprovalPart, printer: Printer): JsonObject {
  if (part.role === 'request') return { type: 'mcp_approval_request', id: part.approvalId, ...part.fields };
  const fields: JsonObject = { type: 'mcp_approval_response', approval_request_id: part.approvalId, ...part.fields };
  if (printer.native && part.id !== undefined) fields.id = part.id;
  return complete(fields, part);
}

function encodeAdditionalTools(part: ToolChangePart, printer: Printer): JsonObject {
  const fields: JsonObject = { type: 'additional_tools', tools: encodeTools(part.added, printer), role: 'developer' };
  if (printer.native && part.id !== undefined) fields.id = part.id;
  return complete(fields, part);
}
