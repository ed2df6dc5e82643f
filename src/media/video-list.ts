import { decodeVideoTaskA, faultOf, unable } from '../../translators/index.js';
import { NO_ENDPOINT } from '../call/index.js';
import type { BackendConfig } from '../config/index.js';
import { Failure, isObject } from '../ground/index.js';
import { type ClientCall, sendJson, tenantOf } from '../http/index.js';
import type { MediaServices } from './services.js';
import { callFor, isUsableId, locate, readBody, unknownVideo, videoHeaders } from './video-backend.js';
import { type ReportedTask, showTask } from './video-view.js';

/** How many pages of a backend's list are looked through for one page of ours. */
const MOST_PAGES = 20;
const MOST_ITEMS = 100;

/** The caller's videos, of one backend after the other, in pages. */
export async function listVideos(gateway: MediaServices, call: ClientCall): Promise<void> {
  const { limit, order, after } = readQuery(call.query);
  const names = Object.values(gateway.config.backends).flatMap(({ name, videos }) => (videos === 'a' ? [name] : []));
  const from = after === undefined ? undefined : await locate(gateway, call, after);
  const start = from === undefined ? 0 : names.indexOf(from.ref.backend);
  if (start === -1) throw unknownVideo();
  const found: object[] = [];
  let more = false;
  let listed = false;
  for (const name of names.slice(start)) {
    const cursor = from?.ref.backend === name ? from.ref.id : undefined;
    const part = await listOf(gateway, call, name, { limit: limit - found.length, order, after: cursor });
    if (part === undefined) continue;
    listed = true;
    found.push(...part.tasks);
    more = part.more || (found.length >= limit && name !== names.at(-1));
    if (found.length >= limit) break;
  }
  if (!listed) throw unable('', 'no backend of this gateway lists videos');
  const ids = found.map((task) => ('id' in task ? task.id : null));
  sendJson(
    call.response,
    200,
    { object: 'list', data: found, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null, has_more: more },
    videoHeaders(call, gateway.backends.get(names[start] ?? '').config),
  );
}

interface Query {
  readonly limit: number;
  readonly order: string | null;
  readonly after?: string;
}

function readQuery(text: string): Query {
  const query = new URLSearchParams(text);
  const limit = query.get('limit') ?? '20';
  const order = query.get('order');
  if (!/^\d{1,3}$/.test(limit) || Number(limit) > MOST_ITEMS) {
    throw faultOf('limit', 'invalid_value', `must be from 0 to ${MOST_ITEMS}`);
  }
  if (order !== null && order !== 'asc' && order !== 'desc') {
    throw faultOf('order', 'invalid_value', 'must be asc or desc');
  }
  const after = query.get('after');
  return { limit: Number(limit), order, ...(after !== null && after !== '' && { after }) };
}

/** Up to `limit` of the caller's videos at one backend; undefined when it has no list. */
async function listOf(
  gateway: MediaServices,
  call: ClientCall,
  name: string,
  { limit, order, after }: Query,
): Promise<{ readonly tasks: readonly object[]; readonly more: boolean } | undefined> {
  const backend = gateway.backends.get(name);
  const place = { backend, tenant: tenantOf(call, gateway.config) };
  const size = gateway.config.keys.length === 0 ? Math.max(1, limit) : MOST_ITEMS;
  const tasks: object[] = [];
  const seen = new Set<string>(after === undefined ? [] : [after]);
  let cursor = after;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const query = new URLSearchParams({ limit: String(size) });
    if (order !== null) query.set('order', order);
    if (cursor !== undefined) query.set('after', cursor);
    const answered = await callFor(gateway, call, backend, { method: 'GET', path: `/v1/videos?${query}` });
    if (NO_ENDPOINT.has(answered.answer.status)) {
      answered.running.abort();
      return undefined;
    }
    const body = await readBody(gateway, backend, answered);
    const listed = readList(body, backend.config);
    const last = listed.at(-1)?.ref.id;
    // A backend that does not know cursors sends the same page again and again.
    if (last !== undefined && seen.has(last)) return { tasks, more: false };
    if (last !== undefined) seen.add(last);
    const own = await gateway.media.videos.owners.own(
      place.tenant,
      listed.map(({ ref }) => ref),
    );
    for (const [index, one] of listed.entries()) {
      if (own[index] !== true) continue;
      if (tasks.length >= limit) return { tasks, more: true };
      tasks.push(await showTask(gateway, call, place.tenant, backend.config, one));
    }
    cursor = last;
    if (body.has_more !== true || cursor === undefined) return { tasks, more: false };
    if (tasks.length >= limit) return { tasks, more: true };
  }
  return { tasks, more: true };
}

function readList({ data }: Record<string, unknown>, backend: BackendConfig): ReportedTask[] {
  if (!Array.isArray(data)) throw new Failure({ kind: 'upstream', message: 'the backend did not answer with a list' });
  return data.flatMap((body: unknown) => {
    if (!isObject(body)) return [];
    const task = decodeVideoTaskA(body);
    return isUsableId(backend, task.id) ? [{ ref: { backend: backend.name, id: task.id }, task, body }] : [];
  });
}
