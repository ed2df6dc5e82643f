import type {
  CallPart,
  Citation,
  HostedCallPart,
  HostedResultPart,
  ReasoningPart,
  RefusalPart,
  TextPart,
  TokenLogprob,
} from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { AppendedText } from '../../wire/appended-text.js';
import { inOne } from '../../wire/json.js';
import type { MessagePart } from '../content/messages.js';
import type { ItemCodec } from '../tools/hosted/codec.js';

/** Prints one event; `members` are the JSON members after the sequence number. */
export type FrameSink = (type: string, members: string) => void;

/** The id and index of an item, and the sink of its events. */
export interface Port {
  readonly id: string;
  readonly index: number;
  /** Absent where nobody listens: the item is then only built. */
  readonly frame: FrameSink | undefined;
}

/** An output item on its way. */
export interface OpenItem {
  /** The item as far as it is written. */
  snapshot(): JsonObject;
  /** Ends what is open in it and gives the item as it will stay. `cut`: the answer broke off here. */
  close(cut: boolean): JsonObject;
}

/** The members that name an item. */
export function itemMembers({ id, index }: Port): string {
  return `"item_id":${JSON.stringify(id)},"output_index":${index}`;
}

/** The members of a delta, up to the quote of its text. */
export function deltaHead(members: string): string {
  return inOne(members, ',"delta":"');
}

/** Announces an item. */
export function announce(port: Port, item: JsonObject): void {
  port.frame?.('response.output_item.added', `"output_index":${port.index},"item":${JSON.stringify(item)}`);
}

/** A message item that is being written [R §5.3 `message`]. */
export interface OpenMessage extends OpenItem {
  readonly kind: 'message';
  /** The part that opened it; others join it if they came from the same item. */
  readonly head: MessagePart;
  /** Begins a content part, whose words are gathered in `text`, and gives its index. The one before, if any, is closed: citations may come until then. */
  begin(part: TextPart | RefusalPart, text: AppendedText): number;
  delta(value: string): void;
  citation(citation: Citation): void;
  /** A citation for a content part that is closed already: no event tells it, but the item still shows it. */
  citeClosed(index: number, citation: Citation): void;
  /** Log probabilities of a content part that is whole. */
  addTokens(index: number, tokens: readonly TokenLogprob[]): void;
  /** The part is whole; it stays open for citations. */
  end(part: TextPart | RefusalPart): void;
  /** A content part that only this dialect knows. */
  addRaw(part: MessagePart): void;
}

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

/** A call of a client's tool that is being written [R §5.3 `fcall`, `custom`]. */
export interface OpenCall extends OpenItem {
  readonly kind: 'call';
  delta(value: string): void;
  end(part: CallPart): void;
}

/** A call that the backend runs itself; call and result are one item, closed at the result [R §5.3 `hosted`]. */
export interface OpenHosted extends OpenItem {
  readonly kind: 'hosted';
  readonly codec: ItemCodec;
  /** A piece of code, of arguments, or a picture on its way. */
  delta(value: string): void;
  endCall(part: HostedCallPart): void;
  endResult(part: HostedResultPart): void;
  /** Native answers close with the node as it came. */
  seal(item: JsonObject): void;
}
