import type { Backend, BackendAnswer } from '../backend/index.js';
import { beginDownload } from '../downloads/index.js';
import { Failure } from '../ground/index.js';
import { type ClientCall, runFor } from '../http/index.js';
import type { MediaServices } from './services.js';
import { callFor } from './video-backend.js';

/** A file whose head is there. */
export interface OpenFile {
  readonly answer: BackendAnswer;
  abort(): void;
}

/** Where a file is: at the backend itself, or anywhere. */
type Spot = { readonly path: string } | { readonly url: URL };

const REDIRECTS = 5;

/**
 * Opens a file of a backend. Redirects are followed; the backend's own key goes to the backend's own origin and nowhere
 * else (hard case VID-02), every other place must pass the guard.
 */
export async function openFile(
  gateway: MediaServices,
  call: ClientCall,
  backend: Backend,
  first: string,
  headers: Readonly<Record<string, string>>,
): Promise<OpenFile> {
  const base = new URL(backend.config.baseUrl ?? 'http://simulator');
  let spot: Spot = first.startsWith('/') ? { path: first } : spotOf(base, first, base);
  for (let steps = 0; steps <= REDIRECTS; steps += 1) {
    const file = await openSpot(gateway, call, backend, spot, headers);
    const { location } = file.answer.headers;
    const { status } = file.answer;
    if (status < 300 || status > 399 || location === undefined) return file;
    file.abort();
    spot = spotOf(base, location, 'url' in spot ? spot.url : new URL(`${base.origin}${below(base, spot.path)}`));
  }
  throw new Failure({ kind: 'upstream', message: 'the backend redirects too often' });
}

/** The path that the backend's service has for a path below its root. */
function below({ pathname }: URL, path: string): string {
  return `${pathname.replace(/\/$/, '')}${path}`;
}

function spotOf(base: URL, target: string, from: URL): Spot {
  if (!URL.canParse(target, from.href)) {
    throw new Failure({ kind: 'upstream', message: 'the link of the backend is not a URL' });
  }
  const url = new URL(target, from);
  const root = base.pathname.replace(/\/$/, '');
  const own = url.origin === base.origin && url.username === '' && url.password === '';
  return own && url.pathname.startsWith(`${root}/`)
    ? { path: `${url.pathname.slice(root.length)}${url.search}` }
    : { url };
}

async function openSpot(
  gateway: MediaServices,
  call: ClientCall,
  backend: Backend,
  spot: Spot,
  headers: Readonly<Record<string, string>>,
): Promise<OpenFile> {
  if ('path' in spot) {
    const { answer, running } = await callFor(gateway, call, backend, {
      method: 'GET',
      path: spot.path,
      headers: { accept: '*/*', ...headers },
    });
    return { answer, abort: running.abort };
  }
  const { guard } = gateway.media;
  const reason = guard.refuse(spot.url);
  if (reason !== undefined) {
    gateway.logger.warn({ id: call.id, backend: backend.config.name, reason }, 'the link of a video was not followed');
    throw new Failure({ kind: 'upstream', message: 'the backend linked to an address that may not be fetched' });
  }
  const running = beginDownload(guard, spot.url, headers, backend.config.timeouts);
  runFor(call, running);
  return { answer: await running.answer, abort: running.abort };
}
