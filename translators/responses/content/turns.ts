import type { Part, PartKind } from '../../canonical/content.js';
import { type JsonObject, type Node, ptrOf } from '../../canonical/node.js';
import { readTurn } from '../../canonical/parts.js';
import type { CanonicalRequest, Instruction, Turn } from '../../canonical/request.js';
import { isObject } from '../../wire/json.js';
import { added } from '../../wire/list.js';
import { sourceAt } from '../../wire/memory.js';
import { fault, type Printer, type Reader, remember, remembered } from '../nodes.js';
import { decodeCallOutput, runsRemotely } from '../tools/calls.js';
import { decodeFamilyOutput, isFamilyItem } from '../tools/client-items.js';
import { decodeContentPart } from './decode.js';
import { decodeAdditionalTools, decodeApproval, decodeAssistantItem, encodeItem } from './items.js';
import {
  asInstruction,
  decodeAssistantMessage,
  decodeInputMessage,
  encodeAssistantMessage,
  encodeInputMessage,
  isMessagePart,
  type MessagePart,
  sharesMessage,
} from './messages.js';

/** Turns and leading instructions of an `input`. */
export interface Conversation {
  readonly instructions: readonly Instruction[];
  readonly turns: readonly Turn[];
}

/** A bare string is one user's message [R §2.1]. */
export function decodeStringInput(input: string, ptr: string): Conversation {
  const part: Part = { kind: 'text', text: input, src: { ptr } };
  return { instructions: [], turns: [{ role: 'user', parts: [part], src: { ptr } }] };
}

/** Groups items into turns without moving any (translation.md 2.4). `pointer` gives the place of an item in the body. */
export function decodeInput(
  items: readonly JsonObject[],
  pointer: (index: number) => string,
  reader: Reader,
): Conversation {
  const instructions: Instruction[] = [];
  const turns: Turn[] = [];
  const shells = shellCalls(items);
  let leading = true;
  let run: { readonly role: 'user' | 'assistant'; readonly parts: Part[] } | undefined;
  let item = 0;

  const join = (role: 'user' | 'assistant', at: string): Part[] => {
    leading = false;
    if (run?.role === role) return run.parts;
    const parts: Part[] = [];
    run = { role, parts };
    item = 0;
    turns.push(readTurn(role, undefined, parts, sourceAt(at)));
    return parts;
  };
  const message = (node: JsonObject, at: string): void => {
    const turn = decodeInputMessage(node, at, reader);
    const instruction = leading && turn.role === 'instruction' ? asInstruction(turn) : undefined;
    if (instruction !== undefined) instructions.push(instruction);
    else turns.push(turn);
    if (turn.role === 'user') leading = false;
    run = undefined;
  };

  for (let index = 0; index < items.length; index += 1) {
    const node = items[index];
    const at = pointer(index);
    if (!isObject(node)) throw fault(reader, at, 'expected an object');
    const type = node.type;
    if (type === 'message' || ((type === undefined || type === null) && node.role !== undefined)) {
      if (node.role === 'assistant') {
        const parts = join('assistant', at);
        for (const part of decodeAssistantMessage(node, at, item, reader)) parts.push(part);
        item += 1;
      } else {
        message(node, at);
      }
    } else if (type === 'additional_tools') {
      turns.push({
        role: 'instruction',
        authority: 'developer',
        parts: [decodeAdditionalTools(node, at, reader)],
        src: { ptr: at },
      });
      run = undefined;
    } else if (type === 'input_text' || type === 'input_image' || type === 'input_file') {
      const parts = [decodeContentPart(node, at, reader)];
      turns.push(remember({ role: 'user', parts, src: { ptr: at } }, node));
      leading = false;
      run = undefined;
    } else {
      const answer = decodeAnswer(node, at, run?.role === 'user' ? item : 0, shells, reader);
      const parts = join(answer === undefined ? 'assistant' : 'user', at);
      if (answer !== undefined) parts.push(remember(answer, node));
      else for (const part of decodeAssistantItem(node, at, item, reader)) parts.push(part);
      item += 1;
    }
  }
  return { instructions, turns };
}

/** Shell calls of the history: which ran in a container, and under which call id older ones were known by item id. */
interface ShellCalls {
  readonly remote: ReadonlySet<string>;
  readonly callIds: ReadonlyMap<string, string>;
}

function shellCalls(items: readonly JsonObject[]): ShellCalls {
  const remote = new Set<string>();
  const callIds = new Map<string, string>();
  for (const { type, id, call_id: callId, ...node } of items.filter(isShell)) {
    if (typeof callId !== 'string') continue;
    if (type === 'shell_call' && runsRemotely(node)) remote.add(callId);
    if (type === 'local_shell_call' && typeof id === 'string') callIds.set(id, callId);
  }
  return { remote, callIds };
}

