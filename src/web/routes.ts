import { didYouMean, Failure } from '../ground/plain/index.js';
import { askedIn, atDeployment, framingIn, modelBefore, PATHS } from '../protocol/index.js';
import type { ClientCall } from './call.js';
import type { WebRequest } from './request.js';

/** What is asked at a place, whose path has this pattern. */
type RequestOf = (call: ClientCall, json: WebRequest['json'], pattern: RegExp) => Omit<WebRequest, 'target'>;

/** One place of the surface: what it takes, and what is asked of a model there, or else how it is served. */
export type WebRoute<Call extends ClientCall> = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** As the documentation has it. */
  readonly path: string;
  readonly pattern: RegExp;
} & (
  | { readonly ask: RequestOf; readonly serve?: undefined }
  | { readonly ask?: undefined; readonly serve: (call: Call, pattern: RegExp) => Promise<Response> }
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

const asks = (path: string, pattern: RegExp, ask: RequestOf) => ({ method: 'POST', path, pattern, ask }) as const;

/** Where models are asked. */
export const ASKING = [
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
];

/** The route of a call. Throws Failure: 404 for a path that is none, 405 for another method. */
export function routeOf<Call extends ClientCall>(
  routes: readonly WebRoute<Call>[],
  { method, path }: ClientCall,
): WebRoute<Call> {
  const fitting = routes.filter(({ pattern }) => pattern.test(path));
  const found = fitting.find((route) => route.method === method);
  if (found !== undefined) return found;
  const [near] = fitting;
  if (near !== undefined && !/:[a-zA-Z]+\/?$/.test(path)) {
    const allow = fitting.map((route) => route.method).join(', ');
    const message = `${near.path} takes ${allow}, not ${method}`;
    throw new Failure({ kind: 'invalid_request', status: 405, message }, { headers: { allow } });
  }
  const paths = routes.map((route) => route.path);
  const nearest = didYouMean(path, paths);
  const advice = nearest === undefined ? `known: ${paths.join(', ')}` : `did you mean ${nearest}?`;
  throw new Failure({
    kind: 'not_found',
    status: 404,
    message: `unknown route ${method} ${path.slice(0, 200)}; ${advice}`,
  });
}
