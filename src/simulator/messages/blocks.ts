import { type JsonObject, objectOf, objectsOf, stringOf } from '../json.js';

/** A content block with its place, e.g. `messages.2.content.0`. */
export interface PlacedBlock {
  readonly at: string;
  readonly block: JsonObject;
}

/** A run of messages of one role; the service reads them as one turn [M §3.2]. */
export interface Turn {
  readonly role: string;
  /** Index of the first message of the run. */
  readonly index: number;
  readonly blocks: readonly PlacedBlock[];
}

/** A turn to which blocks may still be added. */
interface OpenTurn extends Turn {
  readonly blocks: PlacedBlock[];
}

/** The blocks of one message; a string is one text block. */
export function blocksOf(message: JsonObject, index: number): PlacedBlock[] {
  const at = `messages.${index}.content`;
  if (typeof message.content === 'string') return [{ at, block: { type: 'text', text: message.content } }];
  return objectsOf(message.content).map((block, place) => ({ at: `${at}.${place}`, block }));
}

/** The conversation as turns. */
export function turnsOf(body: JsonObject): Turn[] {
  const turns: OpenTurn[] = [];
  objectsOf(body.messages).forEach((message, index) => {
    const last = turns.at(-1);
    const blocks = blocksOf(message, index);
    const role = stringOf(message.role);
    if (last?.role !== role) turns.push({ role, index, blocks });
    else for (const block of blocks) last.blocks.push(block);
  });
  return turns;
}

/** Every block of a request in the order tools, system, messages; blocks inside tool results follow their result. */
export function allBlocks(body: JsonObject): PlacedBlock[] {
  const tools = objectsOf(body.tools).map((block, index) => ({ at: `tools.${index}`, block }));
  const system = objectsOf(body.system).map((block, index) => ({ at: `system.${index}`, block }));
  const messages = objectsOf(body.messages).flatMap(blocksOf).flatMap(withInner);
  return [...tools, ...system, ...messages];
}

function withInner(placed: PlacedBlock): PlacedBlock[] {
  const inner =
    placed.block.type === 'tool_result'
      ? objectsOf(placed.block.content)
      : objectsOf(objectOf(placed.block.source).content);
  return [placed, ...inner.map((block, index) => ({ at: `${placed.at}.content.${index}`, block }))];
}
