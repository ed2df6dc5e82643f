import { batch, effect, signal } from '@preact/signals';
import { address, keepShared } from '../frame/address.js';
import { example, loadExamples, textOfExample } from './examples.js';
import type { Kind } from './kinds.js';
import type { DialectId } from './library.js';
import { reindent } from './reindent.js';
import { fromFragment, type Shared, toFragment } from './share.js';
import {
  allow,
  betas,
  changeTargets,
  chosenDialect,
  chosenKind,
  chosenTargets,
  facts,
  judge,
  passed,
  read,
  said,
  selected,
  shown,
  status,
  strict,
  targets,
  text,
  urlModel,
} from './state.js';

/** The text as it was pasted, while it is shown in lines. */
export const pasted = signal<string | undefined>(undefined);

/** What a source is, beside its text. */
export interface About {
  readonly kind?: Kind;
  readonly dialect?: DialectId;
  readonly model?: string;
  readonly status?: number;
  readonly betas?: readonly string[];
  /** What was recognised, in a sentence. */
  readonly said?: string;
}

/** Puts another text in the place of the source. */
export function fill(next: string, about: About = {}): void {
  batch(() => {
    text.value = next;
    pasted.value = undefined;
    passed.value = undefined;
    chosenKind.value = about.kind;
    chosenDialect.value = about.dialect;
    urlModel.value = about.model;
    status.value = about.status ?? 400;
    betas.value = about.betas ?? [];
    said.value = about.said ?? '';
    unread.value = undefined;
    answer.value = undefined;
    example.value = undefined;
  });
  lent = true;
  judge();
}

/** How long a long text waits for the next key, in ms. */
const PAUSE_MS = 40;

/** Kind and dialect are those of an example, and not of a choice. */
let lent = false;

/** The source was changed by whoever types. What an example said of its text holds no longer when nothing of it is left. */
export function typed(next: string, anew: boolean): void {
  const isPasted = Math.abs(next.length - text.value.length) > PASTED;
  batch(() => {
    text.value = next;
    pasted.value = undefined;
    example.value = undefined;
    unread.value = undefined;
    answer.value = undefined;
    said.value = '';
    if (!anew) return;
    chosenKind.value = undefined;
    if (lent) chosenDialect.value = undefined;
    lent = false;
    urlModel.value = undefined;
    betas.value = [];
  });
  judge(PAUSE_MS);
  if (isPasted) void takeBody(next);
}

/** A change by more signs than this is no key: something was pasted. */
const PASTED = 8;

/** Why there is no body in what was pasted; undefined = there is, or it was typed. */
export const unread = signal<string | undefined>(undefined);

/** What the client got, where that was pasted with the request. */
export const answer = signal<(About & { readonly text: string }) | undefined>(undefined);

/** Takes the body out of what was pasted, whatever is around it, and says what it is. */
async function takeBody(given: string): Promise<void> {
  const { recognise } = await import('./recognise/index.js');
  const { body, answer: got, problem, wrapping, ...about } = await recognise(given);
  if (text.value !== given) return;
  if (wrapping === undefined || problem !== undefined) said.value = about.said;
  else fill(body, about);
  unread.value = problem;
  answer.value = got && { ...got, ...(about.dialect !== undefined && { dialect: about.dialect }) };
}

/** Opens a text that came out of a file. */
export function openText(given: string): void {
  fill(given);
  void takeBody(given);
}

/** Shows the source in lines, and again as it was pasted. */
export function toggleLines(): void {
  const before = pasted.value;
  batch(() => {
    pasted.value = before === undefined ? text.value : undefined;
    text.value = before ?? reindent(text.value);
  });
  judge();
}

/** Opens an example. */
export async function pick(index: number): Promise<void> {
  const found = (await loadExamples())[index];
  if (found === undefined) return;
  const { dialect, kind } = found;
  fill(textOfExample(found), { kind, dialect, ...(found.status !== undefined && { status: found.status }) });
  example.value = index;
}

/** The link to what is seen, which is put into the address. */
export async function share(): Promise<string> {
  const state: Shared = {
    text: text.value,
    kind: chosenKind.value,
    dialect: chosenDialect.value,
    status: status.value,
    strict: strict.value,
    allow: allow.value,
    selected: selected.value,
    ...(urlModel.value !== undefined && { model: urlModel.value }),
    ...(chosenTargets.value !== undefined && { targets: chosenTargets.value }),
    event: (shown.value?.events.length ?? 0) > 0 ? passed.value : undefined,
  };
  kept = await toFragment(state);
  keepShared(kept);
  return location.href;
}

/** The state of the address that is shown already. */
let kept: string | undefined;

/** Opens what the address says, or the first example. */
async function open(fragment: string): Promise<void> {
  if (fragment === kept) return;
  const restored = await fromFragment(
    fragment,
    facts.value.map(({ id }) => id),
  );
  kept = fragment;
  if (restored === undefined) {
    if (text.value === '') await pick(0);
    return;
  }
  batch(() => {
    strict.value = restored.strict;
    allow.value = restored.allow;
    chosenTargets.value = restored.targets;
    selected.value = restored.selected;
  });
  fill(restored.text, restored);
  passed.value = restored.event;
}

/** The words of the address whose target is shown already. */
let named = '';

/** Shows the target that a link names, as those of the view of models do: `#translate?dialect=…&model=…&host=…`. */
function showNamed(query: URLSearchParams): void {
  const [words, before] = [query.toString(), named];
  named = words;
  const dialect = facts.value.find(({ id }) => id === query.get('dialect'))?.id;
  if (dialect === undefined || words === before) return;
  const target = { dialect, model: query.get('model') ?? '', host: query.get('host') ?? '' };
  const others = targets.value.filter(
    ({ dialect: id, model, host }) => id !== dialect || model !== target.model || host !== target.host,
  );
  changeTargets([target, ...others], 0);
}

/** Follows the address from now on. Links wait for the dialects that there are; the first example does not. */
export function followAddress(): () => void {
  if (address.value.shared === '' && text.value === '') void pick(0);
  return effect(() => {
    const { shared, view, query } = address.value;
    if (view === 'translate' && facts.value.length > 0) void open(shared).then(() => showNamed(query));
  });
}

/** Whether the source is JSON that can be shown in lines. */
export const canBeLines = (): boolean =>
  read.value !== undefined &&
  read.value.fault === undefined &&
  read.value.kind !== 'stream' &&
  text.value.trim() !== '';
