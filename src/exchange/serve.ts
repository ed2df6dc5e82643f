import { type Decoded, decodeRequest } from '../call/index.js';
import type { Target } from '../config/index.js';
import { CallFailure, Failure } from '../ground/index.js';
import { type ClientCall, OffloadRequest, type Served } from '../http/index.js';
import type { PassReason } from '../observe/index.js';
import { JSON_TYPE, type LossPolicy, lossPolicy } from '../protocol/index.js';
import { AnswerOffload } from './answer-offload.js';

import type { AnsweredCall, Attempt, CallPlan, GenerationRequest } from './call-plan.js';
import { callWithRetry } from './call-with-retry.js';
import { explainPlan, explainRefusal, isExplained } from './explain.js';
import { withMedia } from './inlining.js';
import { lookAhead, type Seen } from './look-ahead.js';
import { checkModels } from './named-models.js';
import {
  type FailedTarget,
  noteCooling,
  type ReadRefusal,
  type Refusal,
  readRefusal,
  refusalOf,
  StreamRefusal,
  unreachedRefusal,
  worthReporting,
} from './refusal.js';
import { planRelay } from './relayed.js';
import { noteAnswered } from './restrictions.js';
import type { ExchangeServices } from './services.js';
import { availableFirst, isCooling, pickTargets } from './target.js';
import { planTranslation } from './translated.js';
import { unknownModel } from './unknown-model.js';

/** The way of one request: from the client to a backend and back. Rejects with the client's error. */
export function serveExchange(gateway: ExchangeServices, call: ClientCall, ask: GenerationRequest): Promise<Served> {
  return tryTargets(gateway, call, ask, lazyDecode(call, ask, false), (attempt) => {
    const { config } = attempt.backend;
    const direct = config.dialect === call.dialect && (ask.stream || config.stream === 'client');
    return direct ? withMedia(attempt, (media) => planRelay(attempt, 'create', media)) : planTranslation(attempt);
  });
}

/** Decodes the client's request when the first target of another dialect needs it, and then no more. */
export function lazyDecode(call: ClientCall, ask: GenerationRequest, counting: boolean): () => Decoded {
  let decoded: Decoded | undefined;
  return () => {
    if (decoded !== undefined) return decoded;
    const { conversation } = ask;
    const found = decodeRequest(call.dialect, ask, { counting, state: conversation?.state });
    decoded = conversation === undefined ? found : { ...found, body: conversation.echo };
    return decoded;
  };
}

/** Tries the model's targets in order until one serves, or refuses in a way that the others would not mend (configuration.md#rules). */
export async function tryTargets<S extends ExchangeServices>(
  gateway: S,
  call: ClientCall,
  ask: GenerationRequest,
  decoded: () => Decoded,
  prepare: (attempt: Attempt<S>) => CallPlan | Promise<CallPlan>,
): Promise<Served> {
  checkModels(call, ask);
  if (call.admission !== undefined) call.admission.asked = ask.json.text;
  const found = pickTargets(gateway.targets, call, ask.model);
  return tryEach({ gateway, call, ask, decoded }, ask.conversation?.choose(found) ?? found, prepare);
}

/** The same for targets that were found already, and that the caller may use. */
export async function tryEach<S extends ExchangeServices>(
  given: Pick<Attempt<S>, 'gateway' | 'call' | 'ask' | 'decoded'>,
  found: readonly Target[],
  prepare: (attempt: Attempt<S>) => CallPlan | Promise<CallPlan>,
): Promise<Served> {
  const { gateway, call, ask } = given;
  const policy = lossPolicy(gateway.config.losses, call.request.headers['x-interlingua-losses']);
  const targets = availableFirst(given, found);
  const explained = isExplained(call);
  let failed: FailedTarget | undefined;
  let passed = 0;
  for (const [index, target] of targets.entries()) {
    const attempt = createAttempt(given, target, policy, passed);
    let plan: CallPlan;
    try {
      const prepared = prepare(attempt);
      plan = prepared instanceof Promise ? await prepared : prepared;
    } catch (thrown) {
      // That a later target cannot take the request does not explain why an earlier one refused it, or is asked last.
      const late = targets.slice(index + 1).some((other) => isCooling(given, other));
      if (failed === undefined && !late) {
        if (!explained) throw thrown;
        await explainRefusal(attempt, thrown);
        return undefined;
      }
      continue;
    }
    if (explained) {
      await explainPlan(attempt, plan);
      return undefined;
    }
    const refusal = await pass(attempt, plan);
    if (refusal === undefined || refusal instanceof OffloadRequest) return refusal;
    failed = worthReporting(failed, { refusal, target, passed });
    if (!refusal.next) break;
    if (index < targets.length - 1) passed += 1;
    notePassed(attempt, refusal.reason, index < targets.length - 1);
  }
  if (failed === undefined) {
    throw unknownModel(gateway, call, ask.model);
  }
  noteTarget(call, ask, failed.target, failed.passed);
  await failed.refusal.answer();
  return undefined;
}

