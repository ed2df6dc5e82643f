import type { Part, ResultPart } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { CacheMark, JsonObject } from '../../canonical/node.js';
import type { CacheSettings, CanonicalRequest, Instruction, Turn } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isBlank } from '../../wire/blank.js';
import { isObject } from '../../wire/json.js';
import type { Sending } from '../../wire/members.js';

/**
 * Keeps the last marks that the profile allows, in the order tools, system, messages, and lowers an hour behind five
 * minutes to five minutes [M §3.33, §3.35]. Changes the body, which must not be shared. Returns whether there were any.
 */
export function limitMarks(body: JsonObject, request: CanonicalRequest, context: EncodeRequestContext): boolean {
  const { losses, target } = context;
  const marked = markedNodes(body);
  const automatic = body.cache_control !== undefined;
  const allowed = Math.max(0, target.cacheMarks - (automatic ? 1 : 0));
  const hasMarks = automatic || marked.length > 0;
  const dropped = marked.splice(0, Math.max(0, marked.length - allowed));
  for (const node of dropped) delete node.cache_control;
  const path = request.at?.turns ?? '';
  const taken = allowed === 0 ? 'no marks' : `${allowed} marks, the last are kept`;
  if (dropped.length > 0) losses.add(path, 'cache.mark', 'dropped', `the service takes ${taken}`);
  let short = false;
  let lowered = false;
  for (const node of marked) {
    const mark = node.cache_control;
    if (!isObject(mark)) continue;
    const ttl = mark.ttl === '1h' || mark.ttl === '5m' ? mark.ttl : undefined;
    if (mark.ttl !== undefined && ttl === undefined) lowered = true;
    const kept: string | undefined = ttl === '1h' && short ? undefined : ttl;
    lowered ||= kept !== ttl;
    short ||= kept !== '1h';
    node.cache_control = kept === undefined ? { type: 'ephemeral' } : { type: 'ephemeral', ttl: kept };
  }
  if (lowered)
    losses.add(
      path,
      'cache.ttl',
      'approximated',
      'the cache lifetime is five minutes because an earlier breakpoint has it',
    );
  return hasMarks;
}

/**
 * Every node that carries a mark, in the order in which the service reads them. Whether a result or what it holds
 * comes first is documented nowhere: the shorter mark is put in front, so that either order is legal.
 */
function markedNodes(body: JsonObject): JsonObject[] {
  const found: JsonObject[] = [];
  const visit = (nodes: unknown): void => {
    if (!Array.isArray(nodes)) return;
    for (const node of nodes) {
      if (!isObject(node)) continue;
      const mark = node.cache_control;
      const leads = isObject(mark) && mark.ttl !== '1h';
      if (leads) found.push(node as JsonObject);
      if (Array.isArray(node.content)) visit(node.content);
      if (mark !== undefined && !leads) found.push(node as JsonObject);
    }
  };
  visit(body.tools);
  visit(body.system);
  visit(body.messages);
  return found;
}

const HOURS = /^(\d+)h$/;

/** The mark at the top of a body, by which the service places marks itself (translation.md 2.2). */
export function encodeAutoCache(
  { auto, ttl }: CacheSettings,
  { request, context: { losses, target } }: Sending<EncodeRequestContext>,
): JsonObject | undefined {
  if (auto !== true && ttl === undefined) return undefined;
  if (target.cacheMarks < 1) {
    losses.add(request, 'cache.mark', 'dropped', 'the target does not support cache breakpoints');
    return undefined;
  }
  const hours = HOURS.exec(ttl ?? '')?.[1];
  const long = ttl === '1h' || (hours !== undefined && Number(hours) >= 12);
  if (ttl !== undefined && ttl !== '5m' && ttl !== '1h')
    losses.add(request, 'cache.ttl', 'approximated', 'prompts are cached for five minutes or an hour');
  return long ? { type: 'ephemeral', ttl: '1h' } : { type: 'ephemeral' };
}

/**
 * A foreign request whose cache marks on blank text move to what comes before: blank text is refused and left out (translation.md
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
  return part.kind === 'text' && part.cache !== undefined && isBlank(part.text);
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
    losses.add(part, 'cache.mark', 'moved', 'blank text cannot hold a cache breakpoint; moved to the preceding part');
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
    if (part === undefined || part.kind === 'reasoning' || (part.kind === 'text' && isBlank(part.text))) continue;
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
