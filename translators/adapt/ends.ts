import type { Part } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Turn } from '../canonical/request.js';
import type { Adaptation } from './adaptation.js';
import { type Arranged, arrange } from './pairing.js';

/** Merges neighbours of one speaker where the target wants that: the same list where there are none. Empty turns are gone before. */
export function mergeTurns(turns: readonly Arranged[], { rules }: Adaptation): readonly Arranged[] {
  if (!rules.mergeTurns) return turns;
  let last: Arranged | undefined;
  let out: Arranged[] | undefined;
  /** The parts of the last turn, once others have joined it. */
  let joined: Part[] | undefined;
  for (let index = 0; index < turns.length; index += 1) {
    const turn = turns[index];
    if (turn === undefined) continue;
    if (last === undefined || !joins(last, turn)) {
      last = turn;
      joined = undefined;
      out?.push(turn);
      continue;
    }
    out ??= turns.slice(0, index);
    if (joined === undefined) {
      joined = [...last.parts];
      last = { ...last, parts: joined };
      out[out.length - 1] = last;
    }
    for (const part of turn.parts) joined.push(part);
  }
  return out ?? turns;
}

function joins(last: Arranged, turn: Arranged): boolean {
  if (last.role !== turn.role || turn.role === 'instruction' || last.pure || turn.pure) return false;
  return !isEmpty(last) && !isEmpty(turn);
}

/** Services take an empty text where it is all that a turn holds, and refuse it next to anything else. */
export function isEmpty({ parts }: Arranged): boolean {
  return parts.every((part) => part.kind === 'text' && part.text === '' && part.state === undefined);
}

/** Makes the conversation begin and end as the target demands (translation.md 2.4, last rows). */
export function settleEnds(turns: readonly Arranged[], dangling: boolean, adaptation: Adaptation): Arranged[] {
  const { rules, context } = adaptation;
  const out = [...turns];
  const first = out[0];
  const last = out.at(-1);
  if (first === undefined || last === undefined) return out;
  // Later calls have a turn in front of them, so that what leads the conversation never depends on its length.
  const holdsCall = rules.userFirst === 'beforeCalls' && first.parts.some((part) => part.kind === 'call');
  if (first.role !== 'user' && (rules.userFirst === 'always' || holdsCall)) {
    context.losses.add(first.turn, 'turn.inserted', 'invented', 'the target requires a user turn first');
    out.unshift(userTurn('(conversation continues)', first.turn));
  }
  if (last.role === 'assistant') {
    const added = continuation(dangling, adaptation);
    if (added !== undefined) {
      context.losses.add(last.turn, added.feature, added.kind, 'the target does not continue assistant turns');
      out.push(userTurn(added.text, last.turn));
    }
  }
  return out;
}

interface Continuation {
  readonly text: string;
  readonly feature: 'turn.prefill' | 'turn.inserted';
  readonly kind: 'approximated' | 'invented';
}

/** What a user turn has to hold so that the model goes on after an assistant turn; undefined when none is needed. */
function continuation(dangling: boolean, { request, rules, context }: Adaptation): Continuation | undefined {
  if (dangling) return { text: 'Continue.', feature: 'turn.inserted', kind: 'invented' };
  const { prefill } = context.target;
  if (request.prefill === true) {
    return prefill
      ? undefined
      : {
          text: 'Continue your last message exactly where it stopped. Output only the continuation.',
          feature: 'turn.prefill',
          kind: 'approximated',
        };
  }
  if (rules.userLast === 'never' || (rules.userLast === 'unlessPrefill' && prefill)) return undefined;
  return { text: 'Continue.', feature: 'turn.inserted', kind: 'invented' };
}

function userTurn(text: string, near: Turn): Arranged {
  const part: Part = { kind: 'text', text, src: near.src };
  return arrange('user', near, [part]);
}

/** Refuses a conversation of which nothing is left for the model to answer (translation.md 0.10). */
export function requireUser(turns: readonly Arranged[], path: string): void {
  if (turns.some((turn) => turn.role !== 'instruction')) return;
  throw new TranslationError('unsupported', 'the conversation holds no user content for the model to answer', { path });
}
