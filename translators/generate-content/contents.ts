import type { MediaPart, Part, TextPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { Instruction, Turn } from '../canonical/request.js';
import { check, checkObject } from './check.js';
import { bagOf } from './media.js';
import { decodeParts, type ReadContext } from './part-decode.js';
import { encodePart } from './part-encode.js';
import { fieldNames, fieldPtr, invalid, open, respell } from './spelling.js';
import * as wire from './wire.js';

const CONTENT = fieldNames('role', 'parts');

/** Roles of a Content: the two of the service, and those that the base specification has for results ([G §8]). */
const ROLES: Readonly<Record<string, Turn['role']>> = {
  user: 'user',
  model: 'assistant',
  function: 'user',
  tool: 'user',
};

/** Reads `contents`: every Content is one turn. */
export function decodeContents(list: readonly unknown[], ptr: string, context: ReadContext): Turn[] {
  return list.map((content, index) => decodeTurn(content, `${ptr}/${index}`, context));
}

function decodeTurn(value: unknown, ptr: string, context: ReadContext): Turn {
  const marks: string[] = [];
  const opened = open(checkObject(value, ptr), CONTENT, ptr, '', marks);
  const { role: word, parts } = check(wire.content, opened.known, ptr, opened.names);
  const role = ROLES[word ?? 'user'];
  if (role === undefined) throw invalid('please use a valid role: user, model', fieldPtr(opened, 'role', ptr));
  if (word === undefined) marks.push('absent:role');
  else if (word === 'function' || word === 'tool') marks.push(`as:role="${word}"`);
  if (parts === undefined) marks.push('absent:parts');
  const ext = bagOf(opened.rest);
  return {
    role,
    parts: decodeParts(parts ?? [], fieldPtr(opened, 'parts', ptr), role === 'assistant', context),
    ...(ext !== undefined && { ext }),
    src: marks.length > 0 ? { ptr, shape: marks } : { ptr },
  };
}

/** Prints one turn as a Content. */
export function encodeTurn(turn: Turn, own: boolean): PrintedContent {
  const role = turn.role === 'assistant' ? 'model' : 'user';
  const parts = encodeParts(turn.parts, own);
  if (!own) return { role, parts };
  const content: PrintedContent = { ...turn.ext?.generateContent, role, parts };
  respell(content, turn.src?.shape);
  return content;
}

/** A Content as it is printed. */
export interface PrintedContent extends JsonObject {
  readonly parts: JsonObject[];
}

function encodeParts(parts: readonly Part[], own: boolean): JsonObject[] {
  const out: JsonObject[] = [];
  for (const part of parts) {
    const printed = encodePart(part, own);
    if (printed !== undefined) out.push(printed);
  }
  return out;
}

/**
 * Reads `systemInstruction`: a Content, its role without meaning, or the shorter forms that clients' libraries accept
 * ([G §2.3]). `marks` belong to the request.
 */
export function decodeInstructions(
  value: JsonObject | string | undefined,
  ptr: string,
  marks: string[],
  context: ReadContext,
): Instruction[] {
  if (value === undefined) return [];
  if (typeof value === 'string') {
    return [
      { authority: 'system', parts: [{ kind: 'text', text: value, src: { ptr } }], src: { ptr, shape: ['string'] } },
    ];
  }
  if (typeof value.text === 'string' && value.parts === undefined) {
    return [{ authority: 'system', parts: instructionParts([value], ptr, context), src: { ptr, shape: ['bare'] } }];
  }
  const opened = open(value, CONTENT, ptr, 'systemInstruction.', marks);
  const { role, parts } = check(wire.content, opened.known, ptr, opened.names);
  if (parts === undefined || parts.length === 0) {
    marks.push(`as:systemInstruction=${JSON.stringify(value)}`);
    return [];
  }
  const ext = bagOf(opened.rest);
  return [
    {
      authority: 'system',
      parts: instructionParts(parts, fieldPtr(opened, 'parts', ptr), context),
      ...(ext !== undefined && { ext }),
      src: { ptr, ...(role !== undefined && { shape: [`role:${role}`] }) },
    },
  ];
}

function instructionParts(list: readonly unknown[], ptr: string, context: ReadContext): (TextPart | MediaPart)[] {
  return decodeParts(list, ptr, false, context).map((part) => {
    if (part.kind === 'text' || part.kind === 'media') return part;
    throw invalid('only text is allowed in systemInstruction', part.src?.ptr ?? ptr);
  });
}

/** Prints all instructions as one Content, one part each. */
export function encodeInstructions(instructions: readonly Instruction[], own: boolean): unknown {
  const first = instructions[0];
  const shape = own ? (first?.src?.shape ?? []) : [];
  const parts = instructions.flatMap((instruction) => encodeParts(instruction.parts, own));
  if (instructions.length === 1 && parts.length === 1) {
    if (shape.includes('string')) return first?.parts[0]?.kind === 'text' ? first.parts[0].text : '';
    if (shape.includes('bare')) return parts[0];
  }
  const role = shape.find((mark) => mark.startsWith('role:'))?.slice('role:'.length);
  return { ...(own && first?.ext?.generateContent), ...(role !== undefined && { role }), parts };
}

/** A Content of an answer: its parts, and how it was spelled where that says nothing. */
export function decodeAnswerContent(
  value: unknown,
  ptr: string,
  marks: string[],
  context: ReadContext,
): { readonly parts: Part[]; readonly list: readonly unknown[]; readonly rest?: JsonObject } {
  if (value === undefined) {
    marks.push('absent:content');
    return { parts: [], list: [] };
  }
  const opened = open(checkObject(value, ptr), CONTENT, ptr, 'content.', marks);
  const { role, parts } = check(wire.content, opened.known, ptr, opened.names);
  if (role === undefined) marks.push('absent:content.role');
  else if (role !== 'model') marks.push(`as:content.role=${JSON.stringify(role)}`);
  if (parts === undefined) marks.push('absent:content.parts');
  const read = decodeParts(parts ?? [], fieldPtr(opened, 'parts', ptr), true, context);
  return { parts: read, list: parts ?? [], rest: opened.rest };
}
