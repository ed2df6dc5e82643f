import { type Loss, TranslationError } from '../../translators/index.js';
import { didYouMean, Failure, isUnforeseen, toCanonicalError } from '../ground/plain/index.js';
import { askedIn, atDeployment, framingIn, lossHeaders, modelBefore, PATHS, parseBody } from '../protocol/index.js';
import { type Call, errorAnswer, openCall, Refusal } from './call.js';
import { serveModel, serveModels } from './models.js';
import { type FetchOptions, readOptions, type Settings } from './options.js';
import { type FetchRequest, requestFor } from './request.js';
import { DEPTH, unlessAborted } from './send.js';
import { serve } from './serve.js';

/**
 * A `fetch` for the SDK of any dialect, which has its calls answered by a service of dialect `to`: conversations, token counts
 * and model lists are translated, or pass where both speak one dialect; every other URL is answered 404 and never sent.
 * Failures are answers in the client's dialect; only an abort rejects, with its reason. Throws TypeError for an option that
 * cannot be meant.
 */
export function createFetch(options: FetchOptions): typeof fetch {
  const before = globalThis.fetch;
  const made: typeof fetch = (input, init) => answer(settings, openCall(settings, input, init));
  // Who replaces the global one means it, but not for the calls of what it was replaced by.
  const settings = readOptions(options, (input, init) =>
    (globalThis.fetch === made ? before : globalThis.fetch)(input, init),
  );
  return made;
}

async function answer(settings: Settings, call: Call): Promise<Response> {
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
    const route = routeOf(call);
    if (route.ask === undefined) return await unlessAborted(signal, route.serve(call));
    const text = await unlessAborted(signal, call.text());
    ask = requestFor(call, route.ask(call, parseBody(text, { depth: DEPTH, values: Number.POSITIVE_INFINITY })));
    return await serve({ call, ask, complete: (losses) => tell(losses, 200) });
  } catch (thrown) {
    signal?.throwIfAborted();
    const response = refused(call, thrown);
    tell(lossesOf(thrown), response.status);
    return response;
  }
}

function lossesOf(thrown: unknown): readonly Loss[] {
  return thrown instanceof TranslationError || thrown instanceof Refusal ? thrown.losses : [];
}

/** The answer in the place of the one that was asked for. */
function refused(call: Call, thrown: unknown): Response {
  if (thrown instanceof Refusal) {
    const { relayed, own } = thrown;
    if (relayed === undefined) return errorAnswer(call, thrown.error, own);
    const { status, body, type } = relayed;
    return new Response(body, { status, headers: { ...own, 'content-type': type } });
  }
  // A fault of ours, or of a function among the options, is its caller's to see.
  if (isUnforeseen(thrown)) throw thrown;
  const strict = thrown instanceof TranslationError && thrown.refused.length > 0 ? lossHeaders(thrown.refused) : {};
  return errorAnswer(call, toCanonicalError(thrown), strict);
}

type RequestOf = (call: Call, json: FetchRequest['json']) => Omit<FetchRequest, 'target'>;

/** One place of the surface: what it takes, and what is asked there; without `ask` it is served as it is. */
type Route = { readonly methods: readonly string[]; readonly path: string; readonly pattern: RegExp } & (
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
  (pattern: RegExp, kind: Pick<FetchRequest, 'stream' | 'counting'>): RequestOf =>
  ({ path, query }, json) => ({
    json,
    model: modelBefore(pattern, path),
    framing: kind.stream ? framingIn(query) : 'sse',
    ...kind,
  });

const POST = ['POST'];

const ROUTES: readonly Route[] = [
  { methods: POST, path: '/v1/messages', pattern: PATHS.messages, ask: inBody(false) },
  { methods: POST, path: '/v1/messages/count_tokens', pattern: PATHS.messagesCount, ask: inBody(true) },
  { methods: POST, path: '/v1/responses', pattern: PATHS.responses, ask: inBody(false) },
  { methods: POST, path: '/v1/responses/input_tokens', pattern: PATHS.responsesCount, ask: inBody(true) },
  { methods: POST, path: '/v1/chat/completions', pattern: PATHS.chatCompletions, ask: inBody(false) },
  {
    methods: POST,
    path: '/openai/deployments/{model}/chat/completions',
    pattern: PATHS.deployment,
    ask: (call, json) => inBody(false)(call, atDeployment(call.path, json)),
  },
  {
    methods: POST,
    path: '/v1beta/models/{model}:generateContent',
    pattern: PATHS.generateContent,
    ask: inPath(PATHS.generateContent, { stream: false, counting: false }),
  },
  {
    methods: POST,
    path: '/v1beta/models/{model}:streamGenerateContent',
    pattern: PATHS.streamGenerateContent,
    ask: inPath(PATHS.streamGenerateContent, { stream: true, counting: false }),
  },
  {
    methods: POST,
    path: '/v1beta/models/{model}:countTokens',
    pattern: PATHS.countTokens,
    ask: inPath(PATHS.countTokens, { stream: false, counting: true }),
  },
  { methods: ['GET'], path: '/v1/models', pattern: PATHS.models, serve: serveModels },
  { methods: ['GET'], path: '/v1/models/{id}', pattern: PATHS.model, serve: serveModel },
];

/** The route of a call. Throws Failure: 404 for a path that is none, 405 for another method. */
function routeOf({ method, path }: Call): Route {
  const fitting = ROUTES.filter(({ pattern }) => pattern.test(path));
  const found = fitting.find(({ methods }) => methods.includes(method));
  if (found !== undefined) return found;
  const [near] = fitting;
  if (near !== undefined && !/:[a-zA-Z]+\/?$/.test(path)) {
    const message = `${near.path} takes ${near.methods.join(', ')}, not ${method}`;
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
