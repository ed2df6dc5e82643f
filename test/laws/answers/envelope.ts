import { INSIDE } from '../../../translators/adapt/index.js';
import type { Loss } from '../../../translators/canonical/loss.js';
import type { CanonicalResponse, Finish, Usage } from '../../../translators/canonical/response.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import type { Exchange } from './compare.js';
import { same } from './differ.js';
import { saysNothing } from './said.js';

/** What holds for an answer as a whole. */
export interface Envelope {
  readonly complaints: readonly string[];
  /** Whether a loss about the whole answer names something that differs; undefined for losses about a part. */
  real(loss: Loss): boolean | undefined;
}

/** Compares all but the parts: end, counts, tier, candidates, and what only the source knows. */
export function compareEnvelope({ client, source, read, losses }: Exchange): Envelope {
  const complaints: string[] = [];
  const named = (path: string, ...features: string[]): boolean =>
    losses.some((loss) => features.includes(loss.feature) && (loss.path === path || loss.path === ''));
  const finish = finishFacts(source, client);
  const told = finishFacts(read, client);
  for (const fact of ['kind', 'stopSequence', 'detail', 'category'] as const) {
    if (!same(finish[fact], told[fact]) && !named('', 'finish'))
      complaints.push(`finish ${fact}: ${JSON.stringify(finish)} became ${JSON.stringify(told)}`);
  }
  const counted = usageFacts(source.usage);
  const shown = usageFacts(read.usage);
  for (const count of new Set([...Object.keys(counted), ...Object.keys(shown)])) {
    if (same(counted[count], shown[count])) continue;
    const features = ['usage', ...(count === 'input' || count === 'output' ? [`usage.${count}`] : [])];
    if (!named('/usage', ...features)) complaints.push(`usage ${count}: ${counted[count]} became ${shown[count]}`);
  }
  if (!same(tierFact(source.tier), tierFact(read.tier)) && !named('', 'tier'))
    complaints.push(`tier: ${source.tier} became ${read.tier}`);
  if ((source.extraCandidates?.length ?? 0) > 0 && !named('', 'candidates')) complaints.push('candidates are gone');
  const keys = bagKeys(source);
  const figures = losses.find(({ feature }) => feature === 'telemetry')?.detail.split(', ') ?? [];
  for (const { key, path, telemetry } of keys) {
    const said = telemetry
      ? telemetry.every((figure) => figures.includes(figure))
      : losses.some((loss) => loss.path === path && (loss.feature === `ext.${key}` || loss.feature === key));
    if (!said) complaints.push(`${path}: the key is gone`);
  }
  const real = (loss: Loss): boolean | undefined => {
    switch (loss.feature) {
      case 'finish':
        return !same(bare(source.finish), bare(read.finish));
      case 'usage':
      case 'usage.input':
      case 'usage.output':
        return !same(literalUsage(source.usage), literalUsage(read.usage));
      case 'tier':
        return source.tier !== read.tier;
      case 'candidates':
        return (source.extraCandidates?.length ?? 0) > 0;
      case 'telemetry':
        return keys.some(({ telemetry }) => telemetry !== undefined) || source.createdAt !== undefined;
      case 'searchEntryPoint':
        return keys.some(({ key }) => key === 'searchEntryPoint');
      case 'reasoning.state':
        return loss.path === '' ? true : undefined;
      default:
        if (!loss.feature.startsWith('ext.') || loss.path.startsWith('/parts/')) return undefined;
        return keys.some(({ key, path }) => loss.feature === `ext.${key}` && loss.path === path);
    }
  };
  return { complaints, real };
}

function bare({ raw: _raw, dialect: _dialect, ...finish }: Finish): object {
  return finish;
}

