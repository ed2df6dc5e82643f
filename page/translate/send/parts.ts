/** What a call needs of the library: it comes with the first one. */
import { explainLoss, type Loss, type LossKind } from '../library.js';
import { eventsOf } from '../stream/events.js';
import type { Tick } from '../stream/ticks.js';
import type { HeadLoss } from './head.js';
import { parsed } from './laid-out.js';
import type { ToldLoss } from './state.js';
import { type Tokens, tokensIn } from './tokens.js';

export { accountOf } from './account.js';
export { readHead } from './head.js';
export { laidOut } from './laid-out.js';
export { requestOf } from './request.js';

/** The tokens that an answer tells. */
export function tokensOf(text: string, isStream: boolean): Tokens {
  return tokensIn(isStream ? eventsOf(text).map(({ data }) => parsed(data)) : [parsed(text)]);
}

/** The events of a stream that came in pieces, each with the time of the piece that ended it, from the first one. */
export function ticksOf(pieces: readonly { readonly text: string; readonly at: number }[]): readonly Tick[] {
  const first = pieces[0]?.at ?? 0;
  let piece = 0;
  let length = pieces[0]?.text.length ?? 0;
  return eventsOf(pieces.map(({ text }) => text).join('')).map(({ name, bytes, said, end }) => {
    while (length < end && piece < pieces.length - 1) {
      piece += 1;
      length += pieces[piece]?.text.length ?? 0;
    }
    return { name, bytes, said, at: (pieces[piece]?.at ?? first) - first };
  });
}

const COMMENT = /^: interlingua-loss (\{.*\})\r?$/gm;

/**
 * The losses of a call with their sentences: those of the request in whole as the gateway explains them, else as the head names them; and
 * those that a stream tells in comments before its end.
 */
export function tellLosses(
  losses: readonly HeadLoss[],
  text = '',
  explained: readonly unknown[] = [],
): readonly ToldLoss[] {
  const told = [...explained, ...[...text.matchAll(COMMENT)].map(([, json = '']) => parsed(json))].flatMap(lossIn);
  const named = new Set(told.map(({ kind, feature }) => `${kind} ${feature}`));
  const others = losses.filter(({ kind, feature }) => !named.has(`${kind} ${feature}`));
  return [
    // Without its reason, of which the head says nothing.
    ...others.map((loss) => ({
      ...loss,
      sentence: explainLoss({ ...loss, detail: '' } as Loss).replace(/\s+\.$/, ''),
    })),
    ...told.map((loss) => ({ ...loss, count: 1, sentence: explainLoss(loss) })),
  ];
}

function lossIn(value: unknown): readonly Loss[] {
  const { feature, kind, path, detail } = Object(value) as Partial<Loss>;
  const known = typeof feature === 'string' && typeof kind === 'string' && kind in KINDS;
  return known ? [{ feature, kind, path: String(path ?? ''), detail: String(detail ?? '') }] : [];
}

const KINDS: Readonly<Record<LossKind, true>> = { dropped: true, approximated: true, moved: true, invented: true };
