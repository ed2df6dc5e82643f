import type { Losses } from '../canonical/loss.js';
import { type Extensions, type JsonObject, type Node, ptrOf } from '../canonical/node.js';
import type { Tool } from '../canonical/tools.js';
import { isObject, lookUp } from '../wire/json.js';
import { join } from '../wire/pointer.js';

/** The bag key under which a first part keeps the fields of its message. */
const HOLDER = '$message';

const PLACES: unique symbol = Symbol('places');

/**
 * Marks what is in a bag under the name of an object of which the model holds other keys: each of `keys` is lost by
 * itself, at its own place (translation.md 0.4). `ptr` is the place of the object in the source body, `names` how its
 * keys were spelled there. Gives `value` back, which must be of the caller's own making.
 */
export function furtherKeys(
  value: JsonObject,
  ptr: string,
  keys: readonly string[] = Object.keys(value),
  names: Readonly<Record<string, string>> = {},
): JsonObject {
  const places = keys.map((key) => [key, join(ptr, lookUp(names, key) ?? key)] as const);
  return Object.defineProperty(value, PLACES, { value: places, configurable: true });
}

/** Keeps in `bag`, under the name of an object at the top of a body, its keys that are not `known`. */
export function keepRest(bag: JsonObject, key: string, node: unknown, known: ReadonlySet<string>): void {
  if (!isObject(node)) return;
  const rest = Object.entries(node).filter(([inner]) => !known.has(inner));
  if (rest.length > 0) bag[key] = furtherKeys(Object.fromEntries(rest), `/${key}`);
}

type Places = readonly (readonly [key: string, ptr: string])[];

function placesIn(value: unknown): Places | undefined {
  return typeof value === 'object' && value !== null ? Reflect.get(value, PLACES) : undefined;
}

/** Whether a value says no more than its absence would. An empty object of a request may be a switch. */
type SaysNothing = (value: unknown) => boolean;

/** In a request: null and an empty list (translation.md 0.8). */
const inRequest: SaysNothing = (value) => value === null || (Array.isArray(value) && value.length === 0);

/** In an answer also a counter of 0, and what holds nothing else (translation.md 0.8). */
const inAnswer: SaysNothing = (value) =>
  value === null || value === 0 || (typeof value === 'object' && Object.values(value).every(inAnswer));

/**
 * Reports every key of a request that other dialects keep in `node`'s bags: one `dropped` entry per key, and per further
 * key of an object of which the model holds the others (translation.md 0.4).
 */
export function dropForeign(node: Node, dialect: string, losses: Losses): void {
  dropKeys(node, dialect, losses, inRequest);
}

/** The same of a part of an answer. */
export function dropAnswered(part: Node, dialect: string, losses: Losses): void {
  dropKeys(part, dialect, losses, inAnswer);
}

/** Under this key a tool declares that a search finds it. */
const DEFERRED = 'defer_loading';
const SETTLED: ReadonlySet<string> = new Set([DEFERRED]);

/**
 * The same for a tool that is declared. One that a search was to find is among the others from the start, and
 * can do what it could (translation.md 0.9).
 */
export function dropTool(tool: Tool, dialect: string, losses: Losses): void {
  for (const owner in tool.ext) {
    if (owner === dialect || tool.ext[owner]?.[DEFERRED] !== true) continue;
    losses.add(join(ptrOf(tool), DEFERRED), `ext.${DEFERRED}`, 'moved', 'the tool is declared from the start');
  }
  dropKeys(tool, dialect, losses, inRequest, SETTLED);
}

