import { packState } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { type Edit, editMembers } from '../../wire/json-members.js';
import { DIALECT } from '../nodes.js';
import { itemsOf } from './items.js';
import type { History, StoredTurn } from './records.js';

/**
 * The items of a conversation, oldest first, from the last compaction on. State that a backend of another domain than
 * `domain` issued bare is put in the form in which it is known as another's.
 */
export function itemsBefore(before: History | undefined, domain: string | undefined): readonly JsonObject[] {
  const outputOf = (turn: StoredTurn) => turn.output.map((item) => itemFor(item, turn.domain, domain));
  return sinceCompaction(before?.turns.flatMap((turn) => [...turn.input, ...outputOf(turn)]) ?? []);
}

/** What changes in a request whose backend has not all that it names. */
export interface Rebuilt {
  /** The whole conversation; undefined where the client's own input is that. */
  readonly items: readonly unknown[] | undefined;
  /** An answer is wanted of a backend that keeps nothing: it is asked to store nothing. */
  readonly stateless: boolean;
  /** Its model reasons: a backend that keeps nothing is asked to hand out its state. Models that do not reason refuse that. */
  readonly reasons: boolean;
}

/**
 * Whether the state of a model's reasoning is to be asked for: it reasons, by itself or because the body asks for it; models that do
 * not reason refuse that.
 */
export function asksForState(
  body: JsonObject,
  thinking: { readonly control: string; readonly defaultOn: boolean },
): boolean {
  return thinking.control !== 'none' && (thinking.defaultOn || isObject(body.reasoning));
}

/** A request body: its value, and the text it was read from. */
export interface RequestText {
  readonly value: unknown;
  readonly text: string;
}

/** A request as one that stands alone. Only the members that change are written anew. */
export function standAlone({ text, value }: RequestText, { items, stateless, reasons }: Rebuilt): RequestText {
  const { previous_response_id: _previous, background, ...rest } = isObject(value) ? value : {};
  const members: Record<string, unknown> = {};
  if (items !== undefined) members.input = items;
  if (stateless) members.store = false;
  if (stateless && reasons) members.include = [...new Set([...itemsOf(rest.include), 'reasoning.encrypted_content'])];
  const edits: Record<string, Edit> = { previous_response_id: 'remove' };
  if (stateless) edits.background = 'remove';
  for (const [key, member] of Object.entries(members)) edits[key] = { json: JSON.stringify(member), add: true };
  const kept = stateless || background === undefined ? rest : { ...rest, background };
  return { text: editMembers(text, edits), value: { ...kept, ...members } };
}

/** An item of an answer that `issuer` gave: its bare state, for others, in the form in which it is known as another's. */
export function itemFor(item: JsonObject, issuer: string | undefined, domain: string | undefined): JsonObject {
  const { type, encrypted_content: state } = item;
  if (issuer === undefined || issuer === domain || type !== 'reasoning' || typeof state !== 'string') return item;
  const entry = { dialect: DIALECT, domain: issuer, kind: 'reasoning', payload: JSON.stringify(item) } as const;
  return { ...item, encrypted_content: packState([entry]) };
}

/** A compaction stands for everything before it. */
function sinceCompaction(items: readonly JsonObject[]): readonly JsonObject[] {
  const last = items.findLastIndex(({ type }) => type === 'compaction');
  return last === -1 ? items : items.slice(last);
}
