import type { DialectId } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';
import { PATHS } from '../protocol/index.js';
import {
  ASKING,
  jsonAnswer,
  openCall,
  type Relays,
  refused,
  routeOf,
  unlessAborted,
  type WebRoute,
} from '../web/index.js';
import { admit } from './access.js';
import { readBody } from './body.js';
import type { HandlerCall } from './call.js';
import { serveModel, serveModels } from './models.js';
import type { CommonHandlerOptions, HandlerSpeech } from './options.js';
import { forPages, preflight, refusePages } from './pages.js';
import { createRecording } from './recording.js';
import { readAsk, serveAsk } from './serve.js';
import { type HandlerSettings, readHandler } from './settings.js';
import type { State } from './state.js';

/** Answers requests of web standards. Never rejects. */
export type WebHandler = (request: Request) => Promise<Response>;

/** What only the whole form has. */
export interface HandlerParts {
  /** How calls pass whose client speaks the dialect of the backend. */
  readonly relays?: Relays;
  /** What the responses dialect keeps. Absent = a body that names what is kept is refused. */
  readonly state?: State;
}

const ROUTES: readonly WebRoute<HandlerCall>[] = [
  ...ASKING,
  { method: 'GET', path: '/v1/models', pattern: PATHS.models, serve: serveModels },
  { method: 'GET', path: '/v1/models/{id}', pattern: PATHS.model, serve: serveModel },
];

/** What needs no key. */
const OPEN = /^\/(?:healthz\/?)?$/;

/** The client went away before there was an answer: nobody reads this one. */
const CLIENT_CLOSED = 499;

/** A handler for requests. `others` = options beside the common ones. Throws TypeError for an option that cannot be meant. */
export function makeHandler(
  options: CommonHandlerOptions,
  speech: HandlerSpeech,
  others: readonly string[],
  parts: HandlerParts = {},
): WebHandler {
  const handler = readHandler(options, speech, others);
  return async (request) =>
    preflight(handler, request) ?? forPages(handler, request, await answer(handler, parts, request));
}

async function answer(handler: HandlerSettings, parts: HandlerParts, request: Request): Promise<Response> {
  const opened = openCall(handler.clients, request, {}, handler.basePath);
  const recording = createRecording(opened, (record) => {
    try {
      handler.onExchange?.(record);
    } catch {
      // Who watches cannot spoil what is watched.
    }
  });
  const head = opened.method === 'HEAD';
  const call: Omit<HandlerCall, 'key'> = {
    ...opened,
    method: head ? 'GET' : opened.method,
    text: () => readBody(request, handler.maxBodyBytes),
    handler,
    recording,
  };
  let response: Response;
  let streams = false;
  try {
    if (OPEN.test(call.path) && call.method === 'GET') response = jsonAnswer(200, { status: 'ok' }, {});
    else {
      const key = admit(handler.keys, call);
      if (key !== undefined) recording.facts.key = key.name;
      refusePages(handler, request);
      response = await route({ ...call, key }, parts);
      streams = recording.facts.stream === true && recording.facts.explained !== true;
    }
  } catch (thrown) {
    if (opened.signal?.aborted === true) {
      recording.left();
      response = new Response(null, { status: CLIENT_CLOSED });
    } else {
      recording.failed(thrown);
      response = refused(call, thrown, handler.redact);
    }
  }
  if (streams) response.headers.set('x-accel-buffering', 'no');
  recording.answered(response, !streams);
  return head ? new Response(null, response) : response;
}

async function route(call: HandlerCall, { relays, state }: HandlerParts): Promise<Response> {
  if (call.unknown !== undefined) throw unserved(call, call.unknown);
  const found = routeOf([...ROUTES, ...(state?.routes ?? [])], call);
  if (found.ask === undefined) return unlessAborted(call.signal, found.serve(call, found.pattern));
  const { ask, pattern } = found;
  const asked = await readAsk(call, (json) => ask(call, json, pattern));
  const keeps = pattern === PATHS.responses || pattern === PATHS.responsesCount;
  const opening = keeps ? state?.open(call, asked) : undefined;
  return serveAsk(call, asked, { relays, conversation: opening && (await unlessAborted(call.signal, opening)) });
}

/** The failure of a call in a dialect that none of the clients speaks. */
function unserved({ handler: { clients } }: HandlerCall, dialect: DialectId): Failure {
  const served = clients.map(({ id }) => id).join(', ');
  const message = `calls of ${dialect} are not served here, only those of ${served}: its half for clients is missing in \`from\``;
  return new Failure({ kind: 'not_found', status: 404, message });
}
