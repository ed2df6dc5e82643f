import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, storedResponses } from '../../translators/index.js';
import { type Archive, listedInput, noResponse, notStreamed } from '../archive/index.js';
import { type BackendAsk, collectBody } from '../backend/index.js';
import {
  clientCredential,
  containsSecretOf,
  createClientStream,
  relayedType,
  withoutSecretsInErrors,
} from '../exchange/index.js';
import { Failure, MB } from '../ground/index.js';
import {
  answerHeaders,
  type ClientCall,
  mayAsk,
  runFor,
  sendJson,
  sendWhole,
  sharerOf,
  tenantOf,
} from '../http/index.js';
import { anyErrors, backendHeaders, LEAKED, QUERY_CREDENTIALS, readUpstreamError } from '../protocol/index.js';
import { followJob, followStored } from './follow.js';
import { readJobStatus } from './job-status.js';
import { passStream } from './pass-stream.js';
import type { ConversationServices } from './services.js';

/** A kept answer, as JSON or as its stream. */
export async function retrieve(gateway: ConversationServices, call: ClientCall, id: string): Promise<void> {
  const place = await locate(gateway, call, id);
  if (place.owner !== undefined) return relay(gateway, call, place.owner, 'GET', id, '');
  const { archive, tenant } = place;
  const query = new URLSearchParams(call.query);
  const stored = await readJobStatus(gateway, tenant, id, place.stored);
  if (query.get('stream') !== 'true') {
    sendJson(call.response, 200, stored.response, answerHeaders(call));
    return;
  }
  const after = startOf(query.get('starting_after'));
  const job = gateway.jobs.get(tenant, id);
  const streamed = job?.streamed ?? (stored.pieces > 0 || (await isStreamedElsewhere(archive, tenant, id)));
  if (!streamed) throw notStreamed();
  if (job !== undefined) return followJob(gateway, call, job, after);
  return followStored(gateway, archive, call, tenant, id, after);
}

async function isStreamedElsewhere({ store }: Archive, tenant: string, id: string): Promise<boolean> {
  const [value] = await store.get([storedResponses.keysOf(tenant, id).run]);
  return storedResponses.readRecord<storedResponses.StoredRun>(value)?.streamed === true;
}

/** The items that an answer was made from, in pages. */
export async function listInput(gateway: ConversationServices, call: ClientCall, id: string): Promise<void> {
  const place = await locate(gateway, call, id);
  if (place.owner !== undefined) return relay(gateway, call, place.owner, 'GET', id, '/input_items');
  const items = await listedInput(place.archive, place.tenant, id, new URLSearchParams(call.query));
  sendJson(call.response, 200, items, answerHeaders(call));
}

/** Forgets an answer. */
export async function remove(gateway: ConversationServices, call: ClientCall, id: string): Promise<void> {
  const place = await locate(gateway, call, id);
  const { archive, tenant } = place;
  if (place.owner !== undefined) {
    return relay(gateway, call, place.owner, 'DELETE', id, '', () => archive?.remove(tenant, id));
  }
  await gateway.jobs.get(tenant, id)?.cancel();
  await place.archive.remove(tenant, id);
  sendJson(call.response, 200, { id, object: 'response', deleted: true }, answerHeaders(call));
}

/** Ends an answer that is made in the background. One that is finished is given as it is. */
export async function cancel(gateway: ConversationServices, call: ClientCall, id: string): Promise<void> {
  const place = await locate(gateway, call, id);
  if (place.owner !== undefined) return relay(gateway, call, place.owner, 'POST', id, '/cancel');
  const { archive, tenant } = place;
  const stored = await readJobStatus(gateway, tenant, id, place.stored);
  const { response } = stored;
  if (response.background !== true) {
    throw new Failure({ kind: 'invalid_request', message: 'Cannot cancel a synchronous response.' });
  }
  const job = gateway.jobs.get(tenant, id);
  const elsewhere = job === undefined && storedResponses.isUnfinished(stored);
  const shown = elsewhere ? await cancelElsewhere(archive, tenant, id, response) : await (job?.cancel() ?? response);
  sendJson(call.response, 200, shown, answerHeaders(call));
}

