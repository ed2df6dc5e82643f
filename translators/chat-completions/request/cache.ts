import { breakpointOf, reportLives, reportLostMarks } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import { type CacheMark, type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isBlank } from '../../wire/blank.js';
import { encodeMark } from '../nodes.js';

/** Servers take so many marks; those nearest to the end of a prompt save the most. */
const MOST = 4;

/**
 * The parts of an arranged request whose cache marks are sent, with the keys for them: the last four, at servers that take
 * any (translation.md 2.2). Marks on tools, on calls and on what the assistant said have no place in this dialect.
 */
export function encodeMarks(
  { tools, instructions, turns }: CanonicalRequest,
  { losses, target }: EncodeRequestContext,
): ReadonlyMap<Part, JsonObject> {
  const able: { readonly part: Part; readonly cache: CacheMark; readonly of: Part }[] = [];
  const lost: string[] = tools.flatMap((tool) => (tool.cache === undefined ? [] : [ptrOf(tool)]));
  const visit = (part: Part): void => {
    if (part.kind === 'result') part.parts.forEach(visit);
    if (part.cache === undefined) return;
    const place = part.kind === 'result' ? part.parts.findLast(canHold) : part;
    if (place === undefined || !canHold(place)) lost.push(ptrOf(part));
    else able.push({ part: place, cache: part.cache, of: part });
  };
  for (const instruction of instructions) instruction.parts.forEach(visit);
  for (const { role, parts } of turns) {
    if (role !== 'assistant') parts.forEach(visit);
    else for (const part of parts) if (part.cache !== undefined) lost.push(ptrOf(part));
  }
  const count = Math.min(MOST, target.cacheMarks);
  const sent = able.slice(able.length - Math.min(count, able.length));
  for (const { of } of able.slice(0, able.length - sent.length)) lost.push(ptrOf(of));
  for (const { part, of } of sent) {
    if (part !== of)
      losses.add(of, 'cache.mark', 'moved', 'the cache breakpoint is set on the last text of the result');
  }
  reportLostMarks(lost, losses);
  const key = target.cacheBreakpoints ? 'prompt_cache_breakpoint' : 'cache_control';
  if (key === 'cache_control') return new Map(sent.map(({ part, cache }) => [part, { [key]: encodeMark(key, cache) }]));
  reportLives(
    sent.map(({ of }) => of),
    losses,
  );
  return new Map(sent.map(({ part, cache }) => [part, { [key]: breakpointOf(cache) }]));
}

function canHold(part: Part): boolean {
  return part.kind === 'media' || (part.kind === 'text' && !isBlank(part.text));
}
