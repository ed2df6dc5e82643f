import type { CompactionPart, ReasoningPart } from '../canonical/content.js';
import type { JsonObject } from '../canonical/node.js';
import type { StateEntry } from '../canonical/state.js';
import { isCarrier } from '../wire/carrier.js';
import { isObject, parseJson } from '../wire/json.js';
import { check, DIALECT, hasShape, keep, keysOf, type Mutable, restore } from './nodes.js';
import type { Scope } from './scope.js';
import * as wire from './wire.js';

const THINKING = keysOf(wire.thinking);
const REDACTED = keysOf(wire.redactedThinking);
const COMPACTION = keysOf(wire.compaction);

/** A thinking block. A signature that is a carrier is not opened here (translation.md 4.2). */
export function decodeThinking(node: JsonObject, ptr: string, scope: Scope): ReasoningPart {
  const block = check(wire.thinking, node, ptr);
  const { signature } = block;
  const part: Mutable<ReasoningPart> = {
    kind: 'reasoning',
    text: block.thinking === '' ? [] : [block.thinking],
    ...keep(node, THINKING, ptr, signature === '' ? ['unsigned'] : undefined),
  };
  if (typeof signature === 'string' && signature !== '') addState(part, signature, node, scope);
  else if (scope.hostedCalls !== undefined)
    part.state = [{ ...nodeState('reasoning', [], scope), kind: 'none', payload: '' }];
  return part;
}

/** A block whose thinking may not be shown. */
export function decodeRedacted(node: JsonObject, ptr: string, scope: Scope): ReasoningPart {
  const block = check(wire.redactedThinking, node, ptr);
  const part: Mutable<ReasoningPart> = { kind: 'reasoning', text: [], redacted: true, ...keep(node, REDACTED, ptr) };
  addState(part, block.data, node, scope);
  return part;
}

/** What a backend answers is its own state, even where it is a carrier: the backend may be a gateway (translation.md 4.2.7). */
function addState(part: Mutable<ReasoningPart>, value: string, node: JsonObject, scope: Scope): void {
  if (isCarrier(value) && scope.hostedCalls === undefined) part.carrier = value;
  else part.state = [nodeState('reasoning', node, scope)];
}

/** State that is the very node, or nodes, of this dialect's service. */
export function nodeState(
  kind: 'reasoning' | 'hosted',
  node: JsonObject | readonly JsonObject[],
  scope: Scope,
): StateEntry {
  return { dialect: DIALECT, domain: scope.domain, kind, payload: JSON.stringify(node) };
}

/** A thinking block as it came, or the carrier on the block it came on. */
export function encodeOwnReasoning(part: ReasoningPart): JsonObject {
  if (part.carrier !== undefined) {
    const out: JsonObject = part.redacted
      ? { type: 'redacted_thinking', data: part.carrier }
      : { type: 'thinking', thinking: part.text.join(''), signature: part.carrier };
    return restore(out, part);
  }
  const node = ownNode(part.state);
  if (node !== undefined) return node;
  const out: JsonObject = { type: 'thinking', thinking: part.text.join('') };
  if (hasShape(part, 'unsigned')) out.signature = '';
  return restore(out, part);
}

/** The node that an own state entry holds. */
export function ownNode(state: readonly StateEntry[] | undefined): JsonObject | undefined {
  const entry = state?.find((candidate) => candidate.dialect === DIALECT);
  if (entry === undefined) return undefined;
  const parsed = parseJson(entry.payload);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** A summary of an earlier stretch of conversation. Its text, where there is one, can be read by any model. */
export function decodeCompaction(node: JsonObject, ptr: string, scope: Scope): CompactionPart {
  const block = check(wire.compaction, node, ptr);
  return {
    kind: 'compaction',
    ...(typeof block.content === 'string' && block.content !== '' && { summary: block.content }),
    state: [nodeState('reasoning', node, scope)],
    ...keep(node, COMPACTION, ptr),
  };
}

/** A compaction block as it came, or one made of a summary alone. */
export function encodeCompaction(part: CompactionPart): JsonObject {
  return ownNode(part.state) ?? { type: 'compaction', content: part.summary ?? null };
}
