import type { DialectId } from '../../../translators/index.js';
import { tableOf } from '../../support/dialects/index.js';
import { has } from '../dialects/index.js';

type Json = Record<string, unknown>;

/** A backend request taken apart: what the conversation is in it, and all the rest. */
export interface Sent {
  readonly dialect: DialectId;
  readonly elements: readonly Json[];
  readonly tools: readonly unknown[];
  /** Everything else, under its key. */
  readonly rest: Json;
}

const LISTS = tableOf('turnsKey');
/** The member of an element that holds its blocks. */
export const BLOCKS = tableOf('partsKey');

export function takeApart(dialect: DialectId, body: Json): Sent {
  const { [LISTS[dialect]]: list, tools, ...rest } = body;
  return { dialect, elements: (list ?? []) as Json[], tools: (tools ?? []) as unknown[], rest };
}

/** The request without what says how one answer is told; options of a stream stand beside it only (translation.md 2.2). */
export function apartFromStreaming({ rest, ...sent }: Sent): Sent {
  const { stream: _stream, stream_options: _options, ...kept } = rest;
  return { ...sent, rest: kept };
}

/** The speaker of an element, for those that have one. */
export function speakerOf(element: Json | undefined): unknown {
  return element?.role;
}

/** The blocks of an element; a bare text is one block. */
export function blocksOf(dialect: DialectId, element: Json | undefined): readonly Json[] {
  const blocks = element?.[BLOCKS[dialect]];
  if (typeof blocks === 'string') return [{ type: 'text', text: blocks }];
  return (blocks ?? []) as Json[];
}

/** Why the longer request does not begin with the shorter one; undefined when it does. */
export function difference(shorter: Sent, longer: Sent): string | undefined {
  const { dialect, elements } = shorter;
  for (let index = 0; index < elements.length; index += 1) {
    const before = JSON.stringify(elements[index]);
    const after = JSON.stringify(longer.elements[index]);
    if (before === after) continue;
    const last = index === elements.length - 1;
    if (last && grows(dialect, elements[index], longer.elements[index])) continue;
    return `element ${index}:\n${before}\n${after}`;
  }
  const tools = [shorter.tools, longer.tools].map((list) => JSON.stringify(list));
  if (tools[0] !== tools[1]) return `tools:\n${tools.join('\n')}`;
  const rest = [shorter.rest, longer.rest].map((fields) => JSON.stringify(fields));
  return rest[0] === rest[1] ? undefined : `the rest:\n${rest.join('\n')}`;
}

/**
 * Whether a speaker who goes on speaking only adds blocks to what was the last element: the model reads the same words
 * in the same order, wherever an element ends.
 */
function grows(dialect: DialectId, before: Json | undefined, after: Json | undefined): boolean {
  if (speakerOf(before) === undefined || speakerOf(before) !== speakerOf(after)) return false;
  if (has(dialect, 'oneMessage') && speakerOf(before) === 'assistant') return messageGrows(before, after);
  const [early, late] = [blocksOf(dialect, before), blocksOf(dialect, after)];
  return (
    early.length < late.length && early.every((block, index) => JSON.stringify(block) === JSON.stringify(late[index]))
  );
}

/** The same where all that an assistant says on end is one text, with its calls behind it (translation.md 2.4). */
function messageGrows(before: Json | undefined, after: Json | undefined): boolean {
  const words = (message: Json | undefined): string => String(message?.content ?? '');
  const calls = (message: Json | undefined): readonly unknown[] => (message?.tool_calls ?? []) as readonly unknown[];
  const later = calls(after).map((call) => JSON.stringify(call));
  return (
    words(after).startsWith(words(before)) &&
    calls(before).every((call, index) => JSON.stringify(call) === later[index])
  );
}
