import { type DialectId, dialects, type HostFeature, type ModelTarget } from '../../translators/index.js';
import { type PresetName, presets } from '../presets/index.js';
import { profileAt } from '../protocol/index.js';
import { type RowName, rowOf, type Says, saysOf } from './rows.js';
import { FAILS, type Finding, type ProbeReport } from './types.js';

/** What is known of an endpoint: by a record, or by an entry of a configuration. */
export interface Known {
  readonly unsupported: readonly HostFeature[];
  readonly target: ModelTarget;
}

/** A row in which a server is not as its record says. */
export interface Difference {
  readonly dialect: DialectId;
  readonly row: RowName;
  /** The feature or the flag by which the record says it. */
  readonly word: string;
  /** What the record says, and what the server did. */
  readonly record: 'holds' | 'fails';
  readonly server: Finding['verdict'];
  readonly words?: string;
}

/** What a preset knows of an endpoint at a root; without a preset what is taken for granted of servers that nobody knows. */
export function knownOf(preset: PresetName | undefined, dialect: DialectId, root: string, model: string): Known {
  const known = preset === undefined ? undefined : presets[preset].endpoints[dialect];
  const named = preset === undefined || known === undefined ? undefined : ({ name: preset, by: 'name' } as const);
  const { unsupported = [] } = known ?? {};
  const choice = profileAt({ baseUrl: root, dialect, unsupported, preset: named }, undefined);
  return { unsupported, target: dialects[dialect].target(model, choice) };
}

/** Whether it says that a row holds; undefined where it has no word for it. */
export function claimOf({ unsupported, target }: Known, says: Says | undefined): boolean | undefined {
  if (says === undefined) return undefined;
  if ('features' in says) return !says.features.slice(0, 1).some((feature) => isListed(unsupported, feature));
  const value = valueAt(target, says.word);
  return 'among' in says ? says.among.includes(value) : value !== says.fails;
}

/** Where no choice is read, none by name is. */
function isListed(unsupported: readonly HostFeature[], feature: HostFeature): boolean {
  const isChoice = feature === 'namedToolChoice' || feature === 'noneToolChoice' || feature === 'allowedTools';
  return unsupported.includes(feature) || (isChoice && unsupported.includes('toolChoice'));
}

/** A word of a profile; `addedSettings.stop` is whether a list has the word. */
export function valueAt(target: ModelTarget, word: string): unknown {
  return word.split('.').reduce<unknown>((value, key) => {
    if (value === undefined && key === 'stop') return false;
    if (Array.isArray(value)) return value.includes(key);
    return typeof value === 'object' && value !== null && key in value ? value[key as keyof typeof value] : undefined;
  }, target);
}

/** Whether a finding says that its row holds; undefined where it decides nothing. */
export function isHeld({ verdict }: Pick<Finding, 'verdict'>): boolean | undefined {
  if (verdict === 'holds') return true;
  return FAILS.has(verdict) ? false : undefined;
}

/** Whether a row was found not to hold. */
export function failsAt(findings: readonly Finding[], row: RowName): boolean {
  return findings.some((finding) => finding.row === row && FAILS.has(finding.verdict));
}

/**
 * Where a server does not do what a record says of it, or does more. What hangs on the model as well, and what nothing was found out about, is
 * no difference.
 */
export function differencesFrom(known: Known, findings: readonly Finding[]): readonly Difference[] {
  const isPlainOnly = failsAt(findings, 'schema');
  return findings.flatMap((finding) => {
    const { dialect, row, verdict, words } = finding;
    // That follows from the other.
    if (row === 'schemaWithTools' && isPlainOnly) return [];
    const says = saysOf(row, dialect);
    const [claim, held] = [claimOf(known, says), isHeld(finding)];
    if (says === undefined || claim === undefined || held === undefined || claim === held || rowOf(row).ofModel)
      return [];
    const word = 'features' in says ? says.features.join(', ') : says.word;
    const record = claim ? 'holds' : 'fails';
    return [{ dialect, row, word, record, server: verdict, ...(words !== undefined && { words }) } as const];
  });
}

/** The same for all endpoints of a report: held to a preset, its own unless one is given. Empty where no preset is known. */
export function differences(
  { server, endpoints, findings, model = '' }: Pick<ProbeReport, 'server' | 'endpoints' | 'findings' | 'model'>,
  preset: PresetName | undefined = server.preset,
): readonly Difference[] {
  if (preset === undefined) return [];
  return endpoints
    .filter(({ dialect }) => presets[preset].endpoints[dialect] !== undefined)
    .flatMap(({ dialect, root }) =>
      differencesFrom(
        knownOf(preset, dialect, root, model),
        findings.filter((finding) => finding.dialect === dialect),
      ),
    );
}