/** How often, and after how many milliseconds, an answer is looked at that another process was asked to end. */
const LOOKS = 5;
const LOOK_MS = 50;

/** Leaves a mark for the process that makes the answer: it looks at it before whatever it writes. */
async function cancelElsewhere(
  archive: Archive,
  tenant: string,
  id: string,
  response: JsonObject,
): Promise<JsonObject> {
  await archive.store.set([{ key: storedResponses.keysOf(tenant, id).stop, value: { v: storedResponses.VERSION } }]);
  // What it was writing meanwhile is the answer.
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const after = await archive.answer(tenant, id);
    if (after !== undefined && !storedResponses.isUnfinished(after)) return after.response;
    await delay(LOOK_MS);
  }
  return { ...response, status: 'cancelled' };
}

type Place = { readonly tenant: string } & (
  | { readonly owner: string; readonly archive: Archive | undefined }
  | { readonly owner: undefined; readonly archive: Archive; readonly stored: storedResponses.StoredAnswer }
);

/** Who has an answer: a backend, or the archive. Throws 404 for what the caller did not make. */
async function locate(gateway: ConversationServices, call: ClientCall, id: string): Promise<Place> {
  const { archive, config } = gateway;
  const tenant = tenantOf(call, config);
  const [owner, stored] = await Promise.all([archive?.owner(tenant, id), archive?.answer(tenant, id)]);
  if (owner !== undefined && config.backends[owner] !== undefined) return { tenant, owner, archive };
  if (archive !== undefined && stored !== undefined) return { tenant, owner: undefined, archive, stored };
  const keeping = Object.values(config.backends).filter(
    ({ dialect, state }) => dialect === call.dialect && state === 'own',
  );
  const [only, ...others] = keeping;
  // It may be older than this gateway.
  if (only !== undefined && others.length === 0 && storedResponses.isId(id) && mayAsk(only, tenant, config))
    return { tenant, owner: only.name, archive };
  throw noResponse(id);
}

function startOf(text: string | null): number {
  if (text === null) return -1;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Failure({
    kind: 'invalid_request',
    message: 'starting_after: must be a whole number',
    path: '/$url/starting_after',
  });
}

/** Asks the backend that has it, and gives its answer as it is, when what follows from it is `done`. */
async function relay(
  gateway: ConversationServices,
  call: ClientCall,
  owner: string,
  method: BackendAsk['method'],
  id: string,
  rest: string,
  done?: () => Promise<void> | undefined,
): Promise<void> {
  const backend = gateway.backends.at({ name: owner, dialect: call.dialect });
  const { limits } = gateway.config;
  const query = new URLSearchParams(call.query);
  for (const name of QUERY_CREDENTIALS) query.delete(name);
  const path = `/v1/responses/${encodeURIComponent(id)}${rest}${query.size > 0 ? `?${query}` : ''}`;
  const headers = backend.config.auth === 'client' ? clientCredential(call, backend.config.dialect) : undefined;
  const running = backend.call({ method, path, headers }, { key: sharerOf(gateway.config, call) });
  runFor(call, running);
  const answer = await running.answer;
  const type = relayedType(backend.config, answer.headers, 'application/json');
  const own = { ...answerHeaders(call), ...backendHeaders(owner, backend.config.dialect, ''), 'content-type': type };
  if (answer.status === 200 && type.startsWith('text/event-stream')) {
    const clientStream = createClientStream(
      call,
      () => ({ ...own, 'cache-control': 'no-cache' }),
      limits.writeIdleSeconds,
    );
    clientStream.source = answer;
    return passStream(gateway, backend.config, answer, clientStream, running.abort);
  }
  const bytes = await collectBody(answer, limits.eventMb * MB, running.abort);
  if (answer.status < 200 || answer.status > 299)
    throw new Failure(readUpstreamError(backend.config, anyErrors, answer.status, answer.headers, bytes).error);
  const shown = withoutSecretsInErrors(bytes, gateway.redact);
  if (containsSecretOf(backend.config, shown)) throw new Failure(LEAKED);
  await done?.();
  sendWhole(call.response, answer.status, shown, own);
}
