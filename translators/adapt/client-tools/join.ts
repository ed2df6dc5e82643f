import { computerArguments, patchOperations } from '../../canonical/client-actions.js';
import type { CallPart, Part, ResultPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ClientFamily } from '../../canonical/tools.js';
import { showsDisplay } from './display.js';

/** Puts calls that were split together again, and their results. */
export interface Joiner {
  /** The parts of an assistant's turn, with neighbours `<id>_1`, `<id>_2`, ... as one call `<id>` (translation.md 2.8.1). */
  calls(parts: readonly Part[]): readonly Part[];
  /** A result as it is then: that of a whole call in the place of its first piece, none in that of the others. */
  result(part: ResultPart): ResultPart | undefined;
}

/** A joiner of calls of these families. `results` are those of the request by the ids of their calls; wholes are added. */
export function createJoiner(
  families: readonly ClientFamily[],
  results: Map<string, ResultPart>,
  losses: Losses,
): Joiner {
  /** The id of the whole call by that of each piece, and the ids of last pieces. */
  const wholes = new Map<string, string>();
  const lasts = new Set<string>();
  const told = new Set<string>();
  /** Wholes whose result holds the texts of several pieces. */
  const merged = new Set<string>();

  const join = (run: readonly CallPart[], first: CallPart): CallPart => {
    const callId = first.callId.slice(0, -2);
    for (const piece of run) wholes.set(piece.callId, callId);
    lasts.add(run.at(-1)?.callId ?? '');
    const given = run.flatMap((piece) => results.get(piece.callId) ?? []);
    if (first.family === 'patch' && given.length > 1) merged.add(callId);
    const result = joinResults(given, callId);
    if (result !== undefined) results.set(callId, result);
    const cache = run.findLast((piece) => piece.cache !== undefined)?.cache;
    return { ...first, callId, args: { value: joinedArguments(run, first) }, ...(cache && { cache }) };
  };

  return {
    calls(parts) {
      const out: Part[] = [];
      for (let place = 0; place < parts.length; ) {
        const run = runAt(parts, place, families);
        const [first] = run;
        const joins = first !== undefined && run.length > 1 && !results.has(first.callId.slice(0, -2));
        out.push(...(joins ? [join(run, first)] : parts.slice(place, place + 1)));
        place += joins ? run.length : 1;
      }
      return out;
    },
    result(part) {
      const whole = wholes.get(part.callId);
      const joined = whole === undefined ? undefined : results.get(whole);
      if (whole === undefined || joined === undefined) return part;
      const gone = part.isError === true && joined.isError !== true;
      if (gone || part.parts.some((child) => !isBlank(child) && !joined.parts.includes(child))) {
        losses.add(part, 'result.media', 'dropped', 'only the last image of all actions is sent');
      } else if (lasts.has(part.callId) ? merged.has(whole) && !told.has(whole) : !part.parts.every(isBlank)) {
        losses.add(part, 'result.place', 'moved', 'included in the result of the whole call');
      }
      const isFirst = !told.has(whole);
      told.add(whole);
      return isFirst ? joined : undefined;
    },
  };
}

function isBlank(part: Part): boolean {
  return part.kind === 'text' && part.text === '';
}

/** Ids that are a word and a number are a client's own count: no service gives such ones. */
function runAt(parts: readonly Part[], place: number, families: readonly ClientFamily[]): readonly CallPart[] {
  const first = parts[place];
  if (first?.kind !== 'call' || first.family === undefined || !families.includes(first.family)) return [];
  if (!first.callId.endsWith('_1') || /^[a-z]+_1$/i.test(first.callId)) return [];
  const base = first.callId.slice(0, -1);
  const run: CallPart[] = [];
  for (let at = place; at < parts.length; at += 1) {
    const part = parts[at];
    if (part?.kind !== 'call' || part.family !== first.family || part.callId !== `${base}${run.length + 1}`) break;
    if (part.args.value?.points !== first.args.value?.points) break;
    run.push(part);
  }
  return run;
}

function joinedArguments(run: readonly CallPart[], first: CallPart): JsonObject {
  if (first.family === 'patch') return { operations: run.flatMap(patchOperations) };
  const all = run.map(computerArguments);
  const checks = all.some((args) => args.checks === true);
  const actions = all.flatMap((args) => args.actions);
  return { actions, points: computerArguments(first).points, ...(checks && { checks }) };
}

/** The results of the pieces as that of the whole: the last display, or all texts. */
function joinResults(results: readonly ResultPart[], callId: string): ResultPart | undefined {
  const last = results.findLast(showsDisplay) ?? results.at(-1);
  if (last === undefined) return undefined;
  if (last.family !== 'patch') return { ...last, callId };
  const failed = results.some(({ isError }) => isError === true);
  return { ...last, callId, parts: results.flatMap(({ parts }) => parts), ...(failed && { isError: true }) };
}
