import {
  type CanonicalError,
  createLosses,
  createStreamRestorer,
  createWatcher,
  dialects,
  type Edit,
  fitRelayed,
  type HostRestorer,
  type JsonObject,
  type Losses,
  readCarrierHeader,
  refuseLosses,
  restoreAnswer,
  settleRelayed,
  type Watcher,
} from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { Failure, isObject } from '../ground/plain/index.js';
import {
  callerHeaders,
  checkAnswerType,
  errorInAnswer,
  INCOMPLETE,
  keepBetas,
  keepThread,
  parseAnswer,
  pathOf,
  relayedQuery,
  relayedText,
  takesQuery,
} from '../protocol/index.js';
import { type Ask, decode, mediaFor, profileFor } from './ask.js';
import { answerHeaders, type Call, policyOf, Refusal } from './call.js';
import { type Answered, BROKEN, bytesOf, DEPTH, isSuccess, readerOf, refusalOf, send, unlessAborted } from './send.js';
import type { CompleteCall } from './translated.js';
import { breaks, type Source, streamOf } from './translated-stream.js';
import { asStream } from './whole-as-stream.js';

/** A request as its host takes it. */
interface Fitted {
  readonly text: string;
  readonly value: unknown;
  readonly losses: Losses;
  /** Gives the answer back what the body lost. */
  readonly restore: HostRestorer | undefined;
}

/** Sends a client's own bytes to a backend of its dialect. Rejects with what is answered instead of an answer. */
export async function sendRelayed(
  call: Call,
  ask: Ask,
): Promise<{ readonly answered: Answered; readonly losses: Losses; readonly restore: HostRestorer | undefined }> {
  const { host } = call.settings;
  const operation = ask.counting ? 'count' : 'create';
  const { text, value, losses, restore } = await fitted(call, ask);
  const betas = keepThread(host, keepBetas(host, call.headers), value, losses);
  const edits = { ...betas.edits, ...settle(call, ask, value, text, losses) };
  const policy = policyOf(call);
  if (policy.policy === 'strict') refuseLosses(losses.list, policy.allow, call.dialect);
  const path = pathOf(host, operation, ask);
  const caller = { headers: call.headers, query: call.query };
  const answered = await send(call, {
    method: 'POST',
    path: takesQuery(host) ? relayedQuery(path, call.query, host) : path,
    body: relayedText({ text, value, asked: ask.asked, model: ask.model }, host, edits, operation),
    headers: callerHeaders(caller, host, betas.header),
  });
  if (!isSuccess(answered)) throw await refusalOf(call, answered, ask.model, losses.list);
  return { answered, losses, restore };
}

/** Has a conversation answered by a backend of the client's own dialect: nothing is decoded. */
export async function serveRelayed(call: Call, ask: Ask, complete: CompleteCall): Promise<Response> {
  const { answered: came, losses, restore } = await sendRelayed(call, ask);
  const answered =
    ask.stream && ask.framing === 'sse'
      ? await asStream(call, came, answerHeaders(call, ask.model, came.headers, losses.list))
      : came;
  const headers = {
    ...answerHeaders(call, ask.model, answered.headers, losses.list),
    'content-type': answered.headers['content-type'] ?? 'application/json',
  };
  if (ask.stream) {
    if (ask.framing === 'array') checkAnswerType(answered.headers, 'json');
    const source = createSource(call, ask, answered, restore);
    const told = { complete: () => complete(losses.list) };
    return new Response(streamOf(source, call.signal, told, undefined), { status: answered.status, headers });
  }
  checkAnswerType(answered.headers, 'json');
  const bytes = await bytesOf(call, answered);
  const failed = errorInAnswer(call.settings.host, parseAnswer(bytes, { jsonDepth: DEPTH }));
  if (failed !== undefined)
    throw new Refusal(failed, { status: answered.status, own: headers, losses: losses.list, relayed: undefined });
  const body = restore === undefined ? bytes : restoreAnswer(new TextDecoder().decode(bytes), restore, DEPTH);
  complete(losses.list);
  return new Response(body, { status: answered.status, headers });
}

/** What the host lacks of the dialect is written anew; every other byte stays. */
async function fitted(call: Call, ask: Ask): Promise<Fitted> {
  const { lacks } = call.settings.host;
  const losses = createLosses();
  if (lacks.length === 0) return { ...ask.json, losses, restore: undefined };
  const profile = profileFor(call, ask);
  const media = lacks.includes('imageUrls') ? await mediaFor(call, decode(call, ask).request, profile) : undefined;
  const { text, value, restore } = fitRelayed(call.dialect, ask.json, {
    lacks: new Set(lacks),
    losses,
    profile,
    media,
  });
  return { text, value, losses, restore };
}

/** Members that have to change because they hold opaque state which others issued, or this very host inside a carrier. */
function settle(call: Call, ask: Ask, value: unknown, text: string, losses: Losses): Record<string, Edit> {
  const { host } = call.settings;
  if (!isObject(value)) return {};
  // The vendor's own service knows no carriers; any other server may be a gateway that waits for them.
  const isVendor = host.preset?.name === gatewayDialect(host.dialect).service.preset;
  const members: JsonObject = settleRelayed(host.dialect, value, text, {
    domain: host.domain,
    foreign: (carrier) => isVendor && readCarrierHeader(carrier)?.domain !== host.domain,
    profile: profileFor(call, ask),
    losses,
  });
  const edits = Object.entries(members).map(([key, member]): [string, Edit] => [
    key,
    member === undefined ? 'remove' : { json: JSON.stringify(member), add: true },
  ]);
  return Object.fromEntries(edits);
}

/** Passes a stream as it comes, and ends it truthfully where it broke. */
function createSource(
  { settings, signal, id, dialect }: Call,
  { framing }: Ask,
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

/** Lets the watcher see a chunk; what it cannot read, such as an event that is too large, is a failure of the backend. */
function watch(watcher: Watcher, chunk: Uint8Array): Failure | undefined {
  try {
    watcher.push(chunk);
    return undefined;
  } catch (cause) {
    const message = 'the backend sent a stream that cannot be read';
    return new Failure({ kind: 'upstream', message }, { cause });
  }
}
