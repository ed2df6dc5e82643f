import { restoreOwnState } from '../adapt/index.js';
import { TranslationError } from '../canonical/errors.js';
import { createLosses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Dialect, WithholdContext } from '../dialect.js';
import { type DialectId, dialects } from '../dialects.js';
import { CARRIER_MARK, INFLATION_LIMIT, type OpenedCarriers } from '../wire/carrier.js';

/** What the settling of a relayed body needs to know. */
export interface RelayedContext extends WithholdContext {
  /** The domain of the backend that gets the body. */
  readonly domain: string;
}

/**
 * For a body that goes to a backend of its own dialect as it is: its outermost members that have to change, because they
 * hold opaque state that other backends issued (translation.md 4.2.6), or state of this very backend inside what gateways
 * made of it that are no longer on the way (4.2.7). Empty when none has to, as for nearly every body. `text` is the body
 * as it came.
 */
export function settleRelayed(id: DialectId, body: JsonObject, text: string, context: RelayedContext): JsonObject {
  const dialect: Dialect = dialects[id];
  if (!dialect.foreignMark.test(text)) return {};
  const opened: OpenedCarriers = new Map();
  const restored = text.includes(CARRIER_MARK) ? restoreTurns(dialect, body, context, opened) : {};
  return { ...restored, ...dialect.withholdState({ ...body, ...restored }, { ...context, opened }) };
}

function restoreTurns(
  dialect: Dialect,
  body: JsonObject,
  { domain, losses, target }: RelayedContext,
  opened: OpenedCarriers,
): JsonObject {
  const request = decoded(dialect, body);
  const member = request?.at?.turns?.slice(1);
  if (request === undefined || member === undefined) return {};
  const shared = {
    rules: dialect.rules,
    context: { domain, losses },
    budget: { left: INFLATION_LIMIT },
    opened,
    seen: new Set<string>(),
  };
  let changed = false;
  const turns = request.turns.flatMap((turn) => {
    const parts = turn.role === 'assistant' ? restoreOwnState(turn.parts, shared) : undefined;
    if (parts === undefined) return [turn];
    changed = true;
    return parts.length === 0 ? [] : [{ ...turn, parts: parts.map(withoutOurId) }];
  });
  if (!changed) return {};
  const printed = dialect.encodeRequest({ ...request, turns }, { losses: createLosses(), target, domain });
  return { [member]: printed.body[member] };
}

/** undefined for a body that its service will refuse, in its own words. */
function decoded(dialect: Dialect, body: JsonObject): CanonicalRequest | undefined {
  try {
    return dialect.decodeRequest(body, { losses: createLosses(), counting: true });
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

/** The service would look for an item of an id that a gateway made up. */
function withoutOurId<P extends { readonly id?: string }>(part: P): P {
  return part.id !== undefined && /^[a-z]+_il/.test(part.id) ? { ...part, id: undefined } : part;
}
