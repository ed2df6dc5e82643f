import { type DialectId, refusedLosses } from '../../translators/index.js';
import { atEndpoint, type BackendConfig } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { isObject, isUnforeseen } from '../ground/index.js';
import { createFacts } from '../http/index.js';
import { outlineOf } from '../protocol/index.js';
import type { Attempt } from './attempt.js';
import type { CallPlan } from './call-plan.js';
import { configuredProfile, noteRestriction, restrictionsOf } from './restrictions.js';

/** Makes the plan of a request for the endpoint of an attempt. Throws or rejects with the client's error. */
type PlanAt = (attempt: Attempt) => CallPlan | Promise<CallPlan>;

/** What a request loses at an endpoint. */
interface Weighed {
  readonly attempt: Attempt;
  readonly plan?: CallPlan;
  /** The losses that count and are not allowed (http.md#losses); undefined = it cannot be served there. */
  readonly lost: number | undefined;
  /** How many of them are opaque state that only its issuer can read. */
  readonly state?: number;
  /** Why it cannot be said there. */
  readonly thrown?: unknown;
}

/** The choice that loses least, the first of several; undefined where there is none. State comes before everything else. */
export function leastLossy<W extends Pick<Weighed, 'lost' | 'state'>>(choices: readonly W[]): W | undefined {
  let best: W | undefined;
  for (const one of choices) if (one.lost !== undefined && (best === undefined || isBetter(one, best))) best = one;
  return best;
}

function isBetter(one: Pick<Weighed, 'lost' | 'state'>, other: Pick<Weighed, 'lost' | 'state'>): boolean {
  const left = (one.state ?? 0) - (other.state ?? 0);
  return left === 0 ? (one.lost ?? 0) < (other.lost ?? 0) : left < 0;
}

/**
 * The plan for the endpoint of a backend that loses least of a request (hosts.md#endpoints, Decision 0035). The first is that of the client's own
 * dialect where the host has it; if nothing is lost there, no other is looked at. Else it is the one with the fewest losses, in the preset's
 * order. The request alone decides: the next one of a conversation goes to the same endpoint as long as it asks for the same, and
 * opaque state that would be left behind is a loss.
 */
export function planAtBest(asked: Attempt, planAt: PlanAt): CallPlan | Promise<CallPlan> {
  const others = othersOf(asked);
  if (others.length === 0) return planAt(asked);
  const first = weigh(asked, planAt);
  if (!(first instanceof Promise) && first.lost === 0 && first.plan !== undefined) return first.plan;
  return choose(asked, [first, ...others], planAt);
}

async function choose(
  asked: Attempt,
  [first, ...others]: readonly [Weighed | Promise<Weighed>, ...(readonly BackendConfig[])],
  planAt: PlanAt,
): Promise<CallPlan> {
  const weighed = [await first];
  if (weighed[0]?.lost !== 0)
    for (const endpoint of others) weighed.push(await weigh(attemptAt(asked, endpoint), planAt));
  const best = leastLossy(weighed);
  noteEndpoints(asked, weighed, best);
  if (best?.plan !== undefined) return best.plan;
  const refused = weighed.find(({ thrown }) => thrown !== undefined);
  // All of them were missing a while ago.
  if (refused === undefined) return planAt(asked);
  throw refused.thrown;
}

function weigh(attempt: Attempt, planAt: PlanAt): Weighed | Promise<Weighed> {
  const refused = (thrown: unknown): Weighed => {
    if (isUnforeseen(thrown) || attempt.call.gone) throw thrown;
    return { attempt, lost: undefined, thrown };
  };
  if (isMissing(attempt)) return { attempt, lost: undefined };
  try {
    const plan = planAt(attempt);
    return plan instanceof Promise ? plan.then((made) => count(attempt, made), refused) : count(attempt, plan);
  } catch (thrown) {
    return refused(thrown);
  }
}

function count(attempt: Attempt, plan: CallPlan): Weighed {
  const { losses, kind } = plan;
  const list = losses.list.length === 0 ? [] : refusedLosses(losses.list, attempt.policy.allow);
  const state = list.filter(({ feature }) => feature === 'reasoning.state').length;
  const silent = kind === 'relayed' ? wishesInVain(attempt) : Number(keepsNoState(attempt));
  return { attempt, plan, state, lost: list.length + silent };
}

