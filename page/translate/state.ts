import { batch, computed, signal } from '@preact/signals';
import type { Kind } from './kinds.js';
import type { DialectId } from './library.js';
import type { Range } from './spans.js';
import { followOwnTargets, MOST_OWN, ownTargets } from './targets/own.js';
import { MOST_TARGETS, type Target } from './targets/target.js';
import { createWorkClient, type WorkClient } from './work/client.js';
import type { Answered, DialectFacts, Followed, Mark, Read, Row, Rows, Shown, Side, Verdict } from './work/messages.js';

/** The text of the source, as it stands in its editor. */
export const text = signal('');
/** A kind and a dialect that were chosen; undefined = as the text shows. */
export const chosenKind = signal<Kind | undefined>(undefined);
export const chosenDialect = signal<DialectId | undefined>(undefined);
/** Of an error. */
export const status = signal(400);
export const strict = signal(false);
/** Features that strict lets go. */
export const allow = signal<readonly string[]>([]);
/** The model that the URL of a pasted request names. */
export const urlModel = signal<string | undefined>(undefined);
/** The feature names in a header of the client of a pasted request. */
export const betas = signal<readonly string[]>([]);
/** What was recognised when the text was pasted, in a sentence; '' = it was typed. */
export const said = signal('');

/** The targets that were chosen; undefined = those that fit the dialect of the source. */
export const chosenTargets = signal<readonly Target[] | undefined>(undefined);
export const selected = signal(0);

export const facts = signal<readonly DialectFacts[]>([]);
export const read = signal<Read | undefined>(undefined);
export const verdicts = signal<readonly (Verdict | undefined)[]>([]);
export const rows = signal<{ readonly rows: readonly Row[]; readonly beyond: number }>({ rows: [], beyond: 0 });
/** Where the rows are in the text of the source, in their order. */
export const places = signal<readonly Range[]>([]);
export const shown = signal<Shown | undefined>(undefined);
export const targetMarks = signal<readonly Mark[]>([]);
export const followed = signal<Followed | undefined>(undefined);
/** Of a stream, how many events are passed; undefined = all. */
export const passed = signal<number | undefined>(undefined);
export const busy = signal(true);
/** Why nothing is translated at all. */
export const broken = signal<string | undefined>(undefined);

/** The dialect of the source: as it was chosen, else as the text shows. */
export const dialect = computed(() => chosenDialect.value ?? read.value?.dialect);
export const kind = computed<Kind>(() => chosenKind.value ?? read.value?.kind ?? 'request');

/** What the source is judged for. */
export const targets = computed<readonly Target[]>(() => {
  if (chosenTargets.value !== undefined) return chosenTargets.value;
  const own = dialect.value;
  const others = facts.value.filter(({ id }) => id !== own);
  const usual = others.map(({ id, mainline }): Target => ({ dialect: id, model: mainline, host: '' }));
  const isUsual = ({ dialect: to, model }: Target): boolean =>
    usual.some((one) => one.dialect === to && one.model === model);
  const owned = ownTargets.value.filter((one) => !isUsual(one));
  return [...usual, ...owned.slice(0, MOST_OWN)].slice(0, MOST_TARGETS);
});

/** Whether each target refuses the source: a verdict changes with each key, this does not. */
export const refusedAt = computed(() =>
  verdicts.value.map((verdict) => (verdict?.state === 'refused' ? '×' : '=')).join(''),
);

/** The target whose translation is shown. */
export const target = computed<Target | undefined>(() => targets.value[selected.value] ?? targets.value[0]);

let client: WorkClient | undefined;

function hear(answer: Answered): void {
  switch (answer.type) {
    case 'facts':
      facts.value = answer.dialects;
      judge();
      break;
    case 'read':
      broken.value = undefined;
      hearRead(answer);
      break;
    case 'judged':
      verdicts.value = targets.value.map((_, index) =>
        index === answer.index ? answer.verdict : verdicts.value[index],
      );
      break;
    case 'shown':
      batch(() => {
        shown.value = answer;
        targetMarks.value = [];
        followed.value = undefined;
      });
      break;
    case 'rows':
      hearRows(answer);
      break;
    case 'marked':
      targetMarks.value = answer.marks;
      break;
    case 'followed':
      followed.value = answer;
      break;
    case 'done':
      busy.value = false;
      break;
  }
}

