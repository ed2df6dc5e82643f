import type { Part, StoredItems } from '../../translators/index.js';
import type { Exchange, Operation } from './http.js';
import type { JsonObject, StateKeeper } from './rules/index.js';

/** The opaque state that a service issues. */
export interface ServiceState {
  readonly keeper: StateKeeper;
  /** Its key in the node that carries it. */
  readonly key: string;
  /** It goes with the reasoning, or with the first part that the client acts on. */
  readonly on: 'reasoning' | 'answer';
  /** What it is tied to. */
  binding(part: Part): string;
  /** Whether an answer to a body carries it. */
  isWanted(body: JsonObject): boolean;
}

/** What the service of a dialect has of its own: its routes, what it refuses, and what its answers have beyond the wire. */
export interface Service {
  /** The one model in its list. */
  readonly model: string;
  readonly idHeader: string;
  readonly callPrefix: string;
  readonly state: ServiceState;
  /** Answers show reasoning unless the request asks for none. */
  readonly showsReasoning: boolean;
  /** Streams bring reasoning in whole paragraphs, not word by word. */
  readonly streamsParagraphs: boolean;
  /** Framing of streams that are not asked for as events. */
  readonly framing: 'sse' | 'array';
  /** The prefix of a prompt is cached where the request marks it, or always. */
  readonly caches: 'marked' | 'always';
  /** What is posted to, by path or by the verb on a model. */
  readonly posts: Readonly<Record<string, Operation>>;
  /** Throws a Refusal for what the service refuses; in a count request too. */
  check(body: JsonObject, exchange: Exchange): void;
  /** Wire items of the earlier answer that a body names. */
  earlier?(body: JsonObject): StoredItems;
  /** Keeps an answer; gives the body that is sent at once. */
  keep?(body: JsonObject, answer: JsonObject): JsonObject;
  /** Serves routes on what it keeps. */
  serveStored?(exchange: Exchange): object;
}
