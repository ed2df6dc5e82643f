import { isObject, type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';

/** A content block with its place, e.g. `messages.2.content.0`. */
export interface PlacedBlock {
  readonly at: string;
  readonly type: string;
  readonly block: JsonObject;
}

/** A run of messages of one role; the service reads them as one turn [M §3.2]. */
export interface Turn {
  readonly role: string;
  /** Index of the first message of the run. */
  readonly index: number;
  readonly blocks: readonly PlacedBlock[];
}

/** A body as the rules read it. */
export interface Conversation {
  readonly body: JsonObject;
  readonly messages: readonly JsonObject[];
  readonly turns: readonly Turn[];
  readonly tools: readonly JsonObject[];
  /** Every block of system and messages; blocks inside a result or a document follow it. */
  readonly blocks: readonly PlacedBlock[];
  /** Tools and blocks with a cache mark. */
  readonly marked: readonly PlacedBlock[];
}

/** Reads a body that has the shape of a request. */
export function readConversation(body: JsonObject): Conversation {
  const messages = objectsOf(body.messages);
  const tools = objectsOf(body.tools);
  const blocks = [
    ...objectsOf(body.system).map((block, index) => placed(`system.${index}`, block)),
    ...messages.flatMap(blocksOf).flatMap((one) => [one, ...innerOf(one)]),
  ];
  const markable = [...tools.map((tool, index) => placed(`tools.${index}`, tool)), ...blocks];
  const marked = markable.filter(({ block }) => isObject(block.cache_control));
  return { body, messages, tools, blocks, marked, turns: turnsOf(messages) };
}

function placed(at: string, block: JsonObject): PlacedBlock {
  return { at, block, type: stringOf(block.type) };
}

/** The blocks of one message; a string is one text block. */
export function blocksOf(message: JsonObject, index: number): PlacedBlock[] {
  const at = `messages.${index}.content`;
  if (typeof message.content === 'string') return [placed(at, { type: 'text', text: message.content })];
  return objectsOf(message.content).map((block, place) => placed(`${at}.${place}`, block));
}

function innerOf({ at, type, block }: PlacedBlock): PlacedBlock[] {
  const inner = objectsOf(type === 'tool_result' ? block.content : objectOf(block.source).content);
  return inner.map((one, index) => placed(`${at}.content.${index}`, one));
}

function turnsOf(messages: readonly JsonObject[]): Turn[] {
  const turns: { readonly role: string; readonly index: number; readonly blocks: PlacedBlock[] }[] = [];
  messages.forEach((message, index) => {
    const role = stringOf(message.role);
    if (turns.at(-1)?.role !== role) turns.push({ role, index, blocks: [] });
    for (const block of blocksOf(message, index)) turns.at(-1)?.blocks.push(block);
  });
  return turns;
}
