import { packState } from '../../adapt/index.js';
import { NO_STATE, oneIssuer } from '../../answer/thoughts.js';
import type { CompactionPart, ReasoningPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import type { EncodeResponseContext } from '../../dialect.js';
import { isCarrier } from '../../wire/carrier.js';
import { isObject, parseJson } from '../../wire/json.js';
import { check, DIALECT, keep, keysOf, type Mutable, restore, type Scope } from '../nodes.js';
import * as wire from '../wire/index.js';

const THINKING_BLOCK = keysOf(wire.thinking);
const REDACTED = keysOf(wire.redactedThinking);
const COMPACTION = keysOf(wire.compaction);

/** A thinking block. A signature that is a carrier is not opened here (translation.md 4.2). */
export function decodeThinking(node: JsonObject, ptr: string, scope: Scope): ReasoningPart {
  const block = check(wire.thinking, node, ptr);
  const { signature } = block;
  const part: Mutable<ReasoningPart> = {
    kind: 'reasoning',
    text: block.thinking === '' ? [] : [block.thinking],
    ...keep(node, THINKING_BLOCK, ptr),
  };
  if (typeof signature === 'string' && signature !== '') addState(part, signature, node, scope);
  // Hosts that sign nothing want their thinking back as it came.
  else if (scope.hostedCalls !== undefined) part.state = [nodeState('reasoning', node, scope)];
  return part;
}

/** A block whose thinking is hidden from the client. */
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
  return restore({ type: 'thinking', thinking: part.text.join('') }, part);
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

/**
 * State of another service on its way to a client of this dialect, which keeps it in thinking blocks (translation.md
 * 4.3). Both ways of an answer, streamed and whole, go through it.
 */
export interface Carriers {
  /** Whether the client sees thinking at all (translation.md 4.3.5). */
  readonly visible: boolean;
  /** Lets entries wait for the next carrier; `ofPair`: they are those of a hosted pair, or of a picture, in front of them. */
  hold(entries: readonly StateEntry[] | undefined, ofPair?: boolean): void;
  /** The signature of a block with visible thinking: everything that waits, or the mark that there is no state. */
  signature(): string;
  /** Takes what waits; undefined when nothing does that is worth a block of its own. */
  take(): string | undefined;
  /** What waits at the end of the answer and may have a block of its own there (translation.md 4.3.4). */
  takeTrailing(): string | undefined;
  /** Reports once that thinking was left out for this client. */
  omit(path: string): void;
}

/** Carriers for one answer. */
export function createCarriers({ request, losses, trailingState, asIssuer }: EncodeResponseContext): Carriers {
  const visible = request === undefined || request.tools.length > 0 || request.reasoning?.mode === 'on';
  let entries: StateEntry[] = [];
  /** Some of them belong to the last block. */
  let follows = false;
  let omitted = false;

  const omit = (path: string): void => {
    if (omitted) return;
    omitted = true;
    losses.add(
      path,
      'reasoning.state',
      'dropped',
      'reasoning is sent only to clients that declare tools or request it',
    );
  };
  const pack = (): string => {
    const own = asIssuer === true ? ownNode(entries)?.signature : undefined;
    const text =
      typeof own === 'string' ? own : packState(oneIssuer(entries.length === 0 ? [NO_STATE] : entries), losses);
    entries = [];
    follows = false;
    return text;
  };
  const isEmpty = (): boolean => entries.every((entry) => entry.kind === 'none');

  return {
    visible,
    omit,
    hold(added, ofPair = false) {
      if (added === undefined || added.length === 0) return;
      follows ||= ofPair;
      if (visible) entries.push(...added);
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
      losses.add('', 'reasoning.state', 'dropped', 'no part follows that could carry the state');
      return undefined;
    },
  };
}
