import type { Part, ResultPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { CacheMark } from '../canonical/node.js';
import type { CanonicalRequest, Instruction, Turn } from '../canonical/request.js';

/**
 * A foreign request whose cache marks on blank text sit on what stands before: blank text is refused and goes (translation.md
 * 2.2, hard case TEXT-03). Requests without such marks are returned as they are.
 */
export function moveBlankMarks(request: CanonicalRequest, losses: Losses): CanonicalRequest {
  const holders = [...request.instructions, ...request.turns];
  if (!holders.some(({ parts }) => parts.some(needsMove))) return request;
  const done: (Instruction | Turn)[] = [];
  for (const holder of holders) {
    const settled = settle(holder.parts, losses);
    if (settled.outward !== undefined) markLast(done, settled.outward);
    done.push({ ...holder, parts: settled.parts } as Instruction | Turn);
  }
  const split = request.instructions.length;
  return {
    ...request,
    instructions: done.slice(0, split) as Instruction[],
    turns: done.slice(split) as Turn[],
  };
}

function needsMove(part: Part): boolean {
  return isBlankMarked(part) || (part.kind === 'result' && part.parts.some(isBlankMarked));
}

function isBlankMarked(part: Part): boolean {
  return part.kind === 'text' && part.cache !== undefined && part.text.trim() === '';
}

interface Settled {
  readonly parts: Part[];
  /** A mark that nothing in these parts can take. */
  readonly outward?: CacheMark;
}

function settle(parts: readonly Part[], losses: Losses): Settled {
  const out: Part[] = [];
  let outward: CacheMark | undefined;
  for (const given of parts) {
    const part = given.kind === 'result' ? settleResult(given, losses) : given;
    if (!isBlankMarked(part)) {
      out.push(part);
      continue;
    }
    losses.add(
      part.src?.ptr ?? '',
      'cache.mark',
      'moved',
      'blank text cannot carry it; it stands on what comes before',
    );
    out.push({ ...part, cache: undefined });
    if (!markIn(out, part.cache ?? {})) outward = part.cache;
  }
  return outward === undefined ? { parts: out } : { parts: out, outward };
}

/** A mark inside a result that holds nothing else falls on the result. */
function settleResult(part: ResultPart, losses: Losses): ResultPart {
  if (!part.parts.some(isBlankMarked)) return part;
  const { parts, outward } = settle(part.parts, losses);
  const settled = { ...part, parts: parts as ResultPart['parts'] };
  return outward === undefined || parts.some((child) => child.cache !== undefined)
    ? settled
    : { ...settled, cache: outward };
}

/** Puts the mark on the last part that can carry one. */
function markIn(parts: Part[], cache: CacheMark): boolean {
  for (let index = parts.length - 1; index >= 0; index -= 1) {
    const part = parts[index];
    if (part === undefined || part.kind === 'reasoning' || (part.kind === 'text' && part.text.trim() === '')) continue;
    parts[index] = { ...part, cache };
    return true;
  }
  return false;
}

function markLast(holders: (Instruction | Turn)[], cache: CacheMark): void {
  for (let index = holders.length - 1; index >= 0; index -= 1) {
    const holder = holders[index];
    if (holder === undefined) continue;
    const parts: Part[] = [...holder.parts];
    if (!markIn(parts, cache)) continue;
    holders[index] = { ...holder, parts } as Instruction | Turn;
    return;
  }
}
