import { adviceFor } from '../../../translators/advice.js';
import type { DialectId } from '../../../translators/index.js';
import type { FakeDialectName } from '../fake-backend/index.js';
import {
  ANSWERS,
  REQUESTS,
  type Translate,
  translatedAnswer,
  translatedRequest,
  type Verdict,
  verdictOf,
} from '../support-table/index.js';
import type { Area } from '../support-table/rows.js';
import { configurationOf, programOf, shown } from './programs.js';

/** The guide for a move from one dialect to another, as Markdown. */
export function guideOf(from: FakeDialectName, to: FakeDialectName): string {
  const there = judged(REQUESTS, from, to, translatedRequest);
  const home = judged(ANSWERS, to, from, translatedAnswer);
  return `# From ${from} to ${to}

This page is for code that calls ${shown(from, 'models')} with \`${shown(from, 'sdk')}\`, and that is to use ${shown(to, 'models')}.
There are two ways: keep the code and let the gateway translate, or change the code. Both programs below, and this one, run in the tests.

Before:

${fenced('js', programOf(from, 'vendor'))}

## Keep the code

The gateway gets the address and the key of the new service, and says which of its models stands behind the old names:

${fenced('yaml', configurationOf(from, to))}

In the program one line changes:

${fenced('js', programOf(from, 'gateway'))}

Each answer says in its headers what was lost on its way (\`x-interlingua-losses\`); with \`x-interlingua-losses: strict\` such a request is
refused instead, and \`x-interlingua-explain: true\` shows what would be sent.

## Change the code

${fenced('js', programOf(to, 'vendor'))}

## What is carried

${carried(there)}

## What changes in requests, and the way out

${changes(there)}

## What changes in answers, and the way out

Answers of ${to} as a client of ${from} gets them. ${changes(home) === NOTHING ? '' : 'What is not in the table is carried.'}

${changes(home)}

## Look at your own traffic

\`\`\`sh
interlingua migrate --from ${from} --to ${to} --out report traffic.jsonl
\`\`\`

[The page on migration](../migration.md) says how traffic is recorded and what the report holds. [All features](../features.md) in all directions.
`;
}

interface Judged {
  readonly area: string;
  readonly feature: string;
  readonly verdict: Verdict;
}

function judged(areas: readonly Area[], from: DialectId, to: DialectId, translate: Translate): readonly Judged[] {
  return areas.flatMap(({ name, rows }) =>
    rows.map((row) => ({ area: name, feature: row.feature, verdict: verdictOf(from, to, row, translate) })),
  );
}

function carried(rows: readonly Judged[]): string {
  const areas = new Map<string, string[]>();
  for (const { area, feature, verdict } of rows) {
    if (verdict.word === 'carried') areas.set(area, [...(areas.get(area) ?? []), feature]);
  }
  return [...areas].map(([area, features]) => `- **${area}**: ${features.join('; ')}`).join('\n');
}

const NOTHING = 'Nothing.';

function changes(rows: readonly Judged[]): string {
  const lines = rows.flatMap(({ feature, verdict }) => {
    const { word, loss, reason } = verdict;
    if (word === 'carried' || word === '-') return [];
    const what = loss === undefined ? `${word}: ${reason ?? ''}` : `${word}: ${loss.detail}`;
    return [`| ${[feature, escaped(what), escaped(wayOut(verdict))].join(' | ')} |`];
  });
  if (lines.length === 0) return NOTHING;
  return ['| Feature | What happens | The way out |', '| --- | --- | --- |', ...lines].join('\n');
}

function wayOut({ word, loss }: Verdict): string {
  if (loss !== undefined) return adviceFor(loss);
  if (word === 'error') return 'Handle it as the error that it is.';
  return 'Say it in another form, or keep the old service for requests that need it.';
}

function escaped(text: string): string {
  return text.replaceAll('|', '\\|').replace(/[<>]/g, '\\$&');
}

function fenced(language: string, code: string): string {
  return `\`\`\`${language}\n${code}\`\`\``;
}
