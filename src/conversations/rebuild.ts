import { type DialectId, dialects, type JsonObject, packState } from '../../translators/index.js';
import type { Ask } from '../exchange/passage.js';
import { type Edit, editMembers } from '../exchange/raw-json.js';
import type { Target } from '../exchange/target.js';
import { isObject } from '../json.js';
import type { History } from './exchanged.js';
import { itemsOf } from './items.js';
import type { StoredTurn } from './record.js';

/**
 * The items of a conversation, oldest first, from the last compaction on. State that a backend of another domain than
 * `domain` issued bare is put in the form in which it is known as another's.
 */
export function itemsBefore(
  before: History | undefined,
  dialect: DialectId,
  domain: string | undefined,
): readonly JsonObject[] {
  return sinceCompaction(before?.turns.flatMap((turn) => [...turn.input, ...outputFor(turn, dialect, domain)]) ?? []);
}

/** What changes in a request whose backend has not all that it names. */
export interface Rebuilt {
  /** The whole conversation; undefined where the client's own input is that. */
  readonly items: readonly unknown[] | undefined;
  /** An answer is wanted of a backend that keeps nothing: it is told so, and to hand out its state. */
  readonly stateless: boolean;
}

/** The client's request as one that stands alone. Only the members that change are written anew. */
export function standingAlone(ask: Ask, target: Target, { items, stateless }: Rebuilt): Ask {
  const members: Record<string, unknown> = {};
  if (items !== undefined) members.input = items;
  if (stateless) {
    members.store = false;
    if (reasons(target)) members.include = withReasoning(ask);
  }
  const { previous_response_id: _previous, background, ...rest } = isObject(ask.json.value) ? ask.json.value : {};
  const edits: Record<string, Edit> = { previous_response_id: 'remove' };
  if (stateless) edits.background = 'remove';
  for (const [key, value] of Object.entries(members)) edits[key] = { json: JSON.stringify(value), add: true };
  const kept = stateless || background === undefined ? rest : { ...rest, background };
  return { ...ask, json: { text: editMembers(ask.json.text, edits), value: { ...kept, ...members } } };
}

/** What an answer held, for a backend of a domain. */
function outputFor(turn: StoredTurn, dialect: DialectId, domain: string | undefined): readonly JsonObject[] {
  return turn.output.map((item) => itemFor(item, turn.domain, dialect, domain));
}

/** An item of an answer that `issuer` gave: its bare state, for others, in the form in which it is known as another's. */
export function itemFor(
  item: JsonObject,
  issuer: string | undefined,
  dialect: DialectId,
  domain: string | undefined,
): JsonObject {
  const { type, encrypted_content: state } = item;
  if (issuer === undefined || issuer === domain || type !== 'reasoning' || typeof state !== 'string') return item;
  const entry = { dialect, domain: issuer, kind: 'reasoning', payload: JSON.stringify(item) } as const;
  return { ...item, encrypted_content: packState([entry]) };
}

/** A compaction stands for everything before it. */
function sinceCompaction(items: readonly JsonObject[]): readonly JsonObject[] {
  const last = items.findLastIndex(({ type }) => type === 'compaction');
  return last === -1 ? items : items.slice(last);
}

function reasons({ backend, model, profile }: Target): boolean {
  return dialects[backend.dialect].profile(model, profile).thinking.control !== 'none';
}

/** Reasoning state has to come along, since the backend keeps none. Models that do not reason refuse the wish. */
function withReasoning({ json: { value } }: Ask): unknown[] {
  const include = isObject(value) ? value.include : undefined;
  return [...new Set([...itemsOf(include), 'reasoning.encrypted_content'])];
}
