import { FEATURES } from '../../translators/index.js';
import type { Direction, FeatureRow, Place, Report } from './report.js';

/** What a feature is, in one sentence. */
export function meaningOf(feature: string): string {
  return (FEATURES as Readonly<Record<string, string>>)[feature] ?? 'A key that only the dialect it came from has.';
}

/** The two ways as people call them. */
export const WAYS: Readonly<Record<Direction, string>> = { there: 'request', home: 'answer' };

/** A number with its thousands apart, in the same way on every machine. */
export function grouped(number: number): string {
  return number.toLocaleString('en-US', { maximumFractionDigits: 20 });
}

/** So many of a thing: `1 answer`, `2 answers`. */
function counted(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
}

/** A share of a whole in percent. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(share > 0 && share < 0.01 ? 2 : 1)} %`;
}

/** A file and a line. */
export function placeText({ file, line }: Place): string {
  return `${file}:${line}`;
}

/** Where a feature was lost first. */
export function firstText({ first }: FeatureRow): string {
  return `${placeText(first)} ${oneLine(first.path)}`.trimEnd();
}

/** Keys of a body are data: their control characters are shown escaped. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The name of a model, or what stands for none. */
export function modelText(model: string): string {
  return model === '' ? '(none named)' : oneLine(model);
}

/** The figures of a report in one sentence. */
export function summaryOf({ exchanges, clean, lossy, refused, unreadable, answers, partial }: Report): string {
  const figures = [
    counted(exchanges, 'exchange'),
    `${grouped(clean)} without loss`,
    `${grouped(lossy)} with losses`,
    `${grouped(refused)} that cannot go`,
    ...(answers > 0 ? [counted(answers, 'answer')] : []),
    ...(unreadable > 0 ? [`${grouped(unreadable)} unreadable ${unreadable === 1 ? 'entry' : 'entries'}`] : []),
  ];
  return `${figures.join(', ')}${partial ? '; interrupted, so that this is a part' : ''}`;
}
