import { asksToExplain, type CallSteps, serveFirst } from '../call/index.js';
import { Failure } from '../ground/plain/index.js';
import { checkModelName, checkNamedModels, parseBody, unknownModel } from '../protocol/index.js';
import {
  type Answered,
  type CallPlan,
  DEPTH,
  planFor,
  Refusal,
  type Relays,
  type Task,
  unlessAborted,
  WEB_STEPS,
  type WebRequest,
} from '../web/index.js';
import type { HandlerCall } from './call.js';
import { explain } from './explain.js';
import { namesFor } from './models.js';
import type { Conversation } from './state.js';

/** Values in one body, at every level, as with the gateway. */
const MOST_VALUES = 250_000;

/** Reads what a client asks of a model. */
export async function readAsk(
  call: HandlerCall,
  read: (json: WebRequest['json']) => Omit<WebRequest, 'target'>,
): Promise<Omit<WebRequest, 'target'>> {
  const text = await unlessAborted(call.signal, call.text());
  const asked = read(parseBody(text, { depth: DEPTH, values: MOST_VALUES }));
  const { handler, key, dialect, recording } = call;
  Object.assign(recording.facts, { model: asked.model, stream: asked.stream });
  checkModelName(asked.model, '/model');
  checkNamedModels(key, dialect, { model: asked.model, text: asked.json.text }, handler.data);
  return asked;
}

/** Has a request served by the targets of its model in turn. Rejects with the client's error. */
export async function serveAsk(
  call: HandlerCall,
  asked: Omit<WebRequest, 'target'>,
  { relays, conversation }: { readonly relays?: Relays; readonly conversation?: Conversation },
): Promise<Response> {
  const { handler, recording, dialect, headers } = call;
  const tasks = handler.draw(asked.model).map((target): Task => {
    const settings = target.settingsFor(dialect);
    const { complete, left } = recording;
    return {
      call: { ...call, settings },
      ask: { ...(conversation?.askOf(settings, target.model) ?? asked), target: target.model },
      relays,
      complete,
      left,
    };
  });
  const [first] = tasks;
  if (first === undefined) throw unknownModel(asked.model, namesFor(call));
  if (asksToExplain(headers['x-interlingua-explain'])) {
    note(first, 0);
    return explain(call, first);
  }
  let asking = first;
  const outcome = await serveFirst(tasks, {
    ...STEPS,
    async plan(task, _index, passed, failed) {
      asking = task;
      note(task, passed);
      try {
        return await planFor(task);
      } catch (thrown) {
        // That it cannot be expressed for this target explains nothing where an earlier one refused it.
        if (failed === undefined) throw thrown;
        return undefined;
      }
    },
  });
  if ('served' in outcome) return conversation?.keep(outcome.served, asking.call.settings) ?? outcome.served;
  const { failed } = outcome;
  if (failed === undefined) throw unknownModel(asked.model, namesFor(call));
  note(failed.target, failed.passed);
  throw failed.refusal;

  function note({ call: { settings }, ask }: Task, passed: number): void {
    const { name, host } = settings;
    Object.assign(recording.facts, { backend: name, dialect: host.dialect, target: ask.target, passed });
  }
}

const STEPS: Omit<CallSteps<Task, CallPlan, Answered, Response, Refusal>, 'plan'> = {
  ...WEB_STEPS,
  unreached({ call: { signal } }, thrown) {
    if (signal?.aborted === true || !(thrown instanceof Failure)) throw thrown;
    return new Refusal(thrown.error, { own: {}, losses: [] }, true);
  },
};
