import type { CompactionPart, Part, ReasoningPart } from '../canonical/content.js';
import { type Losses, NO_STATE } from '../canonical/loss.js';
import { ptrOf } from '../canonical/node.js';
import type { StateEntry } from '../canonical/state.js';
import type { TargetRules } from '../target/target.js';
import { encodeCarrier, isCarrier, peelCarrier, readCarrierHeader } from '../wire/carrier.js';
import { hex, sha256 } from '../wire/hash.js';
import { isObject } from '../wire/json.js';
import type { Adaptation } from './adaptation.js';
import { parsedArguments } from './arguments.js';
import { pictureOf } from './hosted.js';
import type { Names } from './names.js';
import { isEntry, type Restoring, rebuild } from './rebuild.js';
import { joinRun, signedRun } from './signed-run.js';

/**
 * The text in which entries of one issuer travel through another dialect (translation.md 4.2). An entry whose payload
 * already is a carrier of its own issuer is not wrapped again (4.2.7). Of more than a carrier holds the end is kept (4.2.5).
 */
export function packState(entries: readonly StateEntry[], losses?: Losses): string {
  const first = entries[0];
  if (first === undefined) return '';
  if (entries.length === 1 && first.kind === 'signature' && isCarrier(first.payload)) {
    const header = readCarrierHeader(first.payload);
    if (header?.domain === first.domain && header.dialect === first.dialect) return first.payload;
  }
  let left = false;
  const text = encodeCarrier(first.dialect, first.domain, entries, ({ kind }) => {
    left ||= kind !== 'none';
  });
  if (left) losses?.add('', 'reasoning.state', 'dropped', 'more state than a carrier can hold');
  return text;
}

/** The fingerprint of the words that a signature covers: the first 8 bytes of their SHA-256, in hex (translation.md 4.1). */
export function fingerprint(words: string): string {
  return hex(sha256(words).subarray(0, 8));
}

/** The word under which a signature names the kind of part it sits on. */
function signaturePlace(part: Part): StateEntry['on'] | undefined {
  if (part.kind === 'text') return part.text === '' ? 'empty' : 'text';
  if (part.kind === 'call') return 'call';
  // Some clients know pictures only as what a hosted tool made.
  if (part.kind === 'media' || (part.kind === 'hostedResult' && pictureOf(part) !== undefined)) return 'image';
  return undefined;
}

/**
 * Puts state that the target issued back where it stood and takes everything else out of an assistant turn
 * (translation.md 4.4, 4.2.6). Reasoning parts never survive: those of the target come back as `opaque` nodes, foreign
 * ones are lost with an entry. Display copies of hosted calls and of thoughts give way to what they showed.
 */
export function restoreState(parts: readonly Part[], adaptation: Adaptation): readonly Part[] {
  return parts.some(holdsState) ? restore(parts, adaptation) : parts;
}

function holdsState({ kind, carrier, state }: Part): boolean {
  return kind === 'reasoning' || carrier !== undefined || state !== undefined;
}

/**
 * The same for a turn that goes to a backend of its own dialect: only what carriers hold for that very backend comes out
 * of them, because gateways that wrapped it are no longer on the way (translation.md 4.2.7). Everything else stays as it
 * came. undefined when no carrier of the turn holds anything for it.
 */
export function restoreOwnState(
  parts: readonly Part[],
  restoring: Omit<Restoring, 'names'>,
): readonly Part[] | undefined {
  const { rules, context, budget, opened } = restoring;
  const options = { budget, opened, dialect: rules.dialect };
  const isOwn = ({ carrier }: Part): boolean =>
    carrier !== undefined && peelCarrier(carrier, context.domain, 4, options) !== undefined;
  const own = new Set(parts.filter(isOwn));
  if (own.size === 0) return undefined;
  const restored = restore(parts, { ...restoring, names: { alias: (name) => name } }, own);
  return withoutTrailingReasoning(restored, rules, context.losses);
}

/**
 * Restored reasoning at the end of a turn has nothing to lead to: most services refuse it (translation.md 4.4). The same
 * list where there is none, or where it may stand.
 */
export function withoutTrailingReasoning(
  parts: readonly Part[],
  { endsInReasoning }: TargetRules,
  losses: Losses,
): readonly Part[] {
  if (endsInReasoning) return parts;
  let end = parts.length;
  for (let last = parts[end - 1]; last?.kind === 'opaque' && last.restored === 'reasoning'; last = parts[end - 1]) {
    losses.add(last, 'reasoning.state', 'dropped', 'no item follows it in its turn');
    end -= 1;
  }
  return end === parts.length ? parts : parts.slice(0, end);
}

