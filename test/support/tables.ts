import { readFileSync } from 'node:fs';

/** A row of a table, by the words above its columns. */
export type Row = Readonly<Record<string, string>>;

/**
 * The tables of a markdown file, by the heading above them; of two below one heading the rows are one list. Cells come
 * without backquotes around them, and `\|` in them is `|`.
 */
export function tablesIn(path: string): Readonly<Record<string, readonly Row[]>> {
  const tables: Record<string, Row[]> = {};
  let heading = '';
  let columns: readonly string[] | undefined;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    heading = /^#+ (.*)$/.exec(line)?.[1] ?? heading;
    if (!line.startsWith('|')) columns = undefined;
    else if (columns === undefined) columns = cellsOf(line);
    else if (!/^[|\s:-]+$/.test(line)) {
      const cells = cellsOf(line);
      if (cells.length !== columns.length) throw new Error(`${path}: a row of ${cells.length} cells: ${line}`);
      tables[heading] ??= [];
      tables[heading]?.push(Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? ''])));
    }
  }
  return tables;
}

function cellsOf(line: string): string[] {
  const cells = line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/);
  return cells.map((cell) =>
    cell
      .trim()
      .replaceAll('\\|', '|')
      .replace(/^`(.*)`$/, '$1'),
  );
}
