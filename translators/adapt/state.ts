import type { OpaquePart, Part, ReasoningPart, TextPart } from '../canonical/content.js';
import type { Losses } from '../canonical/loss.js';
import type { StateEntry } from '../canonical/state.js';
import { encodeCarrier, isCarrier, peelCarrier, readCarrierHeader } from '../wire/carrier.js';
import { hex, sha256 } from '../wire/hash.js';
import { isObject, type JsonObject, parseJson } from '../wire/json.js';
import type { Adaptation } from './adaptation.js';
import type { Names } from './names.js';
import type { TargetRules } from './rules.js';

/**
 * The text in which entries of one issuer travel through another dialect (translation.md 4.2). An entry whose payload
 * already is a carrier of its own domain is not wrapped again (4.2.7).
 */
export function packState(entries: readonly StateEntry[]): string {
  const first = entries[0];
  if (first === undefined) return '';
  if (entries.length === 1 && first.kind === 'signature' && isCarrier(first.payload)) {
    if (readCarrierHeader(first.payload)?.domain === first.domain) return first.payload;
  }
  return encodeCarrier(first.dialect, first.domain, entries);
}

/** The fingerprint of the words that a signature covers: the first 8 bytes of their SHA-256, in hex (translation.md 4.1). */
export function fingerprint(words: string): string {
  return hex(sha256(words).subarray(0, 8));
}

/** The word under which a signature names the kind of part it sits on. */
function signaturePlace(part: Part): StateEntry['on'] | undefined {
  if (part.kind === 'text') return part.text === '' ? 'empty' : 'text';
  if (part.kind === 'call') return 'call';
  if (part.kind === 'media') return 'image';
  return undefined;
}

/**
 * Puts state that the target issued back where it stood and takes everything else out of an assistant turn
 * (translation.md 4.4, 4.2.6). Reasoning parts never survive: those of the target come back as `opaque` nodes, foreign
 * ones are lost with an entry. Display copies of hosted calls and of thoughts give way to what they showed.
 */
export function restoreState(parts: readonly Part[], adaptation: Adaptation): readonly Part[] {
  const { rules, context, names } = adaptation;
  if (!parts.some((part) => part.kind === 'reasoning' || part.carrier !== undefined || part.state !== undefined)) {
    return parts;
  }
  const out: Part[] = [];
  /** Thoughts without state of their own, which may be display copies of what the next carrier holds. */
  let shown: ReasoningPart[] = [];
  let signatures: { readonly entry: StateEntry; readonly ptr: string }[] = [];

  for (const part of parts) {
    const found = openState(part, adaptation);
    if (part.kind === 'reasoning' && found.length === 0 && part.carrier === undefined && part.state === undefined) {
      shown.push(part);
      continue;
    }
    let replacesShown = part.carrier !== undefined;
    for (const node of rebuild(found, part, out, rules, context.losses)) {
      if (isEntry(node)) signatures.push({ entry: node, ptr: part.src?.ptr ?? '' });
      else out.push(node);
      replacesShown = true;
    }
    if (!replacesShown) reportShown(shown, context.losses);
    shown = [];
    if (part.kind === 'reasoning') continue;
    const bare = part.carrier === undefined && part.state === undefined ? part : withoutState(part);
    const place = signatures.findIndex((held) => fits(held.entry, part));
    const held = place < 0 ? undefined : signatures[place];
    if (held === undefined) {
      out.push(bare);
      continue;
    }
    signatures = signatures.filter((other) => other !== held);
    if (held.entry.h !== undefined && held.entry.h !== fingerprint(coveredWords(part, names))) {
      context.losses.add(held.ptr, 'reasoning.state', 'dropped', 'the signed part was changed');
      out.push(bare);
    } else {
      out.push({ ...bare, state: [held.entry] });
    }
  }
  reportShown(shown, context.losses);
  for (const held of signatures) {
    context.losses.add(held.ptr, 'reasoning.state', 'dropped', 'the part it belongs to is gone');
  }
  return out;
}

