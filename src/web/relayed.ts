import {
  createStreamRestorer,
  createWatcher,
  dialects,
  type ModelTarget,
  restoreAnswer,
} from '../../translators/index.js';
import {
  asStream,
  breaks,
  createRelayedStream,
  type RelayedCall,
  type RelayedEnd,
  relayedCall,
} from '../call/index.js';
import { Failure } from '../ground/plain/index.js';
import { checkAnswerType, errorInAnswer, LEAKED, parseAnswer } from '../protocol/index.js';
import { policyOf, Refusal } from './call.js';
import { leaksIn } from './leaks.js';
import type { RelayedPlan, Relays, Task } from './plan.js';
import { decode, mediaFor, profileFor } from './request.js';
import { type Answered, BROKEN, bytesOf, DEPTH, readerOf, unlessAborted } from './send.js';
import { type Source, streamOf } from './translated-stream.js';
import { headersFor, shown, TRANSPORT } from './transport.js';

/** How calls of the backend's own dialect pass. */
export const RELAYS: Relays = { plan: planRelay, call: callOf, deliver: deliverRelayed };

/** How a conversation is served by a backend of the client's own dialect: nothing is decoded. Rejects with the client's error. */
async function planRelay(task: Task): Promise<RelayedPlan> {
  const { sent, losses, restore } = await callOf(task);
  return { kind: 'relayed', ...task, relays: RELAYS, sent, losses, restore };
}

/** The client's own bytes for a backend of its dialect. Rejects with the client's error. */
async function callOf({ call, ask }: Task): Promise<RelayedCall> {
  const { host } = call.settings;
  const { unsupported } = host;
  let known: ModelTarget | undefined;
  const profile = (): ModelTarget => (known ??= profileFor(call, ask));
  const media = unsupported.includes('imageUrls')
    ? await mediaFor(call, decode(call, ask).request, profile())
    : undefined;
  return relayedCall({
    caller: call,
    host,
    policy: policyOf(call),
    request: ask,
    model: ask.target,
    operation: ask.counting ? 'count' : 'create',
    unsupported,
    profile,
    media,
    isForeign: call.settings.isForeign,
    pathOf: ask.pathOf,
  });
}

/** Passes the answer on as it comes. */
async function deliverRelayed(plan: RelayedPlan, came: Answered): Promise<Response> {
  const { call, ask, complete, restore } = plan;
  const { list: losses } = plan.losses;
  const answered = ask.stream && ask.framing === 'sse' ? await asStream(TRANSPORT, plan, came) : came;
  const { status } = answered;
  const type = answered.headers['content-type'] ?? 'application/json';
  const headers = { ...headersFor(plan, answered), 'content-type': type };
  if (ask.stream) {
    if (ask.framing === 'array') checkAnswerType(answered.headers, 'json');
    return new Response(streamOf(createSource(plan, answered), plan), { status, headers });
  }
  checkAnswerType(answered.headers, 'json');
  const bytes = await bytesOf(call, answered);
  const parsed = parseAnswer(bytes, { jsonDepth: DEPTH });
  const failed = errorInAnswer(call.settings.host, call.settings.service, parsed);
  if (failed !== undefined) throw new Refusal(shown(call, failed), { own: headers, losses });
  if (leaksIn(call.settings.secrets, bytes)) throw new Refusal(LEAKED, { own: headers, losses });
  const body = restore === undefined ? bytes : restoreAnswer(new TextDecoder().decode(bytes), restore, DEPTH);
  complete({ losses, facts: dialects[call.dialect].relayedFacts.read([parsed]) });
  return new Response(body, { status, headers });
}

/** Passes a stream as it comes, and ends it truthfully where it broke. */
function createSource({ call, ask, restore }: RelayedPlan, answered: Answered): Source<string | Uint8Array> {
  const { settings, signal, id, dialect } = call;
  const reader = readerOf(answered);
  const watcher = createWatcher(dialects[dialect], ask.framing, settings.maxAnswerBytes);
  const restorer = restore === undefined ? undefined : createStreamRestorer(restore, DEPTH);
  const ready: (string | Uint8Array)[] = [];
  const say = (piece: string | Uint8Array): void => {
    if (piece.length > 0) ready.push(piece);
  };
  const stream = createRelayedStream(
    watcher,
    {
      write: (chunk) => say(restorer?.push(chunk) ?? chunk),
      end() {
        say(restorer?.end() ?? '');
        return undefined;
      },
      // Also behind half an event, which is then no JSON: a failure is told in words before the stream breaks.
      between: true,
      tell: (error) => error,
    },
    id,
  );
  let ended: RelayedEnd | undefined;
  const step = async (): Promise<RelayedEnd | undefined> => {
    try {
      const { done, value } = await unlessAborted(signal, reader.read());
      return done ? stream.end() : stream.write(value);
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason;
      return stream.end(new Failure(BROKEN, { cause }));
    }
  };
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  return {
    cancel,
    outcome: () => ({
      facts: watcher.facts(),
      failed: ended?.kind === 'whole' || ended?.kind === 'finished' ? watcher.failure?.error : ended?.failure.error,
    }),
    get broken() {
      return ended?.kind === 'failed' && breaks(dialect, ask.framing);
    },
    async next() {
      while (ready.length === 0 && ended === undefined) {
        ended = await step();
        if (ended === undefined) continue;
        cancel();
        if (ended.kind !== 'whole') say(ended.last);
      }
      return ready.shift();
    },
  };
}
