import { FAMILIES } from '../../../translators/chat-completions/servers/models.js';
import { dialects } from '../../../translators/dialects.js';
import { ROWS as GENERATE_CONTENT } from '../../../translators/generate-content/profile.js';
import { HOSTS, type HostRow } from '../../../translators/hosts/index.js';
import type { DialectId } from '../../../translators/index.js';
import { ROWS as MESSAGES } from '../../../translators/messages/profile.js';
import { ROWS as RESPONSES } from '../../../translators/responses/profile.js';
import { rowOf } from '../../../translators/target/profile.js';
import type { Profile } from '../../../translators/target/words.js';
import { FAMILY_SOURCES, HOST_SOURCES } from './host-sources.js';
import { GENERATE_CONTENT_SOURCES, MESSAGES_SOURCES, RESPONSES_SOURCES, type Source } from './sources.js';

/** What the page shows of a profile. */
type Shown = Pick<Profile, 'maxOutput' | 'thinking' | 'sampling'>;

/** A row of a profile table with its source. */
export interface SourcedRow {
  readonly prefix: string;
  readonly source: Source;
  readonly maxOutput?: number;
  readonly thinking: string;
  readonly sampling: string;
}

/** The rows of one table. */
export interface SourcedTable {
  readonly title: string;
  readonly dialect: DialectId;
  /** Whose list of names tells which models there are: a vendor's client and an address in the package of prices. */
  readonly lists: { readonly sdk?: 'openai' | 'anthropic' | 'google'; readonly api?: string };
  readonly rows: readonly SourcedRow[];
  /** The row that a model's name has here. */
  readonly rowOf: (name: string) => SourcedRow | undefined;
}

function table(
  head: Omit<SourcedTable, 'rows' | 'rowOf'>,
  sources: Readonly<Record<string, Source>>,
  rows: readonly { readonly prefix: string }[],
  profileOf: (prefix: string) => Shown,
): SourcedTable {
  const sourced = rows.map(({ prefix }): SourcedRow => {
    const source = sources[prefix];
    if (source === undefined) throw new Error(`${head.title}: ${prefix} has no source`);
    const profile = profileOf(prefix);
    const { maxOutput } = profile;
    return { prefix, source, maxOutput, thinking: thinkingOf(profile), sampling: samplingOf(profile) };
  });
  return { ...head, rows: sourced, rowOf: (name) => rowOf(sourced, name) };
}

function ofHost(preset: keyof typeof HOST_SOURCES): SourcedTable {
  const host: HostRow = HOSTS[preset];
  const { root, models = [] } = host.endpoints.chatCompletions ?? {};
  const choice = host.hosts[0] === undefined ? { preset } : { host: host.hosts[0].replace('*', 'any') };
  return table(
    {
      title: `${host.title}, chatCompletions`,
      dialect: 'chatCompletions',
      lists: { api: root, sdk: preset === 'openai' ? 'openai' : undefined },
    },
    HOST_SOURCES[preset],
    models,
    (prefix) => dialects.chatCompletions.target(prefix, choice),
  );
}

/** All tables, the vendors' own dialects first. */
export function sourcedTables(): readonly SourcedTable[] {
  return [
    table(
      {
        title: 'Anthropic, messages',
        dialect: 'messages',
        lists: { sdk: 'anthropic', api: 'https://api.anthropic.com' },
      },
      MESSAGES_SOURCES,
      MESSAGES,
      (prefix) => dialects.messages.target(prefix),
    ),
    table(
      { title: 'OpenAI, responses', dialect: 'responses', lists: { sdk: 'openai', api: 'https://api.openai.com' } },
      RESPONSES_SOURCES,
      RESPONSES,
      (prefix) => dialects.responses.target(prefix),
    ),
    table(
      {
        title: 'Google, generateContent',
        dialect: 'generateContent',
        lists: { sdk: 'google', api: 'https://generativelanguage.googleapis.com' },
      },
      GENERATE_CONTENT_SOURCES,
      GENERATE_CONTENT,
      (prefix) => dialects.generateContent.target(prefix),
    ),
    ...(Object.keys(HOST_SOURCES) as (keyof typeof HOST_SOURCES)[]).map(ofHost),
  ];
}

/** What the weights of open models need on any server, by their flags. */
export function sourcedFamilies(): readonly {
  readonly prefix: string;
  readonly flags: string;
  readonly source: Source;
}[] {
  return FAMILIES.map(({ prefix, server }) => ({
    prefix,
    flags:
      Object.entries(server)
        .map(([flag, value]) => `\`${flag}: ${value}\``)
        .join(', ') || 'none of those below a shorter name',
    source: FAMILY_SOURCES[prefix],
  }));
}

const CONTROLS: Readonly<Record<Shown['thinking']['control'], string>> = {
  adaptive: '',
  effort: '',
  level: '',
  budget: 'by a budget',
  none: 'no',
};

function thinkingOf({ thinking }: Shown): string {
  const { control, canDisable, defaultOn, defaultLevel, levels, minBudget, betweenTools } = thinking;
  if (control === 'none') return CONTROLS.none;
  const words = [
    canDisable ? (defaultOn ? 'unless switched off' : 'if asked') : 'always',
    CONTROLS[control],
    minBudget !== undefined && control === 'budget' ? `from ${minBudget} tokens` : '',
    ...levels.map((level) => (level === defaultLevel ? `**${level}**` : level)),
    betweenTools === true ? 'or between tool calls' : '',
  ];
  return words.filter((word) => word !== '').join(', ');
}

function samplingOf({ sampling }: Shown): string {
  return sampling.length === 0 ? 'all' : sampling.map((word) => `\`${word}\``).join(', ');
}
