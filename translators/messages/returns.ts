import type { Part } from '../canonical/content.js';
import type { Turn } from '../canonical/request.js';
import type { EncodeRequestContext } from '../dialect.js';
import { peelCarrier, readCarrierHeader } from '../wire/carrier.js';
import { isObject, parseJson } from '../wire/json.js';
import { DIALECT } from './nodes.js';
import { isStateNode } from './rules.js';

/** Begins the ids of hosted calls that were shown to clients on behalf of another service (translation.md 5.1). */
export const SHOWN_HOSTED = 'srvtoolu_il';
/** The same for calls of tools on MCP servers. */
export const SHOWN_MCP = 'mcptoolu_il';

/**
 * The turns of a request of this dialect without what a service of this dialect would refuse: carriers, and hosted calls
 * that another service ran. Turns that hold neither are returned as they are. What the backend issued itself through a
 * chain of gateways comes out of its carrier again.
 */
export function withoutForeignState(turns: readonly Turn[], context: EncodeRequestContext): readonly Turn[] {
  if (!turns.some(hasForeignState)) return turns;
  return turns.flatMap((turn) => {
    if (!hasForeignState(turn)) return [turn];
    const parts = turn.parts.flatMap((part) => settle(part, context));
    return parts.length === 0 ? [] : [{ ...turn, parts }];
  });
}

function hasForeignState(turn: Turn): boolean {
  return turn.role === 'assistant' && turn.parts.some((part) => part.carrier !== undefined || isShownHosted(part));
}

function isShownHosted(part: Part): boolean {
  if (part.kind !== 'hostedCall' && part.kind !== 'hostedResult') return false;
  return part.callId.startsWith(SHOWN_HOSTED) || part.callId.startsWith(SHOWN_MCP);
}

function settle(part: Part, { domain, losses }: EncodeRequestContext): readonly Part[] {
  const ptr = part.src?.ptr ?? '';
  if (isShownHosted(part)) {
    if (part.kind === 'hostedCall') losses.add(ptr, 'hosted.call', 'dropped', 'another service ran it');
    return [];
  }
  if (part.carrier === undefined) return [part];
  const entries = peelCarrier(part.carrier, domain);
  if (entries === undefined) {
    const header = readCarrierHeader(part.carrier);
    losses.add(
      ptr,
      'reasoning.state',
      'dropped',
      header === undefined ? 'the carrier is damaged' : `issued by ${header.dialect}`,
    );
    return [];
  }
  return entries.flatMap((entry) => {
    if (entry.kind !== 'reasoning' && entry.kind !== 'hosted') return [];
    const parsed = parseJson(entry.payload);
    const nodes = parsed.ok ? (Array.isArray(parsed.value) ? parsed.value : [parsed.value]) : [];
    const kind = entry.kind;
    return nodes
      .filter(isObject)
      .flatMap((raw) =>
        isStateNode(kind, raw)
          ? [{ kind: 'opaque', dialect: DIALECT, type: String(raw.type), raw, restored: kind, src: { ptr } } as const]
          : [],
      );
  });
}
