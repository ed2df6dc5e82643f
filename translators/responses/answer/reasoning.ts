import type { ReasoningPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { createPieces, type Pieces } from '../../wire/pieces.js';
import { encodeItem } from '../content/items.js';
import { NATIVE } from '../nodes.js';
import {
  announce,
  closeOpen,
  itemMembers,
  type OpenItem,
  type Output,
  type Port,
  portFor,
  type Session,
} from './output.js';

/** A reasoning item that is being written [R §5.3 `reasoning`]. It stays open until the next part starts. */
export interface OpenReasoning extends OpenItem {
  readonly kind: 'reasoning';
  /** A piece of paragraph `sub` of the summary, or of the raw text. */
  delta(op: 'reasoning' | 'raw', value: string, sub: number): void;
  /** Adds what the deltas did not bring, and ends the last paragraph. */
  end(part: ReasoningPart): void;
  /** Further fields of the finished item: the carrier, or for native answers the node itself. */
  seal(fields: JsonObject): void;
}

/** Texts of one list of the item, the last of them perhaps still open. */
interface Paragraphs {
  readonly texts: Pieces[];
  open: boolean;
}

/** How the two lists are spelled in events. */
const LISTS = {
  reasoning: {
    index: 'summary_index',
    type: 'summary_text',
    added: 'response.reasoning_summary_part.added',
    delta: 'response.reasoning_summary_text.delta',
    text: 'response.reasoning_summary_text.done',
    done: 'response.reasoning_summary_part.done',
  },
  raw: {
    index: 'content_index',
    type: 'reasoning_text',
    added: 'response.content_part.added',
    delta: 'response.reasoning_text.delta',
    text: 'response.reasoning_text.done',
    done: 'response.content_part.done',
  },
} as const;

type ListName = keyof typeof LISTS;

/** Opens a reasoning item and announces it. */
function openReasoning(port: Port): OpenReasoning {
  const lists: Record<ListName, Paragraphs> = {
    reasoning: { texts: [], open: false },
    raw: { texts: [], open: false },
  };
  let sealed: JsonObject | undefined;

  const members = (name: ListName, index: number): string => `${itemMembers(port)},"${LISTS[name].index}":${index}`;
  const pieceOf = (name: ListName, text: string): JsonObject => ({ type: LISTS[name].type, text });

  const endParagraph = (name: ListName): void => {
    const list = lists[name];
    if (!list.open) return;
    list.open = false;
    const index = list.texts.length - 1;
    const text = list.texts[index]?.read() ?? '';
    port.frame?.(LISTS[name].text, `${members(name, index)},"text":${JSON.stringify(text)}`);
    port.frame?.(LISTS[name].done, `${members(name, index)},"part":${JSON.stringify(pieceOf(name, text))}`);
  };

  const beginParagraph = (name: ListName): void => {
    endParagraph('reasoning');
    endParagraph('raw');
    const list = lists[name];
    const index = list.texts.length;
    list.texts.push(createPieces());
    list.open = true;
    port.frame?.(LISTS[name].added, `${members(name, index)},"part":${JSON.stringify(pieceOf(name, ''))}`);
  };

  const delta = (name: ListName, value: string, sub: number): void => {
    const list = lists[name];
    while (list.texts.length <= sub) beginParagraph(name);
    const index = list.texts.length - 1;
    list.texts[index]?.add(value);
    if (value !== '') port.frame?.(LISTS[name].delta, `${members(name, index)},"delta":${JSON.stringify(value)}`);
  };

  const endList = (name: ListName, texts: readonly string[]): void => {
    texts.forEach((text, index) => {
      const known = lists[name].texts[index]?.read();
      if (known === undefined) delta(name, text, index);
      else if (index === lists[name].texts.length - 1 && text.startsWith(known) && text !== known)
        delta(name, text.slice(known.length), index);
      const whole = createPieces();
      whole.add(text);
      lists[name].texts[index] = whole;
    });
    endParagraph(name);
  };

  const item = (): JsonObject => {
    const fields: JsonObject = {
      id: port.id,
      type: 'reasoning',
      summary: lists.reasoning.texts.map((text) => pieceOf('reasoning', text.read())),
    };
    if (lists.raw.texts.length > 0) fields.content = lists.raw.texts.map((text) => pieceOf('raw', text.read()));
    return fields;
  };

  announce(port, { id: port.id, type: 'reasoning', summary: [] });
  return {
    kind: 'reasoning',
    delta,
    end(part) {
      endList('reasoning', part.text);
      if (part.raw !== undefined) endList('raw', part.raw);
    },
    seal(fields) {
      sealed = fields;
    },
    snapshot: item,
    close() {
      endParagraph('reasoning');
      endParagraph('raw');
      return { ...item(), ...sealed };
    },
  };
}

export function beginReasoning(output: Output, head: ReasoningPart): Session {
  let item: OpenReasoning | undefined;
  let state = head.state ?? [];
  const ensure = (): OpenReasoning => {
    if (item !== undefined) return item;
    closeOpen(output);
    item = openReasoning(portFor(output, 'reasoning', head.id));
    output.open = item;
    return item;
  };
  return {
    delta(event) {
      if (event.op === 'reasoning' || event.op === 'raw') ensure().delta(event.op, event.value, event.sub ?? 0);
    },
    state(entries) {
      state = entries;
    },
    end(part) {
      if (part.kind !== 'reasoning') return;
      const entries = part.state ?? state;
      const shows = part.text.length > 0 || (part.raw?.length ?? 0) > 0;
      if (!shows && !output.native && item === undefined && entries.every((entry) => entry.kind === 'none')) return;
      const reasoning = ensure();
      reasoning.end(part);
      if (output.native) {
        const { id: _id, type: _type, ...fields } = encodeItem(part, NATIVE) ?? {};
        reasoning.seal(fields);
        return;
      }
      output.reasoningState = [...output.waiting, ...entries];
      output.waiting = [];
    },
  };
}
