import { type SourcedRow, sourcedFamilies, sourcedTables } from './rows.js';
import type { Source } from './sources.js';

const HEAD = `# Models

What interlingua knows of models by their names: one row for each family that differs, with the page that says so and the day on which somebody
compared the two. The longest name that a model begins with decides; a name that ends in a digit is a version, so that \`claude-opus-5\` says
nothing of \`claude-opus-5-5\`. A newer name of a vendor has no row and is treated as the strictest of its newest models
([profile flags](configuration.md#profile-flags)); \`interlingua check\` says for which models that is so, and \`profile\` of the configuration
overrides any of it.

- **Reasons**: whether it can be kept from it, and the efforts that it takes; the usual one is bold.
- **Sampling**: the settings that it takes, in the words of the [profile flags](configuration.md#profile-flags).
- **Output**: the largest, in tokens; a larger cap is lowered to it. **Window**: input and output together, where the page gives one of the
  whole family; the gateway [takes the output from here, and no window](configuration.md#what-is-known-of-models).

A test writes this page from the tables (\`UPDATE=1\`), and fails when it is stale.
`;

/** The text of docs/models.md. */
export function modelsPage(): string {
  const tables = sourcedTables().map(({ title, rows }) =>
    [
      `## ${title}`,
      '',
      '| Names | Reasons | Sampling | Output | Window | Source |',
      '|---|---|---|---|---|---|',
      ...rows.map(rowOf),
    ].join('\n'),
  );
  const families = [
    '## Open weights',
    '',
    'What the template of a model needs on any server of chatCompletions that says nothing else, by [server flags](configuration.md#server-flags).',
    '',
    '| Names | Flags | Source |',
    '|---|---|---|',
    ...sourcedFamilies().map(({ prefix, flags, source }) => `| \`${prefix}*\` | ${flags} | ${shown(source)} |`),
  ].join('\n');
  return `${[HEAD.trimEnd(), ...tables, families].join('\n\n')}\n`;
}

function rowOf({ prefix, thinking, sampling, maxOutput, source }: SourcedRow): string {
  const cells = [`\`${prefix}*\``, thinking, sampling, tokens(maxOutput), tokens(source.window), shown(source)];
  return `| ${cells.join(' | ')} |`;
}

function shown({ page, checked }: Source): string {
  return `[${new URL(page).hostname}](${page}), ${checked}`;
}

function tokens(count: number | undefined): string {
  return count === undefined ? '–' : count.toLocaleString('en-US');
}
