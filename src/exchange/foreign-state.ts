import {
  type CanonicalError,
  type CanonicalRequest,
  createLosses,
  dialects,
  type Edit,
  type Loss,
  readCarrierHeader,
  refuseLosses,
  settleRelayed,
} from '../../translators/index.js';
import { isObject } from '../ground/index.js';
import type { Attempt } from './call-plan.js';
import { hostProfile } from './lessons.js';

/** Changes to a relayed body that keep state of other backends from its own, and what is lost by them. */
export interface StrippedState {
  readonly edits: Readonly<Record<string, Edit>>;
  readonly losses: readonly Loss[];
}

const NOTHING: StrippedState = { edits: {}, losses: [] };

/**
 * Decision 0001. A conversation that moves between backends holds carriers we made for one dialect's backend and that another would
 * refuse. Only those of backends configured here are taken out of a relayed body: a carrier of another gateway may be
 * what the backend, itself a gateway, waits for; one that holds what this backend issued is opened (translation.md 4.2.7). Throws the client's error when strict
 * refuses.
 */
export function stripForeignState(attempt: Attempt): StrippedState {
  const { gateway, ask, backend, target, policy, call } = attempt;
  const { text, value } = ask.json;
  const { dialect, domain: own } = backend.config;
  // As nearly always.
  if (!isObject(value) || !dialects[dialect].foreignMarks.some((mark) => text.includes(mark))) return NOTHING;
  const others = new Set(Object.values(gateway.config.backends).map(({ domain }) => domain));
  others.delete(own);
  const losses = createLosses();
  const members = settleRelayed(dialect, value, text, {
    domain: own,
    foreign: (carrier) => others.has(readCarrierHeader(carrier)?.domain ?? ''),
    profile: hostProfile(attempt),
    losses,
  });
  const { conversation } = ask;
  const found =
    conversation === undefined
      ? losses.list
      : losses.list.map((loss) => ({ ...loss, path: conversation.pathOf(target, loss.path) }));
  if (policy.policy === 'strict') refuseLosses(found, policy.allow, call.dialect);
  const edits = Object.entries(members).map(([key, value]) => {
    const edit: Edit = value === undefined ? 'remove' : { json: JSON.stringify(value), add: true };
    return [key, edit] as const;
  });
  return { edits: Object.fromEntries(edits), losses: found };
}

/** Whether a backend refuses opaque state that it is taken to have issued: it rotated its keys, or the client changed it. */
export function refusesState(error: CanonicalError): boolean {
  return (
    error.kind === 'invalid_request' &&
    /signature|encrypted[ _]content|reasoning[ _](?:content|details)/i.test(`${error.path ?? ''} ${error.message}`)
  );
}

/** Whether a request holds opaque state of anybody. */
export function holdsState({ turns }: CanonicalRequest): boolean {
  return turns.some(({ parts }) => parts.some(({ carrier, state }) => carrier !== undefined || state !== undefined));
}
