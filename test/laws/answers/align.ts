import type { Part } from '../../../translators/canonical/content.js';
import type { Loss } from '../../../translators/canonical/loss.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import type { Held, Item, Thought, Token, View } from './norm.js';

/** An item of the source and what became of it; none where a loss says that it was dropped whole. */
export interface Match {
  readonly from: Item;
  readonly to: Item | undefined;
}

/** What stands between two items that a client sees. */
export interface Gap {
  readonly thoughts: readonly Thought[];
  readonly states: readonly Held[];
}

export interface Alignment {
  readonly matches: readonly Match[];
  readonly gaps: readonly { readonly from: Gap; readonly to: Gap }[];
  readonly complaints: readonly string[];
}

/** Features whose `dropped` entry says that nothing of a part is left. */
const WHOLE: ReadonlySet<string> = new Set([
  'hosted.call',
  'hosted.output',
  'part.opaque',
  'part.approval',
  'part.compaction',
  'part.handover',
  'handover',
  'part.media',
  'call.truncated',
]);

/** Whether the losses say that an item is not in the answer. A dropped hosted call takes its result with it. */
export function isDropped(item: Item, losses: readonly Loss[], parts: readonly Part[]): boolean {
  const callId = item.kind === 'hostedResult' ? callIdOf(item.parts[0]) : undefined;
  const call = parts.find((part) => part.kind === 'hostedCall' && part.callId === callId);
  return losses.some(({ path, feature, kind }) => {
    if (kind !== 'dropped') return false;
    if (feature === 'hosted.output' && item.kind !== 'hostedResult') return false;
    if (feature === 'hosted.call' && call !== undefined && path === call.src?.ptr) return true;
    return WHOLE.has(feature) && item.ptrs.includes(path);
  });
}

function callIdOf(part: Part | undefined): string | undefined {
  return part !== undefined && 'callId' in part ? part.callId : undefined;
}

/** Pairs what was said with what is read, in order. Texts that were cut at citations are put together again. */
export function align(from: View, to: View, client: DialectId, dropped: (item: Item) => boolean): Alignment {
  const complaints: string[] = [];
  const matches: Match[] = [];
  const kept: Token[] = [];
  for (const token of from.tokens) {
    if (token.type === 'item' && dropped(token)) matches.push({ from: token, to: undefined });
    else kept.push(token);
  }
  const wanted = kept.filter((token): token is Item => token.type === 'item');
  const read = joined(to.tokens, wanted);
  const got = read.filter((token): token is Item => token.type === 'item');
  if (wanted.length !== got.length) {
    complaints.push(`parts: ${wanted.map(kindOf).join()} became ${got.map(kindOf).join()}`);
    return { matches, gaps: [], complaints };
  }
  for (const [index, item] of wanted.entries()) matches.push({ from: item, to: got[index] });
  // State waits behind hosted pairs for the next part that can carry it (translation.md 4.3).
  const waits = wanted.map((item) => has(client, 'stateWaits') && item.parts.some(isHosted));
  const before = gapsOf(kept, waits);
  const after = gapsOf(read, waits);
  const gaps = before.map((gap, index) => ({ from: gap, to: after[index] ?? { thoughts: [], states: [] } }));
  return { matches, gaps, complaints };
}

function isHosted({ kind }: Part): boolean {
  return kind === 'hostedCall' || kind === 'hostedResult';
}

function kindOf(item: Item): string {
  return `${item.kind}@${item.ptrs[0] ?? ''}`;
}

function gapsOf(tokens: readonly Token[], waits: readonly boolean[]): Gap[] {
  const gaps: { thoughts: Thought[]; states: Held[] }[] = [{ thoughts: [], states: [] }];
  for (const token of tokens) {
    const last = gaps.at(-1);
    if (token.type === 'item') {
      const waiting = waits[gaps.length - 1] === true ? (last?.states.splice(0) ?? []) : [];
      gaps.push({ thoughts: [], states: waiting });
    } else if (token.type === 'thought') last?.thoughts.push(token);
    else last?.states.push(token);
  }
  return gaps;
}

function joined(tokens: readonly Token[], wanted: readonly Item[]): Token[] {
  const out: Token[] = [];
  let place = 0;
  for (const token of tokens) {
    const last = out.at(-1);
    const goal = String(wanted[place - 1]?.facts.text ?? '');
    if (
      token.type === 'item' &&
      token.kind === 'text' &&
      last?.type === 'item' &&
      last.kind === 'text' &&
      String(last.facts.text).length < goal.length
    ) {
      out[out.length - 1] = {
        ...last,
        ptrs: [...last.ptrs, ...token.ptrs],
        parts: [...last.parts, ...token.parts],
        facts: { ...last.facts, text: `${String(last.facts.text)}${String(token.facts.text)}` },
      };
      continue;
    }
    if (token.type === 'item') place += 1;
    out.push(token);
  }
  return out;
}
