import type { CallPart, MediaPart, OpaquePart, ResultPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ClientFamily } from '../../canonical/tools.js';
import { isObject } from '../../wire/json.js';
import { decodeContentPart } from '../content/decode.js';
import { encodeInputPart } from '../content/encode.js';
import { check, DIALECT, FOREIGN, itemId, Keys, origin, type Reader, withExtra } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeFamilyArguments, decodeRuns, FAMILY_ITEMS } from './client.js';

const CALL_FAMILIES: Readonly<Record<string, ClientFamily>> = {
  computer_call: 'computer',
  local_shell_call: 'localShell',
  shell_call: 'shell',
  apply_patch_call: 'patch',
};

const SCHEMAS = {
  computer_call: wire.computerCall,
  local_shell_call: wire.localShellCall,
  shell_call: wire.shellCall,
  apply_patch_call: wire.applyPatchCall,
  computer_call_output: wire.computerCallOutput,
  local_shell_call_output: wire.localShellCallOutput,
  shell_call_output: wire.shellCallOutput,
  apply_patch_call_output: wire.applyPatchCallOutput,
} as const;

/** Types of the calls of built-in client tools, and of their outputs. */
type FamilyItem = keyof typeof SCHEMAS;

/** Whether an item is a call, or an output, of a built-in client tool. */
export function isFamilyItem(type: unknown): type is FamilyItem {
  return typeof type === 'string' && Object.hasOwn(SCHEMAS, type);
}

const KNOWN = new Keys([
  'type',
  'id',
  'call_id',
  'status',
  'action',
  'actions',
  'operation',
  'output',
  'environment',
  'max_output_length',
  'pending_safety_checks',
  'acknowledged_safety_checks',
]);

interface Checked {
  readonly id?: string | null;
  readonly call_id?: string | null;
  readonly status?: string | null;
}

/** A call of a built-in client tool, and the item it came as; undefined for an output. */
export function decodeFamilyCall(node: JsonObject, ptr: string, item: number, reader: Reader): CallPart | undefined {
  const type = node.type;
  const family = isFamilyItem(type) ? CALL_FAMILIES[type] : undefined;
  if (!isFamilyItem(type) || family === undefined) return undefined;
  const { id, call_id: callId, status } = check<Checked>(SCHEMAS[type], node, ptr, reader);
  const { ext } = origin(node, KNOWN, ptr);
  const part: CallPart = {
    kind: 'call',
    family,
    name: FAMILY_ITEMS[family]?.name ?? family,
    callId: callId ?? id ?? '',
    args: { value: decodeFamilyArguments(family, node) },
    truncated: status === 'incomplete' ? true : undefined,
    id: id ?? undefined,
    item,
    ext,
    src: { ptr, raw: node },
  };
  return part.truncated === true || isFinal(status) ? part : withExtra(part, 'status', status);
}

function isFinal(status: string | null | undefined): boolean {
  return status === undefined || status === null || status === 'completed';
}

/** The client's answer to a call of a built-in tool. `callId` is the id of that call. */
export function decodeFamilyOutput(
  node: JsonObject,
  type: FamilyItem,
  ptr: string,
  item: number,
  callId: string,
  reader: Reader,
): ResultPart {
  const { id, status } = check<Checked>(SCHEMAS[type], node, ptr, reader);
  const { ext } = origin(node, KNOWN, ptr);
  const { output, acknowledged_safety_checks: acknowledged } = node;
  const bare: ResultPart = {
    kind: 'result',
    callId,
    parts: [],
    id: id ?? undefined,
    item,
    ext,
    src: { ptr, raw: node },
  };
  const failed = status === 'failed' && type === 'apply_patch_call_output';
  const stated = failed || isFinal(status) ? bare : withExtra(bare, 'status', status);
  const text: TextPart[] =
    typeof output === 'string' ? [{ kind: 'text', text: output, src: { ptr: `${ptr}/output` } }] : [];
  switch (type) {
    case 'shell_call_output':
      return { ...stated, family: 'shell', json: { runs: decodeRuns(Array.isArray(output) ? output : []) } };
    case 'local_shell_call_output':
      return { ...stated, family: 'localShell', parts: text };
    case 'apply_patch_call_output':
      return { ...stated, family: 'patch', parts: text, ...(failed && { isError: true }) };
    default: {
      const consents = Array.isArray(acknowledged) && acknowledged.length > 0;
      const known = consents ? withExtra(stated, 'acknowledged_safety_checks', acknowledged) : stated;
      return { ...known, family: 'computer', parts: [screenshot(isObject(output) ? output : {}, `${ptr}/output`)] };
    }
  }
}

/** The picture; a node that says more, or nothing, stays as it is. */
function screenshot(shot: JsonObject, ptr: string): MediaPart | OpaquePart {
  const known = Object.keys(shot).every((key) => key === 'type' || key === 'image_url' || key === 'file_id');
  const single = typeof shot.image_url === 'string' || typeof shot.file_id === 'string';
  if (known && single && shot.type === 'computer_screenshot') {
    const reader: Reader = { fault: 'invalid_request', domain: '', carriers: false };
    const part = decodeContentPart({ ...shot, type: 'input_image' }, ptr, reader);
    if (part.kind === 'media') return part;
  }
  return { kind: 'opaque', dialect: DIALECT, type: 'computer_screenshot', raw: shot, src: { ptr } };
}

/** The item a native call or output came as. */
export function nativeItem(part: CallPart | ResultPart): JsonObject | undefined {
  const raw = part.family === undefined ? undefined : part.src?.raw;
  return isObject(raw) && isFamilyItem(raw.type) ? raw : undefined;
}

/** A call of another dialect as an item; its arguments are the fields of the item (client-tools.ts). */
export function encodeFamilyCall(part: CallPart): JsonObject | undefined {
  const family = part.family === undefined ? undefined : FAMILY_ITEMS[part.family];
  if (family === undefined) return undefined;
  const fields: JsonObject = { type: family.type, call_id: part.callId, ...part.args.value, status: 'completed' };
  switch (part.family) {
    case 'computer':
      // The one item whose id a request must have [R §2.5].
      return { ...fields, id: itemId(family.type, part.callId, 0), pending_safety_checks: [] };
    case 'localShell':
      return { ...fields, id: itemId(family.type, part.callId, 0) };
    case 'shell':
      return { ...fields, environment: { type: 'local' } };
    default:
      return fields;
  }
}

/** An output that shows the display. */
export function encodeScreenshot(part: ResultPart): JsonObject | undefined {
  const picture = part.family === 'computer' ? part.parts.find(({ kind }) => kind === 'media') : undefined;
  if (picture?.kind !== 'media') return undefined;
  const { image_url, file_id } = encodeInputPart(picture, FOREIGN);
  const output = { type: 'computer_screenshot', ...(image_url === undefined ? { file_id } : { image_url }) };
  return { type: 'computer_call_output', call_id: part.callId, output };
}
