import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { createPlacing } from './placing.js';

const CONTENT = { list: 'content', index: 'content_index', part: 'content_part' } as const;
const SUMMARY = { list: 'summary', index: 'summary_index', part: 'reasoning_summary_part' } as const;

/** Where an item has parts of a type, and what events of their text are called. */
const PARTS = {
  output_text: { ...CONTENT, field: 'text', subject: 'output_text' },
  refusal: { ...CONTENT, field: 'refusal', subject: 'refusal' },
  reasoning_text: { ...CONTENT, field: 'text', subject: 'reasoning_text' },
  summary_text: { ...SUMMARY, field: 'text', subject: 'reasoning_summary_text' },
} as const;

type PartType = keyof typeof PARTS;

const TYPES: readonly PartType[] = ['output_text', 'refusal', 'reasoning_text', 'summary_text'];

/** A part that was begun, and how much of its end was told. */
interface OpenPart {
  readonly type: PartType;
  readonly place: number;
  told: 'nothing' | 'text' | 'end';
}

/** What was told of an item. */
interface OpenItem {
  readonly parts: OpenPart[];
  arguments: boolean;
}

/**
 * A function for the events of one stream, which fills in what some servers leave out of them, and clients of the vendor rely
 * on [R §5.3]: indexes and numbers, `output` of the response that begins, ids of calls, and the events that begin and end
 * parts and arguments. Gives the events that stand in the place of one, the event itself last.
 */
export function createCompletion(): (event: JsonObject) => readonly JsonObject[] {
  const place = createPlacing();
  const items = new Map<unknown, OpenItem>();
  let count = 0;
  return (event) => {
    const whole = withIds(place(withOutput(event)));
    return [...missingBefore(whole, items), whole].map((one) => withMember(one, 'sequence_number', count++));
  };
}

function withOutput(event: JsonObject): JsonObject {
  const { response } = event;
  if (!isObject(response)) return event;
  const output = mapNodes(response.output ?? [], withCallId);
  return withMember(event, 'response', withMember(response, 'output', output));
}

/** A call without an id has that of the call, which its deltas name. */
function withCallId(item: JsonObject): JsonObject {
  return item.type === 'function_call' && item.id === undefined ? { ...item, id: item.call_id } : item;
}

/** An event whose item and part can be found. */
function withIds(event: JsonObject): JsonObject {
  const { item } = event;
  if (isObject(item)) return withMember(event, 'item', withCallId(item));
  const [subject] = wordsOf(event);
  const about = TYPES.find((type) => PARTS[type].subject === subject || PARTS[type].part === subject);
  if (about === undefined) return event;
  const { index } = PARTS[about];
  return typeof event[index] === 'number' ? event : { ...event, [index]: 0 };
}

/** What an event is about, and what it says of it: `response.output_text.delta`. */
function wordsOf({ type }: JsonObject): readonly (string | undefined)[] {
  return typeof type === 'string' ? type.split('.').slice(1) : [];
}

/** The events that the service would have sent before this one. */
function missingBefore(event: JsonObject, items: Map<unknown, OpenItem>): readonly JsonObject[] {
  const { item, output_index: index } = event;
  const [subject, word] = wordsOf(event);
  if (subject === 'output_item' && isObject(item)) {
    if (word === 'added') items.set(index, { parts: [], arguments: false });
    return word === 'done' ? endOf(event, item, items.get(index)) : [];
  }
  const open = items.get(index);
  if (open === undefined) return [];
  if (subject === 'function_call_arguments' && word === 'done') open.arguments = true;
  const said = TYPES.find((type) => PARTS[type].subject === subject);
  if (said !== undefined) return aroundText(event, said, word, open);
  const { part } = event;
  const begun = isObject(part) ? TYPES.find((type) => type === part.type) : undefined;
  if (begun === undefined) return [];
  const found = partAt(open, begun, event);
  if (found === undefined) open.parts.push({ type: begun, place: placeOf(begun, event), told: 'nothing' });
  else if (word === 'done') found.told = 'end';
  return [];
}

function placeOf(type: PartType, event: JsonObject): number {
  const place = event[PARTS[type].index];
  return typeof place === 'number' ? place : 0;
}

function partAt({ parts }: OpenItem, type: PartType, event: JsonObject): OpenPart | undefined {
  const place = placeOf(type, event);
  return parts.find((part) => part.type === type && part.place === place);
}

/** The beginning of a part whose text comes without one. */
function aroundText(event: JsonObject, type: PartType, word: string | undefined, open: OpenItem): JsonObject[] {
  const found = partAt(open, type, event);
  if (found !== undefined) {
    if (word === 'done' && found.told === 'nothing') found.told = 'text';
    return [];
  }
  open.parts.push({ type, place: placeOf(type, event), told: word === 'done' ? 'text' : 'nothing' });
  const place = placeOf(type, event);
  return [partEvent(event, type, place, 'added', emptyPart(type))];
}

function emptyPart(type: PartType): JsonObject {
  return { type, [PARTS[type].field]: '', ...(type === 'output_text' && { annotations: [] }) };
}

function partEvent(at: JsonObject, type: PartType, place: number, word: string, whole: JsonObject): JsonObject {
  const { index, part } = PARTS[type];
  const { item_id = isObject(at.item) ? at.item.id : undefined, output_index } = at;
  return { type: `response.${part}.${word}`, item_id, output_index, [index]: place, part: whole };
}

/** The ends of all that an item holds whose end was not told. */
function endOf(event: JsonObject, item: JsonObject, open: OpenItem | undefined): JsonObject[] {
  if (open === undefined) return [];
  const { output_index } = event;
  if (item.type === 'function_call') {
    if (open.arguments) return [];
    const { id: item_id, name, arguments: args } = item;
    return [{ type: 'response.function_call_arguments.done', item_id, output_index, name, arguments: args }];
  }
  return open.parts.flatMap(({ type, place, told }) => {
    const { list, field, index, subject } = PARTS[type];
    if (told === 'end') return [];
    const part = { ...emptyPart(type), ...partIn(item[list], place) };
    const whole = part[field];
    const end = partEvent(event, type, place, 'done', part);
    if (told === 'text') return [end];
    const said = { type: `response.${subject}.done`, item_id: item.id, output_index, [index]: place, [field]: whole };
    return [said, end];
  });
}

function partIn(list: unknown, place: number): JsonObject | undefined {
  const part: unknown = Array.isArray(list) ? list[place] : undefined;
  return isObject(part) ? part : undefined;
}
