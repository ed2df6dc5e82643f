import type { CompactionPart, ReasoningPart } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import { isCarrier } from '../../wire/carrier.js';
import { parseJson } from '../../wire/json.js';
import { bagOf, check, complete, DIALECT, keepDifferences, keysOf, origin, type Reader } from '../nodes.js';
import * as wire from '../wire/index.js';

const REASONING = keysOf(wire.reasoning);
const COMPACTION = keysOf(wire.compaction);

/** A state entry of this dialect's service; its payload is the node's exact JSON (translation.md 4.1). */
export function nativeEntry(kind: StateEntry['kind'], node: JsonObject, reader: Reader): StateEntry {
  return { dialect: DIALECT, domain: reader.domain, kind, payload: kind === 'none' ? '' : JSON.stringify(node) };
}

/** A `reasoning` item [R §2.5]. A client's carrier stays closed; native state is kept as the whole node. */
export function decodeReasoning(node: JsonObject, ptr: string, item: number, reader: Reader): ReasoningPart {
  const reasoning = check(wire.reasoning, node, ptr, reader);
  const encrypted = reasoning.encrypted_content ?? '';
  const text = texts(reasoning.summary, `${ptr}/summary`, reader);
  const raw = reasoning.content ? texts(reasoning.content, `${ptr}/content`, reader) : undefined;
  const id = reasoning.id ?? undefined;
  const carrier = reader.carriers && isCarrier(encrypted) ? encrypted : undefined;
  if (carrier === undefined && (reader.carriers || encrypted !== '' || (reasoning.content ?? []).length > 0)) {
    return { kind: 'reasoning', text, raw, id, item, state: [nativeEntry('reasoning', node, reader)], src: { ptr } };
  }
  const state = carrier === undefined ? [nativeEntry('none', node, reader)] : undefined;
  const { ext, src } = origin(node, REASONING, ptr);
  const part: ReasoningPart = { kind: 'reasoning', text, raw, id, item, carrier, state, ext, src };
  const encoded = encodeReasoning(part);
  encoded.status ??= 'completed';
  return keepDifferences(part, node, encoded);
}

function texts(nodes: readonly JsonObject[] | null | undefined, ptr: string, reader: Reader): readonly string[] {
  return (nodes ?? []).map((node, index) => check(wire.textPiece, node, `${ptr}/${index}`, reader).text);
}

/** A reasoning part as it came from this dialect. Parts with native state are printed from it. */
export function encodeReasoning(part: ReasoningPart): JsonObject {
  const native = part.state?.find((entry) => entry.dialect === DIALECT && entry.kind === 'reasoning');
  if (native !== undefined) return nodeOf(native);
  const fields: JsonObject = { type: 'reasoning' };
  if (part.id !== undefined) fields.id = part.id;
  fields.summary = part.text.map((text) => ({ type: 'summary_text', text }));
  if (part.raw !== undefined) fields.content = part.raw.map((text) => ({ type: 'reasoning_text', text }));
  if (part.carrier !== undefined) fields.encrypted_content = part.carrier;
  return complete(fields, part);
}

/** The node in the payload of an entry. */
export function nodeOf(entry: StateEntry): JsonObject {
  const parsed = parseJson(entry.payload);
  return parsed.ok && typeof parsed.value === 'object' && parsed.value !== null && !Array.isArray(parsed.value)
    ? parsed.value
    : {};
}

/** A `compaction` item; its ciphertext is a carrier of ours, or opaque state of the service. */
export function decodeCompaction(node: JsonObject, ptr: string, item: number, reader: Reader): CompactionPart {
  const { encrypted_content: encrypted, id } = check(wire.compaction, node, ptr, reader);
  const fields = { kind: 'compaction', id: id ?? undefined, item, ...origin(node, COMPACTION, ptr) } as const;
  if (reader.carriers && isCarrier(encrypted)) return { ...fields, carrier: encrypted };
  return { ...fields, ext: undefined, state: [nativeEntry('hosted', node, reader)] };
}

/** A compaction as it came from this dialect. */
export function encodeCompaction(part: CompactionPart): JsonObject {
  const native = part.state?.find((entry) => entry.dialect === DIALECT);
  if (native !== undefined) return nodeOf(native);
  const fields: JsonObject = { type: 'compaction', encrypted_content: part.carrier ?? bagOf(part)?.encrypted_content };
  if (part.id !== undefined) fields.id = part.id;
  return complete(fields, part);
}
