import { createOpenCalls } from '../../adapt/index.js';
import type { HostedCallPart, Part } from '../../canonical/content.js';
import { type JsonObject, ptrOf, type Source } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import { isObject } from '../../wire/json.js';
import { invalid, type ReadContext } from '../nodes.js';
import { createPartialArgs, isFurtherPiece, isInPieces, piecesOf } from '../tools/arguments.js';
import { servedCall, servedResult } from '../tools/hosted/mcp.js';
import { nodeEntry } from './reasoning.js';

/** Parts as they were read, and the nodes they were read from. */
export interface ReadParts {
  readonly parts: readonly Part[];
  readonly nodes: readonly unknown[];
}

/**
 * Settles what several parts say together: arguments that come in pieces, calls that the service answered itself, hosted
 * calls with their results. They stand in one Content or in Contents of one speaker that follow each other, as the
 * official client keeps a stream. The list stays of one length. `first` is how many parts come before, so that ids made
 * up here differ within a request.
 */
export function settleParts(
  { parts, nodes }: ReadParts,
  isModel: boolean,
  first: number,
  context: ReadContext,
): readonly Part[] {
  const joined = joinPieces(parts, nodes);
  const served = isModel && joined.some((part) => part.kind === 'result');
  return pairHosted(served ? pairServed(joined, nodes, first) : joined, nodes, first, context);
}

/** Whether {@link settleParts} has anything to do: whether parts say something together. */
export function needsSettling(parts: readonly Part[], nodes: readonly unknown[], isModel: boolean): boolean {
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    switch (part?.kind) {
      case 'hostedCall':
      case 'hostedResult':
        return true;
      case 'result':
        if (isModel) return true;
        break;
      case 'call':
      case 'text': {
        if (part.kind === 'text' && part.text !== '') break;
        const call = callIn(nodes[index]);
        // A further piece is an empty text, as long as it is not joined to its call.
        if (call !== undefined && (part.kind === 'text' ? isFurtherPiece(call) : isInPieces(call))) return true;
        break;
      }
      default:
    }
  }
  return false;
}

function callIn(node: unknown): JsonObject | undefined {
  const call = isObject(node) ? (node.functionCall ?? node.function_call) : undefined;
  return isObject(call) ? call : undefined;
}

/** Whether one of the nodes is a call whose arguments come in pieces, or a piece of such a call. */
export function hasPieces(nodes: readonly unknown[]): boolean {
  return nodes.some((node) => {
    const call = callIn(node);
    return call !== undefined && isInPieces(call);
  });
}

/** Adds further pieces of arguments to the call that they go on with. Throws `invalid_request` where there is none. */
function joinPieces(parts: readonly Part[], nodes: readonly unknown[]): readonly Part[] {
  let out: Part[] | undefined;
  let open: { readonly index: number; readonly partial: ReturnType<typeof createPartialArgs> } | undefined;
  parts.forEach((part, index) => {
    // A further piece was read as an empty text.
    if (part.kind !== 'call' && !(part.kind === 'text' && part.text === '')) return;
    const node = callIn(nodes[index]);
    if (node === undefined) return;
    if (part.kind === 'call') {
      open = isInPieces(node) ? { index, partial: createPartialArgs(part.args.value) } : undefined;
      return;
    }
    if (!isFurtherPiece(node)) return;
    const call = open === undefined ? undefined : parts[open.index];
    if (open === undefined || call?.kind !== 'call') {
      throw invalid('name: field required', `${ptrOf(part)}/functionCall/name`);
    }
    open.partial.add(piecesOf(node));
    out ??= [...parts];
    if (call.family === undefined) out[open.index] = { ...call, args: { value: open.partial.value } };
  });
  return out ?? parts;
}

/**
 * Calls that the service answered itself, with the answer in a model turn: both become hosted parts ([G §2.5]
 * `mcpServers`). A result answers the open call of its id; one without an id, or with one that no call has, the first
 * open call of its name. A result whose call is not shown stands alone.
 */
function pairServed(parts: readonly Part[], nodes: readonly unknown[], first: number): Part[] {
  const out = [...parts];
  const byId = new Map<string, number>();
  const open = createOpenCalls();
  const nameless = createOpenCalls();
  parts.forEach((part, index) => {
    if (part.kind === 'call') {
      open.add(String(index), part.name);
      if (part.callId === '') nameless.add(String(index), part.name);
      else if (!byId.has(part.callId)) byId.set(part.callId, index);
    }
    if (part.kind !== 'result') return;
    const waiting = part.callId === '' ? open : nameless;
    const found = byId.get(part.callId) ?? (part.name === undefined ? undefined : waiting.named(part.name));
    const call = found === undefined ? undefined : parts[Number(found)];
    const node = nodes[index];
    const raw = isObject(node) ? node : {};
    const ptr = ptrOf(part);
    if (found === undefined || call?.kind !== 'call') {
      out[index] = servedResult(raw, part.callId === '' ? `served_${first + index}` : part.callId, ptr);
      return;
    }
    open.close(String(found));
    nameless.close(String(found));
    byId.delete(call.callId);
    const callId = call.callId === '' ? `served_${first + Number(found)}` : call.callId;
    out[Number(found)] = servedCall(call, callId);
    out[index] = servedResult(raw, callId, ptr);
  });
  return out;
}

/** Gives a hosted call and the result behind it one id where the service gave none, and answers their state. */
function pairHosted(
  parts: readonly Part[],
  list: readonly unknown[],
  first: number,
  context: ReadContext,
): readonly Part[] {
  if (!parts.some((part) => part.kind === 'hostedCall' || part.kind === 'hostedResult')) return parts;
  let open: { readonly id: string; readonly index: number } | undefined;
  const out = [...parts];
  parts.forEach((part, index) => {
    if (part.kind === 'hostedCall') {
      const id = part.callId === '' ? `hosted_${first + index}` : part.callId;
      out[index] = { ...part, callId: id, ...rawOf(part, list[index]), ...hostedState([list[index]], context) };
      open = { id, index };
      return;
    }
    if (part.kind === 'hostedResult') {
      const call = open !== undefined && (part.callId === '' || part.callId === open.id) ? open : undefined;
      const id = part.callId === '' ? (call?.id ?? `hosted_${first + index}`) : part.callId;
      const nodes = call === undefined ? [list[index]] : [list[call.index], list[index]];
      const earlier = call === undefined ? undefined : out[call.index];
      if (call !== undefined && earlier !== undefined && context.answer) {
        const { state: _state, ...stateless } = earlier;
        out[call.index] = stateless as Part;
      }
      out[index] = { ...part, callId: id, ...hostedState(nodes, context) };
      open = undefined;
      return;
    }
    if (!(part.kind === 'text' && part.text === '' && part.state === undefined)) open = undefined;
  });
  return out;
}

function rawOf(part: HostedCallPart, node: unknown): { src?: Source } {
  return part.src === undefined || part.src.raw !== undefined ? {} : { src: { ptr: part.src.ptr, raw: node } };
}

function hostedState(nodes: readonly unknown[], context: ReadContext): { state?: readonly StateEntry[] } {
  return context.answer ? { state: [nodeEntry('hosted', nodes, context)] } : {};
}
