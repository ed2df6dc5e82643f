import { FEATURES } from '../../../translators/index.js';
import type { Direction, FeatureRow, JudgedAs, ModelRow, Place, RefusalRow, Report } from './report.js';

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

/**
 * Names in a body and of files are data: what would command a terminal, break a line or turn the direction of writing is shown
 * escaped.
 */
export function oneLine(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** A report, or reports, as JSON: what stands between its members alone breaks lines. */
export function jsonOf(value: unknown): string {
  return `${JSON.stringify(value, null, 2).split('\n').map(oneLine).join('\n')}\n`;
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

/** What a model was judged as. */
export function targetText({
  target: { model: name, profile, host },
  model,
}: Pick<ModelRow, 'model' | 'target'>): string {
  const taken = profile === '' ? '' : ` with the abilities of ${oneLine(profile)}`;
  return `${modelText(name === '' ? model : name)}${taken}${host === '' ? '' : ` at ${oneLine(host)}`}`;
}

/** So many targets are named in a sentence. */
const TARGETS = 4;

/** For which target a report holds, in sentences. */
export function targetsOf({ models }: Report): string {
  const named = models.filter(({ target }) => target.model !== '' || target.profile !== '' || target.host !== '');
  const texts = [...new Set(named.map(targetText))];
  const more = texts.length - TARGETS;
  const others = more > 0 ? ` and ${counted(more, 'other')}` : '';
  const own =
    named.length < models.length || models.length === 0 ? ['models of the recorded names (--model names others)'] : [];
  const list = [...texts.slice(0, TARGETS), ...own].join(', ');
  return [`Judged for ${list}${others}.`, ...rulesOf(models.map(({ target }) => target))].join(' ');
}

function rulesOf(targets: readonly JudgedAs[]): string[] {
  const unknown = [...new Set(targets.filter(({ checked }) => !checked).map(({ host }) => oneLine(host)))];
  if (unknown.length > 0) return [`What ${unknown.join(', ')} refuses beyond the translation is not known.`];
  return ["What the vendor's own service refuses counts as refused."];
}

/** How often and where a reason was met. */
export function timesText(row: RefusalRow): string {
  const first = placeText(row);
  return row.exchanges === 1 ? first : `${counted(row.exchanges, 'exchange')}, first ${first}`;
}

/** Who refuses, where that is not the translation. */
export function byText({ by }: RefusalRow): string {
  return by === 'service' ? 'refused by the service: ' : '';
}

/** What stands for reasons that are not listed; nothing where all are. */
export function beyondText(exchanges: number): string[] {
  return exchanges === 0 ? [] : [`${counted(exchanges, 'more exchange')} for further reasons`];
}

/** The heading of what the recorded service itself refuses. */
export function homeTitle({ from }: Report): string {
  return `What the service of ${from} refuses itself`;
}

/** The heading of what could not be read, of which the first is listed. */
export function unreadTitle({ unread, unreadable }: Report): string {
  const title = 'What could not be read';
  return unread.length === unreadable ? title : `${title}: the first ${unread.length} of ${grouped(unreadable)}`;
}
