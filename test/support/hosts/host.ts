import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { objectOf } from '../../../src/simulator/rules/index.js';
import { startMetadataServer } from '../clouds/metadata.js';
import { type FakeBackend, type FakeDialectName, startFakeBackend } from '../fake-backend/index.js';
import { countTokens } from '../services/tokens.js';
import { headersOf, listen, shut } from '../sockets.js';
import { errorBodyOf } from './errors.js';
import { factsOf } from './facts.js';
import { type Finding, findingsIn } from './limited.js';
import { type Limits, limitsOf } from './limits.js';
import { asHostAnswers } from './thinking.js';

/** The only key that the hosts let in. */
export const HOST_KEY = 'key-of-the-host';

/** The only model that they serve. */
export const HOST_MODEL = 'some-model';

/**
 * A fake of a host: the fake of a dialect below the host's own path, which wants the host's own credential and takes what
 * the host takes.
 */
export interface FakeHost {
  /** Its root for the dialect. */
  readonly root: string;
  /** What stands behind its gate. */
  readonly backend: FakeBackend;
  /** What it turned away, and why. */
  readonly refused: readonly string[];
  /** What it took without taking it at its word. */
  readonly misread: readonly string[];
  /** Forgets all requests. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * Starts a host of a preset's name on a free loopback port. Those of a cloud want its tokens, see {@link enterCloud}. A
 * lenient one has no rules but its own limits.
 */
export async function startHost(name: string, dialect: FakeDialectName, lenient = false): Promise<FakeHost> {
  const facts = factsOf(name);
  const path = facts.paths[dialect];
  if (path === undefined) throw new Error(`${name} does not speak ${dialect}`);
  const chats = dialect === 'chatCompletions';
  const limits = limitsOf(name, dialect);
  const { manners } = facts;
  const backend = await startFakeBackend(dialect, {
    generation: '4.5',
    models: [HOST_MODEL],
    ...(chats && manners !== undefined && manners !== 'own' && { server: manners }),
    ...((lenient || (chats && manners === 'own')) && { strict: false }),
  });
  const refused: string[] = [];
  const misread: string[] = [];
  const findings = (raw: string): readonly Finding[] =>
    limits === undefined || raw === '' ? [] : findingsIn(objectOf(JSON.parse(raw)), limits);
  const server = createServer(async (incoming, response) => {
    const raw = await readText(incoming);
    const found = [...faultsOf(facts, dialect, path, incoming), ...findings(raw)];
    misread.push(...found.filter(({ status }) => status === undefined).map(({ message }) => message));
    const fault = found.find(({ status }) => status !== undefined);
    const below = (incoming.url ?? '').slice(path.length);
    if (fault?.status !== undefined) {
      refused.push(fault.message);
      response.writeHead(fault.status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(errorBodyOf(name, dialect)(fault.status, fault.message)));
    } else if (incoming.url === facts.counts) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ input_tokens: countTokens(raw) }));
    } else if (facts.list !== undefined && /\/models(?:\?|$)/.test(incoming.url ?? '')) {
      const data = [{ id: HOST_MODEL, object: 'model', created: 1_700_000_000, owned_by: 'library' }];
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(facts.list === 'bare' ? data : { object: 'list', data }));
    } else if (facts.publisher) await publish(incoming, raw, response, backend.url, below);
    // The fake of a dialect has its routes below its version.
    else {
      const place = backend.url + (chats && !below.startsWith('/v1/') ? '/v1' : '') + below;
      forward(incoming, raw, response, place, { comment: facts.comment, manners: mannersOf(limits) });
    }
  });
  const url = await listen(server);
  return {
    root: url + path,
    backend,
    refused,
    misread,
    reset() {
      backend.reset();
      refused.length = 0;
      misread.length = 0;
    },
    async close() {
      await shut(server);
      await backend.close();
    },
  };
}

function faultsOf(
  { keyIn, open, countless, listless, header }: ReturnType<typeof factsOf>,
  dialect: FakeDialectName,
  path: string,
  incoming: IncomingMessage,
): readonly Finding[] {
  const { url = '' } = incoming;
  if (!url.startsWith(`${path}/`)) return [{ status: 404, message: `no path ${url}` }];
  if (listless && /\/models(?:\?|$)/.test(url)) return [{ status: 404, message: 'no list' }];
  if (countless && /count_tokens|input_tokens/.test(url)) return [{ status: 404, message: 'no counts' }];
  const headers = headersOf(incoming);
  const name = typeof keyIn === 'string' ? keyIn : keyIn[dialect];
  const key = headers[name ?? ''];
  const wanted = name === 'authorization' ? `Bearer ${HOST_KEY}` : HOST_KEY;
  if (key !== wanted && !(open && key === undefined)) return [{ status: 401, message: `no key in ${name}` }];
  if (header !== undefined && headers[header[0]] !== header[1]) return [{ status: 400, message: `no ${header[0]}` }];
  return [];
}

function mannersOf(limits: Limits | undefined) {
  const { thinking, manners = [] } = limits ?? {};
  return [...(thinking === undefined ? [] : [thinking]), ...manners];
}

function forward(
  incoming: IncomingMessage,
  raw: string,
  response: ServerResponse,
  url: string,
  { manners = [], comment }: { readonly manners?: Parameters<typeof asHostAnswers>[1]; readonly comment?: string } = {},
): void {
  const outgoing = request(url, { method: incoming.method, headers: incoming.headers }, async (answer) => {
    const { 'content-length': _length, ...headers } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, headers);
    if (comment !== undefined && headers['content-type']?.startsWith('text/event-stream'))
      response.write(`: ${comment}\n\n`);
    if (manners.length === 0) answer.pipe(response);
    else response.end(asHostAnswers(await readText(answer), manners));
  });
  outgoing.on('error', (error) => response.destroy(error));
  outgoing.end(raw);
}

/**
 * Lets this machine be one of the cloud, whose tokens are the key of its hosts; gives the way back. The project is named:
 * where it is not, the program of the cloud is started to ask for it.
 */
export async function enterCloud(): Promise<() => Promise<void>> {
  const metadata = await startMetadataServer(() => HOST_KEY);
  const before = { ...process.env };
  const cloud = { GCE_METADATA_HOST: metadata.host, GOOGLE_CLOUD_PROJECT: 'p-1' };
  Object.assign(process.env, cloud);
  return async () => {
    for (const name of Object.keys(cloud)) delete process.env[name];
    Object.assign(process.env, before);
    await metadata.close();
  };
}

/** Hands a call to the server of a publisher, which is called in its own way. */
async function publish(
  incoming: IncomingMessage,
  raw: string,
  response: ServerResponse,
  url: string,
  path: string,
): Promise<void> {
  const found = /^\/models\/([^/:?]+):(rawPredict|streamRawPredict)$/.exec(path);
  if (found === null) return forward(incoming, raw, response, `${url}/v1beta${path}`);
  const { anthropic_version, ...body } = JSON.parse(raw);
  const [, model] = found;
  const counts = model === 'count-tokens';
  if (anthropic_version === undefined || 'model' in body !== counts || 'anthropic-version' in incoming.headers) {
    response.writeHead(400).end();
    return;
  }
  const answer = await fetch(`${url}/v1/messages${counts ? '/count_tokens' : ''}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-api-key': HOST_KEY },
    body: JSON.stringify(counts ? body : { ...body, model }),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(Buffer.from(await answer.arrayBuffer()));
}
