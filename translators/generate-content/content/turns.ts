import type { MediaPart, Part, TextPart } from '../../canonical/content.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import { readTurn } from '../../canonical/parts.js';
import type { Instruction, Turn } from '../../canonical/request.js';
import { isObject } from '../../wire/json.js';
import { sourceAt } from '../../wire/memory.js';
import {
  check,
  checkObject,
  fieldNames,
  fieldPtr,
  invalid,
  lists,
  open,
  type ReadContext,
  remember,
  remembered,
} from '../nodes.js';
import * as wire from '../wire/index.js';
import { decodePart } from './decode.js';
import { encodePart } from './encode.js';
import { bagOf } from './media.js';
import { hasPieces, needsSettling, type ReadParts, settleParts } from './pairs.js';

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
    const alone = aloneAt(read, at);
    if (alone !== undefined) {
      turns.push(remember(alone.turn, alone.content));
      first += alone.nodes.length;
      continue;
    }
    const run = runAt(read, at);
    const settled = settleParts(joined(run), run[0]?.turn.role === 'assistant', first, context);
    // Those with pieces are encoded anew for their own dialect, the others go as they came: nothing moves between them.
    const inPieces = run.some(({ nodes }) => hasPieces(nodes));
    let taken = 0;
    let ahead: readonly Part[] = [];
    for (const [index, { content, turn, nodes }] of run.entries()) {
      const own = run.length === 1 ? settled : settled.slice(taken, taken + nodes.length);
      const waits = !inPieces && index < run.length - 1 && own.every(saysNothing);
      const parts = waits ? NO_PARTS : withAhead(ahead, own);
      ahead = waits ? [...ahead, ...own] : NO_PARTS;
      const whole = parts === turn.parts ? turn : { ...turn, parts };
      turns.push(hasPieces(nodes) ? whole : remember(whole, content));
      taken += nodes.length;
    }
    first += taken;
  }
  return turns;
}

const NO_PARTS: readonly Part[] = [];

/**
 * Whether a part is a thought, or state without a text: where a client keeps one Content for each chunk of a stream, they belong
 * to what the model says in the next one.
 */
function saysNothing(part: Part): boolean {
  return part.kind === 'reasoning' || (part.kind === 'text' && part.text === '');
}

function withAhead(ahead: readonly Part[], parts: readonly Part[]): readonly Part[] {
  return ahead.length === 0 ? parts : [...ahead, ...parts];
}

interface ReadTurn {
  readonly content: JsonObject;
  readonly turn: Turn;
  /** The nodes of its parts. */
  readonly nodes: readonly unknown[];
}

/** A turn that says nothing together with others, and of which no parts say anything together: most are such. */
function aloneAt(read: readonly ReadTurn[], at: number): ReadTurn | undefined {
  const one = read[at];
  const isModel = one?.turn.role === 'assistant';
  if (one === undefined || (isModel && read[at + 1]?.turn.role === 'assistant')) return undefined;
  return needsSettling(one.turn.parts, one.nodes, isModel) ? undefined : one;
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
  const content = checkObject(value, ptr);
  const opened = open(content, CONTENT, ptr);
  const listed = lists(opened.known, PARTS);
  const { role: word, parts: nodes = [] } = check(wire.content, listed.known, ptr, opened.names);
  const role = ROLES[word ?? 'user'];
  if (role === undefined) throw invalid('please use a valid role: user, model', fieldPtr(opened, 'role', ptr));
  const isModel = role === 'assistant';
  const parts = nodesOf(nodes, listed.at('parts', fieldPtr(opened, 'parts', ptr)), isModel, context);
  return { content, turn: readTurn(role, undefined, parts, sourceAt(ptr), bagOf(opened.rest)), nodes };
}

/**
 * Reads parts. An empty one is refused, as the service does ([G §4] rule 3), but not where the model speaks: clients that leave
 * out empty texts send those of our streams back as nothing.
 */
function nodesOf(
  nodes: readonly unknown[],
  pointer: (index: number) => string,
  isModel: boolean,
  context: ReadContext,
): Part[] {
  return nodes.map((node, index) => {
    const ptr = pointer(index);
    if (!isModel && isObject(node) && isEmpty(node))
      throw invalid('a part has to hold data, such as text or a functionCall', ptr);
    return decodePart(node, ptr, context);
  });
}

