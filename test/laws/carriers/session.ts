import type { DialectId } from '../../../translators/index.js';
import { requestFaults } from '../../support/legal.js';
import { type Hop, modelOf, type Passage, pass } from './chain.js';
import { createClient } from './clients.js';
import type { Deed } from './deeds.js';
import { assistantTurns, plain } from './home.js';
import { ISSUERS, type Json } from './issuers.js';
import { createKeeper, type Keeper } from './keeper.js';

/** A backend of a session. */
export interface Backend {
  readonly dialect: DialectId;
  readonly domain: string;
  readonly keeper: Keeper;
}

export function createBackend(dialect: DialectId, domain: string, loose = false): Backend {
  return { dialect, domain, keeper: createKeeper(domain, loose) };
}

/** One step of a session: who is asked, by way of which gateways, and what it answers. */
export interface Step {
  readonly backend: Backend;
  /** The gateways before the last one, which asks the backend itself. */
  readonly through: readonly Hop[];
  readonly stream: boolean;
  readonly deeds: readonly Deed[];
  /** What the client does to its history before it asks. */
  readonly before?: (history: Json[]) => void;
}

/** What came of one step. */
export interface Done {
  readonly step: Step;
  readonly passage: Passage;
  /** The nodes of the answer, and those of them that the backend wants back. */
  readonly issued: readonly Json[];
  readonly wanted: readonly Json[];
}

/** Lets a client talk through gateways, step by step. `look` sees every request before it is answered. */
export function runSession(
  dialect: DialectId,
  steps: readonly Step[],
  look: (passage: Passage, step: Step, earlier: readonly Done[]) => void,
): void {
  const client = createClient(dialect);
  const done: Done[] = [];
  // The gateway in front of a backend is configured with every way that the session ever takes.
  const domains = new Set(
    steps.flatMap(({ backend, through }) => [backend.domain, ...through.map(({ domain }) => domain)]),
  );
  client.user('Begin.');
  steps.forEach((step, index) => {
    const { backend, through, stream } = step;
    const others = new Set([...domains].filter((domain) => domain !== backend.domain));
    step.before?.(client.history);
    const hops = [...through, { to: backend.dialect, domain: backend.domain, others }];
    const passage = pass(dialect, client.request(stream), hops, stream);
    look(passage, step, done);
    const issued = ISSUERS[backend.dialect](step.deeds, backend.keeper, `${backend.domain}${index}`);
    const asked = client.answer(passage.answer(issued.body));
    done.push({ step, passage, issued: issued.nodes, wanted: issued.wanted });
    if (asked.length > 0) client.results(asked);
    else client.user('Go on.');
  });
}

/** What a strict backend finds wrong with a request: its service's rules, and state that it did not issue so. */
export function faults({ sent, bodies }: Passage, { backend: { dialect, keeper } }: Step): string[] {
  const model = modelOf(dialect);
  const text = JSON.stringify(sent);
  return [
    ...requestFaults(dialect, sent as never, model, 'dev', keeper),
    ...(text.includes('ilingua1') ? ['a carrier reached the backend'] : []),
    ...(bodies.length === 0 ? ['nothing was sent'] : []),
  ];
}

/** The turns that the asked backend issued and does not get back as it issued them. */
export function missing({ sent, unordered }: Passage, { backend }: Step, earlier: readonly Done[]): object[] {
  const turns = assistantTurns(backend.dialect, sent);
  let at = 0;
  return earlier.flatMap(({ step, passage, wanted }) => {
    if (step.backend !== backend) return [];
    const nodes = plain(wanted);
    const told = !(unordered || passage.unordered) ? sorted : step.through.length === 0 ? anyOrder : callsIn;
    const text = JSON.stringify(told(nodes));
    const place = turns.findIndex((turn, index) => index >= at && JSON.stringify(told(turn)) === text);
    if (place < 0) return [short({ wanted: nodes, turns: turns.slice(at) })];
    at = place + 1;
    return [];
  });
}

/** For reading: tokens are long. */
function short(found: object): object {
  return JSON.parse(
    JSON.stringify(found, (_key, value) =>
      String(value).length > 60 && typeof value === 'string' ? `${value.slice(0, 30)}… of ${value.length}` : value,
    ),
  );
}

/**
 * All words of a turn, which are one text, and its other nodes, in any order. Signatures of a part of that text, and of a
 * picture that stood in front of something, have no place any more.
 */
function anyOrder(nodes: readonly Json[]): unknown {
  const words = nodes.map((node) => node.words ?? node.text).filter((text) => typeof text === 'string');
  const isOther = (node: Json): boolean => node.words === undefined && node.text === undefined;
  const others = nodes.filter(isOther).map(({ ...node }) => {
    if (node.inlineData !== undefined) delete node.thoughtSignature;
    return JSON.stringify(sorted(node));
  });
  return [words.join(''), ...others.sort()];
}

/**
 * The calls of a turn. Gateways behind one whose answers are one message find state behind the words that it stood in front
 * of, where their own dialect may have no place for it (translation.md 4.3.4); what the service ran is told in words then.
 */
function callsIn(nodes: readonly Json[]): unknown {
  const isCall = ({ type, functionCall }: Json): boolean =>
    functionCall !== undefined || ['tool_use', 'function_call', 'function'].includes(String(type));
  return anyOrder(nodes.filter(isCall).map(({ thoughtSignature: _state, ...node }) => node));
}

/** The same value with keys in one order: state inside is text and stays byte for byte. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}

/** Tokens of other backends that occur in a request. */
export function leaked({ sent }: Passage, { backend }: Step, earlier: readonly Done[]): string[] {
  const text = JSON.stringify(sent);
  const foreign = new Set(earlier.map(({ step }) => step.backend).filter((other) => other !== backend));
  return [...foreign].flatMap(({ keeper }) => [...keeper.tokens.keys()].filter((token) => text.includes(token)));
}

/** The tokens that an answer issued. */
export function tokensIn({ step, issued }: Done): string[] {
  const text = JSON.stringify(issued);
  return [...step.backend.keeper.tokens.keys()].filter((token) => text.includes(token));
}
