import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { DialectId } from '../../../translators/index.js';
import type { Target as ModelTarget } from '../../../translators/target/target.js';
import { allSettings, fieldAt } from '../../support/members.js';
import { compareBags } from './compare-bags.js';
import { compareOutput } from './compare-output.js';
import { compareReasoning } from './compare-reasoning.js';
import { type Diff, diffAt, type Passage } from './diff.js';
import { stable } from './json.js';

/** A setting: where it stands, how it reads with all that says nothing taken out, and by which features it is named. */
interface Row {
  readonly ptr: string;
  readonly features: readonly string[];
  read(request: CanonicalRequest): unknown;
  /** The row of the matrix lets it go, or says that the target's default is the same (2.2, 2.11). */
  neutral?(value: unknown, x: CanonicalRequest, y: CanonicalRequest): boolean;
  readonly also?: readonly string[];
}

const is =
  (...values: readonly unknown[]) =>
  (value: unknown): boolean =>
    values.includes(value);

const ROWS: readonly Row[] = [
  row('sampling.temperature', '/sampling/temperature', ({ sampling }) => sampling?.temperature, is(1)),
  row(
    'sampling.topP',
    '/sampling/topP',
    ({ sampling }) => sampling?.topP,
    (value) => Number(value) >= 0.95,
  ),
  row('sampling.topK', '/sampling/topK', ({ sampling }) => sampling?.topK, is(64)),
  row('sampling.presencePenalty', '/sampling/presencePenalty', ({ sampling }) => sampling?.presencePenalty, is(0)),
  row('sampling.frequencyPenalty', '/sampling/frequencyPenalty', ({ sampling }) => sampling?.frequencyPenalty, is(0)),
  row('stop', '/stop', ({ stop }) => (stop === undefined || stop.length === 0 ? undefined : stable(stop))),
  // A cap over hosted calls says nothing where there are none to make.
  row(
    'maxToolCalls',
    '/maxToolCalls',
    ({ maxToolCalls }) => maxToolCalls,
    (_, _x, y) => !y.tools.some(({ kind }) => kind === 'hosted'),
  ),
  row('candidates', '/candidates', ({ candidates }) => candidates, is(1)),
  row('logprobs', '/logprobs', ({ logprobs }) => logprobs && (logprobs.top ?? 0)),
  row('verbosity', '/verbosity', ({ verbosity }) => verbosity, is('medium')),
  row('modalities', '/modalities', ({ modalities }) => modalities && stable(modalities), is('["text"]')),
  // A picture that is asked for by a tool has its size there (translation.md 2.2).
  {
    ...row('image', '/image', ({ image }) => image && stable([image.aspectRatio, image.size])),
    features: ['image', 'modalities'],
    also: ['/modalities'],
  },
  row('speech', '/speech', ({ speech }) => speech && stable([speech.voice, speech.language])),
  row('mediaResolution', '/mediaResolution', ({ mediaResolution }) => mediaResolution),
  row(
    'safety',
    '/safety',
    ({ safety }) => safety && stable(safety.map(({ category, threshold }) => [category, threshold])),
  ),
  // A key that is made of marks is of the whole prompt.
  { ...row('cache.key', '/cache/key', ({ cache }) => cache?.key), also: [''] },
  row('cache.ttl', '/cache/ttl', ({ cache }) => cache?.ttl, is('5m')),
  row('cache.resource', '/cache/resource', ({ cache }) => cache?.resource),
  row('metadata', '/metadata', ({ metadata }) => metadata && stable(metadata), is('{}')),
  row('tier', '/tier', ({ tier }) => tier?.value, is('auto')),
  row('truncate', '/truncate', ({ truncate }) => truncate, is(false)),
  row(
    'include.detail',
    '/include',
    ({ include }) => include?.includes('message.input_image.image_url') === true || undefined,
  ),
];

/** What is compared by a law of its own, or is no wish about the answer. */
const APART: ReadonlySet<string> = new Set(['maxOutput', 'include', 'stream', 'cache']);

/** The rows of fields that are compared as they are: all that tables of members name beside those above. */
function plainRows(): Row[] {
  const special = new Set(ROWS.map(({ ptr }) => ptr));
  return allSettings().flatMap(({ field, feature }) => {
    const ptr = `/${field.replace('.', '/')}`;
    if (feature === undefined || APART.has(field) || special.has(ptr)) return [];
    return [row(feature, ptr, (request) => stable(fieldAt(request, field)))];
  });
}

/** Settings of the pictures that a model makes. */
const PICTURES: ReadonlySet<string> = new Set(['/modalities', '/image']);

function row(feature: string, ptr: string, read: Row['read'], neutral?: Row['neutral']): Row {
  return { ptr, features: [feature], read, ...(neutral && { neutral }) };
}

/** What differs between two requests besides conversation and tools. */
export function compareSettings(
  x: CanonicalRequest,
  y: CanonicalRequest,
  target: DialectId,
  profile: ModelTarget,
  via?: Passage,
): Diff[] {
  const diffs: Diff[] = [];
  if (x.model !== y.model || x.stream !== y.stream) diffs.push(diffAt('model or streaming', [''], []));
  for (const { ptr, features, read, neutral, also = [] } of [...ROWS, ...plainRows()]) {
    const before = read(x);
    const after = read(y);
    if (before === after) continue;
    const silent = after === undefined && neutral?.(before, x, y) === true;
    // A tool that makes pictures becomes a model that answers with them (translation.md 2.2).
    const made = PICTURES.has(ptr)
      ? x.tools.filter(({ kind }) => kind === 'hosted').map(({ src }) => src?.ptr ?? '')
      : [];
    const named = made.length === 0 ? features : [...features, 'tool.hosted'];
    diffs.push(diffAt(`${stable(before)} -> ${stable(after)}`, [ptr, ...also, ...made], named, silent));
  }
  // Tiers of two vendors have the same words and other meanings (translation.md 2.2).
  if (x.tier !== undefined && y.tier !== undefined) diffs.push(diffAt('tier', ['/tier'], ['tier'], true));
  diffs.push(...compareCap(x, y), ...compareOutput(x, y, target, via), ...compareReasoning(x, y, profile, via));
  return [...diffs, ...compareBags(x, y, target)];
}

/** The cap, which one dialect demands. */
function compareCap(x: CanonicalRequest, y: CanonicalRequest): Diff[] {
  if (x.maxOutput === y.maxOutput) return [];
  const ptr = x.maxOutput === undefined ? '' : '/maxOutput';
  return [diffAt(`cap ${x.maxOutput} -> ${y.maxOutput}`, [ptr], ['maxOutput'])];
}