/** With `own`, other parts than those stay as they are. */
function restore(parts: readonly Part[], restoring: Restoring, own?: ReadonlySet<Part>): readonly Part[] {
  const { context, names } = restoring;
  const out: Part[] = [];
  /** Thoughts without state of their own, which may be display copies of what the next carrier holds. */
  let shown: ReasoningPart[] = [];
  let signatures: { readonly entry: StateEntry; readonly ptr: string }[] = [];

  const leave = (thoughts: readonly ReasoningPart[]): void => {
    if (own === undefined) reportShown(thoughts, context.losses);
    else out.push(...thoughts);
  };

  /** Up to here parts are those of a run that came home as one. */
  let joined = 0;

  for (const [index, part] of parts.entries()) {
    if (index < joined) continue;
    if (part.kind === 'compaction' && holdsSummary(part)) {
      out.push(part);
      continue;
    }
    const bareThought = part.kind === 'reasoning' && part.carrier === undefined && part.state === undefined;
    const stays = own !== undefined && !own.has(part);
    const found = stays ? [] : openState(part, restoring);
    if (bareThought && found.length === 0) {
      shown.push(part);
      continue;
    }
    let replacesShown = part.carrier !== undefined && !stays;
    for (const node of rebuild(found, part, out, restoring)) {
      if (isEntry(node)) signatures.push({ entry: node, ptr: ptrOf(part) });
      else out.push(node);
      replacesShown = true;
    }
    if (!isHeartbeat(part)) {
      if (!replacesShown) leave(shown);
      shown = [];
    }
    if (part.kind === 'reasoning') {
      if (stays) out.push(part);
      continue;
    }
    // A compaction of the target has been rebuilt; any other is settled, or refused, in turns.ts.
    if (part.kind === 'compaction' && found.length > 0) continue;
    const bare = stays || (part.carrier === undefined && part.state === undefined) ? part : withoutState(part);
    const place = signatures.findIndex((held) => fits(held.entry, part));
    const held = place < 0 ? undefined : signatures[place];
    if (held === undefined) {
      // An empty text was there for its carrier only.
      const vessel = part.kind === 'text' && part.text === '' && part.carrier !== undefined && !stays;
      if (!vessel) out.push(bare);
      continue;
    }
    signatures = signatures.filter((other) => other !== held);
    const { h } = held.entry;
    if (h === undefined || covers(h, part, names)) {
      out.push({ ...pictured(bare, out), state: [held.entry] });
      continue;
    }
    const run = signedRun(h, parts, index);
    const whole = run === undefined ? undefined : joinRun(run, restoring.rules.dialect, context.losses);
    if (run === undefined || whole === undefined) {
      context.losses.add(held.ptr, 'reasoning.state', 'dropped', 'the signed part was changed');
      out.push(bare);
    } else {
      joined = index + run.length;
      out.push({ ...withoutState(whole), state: [held.entry] });
    }
  }
  leave(shown);
  for (const held of signatures) {
    context.losses.add(held.ptr, 'reasoning.state', 'dropped', 'the part it belongs to is no longer in the history');
  }
  return out;
}

/** An empty text of its own, as streams send it between a thought and its state: it parts nothing. */
function isHeartbeat(part: Part): boolean {
  return part.kind === 'text' && part.text === '' && part.carrier === undefined && part.state === undefined;
}

/** Our own summaries are no state of any backend's: turns.ts settles them. */
function holdsSummary({ carrier }: CompactionPart): boolean {
  return carrier !== undefined && readCarrierHeader(carrier)?.kinds.includes('summary') === true;
}

/** Own state of a part, opened; foreign and damaged state is reported and gives nothing. */
function openState(part: Part, { rules, context, budget, opened }: Restoring): readonly StateEntry[] {
  if (part.carrier !== undefined) {
    const entries = peelCarrier(part.carrier, context.domain, 4, { budget, opened, dialect: rules.dialect });
    if (entries !== undefined) return entries;
    const header = readCarrierHeader(part.carrier);
    if (header?.kinds.every((kind) => kind === 'none') === true) {
      context.losses.add(part, 'reasoning.text', 'dropped', NO_STATE);
      return [];
    }
    const detail = header === undefined ? 'the carrier is damaged' : `issued by ${header.dialect}`;
    context.losses.add(part, 'reasoning.state', 'dropped', detail);
    return [];
  }
  const foreign = part.state?.find((entry) => entry.dialect !== rules.dialect);
  if (foreign === undefined) return part.state ?? [];
  // A hosted call is settled as a whole (hosted.ts), its state with it.
  if (part.kind === 'hostedCall' || part.kind === 'hostedResult') return [];
  if (foreign.kind !== 'none') context.losses.add(part, 'reasoning.state', 'dropped', `issued by ${foreign.dialect}`);
  else if (part.kind === 'reasoning') context.losses.add(part, 'reasoning.text', 'dropped', NO_STATE);
  return [];
}

function reportShown(shown: readonly ReasoningPart[], losses: Losses): void {
  for (const part of shown) {
    losses.add(part, 'reasoning.text', 'dropped', 'reasoning without state is not sent as text');
  }
}

function withoutState<P extends Part>(part: P): P {
  const { carrier: _carrier, state: _state, ...rest } = part;
  return rest as P;
}

/** A signed picture as its issuer had it, in place of the call and the result as which it was shown. */
function pictured(part: Part, out: Part[]): Part {
  const picture = part.kind === 'hostedResult' ? pictureOf(part) : undefined;
  if (part.kind !== 'hostedResult' || picture === undefined) return part;
  const call = out.at(-1);
  if (call?.kind === 'hostedCall' && call.callId === part.callId) out.pop();
  return picture;
}

function fits(entry: StateEntry, part: Part): boolean {
  return entry.on === signaturePlace(part);
}

/** Whether a signature that covers words of this fingerprint covers a part. */
function covers(h: string, part: Part, names: Pick<Names, 'alias'>): boolean {
  const words = coveredWords(part, names);
  if (h === fingerprint(words)) return true;
  if (part.kind !== 'call') return false;
  const args = parsedArguments(part);
  return h === fingerprint(callWords(words, isObject(args) ? args : {}));
}

/** A call with its arguments, for those of built-in tools: they are made anew on the way home, and may have changed. */
export function callWords(name: string, args: Readonly<Record<string, unknown>>): string {
  const fields = Object.keys(args).sort();
  return `${name} ${JSON.stringify(fields.map((field) => [field, args[field]]))}`;
}

/** What a signature on a part covers: a text's words, of a call the name its issuer knows it by. */
function coveredWords(part: Part, names: Pick<Names, 'alias'>): string {
  if (part.kind === 'call') return part.fixedName === true ? part.name : names.alias(part.name, part.namespace);
  return part.kind === 'text' ? part.text : '';
}
