import { join } from 'node:path';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { animatedPng, gif, jpeg, palettePng, png, webp } from '../support/pictures.js';
import { type Row, tablesIn } from '../support/tables.js';
import { filePart, type SentPart } from './form.js';

/** One rule of the base specification: a request that keeps it, and one that breaks it. */
export interface Rule {
  readonly rule: string;
  readonly route: string;
  readonly model: string;
  readonly good: Request;
  readonly bad: Request;
  /** The parameter that the refusal names. */
  readonly param: string;
  readonly code?: string;
}

/** Fields of a JSON body, or the parts of a form. */
export type Request = Readonly<Record<string, unknown>> | readonly SentPart[];

const MB = 1024 * 1024;
const KINDS = { png, jpeg, webp, gif };

/** Pictures with a name of their own; the others are a kind and a size. */
const NAMED: Readonly<Record<string, () => readonly [bytes: Buffer, filename?: string, type?: string]>> = {
  square: () => [png()],
  opaque: () => [png({ alpha: false })],
  palette: () => [palettePng()],
  animated: () => [animatedPng()],
  blank: () => [Buffer.alloc(0), ''],
  empty: () => [Buffer.alloc(0), 'a.png', 'image/png'],
  svg: () => [Buffer.from('<svg xmlns="x"/>'), 'a.png', 'image/png'],
  headless: () => [Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0])],
};

function partOf(name: string, words: string): SentPart {
  const named = NAMED[words];
  if (named !== undefined) return filePart(name, ...named());
  const [, kind, width, height, bound, size] =
    /^(png|jpeg|webp|gif)(?: (\d+)x(\d+)| (below|of) (\d+) MB)?$/.exec(words) ?? [];
  if (kind === undefined) return { name, value: words };
  const bytes = size === undefined ? 0 : Number(size) * MB - (bound === 'below' ? 1 : 0);
  const sides = width === undefined ? {} : { width: Number(width), height: Number(height) };
  return filePart(name, KINDS[kind as keyof typeof KINDS]({ ...sides, bytes }));
}

/** The parts of a form: `name=value`, `3 x name=value`. */
function partsOf(cell: string): SentPart[] {
  return listed(cell).flatMap((text) => {
    const [, times = 1, name = '', words = ''] = /^(?:(\d+) x )?([^=]+)=(.*)$/.exec(text) ?? [];
    return Array.from({ length: Number(times) }, () => partOf(name, words));
  });
}

const listed = (cell: string): string[] => (cell === '' ? [] : cell.split(', '));

/** JSON, or a word. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const PROMPT = { name: 'prompt', value: 'x' };

/** The requests of a row of each table. */
const RULES_OF: Readonly<Record<string, (row: Row) => readonly Omit<Rule, 'model'>[]>> = {
  Members({ member = '', taken = '', refused = '' }) {
    const good = listed(taken).map(readValue);
    return listed(refused).map((text, index) => ({
      rule: `${member} ${JSON.stringify(readValue(text))}`.slice(0, 60),
      route: 'generations',
      good: { prompt: 'x', [member]: good[index % good.length] },
      bad: { prompt: 'x', [member]: readValue(text) },
      param: member,
    }));
  },
  Prompts: ({ most }) => [
    {
      rule: `prompt of up to ${most} characters`,
      route: 'generations',
      good: { prompt: '🐈'.repeat(Number(most)) },
      bad: { prompt: 'x'.repeat(Number(most) + 1) },
      param: 'prompt',
      code: 'string_above_max_length',
    },
  ],
  Bodies: ({ rule = '', taken = '', refused = '', param = '' }) => [
    { rule, route: 'generations', good: JSON.parse(taken), bad: JSON.parse(refused), param },
  ],
  Forms({ route = '', rule = '', taken = '', refused = '', param = '' }) {
    const first = route === 'edits' ? [PROMPT] : [];
    return [{ rule, route, good: [...first, ...partsOf(taken)], bad: [...first, ...partsOf(refused)], param }];
  },
};

/** The rules of family-rules.md. */
export const RULES: readonly Rule[] = Object.entries(
  tablesIn(join(PACKAGE_ROOT, 'test/media/family-rules.md')),
).flatMap(([table, rows]) =>
  rows.flatMap((row) =>
    listed(row.models ?? '').flatMap((model) =>
      (RULES_OF[table]?.(row) ?? []).map((rule) => ({ ...rule, model, ...(row.code && { code: row.code }) })),
    ),
  ),
);
