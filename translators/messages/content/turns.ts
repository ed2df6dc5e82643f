import { dropForeign } from '../../adapt/index.js';
import type { Part, TextPart } from '../../canonical/content.js';
import { TranslationError } from '../../canonical/errors.js';
import type { Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { readTurn, textPart } from '../../canonical/parts.js';
import type { CanonicalRequest, Instruction, Turn } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isBlank } from '../../wire/blank.js';
import { sourceAt } from '../../wire/memory.js';
import { itemPtr } from '../../wire/pointer.js';
import { bagOf, check, DIALECT, invalid, keep, keysOf, remember, remembered, restore, type Scope } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodeBlock } from './decode.js';
import { encodePart } from './encode.js';

const MESSAGE = keysOf(wire.message);

/** `system` is one instruction, whichever way it is spelled. An empty list leaves its path in `at`. */
export function decodeSystem(
  system: string | readonly unknown[] | null | undefined,
  scope: Scope,
  at: Record<string, string>,
): readonly Instruction[] {
  if (system === null || system === undefined) return [];
  at.instructions = '/system';
  if (typeof system === 'string') {
    const part = { kind: 'text', text: system, src: { ptr: '/system' } } as const;
    return [{ authority: 'system', parts: [part], src: { ptr: '/system' } }];
  }
  if (system.length === 0) return [];
  const parts = system.map((node, index) => {
    const part = decodeBlock(node, `/system/${index}`, 'system', scope);
    if (part.kind !== 'text') throw invalid(`/system/${index}/type`, 'system accepts text only');
    return part;
  });
  return [{ authority: 'system', parts, src: { ptr: '/system' } }];
}

const ROLES: Readonly<Record<string, Turn['role']>> = { user: 'user', assistant: 'assistant', system: 'instruction' };

export function decodeMessage(given: unknown, index: number, scope: Scope): Turn {
  const ptr = `/messages/${index}`;
  const { role: speaker, content } = check(wire.message, given, ptr);
  const node = given as JsonObject;
  if (speaker !== 'user' && speaker !== 'assistant' && speaker !== 'system') {
    throw invalid(`${ptr}/role`, 'expected user, assistant or system');
  }
  const role = ROLES[speaker] ?? 'user';
  const authority = speaker === 'system' ? 'system' : undefined;
  const at = `${ptr}/content`;
  const parts: readonly Part[] =
    typeof content === 'string'
      ? [textPart(content, sourceAt(at))]
      : content.map((block, position) => decodeBlock(block, itemPtr(at, position), speaker, scope));
  const { ext, src } = keep(node, MESSAGE, ptr);
  return remember(readTurn(role, authority, parts, src, ext), node);
}

export function encodeOwnTurn(turn: Turn): JsonObject {
  const role = turn.role === 'instruction' ? 'system' : turn.role;
  return remembered(turn) ?? restore({ role, content: encodeOwnParts(turn.parts) }, turn);
}

export function encodeOwnSystem(request: CanonicalRequest): string | JsonObject[] {
  return encodeOwnParts(request.instructions.flatMap(({ parts }) => parts));
}

/** Content of which nothing is known but one text came as a string, or might have. */
function encodeOwnParts(parts: readonly Part[]): string | JsonObject[] {
  const only = parts.length === 1 ? parts[0] : undefined;
  return only?.kind === 'text' && isBareText(only) ? only.text : parts.map((part) => encodePart(part, true));
}

function isBareText(part: TextPart): boolean {
  const further = part.cache ?? part.citations ?? bagOf(part) ?? remembered(part);
  return further === undefined;
}

export function encodeForeignTurn(turn: Turn, closesCitations: boolean): JsonObject {
  const role = turn.role === 'instruction' ? 'system' : turn.role;
  const only = turn.parts.length === 1 ? turn.parts[0] : undefined;
  if (only?.kind === 'text' && only.cache === undefined && only.citations === undefined) {
    return { role, content: only.text };
  }
  const parts = closesCitations ? turn.parts.map(uncited) : turn.parts;
  return { role, content: parts.map((part) => encodePart(part, false)) };
}

/** Citations and a schema for the answer exclude each other [M §2.8]. */
function uncited(part: Part): Part {
  if (part.kind === 'result') return { ...part, parts: part.parts.map((child) => uncited(child) as typeof child) };
  const citable =
    part.kind === 'media' || part.kind === 'textdoc' || part.kind === 'searchResult' ? part.citable : undefined;
  return citable === true ? ({ ...part, citable: false } as Part) : part;
}

export function reportAuthority(node: Turn | Instruction, losses: Losses): void {
  losses.add(node, 'instruction.authority', 'moved', 'developer instructions are sent as system instructions');
}

/** One plain text is a string; several texts, or texts with marks, are blocks (translation.md 2.3). */
export function encodeForeignSystem(
  request: CanonicalRequest,
  extra: string | undefined,
  { losses }: EncodeRequestContext,
): string | JsonObject[] | undefined {
  const blocks: JsonObject[] = [];
  for (const instruction of request.instructions) {
    dropForeign(instruction, DIALECT, losses);
    const speaks = instruction.parts.some((part) => part.kind !== 'text' || !isBlank(part.text));
    if (instruction.authority === 'developer' && speaks) reportAuthority(instruction, losses);
    for (const part of instruction.parts) {
      dropForeign(part, DIALECT, losses);
      if (part.kind !== 'text') {
        throw new TranslationError('unsupported', 'instructions accept text only', { path: ptrOf(part) });
      }
      if ((part.citations?.length ?? 0) > 0)
        losses.add(part, 'part.citation', 'dropped', 'citations are not supported in instructions');
      if (!isBlank(part.text)) blocks.push(encodePart({ ...part, citations: undefined }, false));
    }
  }
  if (extra !== undefined) blocks.push({ type: 'text', text: extra });
  const [first] = blocks;
  if (first === undefined) return undefined;
  return blocks.length === 1 && first.cache_control === undefined ? String(first.text) : blocks;
}
