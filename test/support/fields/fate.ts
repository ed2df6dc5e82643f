import { type DialectId, type Loss, TranslationError, translateRequest } from '../../../translators/index.js';
import { MODELS } from '../support-table/index.js';
import { type Documented, fieldValue } from './documented.js';

/** What becomes of a field: the worst that a loss says of it, or nothing at all. */
export type Fate = 'carried' | 'invented' | 'moved' | 'approximated' | 'dropped' | 'refused' | 'silent';

const WORST = ['dropped', 'approximated', 'moved', 'invented'] as const;

interface Outcome {
  /** What is sent, as text. */
  readonly sent: string;
  readonly losses: readonly Loss[];
}

/**
 * What becomes of one field of an object: the request with it is held against the one without it. A loss belongs to the
 * field when it comes with it, or when it names what the field is part of.
 */
export function fateOf(from: DialectId, to: DialectId, { request }: Documented, field: string, given: unknown): Fate {
  const { value, beside } = fieldValue(given);
  const body = request({ ...beside, [field]: value });
  const withIt = translate(from, to, body);
  const without = translate(from, to, request(beside));
  if (withIt === undefined || without === undefined) return 'refused';
  const more = withIt.losses.filter((loss) => !without.losses.some((other) => same(loss, other)));
  const fewer = without.losses.some((loss) => !withIt.losses.some((other) => same(loss, other)));
  const crosses = withIt.sent !== without.sent || fewer;
  const place = placeOf(body, field, value) ?? '';
  const own = crosses || more.length > 0 ? more : withIt.losses.filter((loss) => isWhole(loss, place));
  return WORST.find((kind) => own.some((loss) => loss.kind === kind)) ?? (crosses ? 'carried' : 'silent');
}

/** Undefined when it is refused. */
function translate(from: DialectId, to: DialectId, body: unknown): Outcome | undefined {
  try {
    const { losses, ...sent } = translateRequest({ from, to, body, model: MODELS[to], cutsStop: true });
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

/** The JSON Pointer of a field in a body; the value is told by identity. */
function placeOf(node: unknown, field: string, value: unknown, at = ''): string | undefined {
  if (typeof node !== 'object' || node === null) return undefined;
  for (const [key, child] of Object.entries(node)) {
    if (key === field && child === value) return `${at}/${key}`;
    const found = placeOf(child, field, value, `${at}/${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
