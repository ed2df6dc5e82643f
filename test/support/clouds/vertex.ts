import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { FILM } from '../fake-backend/media/videos.js';
import { EVENT_STREAM, FRAMES, json, type Tree, WHOLE } from '../gateway/harness.js';
import { png } from '../pictures.js';
import { headersOf, listen, shut } from '../sockets.js';

/** The part of the path in front of the publishers. */
export const PROJECT = '/v1/projects/p-1/locations/europe-west1';

/** What reached the fake and was let in. */
export interface Called {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: Tree;
  readonly text: string;
}

/** A stand-in for the cloud's front door with the servers of two publishers behind it. */
export interface Vertex {
  readonly url: string;
  /** Every request, let in or not. */
  readonly asked: string[];
  readonly called: Called[];
  /** The token that is let in. */
  token: string;
  /** What the front door says in the place of an answer. */
  refusal: { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> } | undefined;
  close(): Promise<void>;
}

const googleError = (code: number, status: string, message: string) => ({ error: { code, message, status } });

/** Facts: hosts.md 2, 3 and 8. */
export async function startVertex(): Promise<Vertex> {
  const server = createServer((request, response) => void serve(request, response));
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const text = await readText(request);
    const { url: path = '' } = request;
    const headers = headersOf(request);
    vertex.asked.push(`${request.method} ${path} ${headers.authorization}`);
    if (headers.authorization !== `Bearer ${vertex.token}`) {
      return json(
        response,
        401,
        googleError(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.'),
      );
    }
    const { refusal } = vertex;
    if (refusal !== undefined) return json(response, refusal.status, refusal.body, refusal.headers);
    const found = /^\/publishers\/(google|anthropic)\/models\/([^/:?]+):(\w+)(?:\?(.*))?$/.exec(
      path.replace(PROJECT, ''),
    );
    const [, publisher, model = '', verb = '', query = ''] = found ?? [];
    if (!path.startsWith(PROJECT) || publisher === undefined) {
      return json(response, 404, googleError(404, 'NOT_FOUND', 'The requested URL was not found on this server.'));
    }
    const body: Tree = JSON.parse(text);
    vertex.called.push({ path, headers, body, text });
    if (publisher === 'google') return answerGoogle(response, { model, verb, query, body });
    const fault = faultOf(headers, body, model, verb, query);
    if (fault !== undefined) return json(response, 400, googleError(400, 'INVALID_ARGUMENT', fault));
    if (model === 'count-tokens') return json(response, 200, { input_tokens: 42 });
    if (verb === 'rawPredict') return json(response, 200, WHOLE.messages(`from ${model}`));
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES.messages(`from ${model}`).join(''));
  };
  const vertex: Vertex = {
    url: await listen(server),
    asked: [],
    called: [],
    token: 'ya29.token-1',
    refusal: undefined,
    close: () => shut(server),
  };
  return vertex;
}

interface Asked {
  readonly model: string;
  readonly verb: string;
  readonly query: string;
  readonly body: Tree;
}

function answerGoogle(response: ServerResponse, { model, verb, query, body }: Asked): void {
  const operation = `${PROJECT.slice('/v1/'.length)}/publishers/google/models/${model}/operations/op-1`;
  if (verb === 'countTokens') json(response, 200, { totalTokens: 17 });
  else if (verb === 'predictLongRunning') json(response, 200, { name: operation });
  else if (verb === 'fetchPredictOperation' && body.operationName === operation) {
    const videos = [{ bytesBase64Encoded: FILM.toString('base64'), mimeType: 'video/mp4' }];
    json(response, 200, { name: operation, done: true, response: { videos } });
  } else if (verb === 'predict') {
    const predictions = [{ bytesBase64Encoded: png().toString('base64'), mimeType: 'image/png' }];
    json(response, 200, { predictions });
  } else if (verb === 'generateContent') json(response, 200, WHOLE.generateContent('from google'));
  else if (verb === 'streamGenerateContent' && query === 'alt=sse') {
    response.writeHead(200, EVENT_STREAM);
    response.end(FRAMES.generateContent('from google').join(''));
  } else json(response, 400, googleError(400, 'INVALID_ARGUMENT', `no such call: ${verb}?${query}`));
}

/** What the server of the publisher does not take. */
function faultOf(
  headers: Record<string, string>,
  body: Tree,
  model: string,
  verb: string,
  query: string,
): string | undefined {
  if (query !== '') return `Cannot bind query parameter: ${query}`;
  if (headers['anthropic-version'] !== undefined) return 'anthropic-version: no such header';
  if (body.anthropic_version !== 'vertex-2023-10-16') return 'anthropic_version: Field required';
  if (model === 'count-tokens') return typeof body.model === 'string' ? undefined : 'model: Field required';
  if ('model' in body) return 'model: Extra inputs are not permitted';
  if ((verb === 'streamRawPredict') !== (body.stream === true)) return `stream: does not go with ${verb}`;
  return undefined;
}
