import {
  type CanonicalError,
  createStreamRestorer,
  createWatcher,
  dialects,
  type HostRestorer,
  type ModelTarget,
  restoreAnswer,
} from '../../translators/index.js';
import { asStream, breaks, relayedCall, watch } from '../call/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { Failure } from '../ground/plain/index.js';
import { checkAnswerType, errorInAnswer, INCOMPLETE, parseAnswer } from '../protocol/index.js';
import { type Call, policyOf, Refusal } from './call.js';
import { decode, type FetchRequest, mediaFor, profileFor } from './request.js';
import { type Answered, BROKEN, bytesOf, DEPTH, readerOf, unlessAborted } from './send.js';
import type { CompleteCall } from './translated.js';
import { type Source, streamOf } from './translated-stream.js';
import { type Asked, headersFor, sendFor, TRANSPORT } from './transport.js';

/** A relayed request that was answered. */
interface Relayed {
  readonly asked: Asked;
  readonly answered: Answered;
  /** Gives the answer back what the body lost. */
  readonly restore: HostRestorer | undefined;
}

/** Sends a client's own bytes to a backend of its dialect. Rejects with what is answered instead of an answer. */
export async function sendRelayed(call: Call, ask: FetchRequest): Promise<Relayed> {
  const { host } = call.settings;
  const { unsupported } = host;
  let known: ModelTarget | undefined;
  const profile = (): ModelTarget => (known ??= profileFor(call, ask));
  const media = unsupported.includes('imageUrls')
    ? await mediaFor(call, decode(call, ask).request, profile())
    : undefined;
  // The vendor's own service knows no carriers; any other server may be a gateway that waits for them.
  const isVendor = host.preset?.name === gatewayDialect(host.dialect).service.preset;
  const { sent, losses, restore } = relayedCall({
    caller: call,
    host,
    policy: policyOf(call),
    request: ask,
    model: ask.target,
    operation: ask.counting ? 'count' : 'create',
    unsupported,
    profile,
    media,
    isForeign: (domain) => isVendor && domain !== host.domain,
  });
  const asked = { call, ask, losses };
  return { asked, answered: await sendFor(asked, sent), restore };
}

/** Has a conversation answered by a backend of the client's own dialect: nothing is decoded. */
export async function serveRelayed(call: Call, ask: FetchRequest, complete: CompleteCall): Promise<Response> {
  const { asked, answered: came, restore } = await sendRelayed(call, ask);
  const { list } = asked.losses;
  const answered = ask.stream && ask.framing === 'sse' ? await asStream(TRANSPORT, asked, came) : came;
  const { status } = answered;
  const type = answered.headers['content-type'] ?? 'application/json';
  const headers = { ...headersFor(asked, answered), 'content-type': type };
  if (ask.stream) {
    if (ask.framing === 'array') checkAnswerType(answered.headers, 'json');
    const source = createSource(call, ask, answered, restore);
    const told = { complete: () => complete(list) };
    return new Response(streamOf(source, call.signal, told, undefined), { status, headers });
  }
  checkAnswerType(answered.headers, 'json');
  const bytes = await bytesOf(call, answered);
  const failed = errorInAnswer(call.settings.host, parseAnswer(bytes, { jsonDepth: DEPTH }));
  if (failed !== undefined) throw new Refusal(failed, { status, own: headers, losses: list, relayed: undefined });
  const body = restore === undefined ? bytes : restoreAnswer(new TextDecoder().decode(bytes), restore, DEPTH);
  complete(list);
  return new Response(body, { status, headers });
}

/** Passes a stream as it comes, and ends it truthfully where it broke. */
function createSource(
  { settings, signal, id, dialect }: Call,
  { framing }: FetchRequest,
  answered: Answered,
  restore: HostRestorer | undefined,
): Source<string | Uint8Array> {
  const reader = readerOf(answered);
  const watcher = createWatcher(dialects[dialect], framing, settings.maxAnswerBytes);
  const restorer = restore === undefined ? undefined : createStreamRestorer(restore, DEPTH);
  let over = false;
  const ending = (error: CanonicalError): string => {
    over = true;
    const rest = restorer?.end() ?? '';
    try {
      watcher.end();
    } catch {
      // It is then no whole stream.
    }
    return rest + (watcher.whole ? '' : watcher.ending(error, { requestId: id }));
  };
  return {
    cancel: () => void reader.cancel().catch(() => undefined),
    get broken() {
      return !watcher.whole && !watcher.finished && breaks(dialect, framing);
    },
    async next() {
      while (!over) {
        const piece = await step();
        if (piece.length > 0) return piece;
      }
      return undefined;
    },
  };

  async function step(): Promise<string | Uint8Array> {
    try {
      const { done, value } = await unlessAborted(signal, reader.read());
      if (done) return ending(INCOMPLETE);
      const failure = watch(watcher, value);
      if (failure !== undefined) throw failure;
      return restorer?.push(value) ?? value;
    } catch (thrown) {
      reader.cancel().catch(() => undefined);
      if (signal?.aborted === true) throw signal.reason;
      return ending(thrown instanceof Failure ? thrown.error : BROKEN);
    }
  }
}
