import { BLOCKS, type Sent } from './grown.js';

type Json = Record<string, unknown>;

/** Where a mark stands: in the system text or the tools, or on a block of a message. */
export interface Mark {
  readonly list: 'tools' | 'system' | number;
  readonly index: number;
  readonly block: Json;
}

/** The marks of a request of messages, in the order in which the service reads them. Marks in results are not among them. */
export function marksOf({ dialect, elements, tools, rest }: Sent): readonly Mark[] {
  const lists: [Mark['list'], unknown][] = [
    ['tools', tools],
    ['system', rest.system],
    ...elements.map((element, index): [number, unknown] => [index, element[BLOCKS[dialect]]]),
  ];
  return lists.flatMap(([list, blocks]) =>
    !Array.isArray(blocks)
      ? []
      : blocks.flatMap((block: Json, index) => (block.cache_control === undefined ? [] : [{ list, index, block }])),
  );
}

/** The place of a mark, for comparing. */
export function placeOf({ list, index }: Mark): string {
  return `${list} ${index}`;
}

/** Why a block may not carry a mark [M §2.3, §3.34]; undefined where it may. */
export function faultOf({ block, list }: Mark): string | undefined {
  if (list === 'tools') return block.defer_loading === true ? 'a tool that is loaded later' : undefined;
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return 'a thought';
  if (block.type === 'text' && String(block.text).trim() === '') return 'blank text';
  return undefined;
}
