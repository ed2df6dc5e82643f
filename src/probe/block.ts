import { createRequire } from 'node:module';
import {
  type DialectId,
  HOST_FEATURE_NAMES,
  type HostFeature,
  type ModelTarget,
  type ProfileFlags,
  type ThinkingProfile,
} from '../../translators/index.js';
import type { ConfigInput } from '../config/index.js';
import { BACKEND_KEY } from '../config/index.js';
import { gatewayDialect, KEY_FORMS, type KeyForm } from '../dialects/index.js';
import { presets } from '../presets/index.js';
import { claimOf, failsAt, isHeld, type Known, knownOf, valueAt } from './compare.js';
import { type RowName, saysOf } from './rows.js';
import { answering } from './run.js';
import { FAILS, type Finding, type ProbeReport } from './types.js';

type BackendInput = ConfigInput['backends'][string];

/** A configuration for what was found: a backend for each endpoint, the one that does most first. */
export interface Block {
  readonly backends: Readonly<Record<string, BackendInput>>;
  readonly models: Readonly<Record<string, { readonly backend: string; readonly model?: string }>>;
}

/** What an operator writes into a configuration for a server; undefined where no endpoint answers. `hasKey`: it wants one. */
export function blockOf(report: ProbeReport, hasKey: boolean): Block | undefined {
  const [best, ...others] = ranked(report);
  if (best === undefined) return undefined;
  const name = report.server.preset ?? 'server';
  const named = [[name, best] as const, ...others.map((dialect) => [`${name}-${dialect}`, dialect] as const)];
  return {
    backends: Object.fromEntries(named.map(([key, dialect]) => [key, entryOf(report, dialect, hasKey)])),
    models: {
      ...Object.fromEntries(named.slice(1).map(([key]) => [`${key}/*`, { backend: key, model: '*' }])),
      '*': { backend: name },
    },
  };
}

/** The block as a file has it, with a line on where it comes from. */
export function printBlock(report: ProbeReport, block: Block): string {
  const { Document, visit } = createRequire(import.meta.url)('yaml') as typeof import('yaml');
  const document = new Document(block);
  visit(document, {
    Seq: (_key, node) => {
      node.flow = true;
    },
  });
  const { title = 'a server', version } = report.server;
  const what = `${title}${version === undefined ? '' : ` ${version}`}`;
  const line = `# interlingua probe, ${report.at.slice(0, 10)}: ${what}, model ${report.model ?? 'none'}`;
  const omitted = report.endpoints[0]?.omitted ?? [];
  const query =
    omitted.length === 0
      ? ''
      : `# The address had a query: ${omitted.join(', ')}. If calls need it, add it to each baseUrl.\n`;
  return `${line}\n${query}${document.toString({ lineWidth: 120, flowCollectionPadding: false })}`;
}

/** The rows that every endpoint has, and that agents need. */
const WEIGHED: readonly RowName[] = [
  'tools',
  'forced',
  'named',
  'none',
  'schema',
  'stream',
  'streamUsage',
  'cut',
  'parallel',
];

/** The endpoints that answer, the one with the fewest failures first. */
function ranked(report: ProbeReport): readonly DialectId[] {
  const failures = (id: DialectId): number =>
    report.findings.filter(({ dialect, row, verdict }) => dialect === id && WEIGHED.includes(row) && FAILS.has(verdict))
      .length;
  return answering(report).toSorted((a, b) => failures(a) - failures(b));
}

function entryOf(report: ProbeReport, dialect: DialectId, hasKey: boolean): BackendInput {
  const { server, endpoints, model = '' } = report;
  const { root = report.url, auth } = endpoints.find((one) => one.dialect === dialect) ?? {};
  const preset = server.preset !== undefined && dialect in presets[server.preset].endpoints ? server.preset : undefined;
  const known = knownOf(preset, dialect, root, model);
  const findings = report.findings.filter((finding) => finding.dialect === dialect);
  const unsupported = unsupportedOf(known, findings);
  const profile = profileOf(known, findings, dialect, preset === undefined);
  const isSame = [...unsupported].sort().join() === [...known.unsupported].sort().join();
  const variable = (preset && presets[preset].variable) ?? BACKEND_KEY;
  return {
    ...(preset !== undefined && { preset }),
    dialect,
    baseUrl: root,
    ...(hasKey && { apiKey: `\${${variable}}` }),
    ...(hasKey && preset === undefined && isKeyForm(auth) && auth !== gatewayDialect(dialect).keyForm && { auth }),
    ...(!isSame && { unsupported: [...unsupported] }),
    ...(Object.keys(profile).length > 0 && { profile }),
  };
}

function isKeyForm(form: string | undefined): form is KeyForm {
  return KEY_FORMS.some((known) => known === form);
}

