import { dialects } from '../../translators/index.js';
import { type CallSteps, type Decoded, decodeRequest, StreamRefusal, serveFirst } from '../call/index.js';
import { atEndpoint, type Target } from '../config/index.js';
import { CallFailure } from '../ground/index.js';
import { type ClientCall, createFacts, noteNext, noteTried, OffloadRequest, type Served } from '../http/index.js';
import { type LossPolicy, lossPolicy } from '../protocol/index.js';
import { offloadLarge } from './answer-offload.js';
import type { AnsweredCall, Attempt, GenerationRequest } from './attempt.js';
import { type CallPlan, deliverPlan, insteadOf, revisePlan, sendPlan } from './call-plan.js';
import { calledFacts } from './call-with-retry.js';
import { planCount } from './count-plan.js';
import { noteMissing, planAtBest, planElsewhere } from './endpoints.js';
import { explainPlan, explainRefusal, isExplained } from './explain.js';
import { withMedia } from './inlining.js';
import { checkModels } from './named-models.js';
import { withSizes } from './overflow.js';
import { NO_ENDPOINT_HERE, type Refusal, refusalOf, unreachedRefusal, worthReporting } from './refusal.js';
import { planRelay } from './relay-plan.js';
import { noteAnswered, restrictionsOf } from './restrictions.js';
import type { ExchangeServices } from './services.js';
import { availableFirst, isCooling, pickTargets } from './target.js';
import { planTranslation } from './translated.js';
import { unknownModel } from './unknown-model.js';

/** The way of one request: from the client to a backend and back. Rejects with the client's error. */
export function serveExchange(gateway: ExchangeServices, call: ClientCall, ask: GenerationRequest): Promise<Served> {
  const planBest = (attempt: Attempt): CallPlan | Promise<CallPlan> => planAtBest(attempt, planExchange);
  return tryTargets(gateway, call, ask, lazyDecode(call, ask, false), planBest);
}

function planExchange(attempt: Attempt): CallPlan | Promise<CallPlan> {
  const { ask, backend, call } = attempt;
  const { dialect, stream } = backend.config;
  const direct = dialect === call.dialect && (ask.stream || stream === 'client');
  return direct ? withMedia(attempt, (media) => planRelay(attempt, 'create', media)) : planTranslation(attempt);
}

/** Counts the tokens of a request: the backend does, or it is estimated (translation.md 8). */
export function serveCount(gateway: ExchangeServices, call: ClientCall, asked: GenerationRequest): Promise<Served> {
  // Whatever the body says: a count is no stream.
  const ask = { ...asked, stream: false };
  return tryTargets(gateway, call, ask, lazyDecode(call, ask, true), planCount);
}

/** Decodes the client's request when the first target of another dialect needs it, and then no more. */
export function lazyDecode(call: ClientCall, ask: GenerationRequest, counting: boolean): () => Decoded {
  let decoded: Decoded | undefined;
  return () => {
    if (decoded !== undefined) return decoded;
    const { conversation } = ask;
    const found = decodeRequest(dialects[call.dialect], ask, { counting, state: conversation?.state });
    decoded = conversation === undefined ? found : { ...found, body: conversation.echo };
    return decoded;
  };
}

/** Makes the plan of an attempt. Throws or rejects with the client's error. */
type Prepare<S extends ExchangeServices> = (attempt: Attempt<S>) => CallPlan | Promise<CallPlan>;

/** What all attempts for one request have in common. */
type Given<S extends ExchangeServices> = Pick<Attempt<S>, 'gateway' | 'call' | 'ask' | 'decoded'>;

/** Tries the model's targets in order until one serves, or refuses in a way that the others would not mend (configuration.md#rules). */
export async function tryTargets<S extends ExchangeServices>(
  gateway: S,
  call: ClientCall,
  ask: GenerationRequest,
  decoded: () => Decoded,
  prepare: Prepare<S>,
): Promise<Served> {
  call.record.asked = ask.model;
  checkModels(call, ask);
  if (call.admission !== undefined) call.admission.asked = ask.json.bytes ?? ask.json.text;
  const found = pickTargets(gateway.targets, call, ask.model);
  return tryEach({ gateway, call, ask, decoded }, ask.conversation?.choose(found) ?? found, prepare);
}

/** The same for targets that were found already, and that the caller may use. */
export async function tryEach<S extends ExchangeServices>(
  given: Given<S>,
  found: readonly Target[],
  prepare: Prepare<S>,
): Promise<Served> {
  const { gateway, call, ask } = given;
  const policy = lossPolicy(gateway.config.losses, call.request.headers['x-interlingua-losses']);
  const targets = availableFirst(given, found);
  // What stands in the way of one target explains nothing where a later one was put last.
  const skips = (index: number): boolean => targets.slice(index + 1).some((other) => isCooling(given, other));
  const attemptFor = (target: Target, passed: number): Attempt<S> => createAttempt(given, target, policy, passed);
  if (isExplained(call)) {
    for (const [index, target] of targets.entries()) {
      if (await explain(attemptFor(target, 0), prepare, skips(index))) return 'answered';
    }
    throw unknownModel(gateway, call, ask.model);
  }
  const outcome = await serveFirst(targets, {
    ...STEPS,
    plan(target, index, passed, failed) {
      const skip = (thrown: unknown): undefined => {
        // Nor does it explain why an earlier one refused the request.
        if (failed === undefined && !skips(index)) throw thrown;
      };
      try {
        const plan = prepare(attemptFor(target, passed));
        return plan instanceof Promise ? plan.catch(skip) : plan;
      } catch (thrown) {
        return skip(thrown);
      }
    },
  });
  if ('served' in outcome) return outcome.served;
  if (outcome.failed === undefined) throw unknownModel(gateway, call, ask.model);
  const { target, passed, refusal } = outcome.failed;
  noteTarget(gateway, call, ask, refusal.endpoint ? atEndpoint(target, refusal.endpoint) : target, passed);
  await refusal.answer();
  return 'answered';
}

