import { familyName } from '../../../translators/target/profile.js';
import type { ModelLists } from './lists.js';
import type { SourcedRow, SourcedTable } from './rows.js';

/** Days after which a row is to be compared with its source again. */
export const OLD = 90;

const DAY = 86_400_000;

/** Whole days from the day of a source to `today`, both as `2026-11-28`. */
export function ageOf(checked: string, today: string): number {
  return Math.round((Date.parse(today) - Date.parse(checked)) / DAY);
}

/** What speaks against a row: its age, another window in the package of prices, or that no list has a name of it. */
export function marksOf(row: SourcedRow, table: SourcedTable, lists: ModelLists, today: string): readonly string[] {
  const age = ageOf(row.source.checked, today);
  const priced = pricedOf(table, lists).filter(({ names }) => names.some((name) => isOf(row, table, name)));
  const named = sdkNames(table, lists).some((name) => isOf(row, table, name));
  const listed = pricedOf(table, lists).length > 0 || sdkNames(table, lists).length > 0;
  return [
    ...(age > OLD ? [`${age} days old`] : []),
    ...(listed && !named && priced.length === 0 ? ['in no list of names'] : []),
    ...priced.flatMap(({ names, window }) => windowMarks(row, names[0] ?? '', window)),
  ];
}

/** Models of a family that speak, listen or draw alone, which its row does not mean. */
const NO_TEXT = /-(?:tts|realtime|transcribe|live|native-audio|image)/;

/** The names that the vendor's client lists and that have no row, so that they are taken for the newest. */
export function namesWithoutRow(table: SourcedTable, lists: ModelLists): readonly string[] {
  return [...new Set(sdkNames(table, lists))].filter((name) => table.rowOf(familyName(name)) === undefined);
}

function windowMarks({ source, maxOutput = 0 }: SourcedRow, name: string, window: number | undefined) {
  if (window === undefined) return [];
  return [
    ...(source.window !== undefined && source.window !== window
      ? [`the package says a window of ${window} for ${name}`]
      : []),
    ...(maxOutput > window ? [`the package says a window of ${window} for ${name}, less than its output`] : []),
  ];
}

function isOf(row: SourcedRow, table: SourcedTable, name: string): boolean {
  return table.rowOf(familyName(name)) === row;
}

function sdkNames({ lists: { sdk } }: SourcedTable, lists: ModelLists): readonly string[] {
  return sdk === undefined ? [] : lists.sdk(sdk);
}

function pricedOf({ lists: { api } }: SourcedTable, lists: ModelLists): ReturnType<ModelLists['priced']> {
  if (api === undefined) return [];
  return lists.priced(api).filter(({ names }) => !names.some((name) => NO_TEXT.test(name)));
}