/** Calls for the client make an end one for calls where the wire has no word for that (translation.md 5.2 rule 3). */
function finishFacts({ finish, parts, error }: CanonicalResponse, client: DialectId): Finish {
  const calls = parts.some((part) => part.kind === 'call' && part.truncated !== true);
  // An answer that ends in a summary ends because of it, there.
  const compacted = has(client, 'compactionEnds') && parts.some((part) => part.kind === 'compaction');
  // One message has one refusal, whose words are the explanation.
  const refused = parts.map((part) => (part.kind === 'refusal' ? part.text : '')).join('');
  if (has(client, 'oneMessage') && finish.kind === 'refusal' && refused !== '') return { ...finish, detail: refused };
  const open = finish.kind === 'end' || (compacted && finish.kind === 'compaction');
  const kind = open && !has(client, 'callEnds') ? (calls ? 'tool_use' : 'end') : finish.kind;
  return { ...finish, kind, ...(error !== undefined && { detail: error.message }) };
}

/** What is not told of a whole is none of it (translation.md 5.3, the formulas). */
function usageFacts(usage: Usage | undefined): Readonly<Record<string, unknown>> {
  const {
    hosted,
    ext: _ext,
    src: _src,
    apart: _apart,
    several: _several,
    fees: _fees,
    input,
    output,
    ...counts
  } = usage ?? {};
  const known = Object.entries({ ...counts, ...hosted }).filter(([, count]) => count !== undefined && count !== 0);
  return { input, output, ...Object.fromEntries(known) };
}

function literalUsage(usage: Usage | undefined): unknown {
  if (usage === undefined) return undefined;
  const { src: _src, ext: _ext, apart: _apart, several: _several, fees: _fees, ...counts } = usage;
  return counts;
}

/** The ordinary tier has three names and none. */
function tierFact(tier: string | undefined): string | undefined {
  const word = tier?.toLowerCase();
  return word === 'default' || word === 'standard' ? undefined : word;
}

interface BagKey {
  readonly key: string;
  readonly path: string;
  /** Names of figures, where the key holds nothing else. */
  readonly telemetry?: readonly string[];
}

/** Figures that services tell beside an answer (translation.md 0.8). */
const FIGURES: ReadonlySet<string> = new Set([
  'billing',
  'diagnostics',
  'inference_geo',
  'iterations',
  'prompt_cache_diagnostics',
  'speed',
  'tool_usage',
]);

/** Objects among the counts of which the model knows some keys. */
const DETAILS: ReadonlySet<string> = new Set(['input_tokens_details', 'output_tokens_details', 'server_tool_use']);

/** Details of counts that the model has fields for. */
const COUNTED: ReadonlySet<string> = new Set([
  'cached_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'thinking_tokens',
  'web_search_requests',
  'web_fetch_requests',
]);

/** The figures under a key beside the counts: of details each that has no field, else the key itself. */
function figuresOf(key: string, value: unknown): readonly string[] {
  if (!DETAILS.has(key)) return [key];
  return said(Object(value)).flatMap(([name]) => (COUNTED.has(name) ? [] : [name]));
}

function said(bag: object): [key: string, value: unknown][] {
  return Object.entries(bag).filter(([, value]) => !saysNothing(value));
}

function bagKeys({ ext, usage, source }: CanonicalResponse): BagKey[] {
  const keyed =
    (at: string) =>
    ([key, value]: [string, unknown]): BagKey => {
      if (key === 'searchEntryPoint') return { key, path: '' };
      if (key === 'telemetry') {
        const figures = Object.entries(Object(value)).filter(([, figure]) => !saysNothing(figure));
        return { key, path: '', telemetry: figures.map(([name]) => name) };
      }
      if (at === '/usage') return { key, path: '', telemetry: figuresOf(key, value) };
      if (FIGURES.has(key)) return { key, path: '', telemetry: [key] };
      return { key, path: `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}` };
    };
  const { [INSIDE]: inside, ...bag } = ext?.[source] ?? {};
  return [
    ...said(bag).map(keyed('')),
    ...Object.entries(Object(inside)).flatMap(([place, keys]) => said(Object(keys)).map(keyed(place))),
    ...said(usage?.ext?.[source] ?? {}).map(keyed('/usage')),
  ];
}