/** Answers with the call that would be made, or with why there is none; false where another target is to be explained. */
async function explain<S extends ExchangeServices>(
  attempt: Attempt<S>,
  prepare: Prepare<S>,
  skips: boolean,
): Promise<boolean> {
  let plan: CallPlan;
  try {
    plan = await prepare(attempt);
  } catch (thrown) {
    if (!skips) await explainRefusal(attempt, thrown);
    return !skips;
  }
  await explainPlan(plan);
  return true;
}

/** What a plan comes to at a backend. */
const STEPS: Omit<CallSteps<Target, CallPlan, AnsweredCall, Served, Refusal>, 'plan'> = {
  send(plan) {
    const { attempt } = plan;
    const known = restrictionsOf(attempt);
    attempt.call.record.restrictions = known.length === 0 ? undefined : known;
    // A refusal may ask for it again.
    attempt.ask.json.release?.();
    return sendPlan(plan);
  },
  status: ({ answer }) => answer.status,
  unreached({ attempt }, thrown) {
    if (!(thrown instanceof CallFailure) || thrown.connected || attempt.call.gone) throw thrown;
    return unreachedRefusal(attempt, thrown);
  },
  async deliver(plan, answered, revised) {
    const seen = revised ? answered : offloadLarge(plan, answered, plan.kind === 'own' && plan.send !== undefined);
    const checked = seen instanceof Promise ? await seen : seen;
    if (checked instanceof OffloadRequest) return checked;
    try {
      await deliverPlan(plan, checked);
    } catch (thrown) {
      // Nobody reads what may still come of it.
      checked.running.abort();
      if (!(thrown instanceof StreamRefusal)) throw thrown;
      const { call, target } = plan.attempt;
      noteTried(call, { ...calledFacts(target), reason: 'refused', status: 200, quotes: true }, thrown.error);
      throw await sized(plan.attempt, thrown);
    }
    noteAnswered(plan.attempt);
    noteMissing(plan.attempt);
    return 'answered';
  },
  instead: (plan, answered) => insteadOf(plan, answered)?.then(() => 'answered'),
  refusal: refusalOf,
  async revise(plan, error) {
    const missing = error.code === NO_ENDPOINT_HERE;
    const next = await (missing ? planElsewhere(plan, planExchange) : revisePlan(plan, error));
    if (next !== undefined) noteNext(plan.attempt.call, missing ? 'elsewhere' : 'again');
    return next;
  },
  worthReporting,
  passedOver({ attempt: { gateway, call, target } }, { reason }, followed) {
    const { name } = target.backend;
    // The operator alone can mend a key; a backend that is kept out for a while was logged when it failed.
    const level = reason === 'credentials' ? 'error' : reason === 'breaker' ? 'debug' : 'warn';
    gateway.logger[level]({ id: call.id, backend: name, model: target.model, reason }, 'target failed');
    if (!followed) return;
    noteNext(call, 'elsewhere');
    gateway.meter.passed(name, reason);
  },
};

/** The same refusal, with the sizes that are known here. */
async function sized(attempt: Attempt, refusal: StreamRefusal): Promise<StreamRefusal> {
  const error = await withSizes(attempt, refusal.error);
  return error === refusal.error ? refusal : new StreamRefusal(error, { headers: refusal.headers, cause: refusal });
}

/** Notes which target the exchange is about. */
function noteTarget(
  { models }: Pick<ExchangeServices, 'models'>,
  { record, surface }: ClientCall,
  ask: GenerationRequest,
  target: Target,
  passed: number,
): void {
  const { backend, model } = target;
  record.facts ??= createFacts();
  const { facts } = record;
  // Pictures and videos are not billed by tokens of text.
  record.prices = surface === undefined ? models.fact(target, 'prices')?.value : undefined;
  facts.model = ask.model === '' ? undefined : ask.model;
  facts.stream = ask.stream;
  facts.backend = backend.name;
  facts.dialect = backend.dialect;
  facts.target = model === '' ? undefined : model;
  facts.passed = passed === 0 ? undefined : passed;
  facts.cost = undefined;
  facts.costPartial = undefined;
  facts.endpoints = undefined;
}

function createAttempt<S extends ExchangeServices>(
  { gateway, call, ask, decoded }: Given<S>,
  target: Target,
  policy: LossPolicy,
  passed: number,
): Attempt<S> {
  noteTarget(gateway, call, ask, target, passed);
  const { conversation } = ask;
  return {
    gateway,
    call,
    target,
    policy,
    decoded,
    asked: ask,
    ask: conversation !== undefined && target.backend.dialect === call.dialect ? conversation.askOf(target, ask) : ask,
    storage: conversation?.storageOf(target),
    backend: gateway.backends.at(target.backend),
  };
}
