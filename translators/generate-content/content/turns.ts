import type { MediaPart, Part, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { Instruction, Turn } from '../../canonical/request.js';
import { check, checkObject, fieldNames, fieldPtr, invalid, lists, open, respell } from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodePart, type ReadContext } from './decode.js';
import { encodePart } from './encode.js';
import { bagOf } from './media.js';
import { type ReadParts, settleParts } from './pairs.js';

const CONTENT = fieldNames('role', 'parts');
/** The list in whose place one part may stand. */
const PARTS = ['parts'];

/** Roles of a Content: the two of the service, and those that the base specification has for results ([G §8]). */
const ROLES: Readonly<Record<string, Turn['role']>> = {
  user: 'user',
  model: 'assistant',
  function: 'user',
  tool: 'user',
};

/** Reads `contents`: every Content is one turn. Calls and what answers them may stand in neighbours of one speaker. */
export function decodeContents(
  list: readonly unknown[],
  pointer: (index: number) => string,
  context: ReadContext,
): Turn[] {
  const read = list.map((content, index) => decodeTurn(content, pointer(index), context));
  const turns: Turn[] = [];
  let first = 0;
  for (let at = 0; at < read.length; at = turns.length) {
    const run = runAt(read, at);
    const isModel = run[0]?.turn.role === 'assistant';
    const settled = settleParts(joined(run), isModel, first, context);
    let taken = 0;
    for (const { turn, nodes } of run) {
      turns.push({ ...turn, parts: run.length === 1 ? settled : settled.slice(taken, taken + nodes.length) });
      taken += nodes.length;
    }
    first += taken;
  }
  return turns;
}

interface ReadTurn {
  readonly turn: Turn;
  /** The nodes of its parts. */
  readonly nodes: readonly unknown[];
}

/** A user's turn, or turns of the model that follow each other. */
function runAt(read: readonly ReadTurn[], at: number): readonly ReadTurn[] {
  let end = at + 1;
  while (read[at]?.turn.role === 'assistant' && read[end]?.turn.role === 'assistant') end += 1;
  return read.slice(at, end);
}

function joined(run: readonly ReadTurn[]): ReadParts {
  const [only, ...others] = run;
  if (only !== undefined && others.length === 0) return { parts: only.turn.parts, nodes: only.nodes };
  return { parts: run.flatMap(({ turn }) => turn.parts), nodes: run.flatMap(({ nodes }) => nodes) };
}

function decodeTurn(value: unknown, ptr: string, context: ReadContext): ReadTurn {
  const marks: string[] = [];
  const opened = open(checkObject(value, ptr), CONTENT, ptr, '', marks);
  const listed = lists(opened.known, PARTS, '', marks);
  const { role: word, parts: nodes = [] } = check(wire.content, listed.known, ptr, opened.names);
  const role = ROLES[word ?? 'user'];
  if (role === undefined) throw invalid('please use a valid role: user, model', fieldPtr(opened, 'role', ptr));
  if (word === undefined) marks.push('absent:role');
  else if (word === 'function' || word === 'tool') marks.push(`as:role="${word}"`);
  if (opened.known.parts === undefined) marks.push('absent:parts');
  const ext = bagOf(opened.rest);
  const turn: Turn = {
    role,
    parts: nodesOf(nodes, listed.at('parts', fieldPtr(opened, 'parts', ptr)), context),
    ...(ext !== undefined && { ext }),
    src: marks.length > 0 ? { ptr, shape: marks } : { ptr },
  };
  return { turn, nodes };
}

function nodesOf(nodes: readonly unknown[], pointer: (index: number) => string, context: ReadContext): Part[] {
  return nodes.map((node, index) => decodePart(node, pointer(index), context));
}

/** Reads the parts of a Content that stands alone. */
function decodeParts(
  nodes: readonly unknown[],
  pointer: (index: number) => string,
  isModel: boolean,
  context: ReadContext,
): readonly Part[] {
  return settleParts({ parts: nodesOf(nodes, pointer, context), nodes }, isModel, 0, context);
}

/** Prints one turn as a Content. */
export function encodeTurn(turn: Turn, own: boolean): EncodedContent {
  const role = turn.role === 'assistant' ? 'model' : 'user';
  const parts = encodeParts(turn.parts, own);
  if (!own) return { role, parts };
  const content: EncodedContent = { ...turn.ext?.generateContent, role, parts };
  respell(content, turn.src?.shape);
  return content;
}

/** A Content as it is printed. */
interface EncodedContent extends JsonObject {
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
    return [
      {
        authority: 'system',
        parts: instructionParts([value], () => ptr, context),
        src: { ptr, shape: ['bare'] },
      },
    ];
  }
  const opened = open(value, CONTENT, ptr, 'systemInstruction.', marks);
  const listed = lists(opened.known, PARTS, 'systemInstruction.', marks);
  const { role, parts } = check(wire.content, listed.known, ptr, opened.names);
  if (parts === undefined || parts.length === 0) {
    marks.push(`as:systemInstruction=${JSON.stringify(value)}`);
    return [];
  }
  const ext = bagOf(opened.rest);
  return [
    {
      authority: 'system',
      parts: instructionParts(parts, listed.at('parts', fieldPtr(opened, 'parts', ptr)), context),
      ...(ext !== undefined && { ext }),
      src: { ptr, ...(role !== undefined && { shape: [`role:${role}`] }) },
    },
  ];
}

function instructionParts(
  list: readonly unknown[],
  pointer: (index: number) => string,
  context: ReadContext,
): (TextPart | MediaPart)[] {
  return decodeParts(list, pointer, false, context).map((part) => {
    if (part.kind === 'text' || part.kind === 'media') return part;
    throw invalid('only text is allowed in systemInstruction', part.src?.ptr ?? '');
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
): { readonly parts: readonly Part[]; readonly list: readonly unknown[]; readonly rest?: JsonObject } {
  if (value === undefined) {
    marks.push('absent:content');
    return { parts: [], list: [] };
  }
  const opened = open(checkObject(value, ptr), CONTENT, ptr, 'content.', marks);
  const { role, parts } = check(wire.content, opened.known, ptr, opened.names);
  if (role === undefined) marks.push('absent:content.role');
  else if (role !== 'model') marks.push(`as:content.role=${JSON.stringify(role)}`);
  if (parts === undefined) marks.push('absent:content.parts');
  const at = fieldPtr(opened, 'parts', ptr);
  const read = decodeParts(parts ?? [], (index) => `${at}/${index}`, true, context);
  return { parts: read, list: parts ?? [], rest: opened.rest };
}
