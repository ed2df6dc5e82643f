import { dropForeign, isStandIn } from '../../adapt/index.js';
import type { MediaPart, Part, ResultPart, TextPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { readTurn } from '../../canonical/parts.js';
import type { CanonicalRequest, Instruction, Turn } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import type { ServerFlags } from '../../target/server-words.js';
import { isBlank } from '../../wire/blank.js';
import { isObject } from '../../wire/json.js';
import { added } from '../../wire/list.js';
import { sourceAt } from '../../wire/memory.js';
import { DIALECT, invalid, type Scope } from '../nodes.js';
import { decodeToolMessage, encodeCall } from '../tools/calls.js';
import { encodePart, type Printer } from './encode.js';
import {
  asInstruction,
  decodeAssistant,
  decodeMessage,
  encodeOwnInstruction,
  encodeOwnTurn,
  withReasoning,
} from './messages.js';
import { encodeCallState, encodeReasoningKeys, type Replay } from './state.js';

/** What a conversation is made of. */
export interface Conversation {
  readonly instructions: readonly Instruction[];
  readonly turns: readonly Turn[];
}

/**
 * Messages as turns (translation.md 2.4): the first run of instructions leads the conversation, and a run of results is
 * one turn of the user.
 */
export function decodeMessages(messages: readonly unknown[], scope: Scope): Conversation {
  const instructions: Instruction[] = [];
  const turns: Turn[] = [];
  let results: ResultPart[] | undefined;
  for (const [index, node] of messages.entries()) {
    const ptr = `/messages/${index}`;
    if (!isObject(node)) throw invalid(ptr, 'expected a message');
    const { role } = node;
    if (role === 'tool' || role === 'function') {
      if (results === undefined) {
        results = [];
        turns.push(readTurn('user', undefined, results, sourceAt(ptr)));
      }
      results.push(decodeToolMessage(node, ptr));
      continue;
    }
    results = undefined;
    if (role === 'assistant') {
      turns.push(decodeAssistant(node, ptr, scope));
    } else if (role === 'system' || role === 'developer' || role === 'user') {
      const turn = decodeMessage(node, role, ptr);
      const leading = turn.role === 'instruction' && turns.length === 0 ? asInstruction(turn) : undefined;
      if (leading === undefined) turns.push(turn);
      else instructions.push(leading);
    } else {
      throw invalid(`${ptr}/role`, 'expected system, developer, user, assistant, tool or function');
    }
  }
  return { instructions, turns };
}

/** The messages of a request of this dialect, as they came. */
export function encodeOwnMessages({ instructions, turns }: CanonicalRequest): JsonObject[] {
  return [...instructions.map(encodeOwnInstruction), ...turns.flatMap(encodeOwnTurn)];
}

/** What writing the messages of another dialect needs. */
export interface Writer {
  readonly flags: ServerFlags;
  readonly printer: Printer;
  readonly replay: Replay;
  readonly losses: EncodeRequestContext['losses'];
}

/** The messages of an arranged request (translation.md 2.3, 2.4). `extra` is an instruction behind the others. */
export function encodeForeignMessages(
  request: CanonicalRequest,
  extra: string | undefined,
  writer: Writer,
): JsonObject[] {
  const messages = encodeInstructions(request.instructions, extra, writer);
  for (const run of runsOf(request.turns, writer)) {
    const [first] = run;
    if (first?.role === 'assistant') {
      messages.push(encodeForeignAssistant(run, writer));
    } else if (first?.role === 'instruction') {
      const texts = textsOf(first.parts);
      if (texts.length > 0) messages.push(encodeInstruction([first], first.authority ?? 'developer', texts, writer));
    } else {
      encodeForeignUser(run, messages, writer);
    }
  }
  return messages;
}

/** A turn as messages can hold it. */
function settled(turn: Turn, writer: Writer): readonly Turn[] {
  if (turn.role === 'instruction') return withoutMedia(turn, writer.losses);
  if (turn.role === 'user') return [turn];
  return isWithheld(turn, writer) ? [] : withoutBlanks(turn, writer);
}

/** Whether a turn is nothing but reasoning that its server does not take back (translation.md 4.5). */
function isWithheld({ parts }: Turn, { flags, losses }: Writer): boolean {
  const withheld = flags.reasoningReplay === 'never' && parts.every(isRestored);
  if (withheld)
    losses.add(parts[0], 'reasoning.state', 'dropped', 'the server does not accept reasoning in the history');
  return withheld;
}

function isRestored(part: Part): boolean {
  return part.kind === 'opaque' && part.restored === 'reasoning';
}

/** Instructions are words: media in a later one is a user's, directly behind it (translation.md 2.3). */
function withoutMedia(turn: Turn, losses: Writer['losses']): readonly Turn[] {
  const media = turn.parts.filter((part) => part.kind === 'media');
  for (const part of media) losses.add(part, 'instruction.media', 'moved', 'moved to the user turn that follows');
  return media.length === 0 ? [turn] : [turn, { role: 'user', parts: media, src: turn.src }];
}

/** Only the vendor of the protocol takes words that are white space alone (translation.md 2.5). */
function withoutBlanks(turn: Turn, { flags, losses }: Writer): readonly Turn[] {
  const blanks = flags.vendorFields || turn.parts.some(speaks) ? [] : turn.parts.filter(isWhiteSpace);
  if (blanks.length === 0) return [turn];
  for (const blank of blanks) {
    losses.add(blank, 'text.blank', 'approximated', 'text that is only whitespace is left out');
  }
  const parts = turn.parts.filter((part) => !blanks.includes(part));
  return parts.length === 0 ? [] : [{ ...turn, parts }];
}

function speaks(part: Part): boolean {
  return part.kind === 'text' && !isBlank(part.text);
}

function isWhiteSpace(part: Part): boolean {
  return part.kind === 'text' && part.text !== '' && isBlank(part.text);
}

/** Turns that become one message, or for a user the results and one message: neighbours of one speaker, settled. */
function runsOf(turns: readonly Turn[], writer: Writer): Turn[][] {
  const runs: Turn[][] = [];
  let run: Turn[] = [];
  let role: Turn['role'] | undefined;
  for (const turn of turns) {
    for (const one of settled(turn, writer)) {
      if (one.role === role && role !== 'instruction') {
        run.push(one);
        continue;
      }
      role = one.role;
      run = [one];
      runs.push(run);
    }
  }
  return runs;
}

/** The parts of a run, which is nearly always one turn. */
function partsOf(run: readonly Turn[]): readonly Part[] {
  const [only] = run;
  return run.length === 1 && only !== undefined ? only.parts : run.flatMap((turn) => turn.parts);
}

/** Leading instructions: a message each, or one for all where the server takes no more. */
function encodeInstructions(
  instructions: readonly Instruction[],
  extra: string | undefined,
  writer: Writer,
): JsonObject[] {
  const { flags, losses } = writer;
  const leading: { instruction: Instruction; texts: TextPart[] }[] = [];
  for (const instruction of instructions) {
    dropForeign(instruction, DIALECT, losses);
    for (const part of instruction.parts) dropForeign(part, DIALECT, losses);
    const texts = textsOf(instruction.parts);
    for (const text of texts) {
      if ((text.citations?.length ?? 0) > 0)
        losses.add(text, 'part.citation', 'dropped', 'citations are not supported in instructions');
    }
    if (texts.length > 0) leading.push({ instruction, texts });
  }
  const more: TextPart[] = extra === undefined ? [] : [{ kind: 'text', text: extra }];
  const [first] = leading;
  if (flags.systemMessages === 'many' || first === undefined) {
    const own = more.length === 0 ? [] : [{ instruction: { authority: 'system' as const, parts: more }, texts: more }];
    return [...leading, ...own].map(({ instruction, texts }) =>
      encodeInstruction([instruction], instruction.authority, texts, writer),
    );
  }
  const texts = [...leading.flatMap((one) => one.texts), ...more];
  const nodes = leading.map(({ instruction }) => instruction);
  const ofDevelopers = nodes.every(({ authority }) => authority === 'developer');
  return [encodeInstruction(nodes, ofDevelopers ? 'developer' : 'system', texts, writer)];
}

/** The message that one or several instructions become, in a voice that the server knows. */
function encodeInstruction(
  nodes: readonly (Turn | Instruction)[],
  authority: 'system' | 'developer',
  texts: readonly TextPart[],
  { flags, printer, losses }: Writer,
): JsonObject {
  const role = authority === 'developer' && flags.developerRole ? 'developer' : 'system';
  for (const node of nodes) {
    if (role === (node.authority ?? 'developer')) continue;
    losses.add(node, 'instruction.authority', 'moved', 'developer instructions are sent as system instructions');
  }
  if (texts.some((text) => printer.marks.has(text)) || (flags.systemMessages === 'many' && texts.length > 1)) {
    return { role, content: texts.map((text) => encodePart(text, printer)) };
  }
  return { role, content: joined(texts, '\n\n', losses) };
}

function textsOf(parts: readonly Part[]): TextPart[] {
  return parts.filter((part): part is TextPart => part.kind === 'text' && !isBlank(part.text));
}

/** Several texts as one, where a server takes no lists. */
function joined(texts: readonly TextPart[], border: string, losses: Writer['losses']): string {
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return only.text;
  // Words that stand for a setting have no place in the source, and take nothing from what has one.
  const given = texts.filter(({ src }) => src !== undefined);
  if (given.length > 1) reportJoin(given, losses);
  return texts.map(({ text }) => text).join(border);
}

function reportJoin(texts: readonly TextPart[], losses: Writer['losses']): void {
  for (const text of texts) losses.add(text, 'text.join', 'approximated', 'joined with other texts');
}

/** One message of what the assistant said and called in neighbouring turns. */
function encodeForeignAssistant(run: readonly Turn[], { flags, printer, replay, losses }: Writer): JsonObject {
  const parts = partsOf(run);
  const text = spokenIn(run, losses);
  let refusals: Part[] | undefined;
  let calls: JsonObject[] | undefined;
  for (const part of parts) {
    if (part.kind === 'refusal') refusals = added(refusals, part);
    if (part.kind !== 'call') continue;
    const call = encodeCall(part, false);
    const extra = encodeCallState(part, calls === undefined, replay);
    calls = added(calls, extra === undefined ? call : { ...call, extra_content: extra });
  }
  const message: JsonObject = { role: 'assistant', content: text };
  if (refusals !== undefined) {
    const said = text === '' ? [] : [{ type: 'text', text }];
    const words = parts.filter((part) => part.kind === 'refusal' || (part.kind === 'text' && part.text !== ''));
    const before = words.findIndex(({ kind }) => kind === 'text');
    const content: JsonObject[] = refusals.map((part) => encodePart(part, printer));
    message.content = content.toSpliced(before, 0, ...said);
  } else if (text === '' && calls !== undefined) {
    if (flags.emptyContent === 'omit') delete message.content;
    else message.content = flags.emptyContent === 'null' ? null : '';
  }
  if (calls !== undefined) message.tool_calls = calls;
  return withReasoning(message, encodeReasoningKeys(parts, replay));
}

/**
 * The words of a run as one text of paragraphs: turns, what is in the place of something else, and what was said behind a
 * call stand apart. The last moves in front of the call, because a message has its calls at its end.
 */
function spokenIn(run: readonly Turn[], losses: Writer['losses']): string {
  let texts: TextPart[] | undefined;
  let words = '';
  let paragraphs = 0;
  let called = false;
  for (const { parts } of run) {
    let apart = true;
    for (const part of parts) {
      if (part.kind === 'call') {
        called = true;
        apart = true;
      }
      if (part.kind !== 'text' || part.text === '') continue;
      if (called) losses.add(part, 'turn.order', 'approximated', 'text after a call is placed before it');
      const isApart = isStandIn(part.text);
      if (apart || isApart) {
        paragraphs += 1;
        if (paragraphs > 1) words += '\n\n';
      }
      words += part.text;
      texts = added(texts, part);
      apart = isApart;
    }
  }
  if (texts !== undefined && paragraphs > 1) reportJoin(texts, losses);
  return words;
}

/** Adds the results of a user's turns, and one message for everything else in them. */
function encodeForeignUser(run: readonly Turn[], messages: JsonObject[], writer: Writer): void {
  let rest: (TextPart | MediaPart)[] | undefined;
  for (const part of partsOf(run)) {
    if (part.kind === 'result') messages.push(encodeForeignResult(part, writer));
    else if (part.kind === 'text' || part.kind === 'media') rest = added(rest, part);
  }
  if (rest === undefined) return;
  const { flags, losses } = writer;
  if (flags.assistantAfterTool && messages.at(-1)?.role === 'tool') {
    losses.add(rest[0], 'turn.inserted', 'invented', 'the target requires an assistant message after tool results');
    messages.push({ role: 'assistant', content: 'Done.' });
  }
  messages.push({ role: 'user', content: encodeUserContent(rest, writer) });
}

function encodeUserContent(
  parts: readonly (TextPart | MediaPart)[],
  { flags, printer, losses }: Writer,
): string | JsonObject[] {
  const marked = parts.some((part) => printer.marks.has(part));
  const texts = parts.filter((part): part is TextPart => part.kind === 'text');
  if (texts.length === parts.length && !marked) {
    if (texts.length === 1 || !flags.textParts) return joined(texts, '\n\n', losses);
  }
  return parts.map((part) => encodePart(part, printer));
}

/** The message of one result. */
function encodeForeignResult(part: ResultPart, { flags, printer, losses }: Writer): JsonObject {
  const only = part.parts.length === 1 && printer.marks.size === 0 ? part.parts[0] : undefined;
  if (only?.kind === 'text') return { role: 'tool', tool_call_id: part.callId, content: only.text };
  const texts = part.parts.filter((child): child is TextPart => child.kind === 'text');
  const isMarked = printer.marks.size > 0 && part.parts.some((child) => printer.marks.has(child));
  const isList = texts.length < part.parts.length || isMarked || (texts.length > 1 && flags.assistantParts);
  const content = isList ? part.parts.map((child) => encodePart(child, printer)) : joined(texts, '\n', losses);
  return { role: 'tool', tool_call_id: part.callId, content };
}