/** Whether a model thinks there and nothing of it comes back with the next turn, which no loss of a first turn tells. */
function keepsNoState({ target }: Attempt): boolean {
  const { server, thinking } = configuredProfile(target);
  return server?.reasoningReplay === 'never' && thinking.control !== 'none';
}

/** How many wishes of a body the model's server is known to pass over, although nothing is written anew for it. */
function wishesInVain({ ask, target }: Attempt): number {
  const { wishes } = gatewayDialect(target.backend.dialect);
  if (wishes === undefined) return 0;
  const body = outlineOf(ask.json);
  if (!isObject(body)) return 0;
  const held = wishes.filter(({ isIn }) => isIn(body));
  return held.length === 0 ? 0 : held.filter(({ lacks }) => lacks(configuredProfile(target))).length;
}

/** The endpoints beside that of an attempt, in the preset's order; none for media, and for what the backend keeps or makes itself. */
function othersOf({ gateway, call, ask, target }: Attempt): readonly BackendConfig[] {
  const { name, dialect } = target.backend;
  const backend = gateway.config.backends[name];
  if (backend === undefined || backend.endpoints.length === 0) return [];
  if (call.surface !== undefined || ask.conversation?.isBound(target) === true) return [];
  return [backend, ...backend.endpoints].filter((endpoint) => endpoint.dialect !== dialect);
}

/** The same request by another endpoint of the backend. */
function attemptAt(attempt: Attempt, endpoint: BackendConfig): Attempt {
  const { gateway, asked, call } = attempt;
  const target = atEndpoint(attempt.target, endpoint);
  const { conversation } = asked;
  return {
    ...attempt,
    target,
    backend: gateway.backends.at(endpoint),
    ask: conversation !== undefined && endpoint.dialect === call.dialect ? conversation.askOf(target, asked) : asked,
    storage: conversation?.storageOf(target),
  };
}

/** Notes for the log, explain and the headers what was compared, and with which outcome. */
function noteEndpoints({ call: { record } }: Attempt, weighed: readonly Weighed[], best: Weighed | undefined): void {
  // What was compared before stays first: by that the usual endpoint is known.
  const endpoints: Partial<Record<DialectId, number | null>> = { ...record.facts?.endpoints };
  for (const { attempt, lost } of weighed) endpoints[attempt.target.backend.dialect] = lost ?? null;
  record.facts ??= createFacts();
  const { facts } = record;
  facts.endpoints = endpoints;
  if (best !== undefined) facts.dialect = best.attempt.target.backend.dialect;
}

function isMissing(attempt: Attempt): boolean {
  return restrictionsOf(attempt).some(({ kind }) => kind === 'endpoint');
}

/**
 * The plan for another endpoint, after this one turned out not to be there: the server is older than what is known of it, or the model is
 * served by other endpoints only. undefined where there is no other.
 */
export async function planElsewhere({ kind, attempt }: CallPlan, planAt: PlanAt): Promise<CallPlan | undefined> {
  if (kind !== 'relayed' && kind !== 'translated') return undefined;
  const missing = [...(attempt.missing ?? []), attempt];
  const isTried = ({ dialect }: BackendConfig): boolean =>
    missing.some(({ target }) => target.backend.dialect === dialect);
  const rest = othersOf(attempt).filter((endpoint) => !isTried(endpoint));
  const weighed: Weighed[] = missing.map((one) => ({ attempt: one, lost: undefined }));
  for (const endpoint of rest) weighed.push(await weigh({ ...attemptAt(attempt, endpoint), missing }, planAt));
  const best = leastLossy(weighed);
  if (best !== undefined) noteEndpoints(attempt, weighed, best);
  return best?.plan;
}

/** Stores which endpoints were not there, now that another one answered. */
export function noteMissing({ missing = [] }: Attempt): void {
  for (const attempt of missing) noteRestriction(attempt, { kind: 'endpoint' });
}
