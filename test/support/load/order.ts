/** What a backend may be told to do wrong. */
export const TROUBLES = ['reset', 'cut', '500', '429', '529', 'hang', 'garbage', 'html'] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What one exchange orders from the backend, in words that travel inside the prompt. */
export interface Order {
  /** The exchange's own mark: small letters and digits. */
  readonly nonce: string;
  /** How many pieces of text the answer has. */
  readonly pieces: number;
  /** Time between two pieces of a stream, before the first one, or before a plain answer, in ms. */
  readonly gapMs: number;
  /** The answer ends with a call of the tool `look`. */
  readonly call: boolean;
  readonly trouble?: Trouble;
}

/** The words for a prompt. */
export function wordsOfOrder({ nonce, pieces, gapMs, call, trouble }: Order): string {
  return `[[${nonce} ${pieces} ${gapMs} ${call ? 'call' : 'text'} ${trouble ?? 'well'}]]`;
}

/** Finds the order in a request body of any dialect; undefined when there is none. */
export function orderIn(body: string): Order | undefined {
  const found = /\[\[([a-z0-9]+) (\d+) (\d+) (call|text) (\w+)\]\]/.exec(body);
  if (found === null) return undefined;
  const [, nonce = '', pieces, gapMs, form, end] = found;
  const trouble = TROUBLES.find((one) => one === end);
  return { nonce, pieces: Number(pieces), gapMs: Number(gapMs), call: form === 'call', trouble };
}

/** One piece of an answer: the mark, the piece's number, and when it was sent in ms of this machine's clock. */
export function pieceOf(nonce: string, index: number, at = performance.now()): string {
  return `~${nonce}.${index}.${Math.round(at * 1000)}~ `;
}

/** A piece that came back. */
export interface Piece {
  readonly nonce: string;
  readonly index: number;
  /** When it was sent, in ms. */
  readonly at: number;
}

/** Every piece in a text, in order. */
export function piecesIn(text: string): Piece[] {
  return Array.from(text.matchAll(/~([a-z0-9]+)\.(\d+)\.(\d+)~/g), ([, nonce = '', index, at]) => ({
    nonce,
    index: Number(index),
    at: Number(at) / 1000,
  }));
}
