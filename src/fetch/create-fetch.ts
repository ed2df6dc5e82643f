import type { DialectId, Loss } from '../../translators/index.js';
import { serveFirst } from '../call/index.js';
import { Failure, isUnforeseen } from '../ground/plain/index.js';
import { checkModelName, PATHS, parseBody } from '../protocol/index.js';
import {
  ASKING,
  DEPTH,
  lossesIn,
  openCall,
  type Relays,
  refused,
  routeOf,
  type Task,
  unlessAborted,
  WEB_STEPS,
  type WebRequest,
  type WebRoute,
} from '../web/index.js';
import { serveModel, serveModels } from './models.js';
import { type CommonOptions, type FetchSettings, type HostCall, readOptions, type SpeechOptions } from './options.js';

const ROUTES: readonly WebRoute<HostCall>[] = [
  ...ASKING,
  { method: 'GET', path: '/v1/models', pattern: PATHS.models, serve: serveModels },
  { method: 'GET', path: '/v1/models/{id}', pattern: PATHS.model, serve: serveModel },
];

/** A `fetch` that answers the calls of clients; `relays` where one may speak the dialect of the backend. Throws TypeError for an option that cannot be meant. */
export function makeFetch<Options extends CommonOptions>(
  options: Options,
  speech: SpeechOptions<Options>,
  relays?: Relays,
): typeof fetch {
  const before = globalThis.fetch;
  const made: typeof fetch = (input, init) =>
    answer(settings, relays, { ...openCall(settings.clients, input, init), settings });
  // Who replaces the global one means it, but not for the calls of what it was replaced by.
  const settings = readOptions(options, speech, (input, init) =>
    (globalThis.fetch === made ? before : globalThis.fetch)(input, init),
  );
  return made;
}

async function answer(settings: FetchSettings, relays: Relays | undefined, call: HostCall): Promise<Response> {
  const { signal } = call;
  signal?.throwIfAborted();
  let ask: WebRequest | undefined;
  let told = false;
  const tell = (losses: readonly Loss[], status: number): void => {
    if (told || ask === undefined) return;
    told = true;
    const { target: model, stream } = ask;
    settings.onLosses?.(losses, { from: call.dialect, to: settings.host.dialect, model, status, stream });
  };
  try {
    if (call.unknown !== undefined) throw unserved(call, call.unknown);
    const route = routeOf(ROUTES, call);
    if (route.ask === undefined) return await unlessAborted(signal, route.serve(call, route.pattern));
    const text = await unlessAborted(signal, call.text());
    const json = parseBody(text, { depth: DEPTH, values: Number.POSITIVE_INFINITY });
    const asked = route.ask(call, json, route.pattern);
    ask = { ...asked, target: checkModelName(settings.modelOf(asked.model), '/model') };
    return await serve({ call, ask, relays, complete: ({ losses }) => tell(losses, 200) });
  } catch (thrown) {
    signal?.throwIfAborted();
    // A fault of ours, or of a function among the options, is its caller's to see.
    if (isUnforeseen(thrown)) throw thrown;
    const response = refused(call, thrown);
    tell(lossesIn(thrown), response.status);
    return response;
  }
}

/** The failure of a call in a dialect that none of the clients speaks. */
function unserved({ settings: { clients, service } }: HostCall, dialect: DialectId): Failure {
  const served = clients.map(({ id }) => id).join(', ');
  const how =
    dialect === service.id
      ? 'calls of the dialect of `to` pass with `createFetch` of interlingua/fetch'
      : `its half for clients is missing in \`from\``;
  const message = `calls of ${dialect} are not served here, only those of ${served}: ${how}`;
  return new Failure({ kind: 'not_found', status: 404, message });
}

/** Has a request answered by the one host that there is. Rejects with what is answered instead. */
async function serve(task: Task): Promise<Response> {
  const outcome = await serveFirst([task], WEB_STEPS);
  if ('served' in outcome) return outcome.served;
  throw outcome.failed?.refusal;
}
