import {
  createStreamRestorer,
  createWatcher,
  dialects,
  type ModelTarget,
  restoreAnswer,
  type Watcher,
} from '../../translators/index.js';
import {
  asStream,
  breaks,
  createRelayedStream,
  type RelayedCall,
  type RelayedEnd,
  type RelayGate,
  relayedCall,
} from '../call/index.js';
import { Failure } from '../ground/plain/index.js';
import { checkAnswerType, errorInAnswer, LEAKED, parseAnswer } from '../protocol/index.js';
import { policyOf, Refusal } from './call.js';
import type { RelayedPlan, Relays, Task } from './plan.js';
import { decode, mediaFor, profileFor } from './request.js';
import { type Answered, BROKEN, bytesOf, DEPTH, readerOf, unlessAborted } from './send.js';
import type { Settings } from './settings.js';
import { type Source, streamOf } from './translated-stream.js';
import { headersFor, shown, TRANSPORT } from './transport.js';

/** Makes what the bytes of a stream pass on their way to the client. undefined = nothing. */
type GateOf = (
  settings: Settings,
  watcher: Watcher,
  framing: 'sse' | 'array',
  write: (piece: Uint8Array) => void,
) => Required<RelayGate> | undefined;

/** How calls of the backend's own dialect pass. */
export function createRelays(gateOf: GateOf, ending?: Relays['ending']): Relays {
  const relays: Relays = {
    /** Nothing is decoded. */
    async plan(task) {
      const { sent, losses, restore } = await callOf(task);
      return { kind: 'relayed', ...task, relays, sent, losses, restore };
    },
    call: callOf,
    deliver: (plan, answered) => deliverRelayed(plan, answered, gateOf),
    ending,
  };
  return relays;
}

/** The same for clients that may see everything. */
export const RELAYS = createRelays(() => undefined);

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
async function deliverRelayed(plan: RelayedPlan, came: Answered, gateOf: GateOf): Promise<Response> {
  const { call, ask, complete, restore } = plan;
  const { list: losses } = plan.losses;
  const answered = ask.stream && ask.framing === 'sse' ? await asStream(TRANSPORT, plan, came) : came;
  const { status } = answered;
  const type = answered.headers['content-type'] ?? 'application/json';
  const headers = { ...headersFor(plan, answered), 'content-type': type };
  if (ask.stream) {
    if (ask.framing === 'array') checkAnswerType(answered.headers, 'json');
    return new Response(streamOf(createSource(plan, answered, gateOf), plan), { status, headers });
  }
  checkAnswerType(answered.headers, 'json');
  const bytes = await bytesOf(call, answered);
  const parsed = parseAnswer(bytes, { jsonDepth: DEPTH });
  const failed = errorInAnswer(call.settings.host, call.settings.service, parsed);
  if (failed !== undefined) throw new Refusal(shown(call, failed), { own: headers, losses });
  if (call.settings.guard?.leaks(bytes, parsed) === true) throw new Refusal(LEAKED, { own: headers, losses });
  const body = restore === undefined ? bytes : restoreAnswer(new TextDecoder().decode(bytes), restore, DEPTH);
  complete({ losses, facts: dialects[call.dialect].relayedFacts.read([parsed]) });
  return new Response(body, { status, headers });
}

/** Passes a stream as it comes, and ends it truthfully where it broke. */
function createSource(
  { call, ask, restore }: RelayedPlan,
  answered: Answered,
  gateOf: GateOf,
): Source<string | Uint8Array> {
  const { settings, signal, id, dialect } = call;
  const reader = readerOf(answered);
  const watcher = createWatcher(dialects[dialect], ask.framing, settings.maxAnswerBytes);
  const restorer = restore === undefined ? undefined : createStreamRestorer(restore, DEPTH);
  const ready: (string | Uint8Array)[] = [];
  const say = (piece: string | Uint8Array): void => {
    if (piece.length > 0) ready.push(piece);
  };
  const write = (chunk: Uint8Array): void => say(restorer?.push(chunk) ?? chunk);
  const gate = gateOf(settings, watcher, ask.framing, write);
  const stream = createRelayedStream(
    watcher,
    {
      write: gate?.write ?? write,
      get closed() {
        return gate?.closed === true;
      },
      end() {
        const leak = gate?.end();
        say(restorer?.end() ?? '');
        return leak;
      },
      // Also behind half an event, which is then no JSON: a failure is reported in words before the stream breaks.
      get between() {
        return gate?.closed !== true || gate.between;
      },
      tell: gate?.tell ?? ((error) => error),
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
      return ended?.kind === 'cut' || (ended?.kind === 'failed' && breaks(dialect, ask.framing));
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
