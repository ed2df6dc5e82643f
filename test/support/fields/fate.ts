import { type DialectId, type Loss, TranslationError, translateRequest } from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { read } from '../json-pointer.js';
import { MODELS } from '../support-table/index.js';
import type { Documented } from './index.js';

/** What becomes of a field: the worst that a loss says of it, or nothing at all. */
export type Fate = 'carried' | 'invented' | 'moved' | 'approximated' | 'dropped' | 'refused' | 'silent';

const WORST = ['dropped', 'approximated', 'moved', 'invented'] as const;

interface Outcome {
  /** What is sent, as text. */
  readonly sent: string;
  readonly losses: readonly Loss[];
}

/** A request with a field of an object, and the same without it. */
export function bodiesOf({ request, fields, beside }: Documented, field: string) {
  const others = beside[field] ?? {};
  return { body: request({ ...others, [field]: fields[field] }), bare: request(others) };
}

/**
 * What becomes of one field of an object: the request with it is held against the one without it. A loss belongs to the
 * field when it comes with it, or when it names what the field is part of.
 */
export function fateOf(
  from: DialectId,
  to: DialectId,
  documented: Documented,
  field: string,
  model: string = MODELS[to],
): Fate {
  const { body, bare } = bodiesOf(documented, field);
  const withIt = translate(from, to, body, model);
  const without = translate(from, to, bare, model);
  if (withIt === undefined || without === undefined) return 'refused';
  const more = withIt.losses.filter((loss) => !without.losses.some((other) => same(loss, other)));
  const fewer = without.losses.some((loss) => !withIt.losses.some((other) => same(loss, other)));
  const crosses = withIt.sent !== without.sent || fewer;
  const place = placeOf(body, bare, field);
  const own = crosses || more.length > 0 ? more : withIt.losses.filter((loss) => isWhole(loss, place));
  return WORST.find((kind) => own.some((loss) => loss.kind === kind)) ?? (crosses ? 'carried' : 'silent');
}

/**
 * Features that speak of a whole node, so that a field's entry may stand at what the field is part of; all others are told
 * at the field itself, or below it.
 */
const OF_THE_NODE =
  /^(?:cache\.mark|call\..*|hosted\.call|image|output\..*|part\.(?!phase$).*|reasoning\..*|result\..*|tool\.(?!hosted\.settings$).*)$/;

/** The entries that come with a field and name another place than its own, or one that the body does not hold. */
export function misplaced(
  from: DialectId,
  to: DialectId,
  documented: Documented,
  field: string,
  model: string,
): string[] {
  const { body, bare } = bodiesOf(documented, field);
  const losses = translate(from, to, body, model)?.losses ?? [];
  const without = translate(from, to, bare, model)?.losses ?? [];
  const place = placeOf(body, bare, field);
  return losses
    .filter((loss) => {
      if (read(body, loss.path) === undefined) return true;
      const own = !without.some((other) => same(loss, other));
      // What the output says of itself stands at the nearest thing that is there (translation.md 0.6).
      if (!own || loss.kind === 'invented') return false;
      // Every text that became one with others has its own entry, also beside the field that made a text of its part.
      if (loss.feature === 'text.join' && siblings(loss.path, place)) return false;
      if (loss.path === place || loss.path.startsWith(`${place}/`)) return false;
      return !(OF_THE_NODE.test(loss.feature) && loss.path !== '' && place.startsWith(`${loss.path}/`));
    })
    .map(({ path, feature, kind }) => `${path} ${feature} ${kind} for ${place}`);
}

/** Whether a place is in a node of the same list as another, or in that node itself. */
function siblings(path: string, place: string): boolean {
  return /\/\d+$/.test(path) && place.startsWith(path.replace(/\d+$/, ''));
}

/** Undefined when it is refused. */
function translate(from: DialectId, to: DialectId, body: unknown, model: string): Outcome | undefined {
  try {
    const { losses, ...sent } = translateRequest({ from, to, body, model, cutsStop: true });
    return { sent: JSON.stringify(sent), losses };
  } catch (error) {
    const refused = error instanceof TranslationError && (error.kind === 'unsupported' || error.code !== undefined);
    if (refused) return undefined;
    throw error;
  }
}

function same(loss: Loss, other: Loss): boolean {
  return (
    loss.path === other.path &&
    loss.feature === other.feature &&
    loss.kind === other.kind &&
    loss.detail === other.detail
  );
}

/** Whether a loss says that all of which the place is part went, or changed. */
function isWhole({ path, kind }: Loss, place: string): boolean {
  return (kind === 'dropped' || kind === 'approximated') && (path === place || place.startsWith(`${path}/`));
}

/** The JSON Pointer of a field in a body: where it first holds something that the body without it does not. */
function placeOf(node: unknown, bare: unknown, field: string, at = ''): string {
  if (!isObject(node) && !Array.isArray(node)) return at;
  for (const [key, child] of Object.entries(node)) {
    const other: unknown = isObject(bare) || Array.isArray(bare) ? Reflect.get(bare, key) : undefined;
    if (JSON.stringify(child) === JSON.stringify(other)) continue;
    const here = `${at}/${key}`;
    if (other !== undefined) return placeOf(child, other, field, here);
    return key !== field && isObject(child) && field in child ? `${here}/${field}` : here;
  }
  return at;
}
