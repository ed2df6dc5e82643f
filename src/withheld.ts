import {
  CARRIER_MARK,
  createLosses,
  dialects,
  type Loss,
  readCarrierHeader,
  refuseLosses,
} from '../translators/index.js';
import { isObject } from './json.js';
import type { Attempt } from './passage.js';
import type { Edit } from './raw-json.js';

/** Changes to a relayed body that keep state of other backends from its own, and what is lost by them. */
export interface Withheld {
  readonly edits: Readonly<Record<string, Edit>>;
  readonly losses: readonly Loss[];
}

/** What carriers begin with, and what the ids of hosted calls that we showed have in them: few other bodies have either. */
const MARKS = [CARRIER_MARK, '_il'];

const NOTHING: Withheld = { edits: {}, losses: [] };

/**
 * Decision 0001. A conversation that moves between backends holds carriers we made for one dialect's backend and that another would
 * refuse. Only those of backends configured here are taken out of a relayed body: a carrier of another gateway may be
 * what the backend, itself a gateway, waits for (translation.md 4.2.7). Throws what the client is told when strict
 * refuses.
 */
export function withheld({ gateway, ask, backend, target, policy, call }: Attempt): Withheld {
  const { text, value } = ask.json;
  if (!MARKS.some((mark) => text.includes(mark)) || !isObject(value)) return NOTHING;
  const { dialect, domain: own } = backend.config;
  const others = new Set(Object.values(gateway.config.backends).map(({ domain }) => domain));
  others.delete(own);
  const losses = createLosses();
  const members = dialects[dialect].withholdState(value, {
    foreign: (carrier) => others.has(readCarrierHeader(carrier)?.domain ?? ''),
    profile: dialects[dialect].profile(target.model, target.profile),
    losses,
  });
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  const edits = Object.entries(members).map(([key, value]) => [key, { json: JSON.stringify(value) }] as const);
  return { edits: Object.fromEntries(edits), losses: losses.list };
}
