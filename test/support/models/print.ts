import { installedLists } from './lists.js';
import { ageOf, marksOf, namesWithoutRow, OLD } from './marks.js';
import { sourcedFamilies, sourcedTables } from './rows.js';

/**
 * The table of `npm run models`: every row with its age in days and what speaks against it, then the names that the official clients
 * below `root` list and that have no row. `today` as `2026-11-28`.
 */
export function printed(root: string, today: string): string {
  const lists = installedLists(root);
  const rows = [
    ...sourcedTables().flatMap((table) =>
      table.rows.map((row) => ({ title: table.title, ...row, marks: marksOf(row, table, lists, today) })),
    ),
    ...sourcedFamilies().map((row) => {
      const age = ageOf(row.source.checked, today);
      return { title: 'open weights', ...row, marks: age > OLD ? [`${age} days old`] : [] };
    }),
  ];
  const lines = rows.map(({ title, prefix, source, marks }) =>
    [
      marks.length > 0 ? '!' : ' ',
      title.padEnd(32),
      prefix.padEnd(42),
      `${ageOf(source.checked, today)} d`.padStart(6),
      ` ${[source.page, ...marks].join('; ')}`,
    ].join(' '),
  );
  const marked = rows.filter(({ marks }) => marks.length > 0).length;
  const without = sourcedTables().flatMap((table) => {
    const names = namesWithoutRow(table, lists);
    return names.length === 0 ? [] : [`${table.title}: ${names.join(', ')}`];
  });
  return [
    ...lines,
    '',
    `${rows.length} rows, ${marked} marked (!): older than ${OLD} days, in no list of names, or against the windows of @pydantic/genai-prices`,
    '',
    'Names in the official clients without a row, taken for the newest:',
    ...without,
  ].join('\n');
}
