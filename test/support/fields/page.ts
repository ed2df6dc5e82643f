import { type DialectId, dialectIds } from '../../../translators/index.js';
import { fateOf } from './fate.js';
import { DOCUMENTED } from './index.js';

const HEAD = `# Every field of a request

What becomes of each field that the official clients know, and of each setting of a request, by the dialect that it comes from: of a value that is not the default,
with a current model as the target. The words are those of [features.md](features.md); \`-\` means that the value says nothing to the
target. A test writes this page (\`UPDATE=1\`), and fails when it is stale.
`;

/** The page of all documented fields, as Markdown. */
export function fieldsPage(): string {
  return [HEAD, ...dialectIds.map(section)].join('\n');
}

function section(from: DialectId): string {
  const targets = dialectIds.filter((to) => to !== from);
  const rows = DOCUMENTED[from].flatMap((documented) =>
    Object.keys(documented.fields).map((field) => [
      documented.name,
      `\`${field}\``,
      ...targets.map((to) => {
        const fate = fateOf(from, to, documented, field);
        return fate === 'silent' ? '-' : fate;
      }),
    ]),
  );
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const head = ['of', 'field', ...targets.map((to) => `to ${to}`)];
  return [`## ${from}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}