function dropKeys(
  node: Node,
  dialect: string,
  losses: Losses,
  saysNothing: SaysNothing,
  settled?: ReadonlySet<string>,
): void {
  if (node.ext === undefined) return;
  for (const owner in node.ext) {
    if (owner === dialect) continue;
    const detail = `only supported by the ${owner} dialect`;
    const path = ptrOf(node);
    for (const [key, value] of Object.entries(node.ext[owner] ?? {})) {
      if (settled?.has(key) === true || saysNothing(value)) continue;
      const places = placesIn(value);
      if (places !== undefined) {
        for (const [inner, at] of places) {
          if (!saysNothing(Reflect.get(Object(value), inner))) losses.add(at, `ext.${inner}`, 'dropped', detail);
        }
      }
      // Keys of the item around the node, which has no node of its own.
      else if (key === HOLDER) {
        for (const [inner, held] of Object.entries(Object(value))) {
          if (!saysNothing(held)) losses.add(node, `ext.${inner}`, 'dropped', detail);
        }
      } else
        losses.add(
          node.src?.at?.[`ext.${key}`] ?? join(path, key),
          lookUp(NAMED, key) ?? `ext.${key}`,
          'dropped',
          detail,
        );
    }
  }
}

/** Keys for which losses have a name of their own. */
const NAMED = {
  logit_bias: 'sampling.logitBias',
  prediction: 'prediction',
  name: 'turn.name',
  audio: 'audio.state',
} as const;

/** Keys of answers that are figures about the answer and change nothing in it (translation.md 0.8). */
const TELEMETRY = new Set([
  'billing',
  'diagnostics',
  'inference_geo',
  'iterations',
  'prompt_cache_diagnostics',
  'service_tier',
  'speed',
  'tool_usage',
]);

/** What of an answer only its own dialect knows. */
export interface AnswerExtras {
  /** The bag of the answer. */
  readonly ext?: Extensions | undefined;
  readonly usage?: Node | undefined;
}

/**
 * Reports what other dialects keep next to an answer's parts: pure figures and all that stands among the counts in one
 * `telemetry` entry, search suggestions under their own feature because their display is a duty of use, every other key by
 * name (translation.md 0.8, 5.5).
 */
export function dropExtras({ ext, usage }: AnswerExtras, dialect: string, losses: Losses): void {
  if (ext === undefined && usage?.ext === undefined) return;
  const figures = new Set<string>();
  for (const [owner, key, value] of foreignKeys(ext, dialect)) {
    if (inAnswer(value)) continue;
    if (key === 'telemetry' && isObject(value)) addFigures(figures, value);
    else if (TELEMETRY.has(key)) figures.add(key);
    else if (key === INSIDE) dropInside(value, owner, losses);
    else if (key === 'searchEntryPoint') {
      losses.add('', 'searchEntryPoint', 'dropped', 'search suggestions cannot be shown');
    } else losses.add(join('', key), `ext.${key}`, 'dropped', `only supported by the ${owner} dialect`);
  }
  for (const [, key, value] of foreignKeys(usage?.ext, dialect)) {
    const places = placesIn(value);
    if (places !== undefined) addFigures(figures, Object(value), new Set(places.map(([inner]) => inner)));
    else if (key === 'telemetry' && isObject(value)) addFigures(figures, value);
    else if (!inAnswer(value)) figures.add(key);
  }
  if (figures.size > 0) losses.add('', 'telemetry', 'dropped', [...figures].sort().join(', '));
}

/** Adds the names of the figures that count something, of `keys` where only these are no fields of the model. */
function addFigures(figures: Set<string>, found: JsonObject, keys?: ReadonlySet<string>): void {
  for (const [name, value] of Object.entries(found)) {
    if (keys?.has(name) !== false && !inAnswer(value)) figures.add(name);
  }
}

/** The keys that other dialects have in their bags of a node. */
function* foreignKeys(
  ext: Extensions | undefined,
  dialect: string,
): Generator<readonly [owner: string, key: string, value: unknown]> {
  for (const owner in ext) {
    if (owner === dialect) continue;
    for (const [key, value] of Object.entries(ext[owner] ?? {})) yield [owner, key, value];
  }
}

/** Under this key of a bag are, by their pointers, objects of the body that have no node, with their keys. */
export const INSIDE = '$inside';

function dropInside(objects: unknown, owner: string, losses: Losses): void {
  for (const [path, keys] of Object.entries(Object(objects))) {
    for (const [key, value] of Object.entries(Object(keys))) {
      if (!inAnswer(value))
        losses.add(join(path, key), `ext.${key}`, 'dropped', `only supported by the ${owner} dialect`);
    }
  }
}
