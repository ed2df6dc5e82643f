import type { JsonObject } from '../canonical/node.js';

/** Prints one event; `members` are the JSON members after the sequence number. */
export type FrameSink = (type: string, members: string) => void;

/** Where an item stands in the answer, and how it speaks. */
export interface Port {
  readonly id: string;
  readonly index: number;
  /** Absent where nobody listens: the item is then only built. */
  readonly frame: FrameSink | undefined;
}

/** An output item on its way. */
export interface OpenItem {
  /** The item as it stands. */
  snapshot(): JsonObject;
  /** Ends what is open in it and gives the item as it will stay. `cut`: the answer broke off here. */
  close(cut: boolean): JsonObject;
}

/** The members that name an item. */
export function itemMembers({ id, index }: Port): string {
  return `"item_id":${JSON.stringify(id)},"output_index":${index}`;
}

/** Announces an item. */
export function announce(port: Port, item: JsonObject): void {
  port.frame?.('response.output_item.added', `"output_index":${port.index},"item":${JSON.stringify(item)}`);
}
