import type { DialectId } from '../../../translators/index.js';
import { lawTableOf } from '../dialects/index.js';
import type { Json } from './issuers.js';

/** A call that a client was given and has to answer. */
interface Asked {
  readonly id: string | undefined;
  readonly name: string;
}

/** A client that keeps its history as the users of its official library do: it sends back what it was given. */
export interface Client {
  readonly dialect: DialectId;
  /** The nodes of the history, for what clients do to them. */
  readonly history: Json[];
  user(text: string): void;
  /** Appends an answer; gives the calls in it. */
  answer(body: Json): readonly Asked[];
  results(asked: readonly Asked[]): void;
  request(stream: boolean): Json;
}

export const TOOLS = ['look', 'peek'];
export const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

export function createClient(dialect: DialectId): Client {
  const history: Json[] = [];
  return { dialect, history, ...MANNERS[dialect](history) };
}

export type Manner = (history: Json[]) => Omit<Client, 'dialect' | 'history'>;

const MANNERS = lawTableOf('client');