/** Tells the operator that a target did not serve; `followed` = by another one. */
function notePassed({ gateway, call, target }: Attempt, reason: PassReason, followed: boolean): void {
  const { name } = target.backend;
  // The operator alone can mend a key; a backend that is kept out for a while was logged when it failed.
  const level = reason === 'credentials' ? 'error' : reason === 'breaker' ? 'debug' : 'warn';
  gateway.logger[level]({ id: call.id, backend: name, model: target.model, reason }, 'the target did not serve');
  if (followed) gateway.meter.passed(name, reason);
}

/** Notes which target the exchange is about. */
function noteTarget({ record }: ClientCall, ask: GenerationRequest, { backend, model }: Target, passed: number): void {
  record.facts = {
    ...record.facts,
    model: ask.model === '' ? undefined : ask.model,
    stream: ask.stream,
    backend: backend.name,
    dialect: backend.dialect,
    target: model === '' ? undefined : model,
    passed: passed === 0 ? undefined : passed,
  };
}

function createAttempt<S extends ExchangeServices>(
  { gateway, call, ask, decoded }: Pick<Attempt<S>, 'gateway' | 'call' | 'ask' | 'decoded'>,
  target: Target,
  policy: LossPolicy,
  passed: number,
): Attempt<S> {
  const backend = gateway.backends.get(target.backend.name);
  noteTarget(call, ask, target, passed);
  const { conversation } = ask;
  return {
    gateway,
    call,
    target,
    policy,
    decoded,
    ask: conversation !== undefined && target.backend.dialect === call.dialect ? conversation.askOf(target, ask) : ask,
    storage: conversation?.storageOf(target),
    backend,
    callWithRetry: (request, waiting = call) => callWithRetry(gateway, call, target, request, waiting),
    refusal: async (answered) => new Failure((await readRefusal(gateway, target, answered)).error),
  };
}

/** Goes one way to its end. What is refused before anything was answered is given back and not thrown. */
async function pass(attempt: Attempt, plan: CallPlan, again = false): Promise<Refusal | Served> {
  let answered: AnsweredCall;
  try {
    answered = await (plan.send === undefined ? attempt.callWithRetry(plan.sent) : plan.send());
  } catch (thrown) {
    if (!(thrown instanceof CallFailure) || thrown.connected || attempt.call.gone) throw thrown;
    return unreachedRefusal(thrown);
  }
  const { status } = answered.answer;
  if (status >= 200 && status < 300) {
    if (!again) {
      const seen = offloadLarge(attempt, plan, answered);
      const checked = seen instanceof Promise ? await seen : seen;
      if (checked instanceof OffloadRequest) return checked;
      answered = checked;
    }
    try {
      await plan.deliver(answered);
    } catch (thrown) {
      // Nobody reads what may still come of it.
      answered.running.abort();
      const next = thrown instanceof StreamRefusal ? await plan.without(thrown.error) : undefined;
      if (next === undefined) throw thrown;
      return pass(attempt, next, true);
    }
    noteAnswered(attempt);
    return undefined;
  }
  const instead = plan.instead?.(status, answered);
  if (instead !== undefined) {
    await instead;
    return undefined;
  }
  const read = await readRefusal(attempt.gateway, attempt.target, answered);
  noteCooling(attempt, status, read);
  const next = isRefusal(status, read) ? await plan.without(read.original) : undefined;
  return next === undefined ? refusalOf(attempt, answered, read, plan) : pass(attempt, next, true);
}

/** Whether an answer says that the request is not valid; some servers do so with a 500. */
function isRefusal(status: number, { original }: ReadRefusal): boolean {
  return status === 400 || status === 422 || (status === 500 && original.kind === 'invalid_request');
}

/**
 * The answer to go on with here; AnswerOffload for a large one in one piece: a thread makes the same call plan from the same
 * request, and goes on with this answer. Not where something was fetched for the plan, or it tells of what its backend
 * refused: that cannot be made a second time; nor where a thread gave the request back.
 */
function offloadLarge(
  { gateway, call, ask, target }: Attempt,
  plan: CallPlan,
  answered: AnsweredCall,
): AnsweredCall | AnswerOffload | Promise<AnsweredCall | AnswerOffload> {
  const { offload } = gateway;
  const { text } = call;
  const whole = !ask.stream && JSON_TYPE.test(answered.answer.headers['content-type'] ?? '');
  if (offload === undefined || text === undefined || call.detached === true || !whole) return answered;
  if (plan.once === true || plan.send !== undefined || call.returned === true) return answered;
  const checked = ({ large, answer }: Seen): AnsweredCall | AnswerOffload => {
    const { running } = answered;
    return large ? new AnswerOffload([Buffer.from(text)], { target, answer, running }) : { answer, running };
  };
  const seen = lookAhead(answered.answer, offload.largeBytes);
  return seen instanceof Promise ? seen.then(checked) : checked(seen);
}