let rowsText = '[]';

/** Rows that are the same stay the same objects, which nobody draws again. */
function hearRows({ rows: next, places: at, beyond }: Pick<Rows, 'rows' | 'places' | 'beyond'>): void {
  batch(() => {
    if (next !== rowsText || beyond !== rows.value.beyond) {
      rowsText = next;
      rows.value = { rows: JSON.parse(next) as readonly Row[], beyond };
    }
    places.value = at;
  });
}

/** Where nothing can be translated, nothing of before stays. */
function forget(): void {
  batch(() => {
    verdicts.value = [];
    hearRows({ rows: '[]', places: [], beyond: 0 });
    shown.value = undefined;
    targetMarks.value = [];
    followed.value = undefined;
  });
}

function hearRead(answer: Read): void {
  const before = dialect.value;
  batch(() => {
    read.value = answer;
    if (answer.fault !== undefined || answer.problem !== undefined) forget();
  });
  // The targets are those of another dialect now.
  if (chosenTargets.value === undefined && dialect.value !== before) judge();
}

let due: ReturnType<typeof setTimeout> | undefined;

/** Has the source judged anew; `ms` later, unless asked again by then. */
export function judge(ms = 0): void {
  client ??= createWorkClient(hear, (words) => {
    // The next change asks for them again.
    if (words === undefined) client = undefined;
    broken.value =
      words === undefined
        ? 'The translators cannot be loaded: is the gateway still there? Load the page again.'
        : `The translators failed at this: ${words}`;
    forget();
    busy.value = false;
  });
  busy.value = true;
  clearTimeout(due);
  due = setTimeout(() => {
    if (facts.value.length === 0) return;
    if (selected.value >= targets.value.length) selected.value = 0;
    client?.judge({
      text: text.value,
      status: status.value,
      strict: strict.value,
      allow: allow.value,
      betas: betas.value,
      targets: targets.value,
      selected: selected.value,
      ...(chosenKind.value !== undefined && { kind: chosenKind.value }),
      ...(chosenDialect.value !== undefined && { dialect: chosenDialect.value }),
      ...(urlModel.value !== undefined && { model: urlModel.value }),
    });
  }, ms);
}

/** Judges for the gateway's own models too, as soon as they are known. */
export const followGateway = (): (() => void) =>
  followOwnTargets(
    () => facts.value.map(({ id }) => id),
    () => {
      if (chosenTargets.value === undefined) judge();
    },
  );

/** Shows the translation for a target. */
export function select(index: number): void {
  selected.value = index;
  if (client === undefined || broken.value !== undefined) {
    // Nothing is there of which another target could be shown.
    judge();
  } else {
    busy.value = true;
    client.select(index);
  }
}

/** Asks where the value at a place is on the other side; false = nobody is asked while the work goes on. */
export function follow(side: Side, offset: number): boolean {
  if (busy.value) return false;
  client?.follow({ side, offset });
  return true;
}

/** Changes the targets; they are kept in links. */
export function changeTargets(next: readonly Target[], index: number): void {
  batch(() => {
    chosenTargets.value = next.slice(0, MOST_TARGETS);
    selected.value = Math.max(0, Math.min(index, next.length - 1));
    verdicts.value = [];
  });
  judge();
}

/** Puts a feature on the list of what strict lets go, or takes it off. */
export function toggleAllowed(feature: string): void {
  const has = allow.value.includes(feature);
  batch(() => {
    allow.value = has ? allow.value.filter((one) => one !== feature) : [...allow.value, feature];
    if (!has) strict.value = true;
  });
  judge();
}

/** The header that asks the gateway for what strict does here. */
export const strictHeader = computed(() => {
  const list = allow.value.length === 0 ? '' : `;allow="${allow.value.join(' ')}"`;
  return strict.value ? `x-interlingua-losses: strict${list}` : '';
});
