import { type DialectId, type Loss, TranslationError } from '../../translators/index.js';
import { didYouMean, Failure, isUnforeseen, toCanonicalError } from '../ground/plain/index.js';
import { askedIn, atDeployment, framingIn, lossHeaders, modelBefore, PATHS, parseBody } from '../protocol/index.js';
import { type Call, errorAnswer, openCall, Refusal } from './call.js';
import { serveModel, serveModels } from './models.js';
import { type CommonOptions, readOptions, type Settings, type SpeechOptions } from './options.js';
import type { Relays } from './plan.js';
import { type FetchRequest, requestFor } from './request.js';
import { DEPTH, unlessAborted } from './send.js';
import { serve } from './serve.js';

/** A `fetch` that answers the calls of clients; `relays` where one may speak the dialect of the backend. Throws TypeError for an option that cannot be meant. */
export function makeFetch<Options extends CommonOptions>(
  options: Options,
  speech: SpeechOptions<Options>,
  relays?: Relays,
): typeof fetch {
  const before = globalThis.fetch;
  const made: typeof fetch = (input, init) => answer(settings, relays, openCall(settings, input, init));
  // Who replaces the global one means it, but not for the calls of what it was replaced by.
  const settings = readOptions(options, speech, (input, init) =>
    (globalThis.fetch === made ? before : globalThis.fetch)(input, init),
  );
  return made;
}

async function answer(settings: Settings, relays: Relays | undefined, call: Call): Promise<Response> {
  const { signal } = call;
  signal?.throwIfAborted();
  let ask: FetchRequest | undefined;
  let told = false;
  const tell = (losses: readonly Loss[], status: number): void => {
    if (told || ask === undefined) return;
    told = true;
    const { target: model, stream } = ask;
    settings.onLosses?.(losses, { from: call.dialect, to: settings.host.dialect, model, status, stream });
  };
  try {
    if (call.unknown !== undefined) throw unserved(call, call.unknown);
    const route = routeOf(call);
    if (route.ask === undefined) return await unlessAborted(signal, route.serve(call));
    const text = await unlessAborted(signal, call.text());
    const json = parseBody(text, { depth: DEPTH, values: Number.POSITIVE_INFINITY });
    ask = requestFor(call, route.ask(call, json, route.pattern));
    return await serve({ call, ask, relays, complete: (losses) => tell(losses, 200) });
  } catch (thrown) {
    signal?.throwIfAborted();
    const response = refused(call, thrown);
    tell(lossesOf(thrown), response.status);
    return response;
  }
}

/** The failure of a call in a dialect that none of the clients speaks. */
function unserved({ settings: { clients, service } }: Call, dialect: DialectId): Failure {
  const served = clients.map(({ id }) => id).join(', ');
  const how =
    dialect === service.id
      ? 'calls of the dialect of `to` pass with `createFetch` of interlingua/fetch'
      : `its half for clients is missing in \`from\``;
  const message = `calls of ${dialect} are not served here, only those of ${served}: ${how}`;
  return new Failure({ kind: 'not_found', status: 404, message });
}

function lossesOf(thrown: unknown): readonly Loss[] {
  if (thrown instanceof Refusal) return thrown.told.losses;
  return thrown instanceof TranslationError ? thrown.losses : [];
}

/** The answer in the place of the one that was asked for. */
function refused(call: Call, thrown: unknown): Response {
  if (thrown instanceof Refusal) {
    const { relayed, own } = thrown.told;
    if (relayed === undefined) return errorAnswer(call, thrown.error, own);
    const { status, body, type } = relayed;
    return new Response(body, { status, headers: { ...own, 'content-type': type } });
  }
  // A fault of ours, or of a function among the options, is its caller's to see.
  if (isUnforeseen(thrown)) throw thrown;
  const strict = thrown instanceof TranslationError && thrown.refused.length > 0 ? lossHeaders(thrown.refused) : {};
  return errorAnswer(call, toCanonicalError(thrown), strict);
}

/** What is asked at a place, whose path has this pattern. */
type RequestOf = (call: Call, json: FetchRequest['json'], pattern: RegExp) => Omit<FetchRequest, 'target'>;

/** One place of the surface: what it takes, and what is asked there; without `ask` it is served as it is. */
type Route = { readonly method: string; readonly path: string; readonly pattern: RegExp } & (
  | { readonly ask: RequestOf }
  | { readonly ask?: undefined; serve(call: Call): Promise<Response> }
);

const inBody =
  (counting: boolean): RequestOf =>
  (_call, json) => {
    const { model, stream } = askedIn(json);
    return { json, model, stream: stream && !counting, framing: 'sse', counting };
  };

const inPath =
  ({ stream = false, counting = false }): RequestOf =>
  ({ path, query }, json, pattern) => {
    const framing = stream ? framingIn(query) : 'sse';
    return { json, model: modelBefore(pattern, path), framing, stream, counting };
  };

const asks = (path: string, pattern: RegExp, ask: RequestOf): Route => ({ method: 'POST', path, pattern, ask });

const ROUTES: readonly Route[] = [
  asks('/v1/messages', PATHS.messages, inBody(false)),
  asks('/v1/messages/count_tokens', PATHS.messagesCount, inBody(true)),
  asks('/v1/responses', PATHS.responses, inBody(false)),
  asks('/v1/responses/input_tokens', PATHS.responsesCount, inBody(true)),
  asks('/v1/chat/completions', PATHS.chatCompletions, inBody(false)),
  asks('/openai/deployments/{model}/chat/completions', PATHS.deployment, (call, json, pattern) =>
    inBody(false)(call, atDeployment(call.path, json), pattern),
  ),
  asks('/v1beta/models/{model}:generateContent', PATHS.generateContent, inPath({})),
  asks('/v1beta/models/{model}:streamGenerateContent', PATHS.streamGenerateContent, inPath({ stream: true })),
  asks('/v1beta/models/{model}:countTokens', PATHS.countTokens, inPath({ counting: true })),
  { method: 'GET', path: '/v1/models', pattern: PATHS.models, serve: serveModels },
  { method: 'GET', path: '/v1/models/{id}', pattern: PATHS.model, serve: serveModel },
];

/** The route of a call. Throws Failure: 404 for a path that is none, 405 for another method. */
function routeOf({ method, path }: Call): Route {
  const fitting = ROUTES.filter(({ pattern }) => pattern.test(path));
  const found = fitting.find((route) => route.method === method);
  if (found !== undefined) return found;
  const [near] = fitting;
  if (near !== undefined && !/:[a-zA-Z]+\/?$/.test(path)) {
    const message = `${near.path} takes ${near.method}, not ${method}`;
    throw new Failure({ kind: 'invalid_request', status: 405, message });
  }
  const paths = ROUTES.map((route) => route.path);
  const nearest = didYouMean(path, paths);
  const advice = nearest === undefined ? `known: ${paths.join(', ')}` : `did you mean ${nearest}?`;
  throw new Failure({
    kind: 'not_found',
    status: 404,
    message: `unknown route ${method} ${path.slice(0, 200)}; ${advice}`,
  });
}