function isShell(node: unknown): boolean {
  return isObject(node) && (node.type === 'shell_call' || node.type === 'local_shell_call');
}

/** The client's answer to a call or a question; undefined for items of the model. */
function decodeAnswer(
  node: JsonObject,
  ptr: string,
  item: number,
  shells: ShellCalls,
  reader: Reader,
): Part | undefined {
  switch (node.type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
      return decodeCallOutput(node, ptr, item, reader);
    case 'mcp_approval_response':
      return decodeApproval(node, ptr, item, reader);
    case 'shell_call_output':
      if (typeof node.call_id === 'string' && shells.remote.has(node.call_id)) return undefined;
      break;
    case 'computer_call_output':
    case 'local_shell_call_output':
    case 'apply_patch_call_output':
      break;
    default:
      return undefined;
  }
  if (!isFamilyItem(node.type)) return undefined;
  return decodeFamilyOutput(node, node.type, ptr, item, answeredCall(node, shells), reader);
}

/** Outputs of the older shell tool name the call's item [R §8 rule 40]. */
function answeredCall(node: JsonObject, shells: ShellCalls): string {
  if (typeof node.call_id === 'string') return node.call_id;
  return typeof node.id === 'string' ? (shells.callIds.get(node.id) ?? node.id) : '';
}

/** The `input` of a request: items in the order of the turns; the bare string it came as. */
export function encodeInput(
  request: CanonicalRequest,
  leading: readonly Instruction[],
  printer: Printer,
): string | JsonObject[] {
  const only = request.turns.length === 1 && leading.length === 0 ? request.turns[0] : undefined;
  const first = only?.parts.length === 1 ? only.parts[0] : undefined;
  if (printer.native && only?.src?.ptr === '/input' && first?.kind === 'text') return first.text;
  const items: JsonObject[] = [];
  let led = 0;
  const lead = (until: number): void => {
    for (let next = leading[led]; next !== undefined && indexOf(next) <= until; next = leading[led]) {
      items.push(encodeInputMessage(next, next.authority, next.parts, printer));
      led += 1;
    }
  };
  for (const turn of request.turns) {
    if (led < leading.length) lead(indexOf(turn));
    encodeTurn(turn, items, printer);
  }
  lead(Number.POSITIVE_INFINITY);
  return items;
}

/** The place of what came as an item of the input; 0 for everything else. */
function indexOf(node: Node): number {
  return Number(/^\/input\/(\d+)/.exec(ptrOf(node))?.[1] ?? 0);
}

function encodeTurn(turn: Turn, items: JsonObject[], printer: Printer): void {
  if (turn.role === 'assistant') {
    encodeAssistantTurn(turn.parts, items, printer);
    return;
  }
  const form = printer.native ? remembered(turn) : undefined;
  if (form !== undefined) {
    items.push(form);
    return;
  }
  let rest: Part[] | undefined;
  for (const part of turn.parts) {
    const item = IS_ITEM[part.kind] ? encodeItem(part, printer) : undefined;
    if (item === undefined) rest = added(rest, part);
    else items.push(item);
  }
  if (rest === undefined && turn.parts.length > 0) return;
  const role = turn.role === 'user' ? 'user' : (turn.authority ?? 'developer');
  items.push(encodeInputMessage(turn, role, rest ?? [], printer));
}

/** Parts of a user's turn, or an instruction's, that are items of their own. */
const IS_ITEM: Readonly<Record<PartKind, boolean>> = {
  text: false,
  refusal: false,
  media: false,
  textdoc: false,
  searchResult: false,
  call: false,
  result: true,
  hostedCall: false,
  hostedResult: false,
  reasoning: false,
  ref: true,
  compaction: true,
  approval: true,
  toolChange: true,
  handover: false,
  opaque: false,
};

function encodeAssistantTurn(parts: readonly Part[], items: JsonObject[], printer: Printer): void {
  let group: MessagePart[] | undefined;
  const close = (): void => {
    if (group !== undefined) items.push(encodeAssistantMessage(group, printer));
    group = undefined;
  };
  for (const part of parts) {
    if (isMessagePart(part)) {
      const last = group?.at(-1);
      if (last !== undefined && !sharesMessage(last, part)) close();
      group = added(group, part);
      continue;
    }
    close();
    const item = encodeItem(part, printer);
    if (item !== undefined) items.push(item);
  }
  close();
}
