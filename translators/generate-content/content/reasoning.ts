import { fingerprint } from '../../adapt/index.js';
import type { Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import { encodeBase64 } from '../../wire/base64.js';
import { isCarrier } from '../../wire/carrier.js';
import { isObject, parseJson } from '../../wire/json.js';
import { DIALECT, type Frame, type ReadContext } from '../nodes.js';

/** The signature that a part carries as its issuer, or a gateway before us, wrote it. */
export function signatureOf(part: Part): string | undefined {
  if (part.carrier !== undefined) return part.carrier;
  const entry = part.state?.find((candidate) => candidate.dialect === DIALECT);
  return entry === undefined ? undefined : signatureIn(entry);
}

/** The bare signature of an entry: itself, or the one in the node the entry holds. */
export function signatureIn(entry: StateEntry): string | undefined {
  if (entry.kind === 'signature' || (entry.kind === 'none' && entry.payload !== '')) return entry.payload;
  if (entry.kind !== 'reasoning') return undefined;
  const parsed = parseJson(entry.payload);
  const node = parsed.ok && isObject(parsed.value) ? parsed.value : {};
  const signature = node.thoughtSignature ?? node.thought_signature;
  return typeof signature === 'string' ? signature : undefined;
}

const UNSIGNED = { state: undefined, carrier: undefined };

/** A signature on a part, or a carrier where a client of another dialect's backend brings one back. */
export function stateOf(
  { signature, context }: Frame,
  on: StateEntry['on'],
  hashed?: string,
): { state?: readonly StateEntry[]; carrier?: string } {
  if (signature === undefined) return UNSIGNED;
  if (!context.answer && isCarrier(signature)) return { carrier: signature };
  const entry: StateEntry = {
    dialect: DIALECT,
    domain: context.domain,
    kind: !context.answer && isStandIn(signature) ? 'none' : 'signature',
    payload: signature,
    ...(on !== undefined && { on }),
    ...(hashed !== undefined && { h: fingerprint(hashed) }),
  };
  return { state: [entry] };
}

export function thoughtState(node: JsonObject, frame: Frame): { state?: readonly StateEntry[]; carrier?: string } {
  const { signature, context } = frame;
  if (signature === undefined) return {};
  if (!context.answer && isCarrier(signature)) return { carrier: signature };
  return { state: [nodeEntry('reasoning', node, context)] };
}

/** Signed hosted parts of a client; the state of an answer's hosted parts is settled once their pairs are known. */
export function clientState(node: JsonObject, frame: Frame): { state?: readonly StateEntry[]; carrier?: string } {
  const { signature, context } = frame;
  if (signature === undefined || context.answer) return {};
  return isCarrier(signature) ? { carrier: signature } : { state: [nodeEntry('hosted', node, context)] };
}

/** An entry that holds whole nodes of the wire. */
export function nodeEntry(kind: 'reasoning' | 'hosted', node: unknown, context: ReadContext): StateEntry {
  return { dialect: DIALECT, domain: context.domain, kind, payload: JSON.stringify(node) };
}

/** The documented stand-in for the signature of a call that this service did not make ([G §4] signature rule 5). */
export const STAND_IN = 'skip_thought_signature_validator';

/** Both documented ones, as they stand and in base64, in which the service takes them too. */
const STAND_INS: ReadonlySet<string> = new Set(
  [STAND_IN, 'context_engineering_is_the_way_to_go'].flatMap((word) => [
    word,
    encodeBase64(new TextEncoder().encode(word)),
  ]),
);

/** Whether a signature says only that the service issued none. */
function isStandIn(signature: string): boolean {
  return STAND_INS.has(signature);
}