/** The features of the record, without those that hold and with those that do not. */
function unsupportedOf({ unsupported }: Known, findings: readonly Finding[]): readonly HostFeature[] {
  const found = new Set<HostFeature>(unsupported);
  for (const finding of findings) {
    const says = saysOf(finding.row, finding.dialect);
    const held = isHeld(finding);
    if (says === undefined || !('features' in says) || held === undefined) continue;
    for (const feature of held ? says.features.slice(0, 1) : featuresOf(finding, says.features)) {
      if (held) found.delete(feature);
      else found.add(feature);
    }
  }
  // Where no choice is read, it needs no word on single ones.
  if (found.has('toolChoice'))
    for (const one of ['namedToolChoice', 'noneToolChoice', 'allowedTools'] as const) found.delete(one);
  return HOST_FEATURE_NAMES.filter((feature) => found.has(feature));
}

/** What does not hold: less than the row, where the server has another way to the same. */
function featuresOf({ row, verdict, reported }: Finding, features: readonly HostFeature[]): readonly HostFeature[] {
  if (row === 'thinkingOff' && verdict === 'other') return ['thinkingSwitch'];
  if (row === 'effort' && verdict === 'other') return reported?.levels?.includes('max') ? [] : ['farEfforts'];
  return features;
}

/** The flags in which a server differs from what is taken for granted of it. */
function profileOf(known: Known, findings: readonly Finding[], dialect: DialectId, isUnknown: boolean): ProfileFlags {
  const flags: Record<string, unknown> = {};
  const server: Record<string, unknown> = {};
  for (const finding of findings) {
    const says = saysOf(finding.row, dialect);
    const held = isHeld(finding);
    if (says === undefined || !('word' in says) || 'among' in says) continue;
    if (held === undefined || claimOf(known, says) === held) continue;
    const value = held ? says.holds : says.fails;
    const [group = '', name] = says.word.split('.');
    if (group === 'addedSettings') flags[group] = held ? ['stop'] : [];
    else if (name === undefined) flags[group] = value;
    else server[name] = value;
  }
  const found = (row: RowName): Finding | undefined => findings.find((finding) => finding.row === row);
  const cap = found('largeCap')?.reported?.cap;
  if (cap !== undefined) flags.maxOutput = cap;
  if (failsAt(findings, 'schema')) delete flags.schemaWithTools;
  if (known.target.server !== undefined) {
    Object.assign(server, choiceOf(known.target, found), capOf(known.target, found));
    if (isInline(found) && valueAt(known.target, 'server.inlineThink') === 'no') server.inlineThink = 'open';
    if (found('prefill')?.reported?.field === 'continue') server.prefillForm = 'continue';
    if (isUnknown) {
      const { thinking, ...manners } = thinkingOf(found);
      Object.assign(server, manners);
      if (thinking !== undefined) flags.thinking = thinking;
    }
  }
  return { ...flags, ...(Object.keys(server).length > 0 && { server }) };
}

type Found = (row: RowName) => Finding | undefined;

/** The forms of a choice that a chat server takes. */
function choiceOf(target: ModelTarget, found: Found): ProfileFlags['server'] {
  const held = (row: RowName): boolean | undefined => {
    const finding = found(row);
    return finding === undefined ? undefined : isHeld(finding);
  };
  const [forced, named, none] = [held('forced'), held('named'), held('none')];
  const form =
    none === false && forced !== true
      ? 'ignored'
      : forced === false
        ? 'auto'
        : named === false && forced === true
          ? 'noNamed'
          : named === true && forced === true
            ? 'all'
            : named === false
              ? 'ignored'
              : undefined;
  if (form === undefined || form === valueAt(target, 'server.toolChoice')) return {};
  return { toolChoice: form, toolChoiceThinking: form };
}

function capOf(target: ModelTarget, found: Found): ProfileFlags['server'] {
  const isNewer = found('cap')?.reported?.field === 'max_completion_tokens';
  return isNewer && valueAt(target, 'server.maxTokensField') !== 'max_completion_tokens'
    ? { maxTokensField: 'max_completion_tokens' }
    : {};
}

/** Thoughts stand between tags in the text. */
function isInline(found: Found): boolean {
  const fields = [found('thoughts'), found('thinkingOn')].map((finding) => finding?.words ?? '');
  return fields.some((words) => words.endsWith('in <think>'));
}

/** How a chat server that nobody knows is made to think: by an effort, or by a variable of its template. */
function thinkingOf(found: Found): NonNullable<ProfileFlags['server']> & { readonly thinking?: ThinkingProfile } {
  const [thoughts, on, off, effort] = [found('thoughts'), found('thinkingOn'), found('thinkingOff'), found('effort')];
  const defaultOn = thoughts?.verdict === 'holds';
  const field = defaultOn ? off?.reported?.field : on?.reported?.field;
  if (field === undefined) return {};
  const isEffort = field === 'reasoning_effort';
  const levels =
    effort?.verdict === 'other' ? (effort.reported?.levels ?? []) : effort?.verdict === 'refused' ? [] : undefined;
  const known = isEffort ? (['low', 'medium', 'high'] as const) : [];
  return {
    reasoningControl: isEffort ? 'effort' : 'template',
    ...(isEffort && levels !== undefined && { strictEfforts: true }),
    thinking: { control: 'effort', canDisable: true, levels: levels ?? known, defaultOn },
  };
}
