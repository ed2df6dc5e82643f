/** Where in an answer a backend quotes a key, written from the wire sheets. */
export const PLACES = ['text', 'thought', 'argument', 'name', 'id'] as const;

export type Place = (typeof PLACES)[number];

/** What an answer says in each place. */
export type Said = Readonly<Record<Place, readonly string[]>>;

/** An answer that quotes `pieces` in a place; only texts, thoughts and arguments come in pieces. */
export function saying(place: Place, pieces: readonly string[]): Said {
  const usual = { text: ['Hello'], thought: ['Hm'], argument: ['Rome'], name: ['look'], id: ['call_1'] };
  return { ...usual, [place]: pieces };
}

export const one = (pieces: readonly string[]): string => pieces.join('');
export const args = (pieces: readonly string[]): string => `{"city":"${one(pieces)}"}`;
/** The arguments as the pieces of a stream. */
export const argPieces = (pieces: readonly string[]): string[] => ['{"city":"', ...pieces, '"}'];

export const named = (type: string, data: object): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
export const bare = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** Where in an error. */
export const ERROR_PLACES = ['message', 'code', 'param'] as const;

export type ErrorPlace = (typeof ERROR_PLACES)[number];

/** Answers of a dialect that quote a key. */
export interface Quoting {
  /** What a request has beside its words, so that answers of others have a place for thoughts and calls. */
  readonly asked: object;
  /** A whole answer; texts in as many parts as they have pieces. */
  whole(said: Said): object;
  /** The events of the same as a stream. */
  frames(said: Said): string[];
  error(place: ErrorPlace, key: string): object;
}

/** The errors of two dialects. */
export function openAiError(place: ErrorPlace, key: string): object {
  return {
    error: {
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      type: 'invalid_request_error',
      param: place === 'param' ? key : null,
      code: place === 'code' ? key : null,
    },
  };
}