/** Own state of a part, opened; foreign and damaged state is reported and gives nothing. */
function openState(part: Part, { rules, context, budget }: Adaptation): readonly StateEntry[] {
  const ptr = part.src?.ptr ?? '';
  if (part.carrier !== undefined) {
    const entries = peelCarrier(part.carrier, context.domain, 4, { budget });
    if (entries !== undefined) return entries;
    const header = readCarrierHeader(part.carrier);
    if (header?.kinds.every((kind) => kind === 'none') === true) {
      context.losses.add(ptr, 'reasoning.text', 'dropped', 'reasoning without state is not sent as text');
      return [];
    }
    const detail = header === undefined ? 'the carrier is damaged' : `issued by ${header.dialect}`;
    context.losses.add(ptr, 'reasoning.state', 'dropped', detail);
    return [];
  }
  const foreign = part.state?.find((entry) => entry.dialect !== rules.dialect);
  if (foreign === undefined) return part.state ?? [];
  // A hosted call is settled as a whole (hosted.ts), its state with it.
  if (part.kind === 'hostedCall' || part.kind === 'hostedResult') return [];
  context.losses.add(ptr, 'reasoning.state', 'dropped', `issued by ${foreign.dialect}`);
  return [];
}

/** What the entries of one part become: nodes for their place, signatures for a part that follows. */
function* rebuild(
  entries: readonly StateEntry[],
  part: Part,
  out: Part[],
  rules: TargetRules,
  losses: Losses,
): Generator<Part | StateEntry> {
  const ptr = part.src?.ptr ?? '';
  const hosted = entries.filter((entry) => entry.kind === 'hosted').length;
  if (hosted > 0) removeShownHosted(out, hosted);
  for (const entry of entries) {
    if (entry.kind === 'none' || entry.kind === 'summary' || entry.kind === 'note') continue;
    if (entry.kind === 'signature') {
      if (entry.on === 'empty') yield emptySigned(entry, ptr);
      else yield entry;
      continue;
    }
    const nodes = nodesOf(entry, rules);
    if (nodes.length === 0) losses.add(ptr, 'reasoning.state', 'dropped', 'the carrier holds no node of its kind');
    for (const raw of nodes) {
      yield {
        kind: 'opaque',
        dialect: rules.dialect,
        type: typeof raw.type === 'string' ? raw.type : '',
        raw,
        restored: entry.kind,
        src: { ptr },
      } satisfies OpaquePart;
    }
  }
}

function isEntry(value: Part | StateEntry): value is StateEntry {
  return 'payload' in value;
}

function emptySigned(entry: StateEntry, ptr: string): TextPart {
  return { kind: 'text', text: '', state: [entry], src: { ptr } };
}

function nodesOf(entry: StateEntry, rules: TargetRules): JsonObject[] {
  const kind = entry.kind === 'hosted' ? 'hosted' : 'reasoning';
  const parsed = parseJson(entry.payload);
  if (!parsed.ok) return [];
  const nodes = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return nodes.every((node) => isObject(node) && rules.isStateNode(kind, node)) ? nodes.filter(isObject) : [];
}

/** Takes the last `count` hosted calls with their results off the end: they were shown in place of what comes back. */
function removeShownHosted(out: Part[], count: number): void {
  let left = count;
  while (left > 0) {
    const last = out.at(-1);
    if (last?.kind === 'hostedResult') out.pop();
    else if (last?.kind === 'hostedCall') {
      out.pop();
      left -= 1;
    } else return;
  }
}

function reportShown(shown: readonly ReasoningPart[], losses: Losses): void {
  for (const part of shown) {
    losses.add(part.src?.ptr ?? '', 'reasoning.text', 'dropped', 'reasoning without state is not sent as text');
  }
}

function withoutState<P extends Part>(part: P): P {
  const { carrier: _carrier, state: _state, ...rest } = part;
  return rest as P;
}

function fits(entry: StateEntry, part: Part): boolean {
  return entry.on === signaturePlace(part);
}

/** What a signature on a part covers: a text's words, of a call the name its issuer knows it by. */
function coveredWords(part: Part, names: Names): string {
  if (part.kind === 'call') return names.alias(part.name, part.namespace);
  return part.kind === 'text' ? part.text : '';
}