function isEmpty(node: JsonObject): boolean {
  for (const _key in node) return false;
  return true;
}

/** Reads the parts of a Content that stands alone. */
function decodeParts(
  nodes: readonly unknown[],
  pointer: (index: number) => string,
  isModel: boolean,
  context: ReadContext,
): readonly Part[] {
  return settleParts({ parts: nodesOf(nodes, pointer, isModel, context), nodes }, isModel, 0, context);
}

/** A turn of this dialect as the Content it came as. */
export function encodeOwnTurn(turn: Turn): JsonObject {
  return remembered(turn) ?? encodeTurn(turn, true);
}

/** Encodes one turn as a Content. */
export function encodeTurn(turn: Turn, own: boolean): EncodedContent {
  const role = turn.role === 'assistant' ? 'model' : 'user';
  const parts = encodeParts(turn.parts, own);
  return own ? { ...turn.ext?.generateContent, role, parts } : { role, parts };
}

/** A Content on the wire. */
interface EncodedContent extends JsonObject {
  readonly parts: JsonObject[];
}

function encodeParts(parts: readonly Part[], own: boolean): JsonObject[] {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) {
    const encoded = encodePart(only, own);
    return encoded === undefined ? [] : [encoded];
  }
  const out: JsonObject[] = [];
  for (const part of parts) {
    const encoded = encodePart(part, own);
    if (encoded !== undefined) out.push(encoded);
  }
  return out;
}

/**
 * Reads `systemInstruction`: a Content, its role without meaning, or the shorter forms that clients' libraries accept
 * ([G §2.3]).
 */
export function decodeInstructions(
  value: JsonObject | string | undefined,
  ptr: string,
  context: ReadContext,
): Instruction[] {
  if (value === undefined) return [];
  if (typeof value === 'string') {
    return [{ authority: 'system', parts: [{ kind: 'text', text: value, src: { ptr } }], src: { ptr } }];
  }
  if (typeof value.text === 'string' && value.parts === undefined) {
    const parts = instructionParts([value], () => ptr, context);
    return [remember({ authority: 'system', parts, src: { ptr } }, value)];
  }
  const opened = open(value, CONTENT, ptr);
  const listed = lists(opened.known, PARTS);
  const { parts } = check(wire.content, listed.known, ptr, opened.names);
  if (parts === undefined || parts.length === 0) return [];
  const ext = bagOf(opened.rest);
  const instruction: Instruction = {
    authority: 'system',
    parts: instructionParts(parts, listed.at('parts', fieldPtr(opened, 'parts', ptr)), context),
    ...(ext !== undefined && { ext }),
    src: { ptr },
  };
  return [remember(instruction, value)];
}

function instructionParts(
  list: readonly unknown[],
  pointer: (index: number) => string,
  context: ReadContext,
): (TextPart | MediaPart)[] {
  return decodeParts(list, pointer, false, context).map((part) => {
    if (part.kind === 'text' || part.kind === 'media') return part;
    throw invalid('only text is allowed in systemInstruction', ptrOf(part));
  });
}

/** Encodes all instructions as one Content, one part each. */
export function encodeInstructions(instructions: readonly Instruction[], own: boolean): JsonObject {
  const [first] = instructions;
  const form = own && first !== undefined && instructions.length === 1 ? remembered(first) : undefined;
  if (form !== undefined) return form;
  const parts = instructions.flatMap((instruction) => encodeParts(instruction.parts, own));
  return { ...(own && first?.ext?.generateContent), parts };
}

/** A Content of an answer: its parts, and the keys of it that nobody knows. */
export function decodeAnswerContent(
  value: unknown,
  ptr: string,
  context: ReadContext,
): { readonly parts: readonly Part[]; readonly rest?: JsonObject } {
  if (value === undefined) return { parts: [] };
  const opened = open(checkObject(value, ptr), CONTENT, ptr);
  const { parts = [] } = check(wire.content, opened.known, ptr, opened.names);
  const at = fieldPtr(opened, 'parts', ptr);
  return { parts: decodeParts(parts, (index) => `${at}/${index}`, true, context), rest: opened.rest };
}
