import { packState } from '../adapt/state.js';
import type { ReasoningPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { StateEntry } from '../canonical/state.js';
import type { EncodeResponseContext } from '../dialect.js';

/**
 * State of another service on its way to a client of this dialect, which keeps it in thinking blocks (translation.md
 * 4.3). Both ways of an answer, streamed and whole, go through it.
 */
export interface Carriers {
  /** Whether the client is shown thinking at all (translation.md 4.3.5). */
  readonly shown: boolean;
  /** Lets entries wait for the next carrier; `ofPair`: they are those of a hosted pair, or of a picture, in front of them. */
  hold(entries: readonly StateEntry[] | undefined, ofPair?: boolean): void;
  /** True while entries wait. */
  readonly waiting: boolean;
  /** The signature of a block with shown thinking: everything that waits, or the word that there is no state. */
  signature(): string;
  /** Takes what waits; undefined when nothing does that is worth a block of its own. */
  take(): string | undefined;
  /** What waits at the end of the answer and may stand there in a block of its own (translation.md 4.3.4). */
  takeTrailing(): string | undefined;
  /** Says that something of a thought was left out for this client. */
  omit(path: string): void;
}

/** Says that reasoning was shown whose issuer gave no state, so that it is known as foreign when it comes back. */
const NO_STATE: StateEntry = { dialect: 'none', domain: 'none', kind: 'none', payload: '' };

/** Carriers for one answer. */
export function createCarriers({ request, losses, trailingState }: EncodeResponseContext): Carriers {
  const shown = request === undefined || request.tools.length > 0 || request.reasoning?.mode === 'on';
  let entries: StateEntry[] = [];
  /** Some of them belong to what was shown last. */
  let follows = false;
  let omitted = false;

  const omit = (path: string): void => {
    if (omitted) return;
    omitted = true;
    losses.add(
      path,
      'reasoning.state',
      'dropped',
      'a client that asks for neither tools nor thinking is shown no thinking',
    );
  };
  const pack = (): string => {
    const text = packState(unified(entries.length === 0 ? [NO_STATE] : entries));
    entries = [];
    follows = false;
    return text;
  };
  const isEmpty = (): boolean => entries.every((entry) => entry.kind === 'none');

  return {
    shown,
    omit,
    get waiting() {
      return entries.length > 0;
    },
    hold(added, ofPair = false) {
      if (added === undefined || added.length === 0) return;
      follows ||= ofPair;
      if (shown) entries.push(...added);
      else if (added.some((entry) => entry.kind !== 'none')) omit('');
    },
    signature: pack,
    take() {
      if (!isEmpty()) return pack();
      entries = [];
      return undefined;
    },
    takeTrailing() {
      if (isEmpty()) return undefined;
      // The state of a pair or of a picture is known only behind it (translation.md 4.3).
      if (trailingState === 'emit' || follows) return pack();
      entries = [];
      losses.add('', 'reasoning.state', 'dropped', 'the answer ends in state, and no part is left for it to ride on');
      return undefined;
    },
  };
}

/** One carrier names one issuer: entries that only say "no state" take the domain of the others. */
function unified(entries: readonly StateEntry[]): readonly StateEntry[] {
  const issuer = entries.find((entry) => entry.kind !== 'none') ?? entries[0];
  if (issuer === undefined) return entries;
  const { dialect, domain } = issuer;
  return entries.map((entry) => (entry.kind === 'none' ? { ...entry, dialect, domain } : entry));
}

/** Reports the full text of a thought, where its summary is shown in its place. */
export function reportThinking({ text, raw, src }: ReasoningPart, losses: Losses): void {
  if (hasWords(text) && hasWords(raw ?? []))
    losses.add(src?.ptr ?? '', 'reasoning.text', 'dropped', 'its summary is shown in place of the full text');
}

function hasWords(texts: readonly string[]): boolean {
  return texts.some((text) => text !== '');
}

/** Between two paragraphs of thinking, which are one text here. */
export const PARAGRAPH = '\n\n';

/** What is shown of a reasoning part: its summary, else its full text. */
export function shownThinking(part: ReasoningPart): string {
  const summary = part.text.filter((text) => text !== '');
  const paragraphs = summary.length > 0 ? summary : (part.raw ?? []).filter((text) => text !== '');
  return paragraphs.join(PARAGRAPH);
}
