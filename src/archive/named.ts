import { type JsonObject, type StoredItems, storedResponses } from '../../translators/index.js';
import { isObject } from '../ground/plain/index.js';
import type { Exchanged } from './exchanged.js';
import { bothGiven, noText } from './refusals.js';

/** What a request names of what is kept. */
export interface Names {
  readonly body: JsonObject;
  /** The answer that is continued. */
  readonly previous: string | undefined;
  /** Ids of the items that are named. */
  readonly references: readonly string[];
}

/** The same with what is known of it. */
export interface Named extends Names {
  readonly found: {
    /** The conversation before; undefined when it is not known here. */
    readonly before: storedResponses.History | undefined;
    readonly items: ReadonlyMap<string, storedResponses.KeptItem>;
  };
  /** The items of the conversation before, oldest first. */
  readonly earlier: readonly JsonObject[];
}

const START: storedResponses.History = { answers: [], turns: [] };

/** What a body names. Throws Failure for an id that is none, and for an answer and a conversation at once. */
export function namesIn(value: unknown): Names {
  const body: JsonObject = isObject(value) ? value : {};
  const previous = previousOf(body);
  const references = storedResponses.itemsOf(body.input).flatMap((item) => storedResponses.referenceOf(item) ?? []);
  if (previous !== undefined && isGiven(body.conversation)) throw bothGiven();
  return { body, previous, references };
}

function previousOf({ previous_response_id: id }: JsonObject): string | undefined {
  if (typeof id === 'string') return id;
  if (isGiven(id)) throw noText();
  return undefined;
}

/** Whether a member says something. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function restored({ item, domain: issuer }: storedResponses.KeptItem, domain: string | undefined): JsonObject {
  return storedResponses.itemFor(item, issuer, domain);
}

/** The client's own items, with those in the place of their names. */
function inline({ body, found }: Named, domain: string | undefined): unknown[] {
  return storedResponses.inputItems(body.input).map((item) => {
    const kept = found.items.get(storedResponses.referenceOf(item) ?? '');
    return kept === undefined ? item : restored(kept, domain);
  });
}

/** All items of a request that stands alone, for a backend of this domain; undefined where it does already. */
export function wholeInput(named: Named, domain: string | undefined): readonly unknown[] | undefined {
  const { previous, references, found } = named;
  const given = inline(named, domain);
  const names = previous !== undefined || references.length > 0;
  if (!names && given.every((item) => storedResponses.sendable(item) === item)) return undefined;
  return [...storedResponses.itemsBefore(found.before, domain), ...given]
    .map(storedResponses.sendable)
    .filter((item) => item !== undefined);
}

/** The paths in the client's body of the items of a request that stands alone. */
export function placesIn(named: Named): readonly string[] {
  const sent = (item: unknown): boolean => storedResponses.sendable(item) !== undefined;
  const own = inline(named, undefined).flatMap((item, index) => (sent(item) ? [`/input/${index}`] : []));
  return [...named.earlier.filter(sent).map(() => '/previous_response_id'), ...own];
}

/** The path in the client's body of a path in a request that stands alone, by the places of its items. */
export function pathIn(places: readonly string[], path: string): string {
  const index = /^\/input\/(\d+)/.exec(path);
  if (index === null) return path;
  const place = places[Number(index[1])] ?? '/input';
  return place === '/previous_response_id' ? place : place + path.slice(index[0].length);
}

/** What is kept with an answer of the conversation before it and of its input. `newId` gives 32 hex digits. */
export function exchangedOf(
  named: Named,
  answer: string | undefined,
  newId: () => string,
): Pick<Exchanged, 'before' | 'input' | 'fresh'> {
  const given = inline(named, undefined).filter(isObject);
  return {
    before: named.previous === undefined ? START : named.found.before,
    input: storedResponses.storedItems(given, answer, newId),
    fresh: !given.some(({ id }) => storedResponses.isId(id)),
  };
}

/** Kept items by the id under which the body names them, for who decodes it. */
export function stateOf({ previous, found, earlier }: Named): StoredItems {
  const items = [...found.items].map(([id, kept]) => [id, [restored(kept, undefined)]] as const);
  return {
    ...(previous !== undefined && found.before !== undefined && { [previous]: earlier }),
    ...Object.fromEntries(items),
  };
}
