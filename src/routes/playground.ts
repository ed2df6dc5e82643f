import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { conversing } from '../dialects/index.js';
import { Failure, isLoopback, pageFolder } from '../ground/index.js';
import { type ClientCall, checkOperator, hasForeignHost, isLocal, sendWhole } from '../http/index.js';
import type { Route } from './route.js';
import type { RouteServices } from './services.js';

const FILE = /^\/playground\/([\w-]+\.(?:js|css|svg))$/;

/** The page (playground.md). It asks for no key: there is nothing in it but the library, and *Send* uses the ordinary routes. */
export const playgroundRoutes: readonly Route[] = [
  { methods: ['GET', 'HEAD'], path: '/playground', pattern: /^\/playground(?:\/.*)?$/, open: true, answer: serve },
];

/** A file of the page. */
interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
  readonly gzipped: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Everything comes from here and nothing becomes code, a frame or a form (hardening.md 2.1). */
const POLICY = [
  "default-src 'none'",
  ...['script', 'style', 'img', 'connect'].map((kind) => `${kind}-src 'self'`),
  ...['base-uri', 'form-action', 'frame-ancestors'].map((what) => `${what} 'none'`),
  "require-trusted-types-for 'script'",
  // The address of the page's own worker (page/translate/work/client.ts).
  'trusted-types worker',
].join('; ');

const SAFE = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

let loaded: Promise<ReadonlyMap<string, PageFile>> | undefined;

async function serve(gateway: RouteServices, call: ClientCall): Promise<void> {
  if (!hasPlayground(gateway, call))
    throw notFound('there is no playground here (playground: true in the configuration)');
  if (call.path === '/playground') {
    // The page names its files relative to where it is, as it does on a server of files.
    return sendWhole(call.response, 308, '', { location: 'playground/' });
  }
  loaded ??= load();
  const name = call.path === '/playground/' ? 'index.html' : (FILE.exec(call.path)?.[1] ?? '');
  const file = (await loaded).get(name);
  if (file === undefined) throw notFound('there is no such file in the playground');
  if (name === 'index.html') return sendPage(gateway, call, file.bytes.toString());
  // A file of another content has another name.
  send(call, file, { 'cache-control': 'public, max-age=31536000, immutable' });
}

/** Whether the page is served: unless the configuration says so, for a gateway that listens on this machine alone. */
export function hasPlayground({ config, state }: RouteServices, call: ClientCall): boolean {
  if (config.playground !== undefined) return config.playground;
  return state.listening ? isLoopback(new URL(state.url).hostname.replace(/^\[(.*)\]$/, '$1')) : isLocal(call.request);
}

async function load(): Promise<ReadonlyMap<string, PageFile>> {
  const folder = pageFolder();
  const names = await readdir(folder).catch((): string[] => []);
  const files = names.map(async (name): Promise<[string, PageFile]> => {
    const bytes = await readFile(join(folder, name));
    const type = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
    return [name, { type, bytes, gzipped: await promisify(gzip)(bytes) }];
  });
  return new Map(await Promise.all(files));
}

function sendPage(gateway: RouteServices, call: ClientCall, html: string): void {
  const filled = html
    .replace('<!-- looking -->', () => lookingFor(gateway, call))
    .replace('<!-- models -->', () => optionsFor(gateway, call));
  const bytes = Buffer.from(filled);
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'no-cache' };
  if (call.request.headers['if-none-match'] === etag) call.response.writeHead(304, headers).end();
  else send(call, { type: TYPES.html ?? '', bytes, gzipped: bytes }, headers);
}

function send({ request, response }: ClientCall, file: PageFile, headers: Readonly<Record<string, string>>): void {
  const packed = file.gzipped !== file.bytes && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  sendWhole(response, 200, packed ? file.gzipped : file.bytes, {
    ...SAFE,
    ...headers,
    'content-type': file.type,
    vary: 'accept-encoding',
    ...(packed && { 'content-encoding': 'gzip' }),
  });
}

/** The names of models to choose from, and patterns that nobody can choose, where all who see the page may use them. */
function optionsFor({ config, state }: RouteServices, call: ClientCall): string {
  if (config.keys.length > 0 || hasForeignHost(call, config, state.url)) return '';
  return conversing(Object.keys(config.models))
    .map((name) => `<option value="${escaped(name)}"${name.includes('*') ? ' disabled' : ''}></option>`)
    .join('');
}

/** Tells the page who may see what all callers do, where that is not whoever gets the page: it does not ask in vain. */
function lookingFor({ config }: RouteServices, call: ClientCall): string {
  const meta = (who: 'key' | 'nobody'): string => `<meta name="interlingua-looking" content="${who}">`;
  if (config.keys.length > 0) return meta('key');
  try {
    checkOperator(call, config);
    return '';
  } catch {
    return meta('nobody');
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');

function notFound(message: string): Failure {
  return new Failure({ kind: 'not_found', status: 404, message });
}
