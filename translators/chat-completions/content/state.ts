import { packState } from '../../adapt/index.js';
import type { CallPart, Part } from '../../canonical/content.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import type { EncodeResponseContext } from '../../dialect.js';
import type { ServerFlags } from '../../target/server-words.js';
import { hash32 } from '../../wire/hash.js';
import { isObject, parseJson } from '../../wire/json.js';
import { DIALECT } from '../nodes.js';
import { carrierEntry, joinPayloads, NO_REASONING, type ReasoningKeys, thoughtOf } from './reasoning.js';

/** State of another service on its way to a client of this dialect (translation.md 4.6). */
export interface Carriers {
  /** Whether the client sees thoughts. */
  readonly visible: boolean;
  /** Lets entries wait for the next call, or for the end of the answer. */
  hold(entries: readonly StateEntry[] | undefined): void;
  /** What waited for a call, which has it in both places; undefined when nothing did. */
  forCall(callId: string): CallCarrier | undefined;
  /** The entry of what is left at the end of the answer; undefined when nothing is. */
  trailing(): JsonObject | undefined;
  /** Reports once that thoughts were left out for this client. */
  omit(path: string): void;
}

/** One carrier in the two places that clients send back; they keep one or the other [H §8.2]. */
export interface CallCarrier {
  /** For `reasoning_details`. */
  readonly entry: JsonObject;
  /** For the `extra_content` of the call. */
  readonly extra: JsonObject;
}

/** Carriers for the answer that its service calls `responseId`. */
export function createCarriers(
  responseId: string,
  { request, losses, nonce }: Pick<EncodeResponseContext, 'request' | 'losses' | 'nonce'>,
): Carriers {
  const carries = request === undefined || request.tools.length > 0;
  const visible = carries || request.reasoning?.mode === 'on';
  let waiting: StateEntry[] = [];
  let count = 0;
  let omitted = false;

  const omit = (path: string): void => {
    if (omitted) return;
    omitted = true;
    const detail =
      'reasoning state is sent only to clients that declare tools, reasoning text only to clients that request it';
    losses.add(path, 'reasoning.state', 'dropped', detail);
  };
  const pack = (id: string): JsonObject | undefined => {
    const entries = waiting;
    waiting = [];
    if (entries.length === 0) return undefined;
    count += 1;
    return carrierEntry(packState(entries, losses), id, count - 1);
  };

  return {
    visible,
    omit,
    hold(entries) {
      const issued = entries?.filter(({ kind }) => kind !== 'none') ?? [];
      if (issued.length === 0) return;
      if (carries) waiting.push(...issued);
      else omit('');
    },
    forCall(callId) {
      const entry = pack(callId);
      return entry && { entry, extra: { google: { thought_signature: entry.data } } };
    },
    // Clients drop an entry whose id came before in the conversation [H §8.2].
    trailing: () => pack(`il_${hash32(`${responseId}:${nonce}:${count}`, 24)}`),
  };
}

/** What a server wants back of its own reasoning, for one request (translation.md 4.5). */
export interface Replay {
  readonly flags: ServerFlags;
  /** The request declares tools. */
  readonly tools: boolean;
  readonly losses: Losses;
  /** Losses that were reported already: each counts once in a request. */
  readonly reported: Set<string>;
}

/** The documented stand-in for the signature of a call that was made elsewhere [H §8.1]. */
export const STAND_IN = { google: { thought_signature: 'skip_thought_signature_validator' } };

/**
 * The reasoning that an assistant message takes back to its server: what came of it, and what the server demands where
 * nothing did (translation.md 4.5). `parts` are those of the adapted turn.
 */
export function encodeReasoningKeys(parts: readonly Part[], replay: Replay): ReasoningKeys {
  const { flags } = replay;
  const own = parts.filter(
    (part) => part.kind === 'opaque' && part.dialect === DIALECT && part.restored === 'reasoning',
  );
  if (flags.reasoningReplay === 'never' && own.length > 0) {
    report(replay, own[0], 'dropped', 'the server does not accept reasoning in the history');
    return NO_REASONING;
  }
  const demanded = demands(parts, replay);
  if (own.length === 0 && !demanded) return NO_REASONING;
  const joined = joinPayloads(own.flatMap((part) => (part.kind === 'opaque' ? [part.raw] : [])));
  const inline = flags.inlineThink === 'no' ? '' : joined.inline;
  if (inline !== joined.inline) report(replay, own[0], 'dropped', 'the server does not accept reasoning in text');
  const { keys } = joined;
  if (flags.strictBody && Object.keys(keys).length > 0) {
    report(replay, own[0], 'dropped', 'the server accepts reasoning only as content of a message');
    return { keys: {}, inline, chunks: joined.chunks };
  }
  const missing = demanded && keys.reasoning_content === undefined;
  if (missing && own.length === 0) {
    report(replay, parts[0], 'invented', 'the server requires reasoning; an empty text is sent');
    return { keys: { ...keys, reasoning_content: lostReasoning(flags) }, inline, chunks: [] };
  }
  // Behind a router the words are wanted under the name of their issuer too.
  const copied = missing && flags.reasoningControl === 'openrouter' ? { reasoning_content: thoughtOf(keys) } : {};
  return { keys: { ...keys, ...copied }, inline, chunks: joined.chunks };
}

/** What stands for reasoning that a server demands and nobody has (hard case H-REAS-06). */
export function lostReasoning({ emptyReasoning }: ServerFlags): string {
  return emptyReasoning === 'space' ? ' ' : '';
}

/** Whether a message without reasoning is refused [H §8.1]. */
function demands(parts: readonly Part[], { flags, tools }: Replay): boolean {
  if (flags.reasoningReplay === 'must-with-tools') return tools;
  return flags.reasoningReplay === 'must' && parts.some((part) => part.kind === 'call');
}

/**
 * The `extra_content` that a call takes back to its server: its signature; for the first call of a message of other
 * issuers the stand-in, where the server demands one.
 */
export function encodeCallState(part: CallPart, isFirst: boolean, replay: Replay): JsonObject | undefined {
  const extra = stateOf(part);
  if (extra !== undefined || !isFirst || replay.flags.reasoningReplay !== 'signature') return extra;
  report(replay, part, 'invented', 'the server requires a signature; a documented placeholder is sent');
  return STAND_IN;
}

/** The `extra_content` that the state of a part holds. */
function stateOf(part: Part): JsonObject | undefined {
  const entry = part.state?.find(({ dialect, kind }) => dialect === DIALECT && kind === 'signature');
  if (entry === undefined) return undefined;
  const parsed = parseJson(entry.payload);
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined;
}

/** The `extra_content` of a call of this dialect as it came. */
export function encodeOwnCallState(part: CallPart): JsonObject {
  if (part.carrier !== undefined) return { extra_content: { google: { thought_signature: part.carrier } } };
  const extra = stateOf(part);
  return extra === undefined ? {} : { extra_content: extra };
}

function report(replay: Replay, part: Part | undefined, kind: 'dropped' | 'invented', detail: string): void {
  if (replay.reported.has(detail)) return;
  replay.reported.add(detail);
  replay.losses.add(part, 'reasoning.state', kind, detail);
}
