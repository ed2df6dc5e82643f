import type { PartHandler, Writing } from '../../answer/writer.js';
import type { ReasoningPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { escapeText } from '../../wire/json.js';
import { createPackedBuffer, type TextBuffer } from '../../wire/packed-buffer.js';
import { encodeItem } from '../content/items.js';
import { NATIVE } from '../nodes.js';
import { announce, deltaHead, itemMembers, type OpenReasoning, type Port } from './items.js';
import { closeOpen, type Output, portFor } from './output.js';

/** Texts of one list of the item, the last of them perhaps still open. */
interface Paragraphs {
  readonly texts: TextBuffer[];
  open: boolean;
  /** How deltas of the last one begin. */
  deltaHead: string;
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
    reasoning: { texts: [], open: false, deltaHead: '' },
    raw: { texts: [], open: false, deltaHead: '' },
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
    list.texts.push(createPackedBuffer());
    list.open = true;
    list.deltaHead = deltaHead(members(name, index));
    port.frame?.(LISTS[name].added, `${members(name, index)},"part":${JSON.stringify(pieceOf(name, ''))}`);
  };

  const delta = (name: ListName, value: string, sub: number): void => {
    const list = lists[name];
    while (list.texts.length <= sub) beginParagraph(name);
    list.texts.at(-1)?.add(value);
    if (value !== '') port.frame?.(LISTS[name].delta, `${list.deltaHead}${escapeText(value)}"`);
  };

  const endList = (name: ListName, texts: readonly string[]): void => {
    texts.forEach((text, index) => {
      const known = lists[name].texts[index]?.read();
      if (known === undefined) delta(name, text, index);
      else if (index === lists[name].texts.length - 1 && text.startsWith(known) && text !== known)
        delta(name, text.slice(known.length), index);
      const whole = createPackedBuffer();
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

/** A thought is an item, which takes the state that waits and stays open for that of the next part. */
export const reasoning: PartHandler<Output, ReasoningPart> = {
  delta(output, writing, { op, value, sub = 0 }) {
    if (op === 'reasoning' || op === 'raw') itemOf(output, writing).delta(op, value, sub);
  },
  end(output, writing, part) {
    const { state: entries = [] } = writing;
    const shows = part.text.length > 0 || (part.raw?.length ?? 0) > 0;
    if (!shows && !output.own && !writing.opened && entries.every((entry) => entry.kind === 'none')) return;
    const item = itemOf(output, writing);
    item.end(part);
    if (output.own) {
      const { id: _id, type: _type, ...fields } = encodeItem(part, NATIVE) ?? {};
      item.seal(fields);
      return;
    }
    output.reasoningState = [...output.waiting, ...entries];
    output.waiting = [];
  },
};

function itemOf(output: Output, writing: Writing): OpenReasoning {
  if (writing.opened && output.open?.kind === 'reasoning') return output.open;
  writing.opened = true;
  closeOpen(output);
  const item = openReasoning(portFor(output, 'reasoning', writing.head.id));
  output.open = item;
  return item;
}
