import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { startMetadataServer } from '../clouds/metadata.js';
import { type FakeBackend, type FakeDialectName, startFakeBackend } from '../fake-backend/index.js';
import { headersOf, listen, shut } from '../sockets.js';
import { HOST_FACTS, type HostFacts } from './facts.js';

/** The only key that the hosts let in. */
export const HOST_KEY = 'key-of-the-host';

/** The only model that they serve. */
export const HOST_MODEL = 'some-model';

/** A fake of a host: the fake of a dialect below the host's own path, which wants the host's own credential. */
export interface FakeHost {
  /** Its root for the dialect. */
  readonly root: string;
  /** What stands behind its gate. */
  readonly backend: FakeBackend;
  /** What it turned away, and why. */
  readonly refused: readonly string[];
  close(): Promise<void>;
}

export function factsOf(name: string): HostFacts {
  const facts = HOST_FACTS[name];
  if (facts === undefined) throw new Error(`nothing is known of ${name}`);
  return facts;
}

/**
 * Starts a host of a preset's name on a free loopback port. A client of its own dialect gets what it says as it is, so
 * that the host speaks plainly to one.
 */
export async function startHost(name: string, dialect: FakeDialectName, client: FakeDialectName): Promise<FakeHost> {
  const facts = factsOf(name);
  const path = facts.paths[dialect];
  if (path === undefined) throw new Error(`${name} does not speak ${dialect}`);
  const chats = dialect === 'chatCompletions';
  const { manners } = facts;
  const backend = await startFakeBackend(dialect, {
    generation: '4.5',
    models: [HOST_MODEL],
    ...(chats && (client === dialect || manners === undefined ? { strict: false } : { server: manners })),
  });
  const refused: string[] = [];
  const leave = facts.publisher ? await enterCloud() : undefined;
  const server = createServer((incoming, response) => {
    const fault = faultOf(facts, dialect, path, incoming);
    const below = (incoming.url ?? '').slice(path.length);
    if (fault === undefined && facts.publisher) return void publish(incoming, response, backend.url, below);
    if (fault === undefined) {
      // The fake of a dialect has its routes below its version.
      return forward(incoming, response, backend.url + (chats && !below.startsWith('/v1/') ? '/v1' : '') + below);
    }
    refused.push(fault[1]);
    incoming.resume();
    response.writeHead(fault[0], { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { message: fault[1], type: 'error' } }));
  });
  const url = await listen(server);
  return {
    root: url + path,
    backend,
    refused,
    async close() {
      await shut(server);
      await backend.close();
      await leave?.();
    },
  };
}

function faultOf(
  { keyIn, open, countless, listless, header }: HostFacts,
  dialect: FakeDialectName,
  path: string,
  incoming: IncomingMessage,
): [status: number, reason: string] | undefined {
  const { url = '' } = incoming;
  if (!url.startsWith(`${path}/`)) return [404, `no path ${url}`];
  if (listless && /\/models(?:\?|$)/.test(url)) return [404, 'no list'];
  if (countless && /count_tokens|input_tokens/.test(url)) return [404, 'no counts'];
  const headers = headersOf(incoming);
  const name = typeof keyIn === 'string' ? keyIn : keyIn[dialect];
  const key = headers[name ?? ''];
  const wanted = name === 'authorization' ? `Bearer ${HOST_KEY}` : HOST_KEY;
  if (key !== wanted && !(open && key === undefined)) return [401, `no key in ${name}`];
  if (header !== undefined && headers[header[0]] !== header[1]) return [400, `no ${header[0]}`];
  return undefined;
}

function forward(incoming: IncomingMessage, response: ServerResponse, url: string): void {
  const outgoing = request(url, { method: incoming.method, headers: incoming.headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', (error) => response.destroy(error));
  incoming.pipe(outgoing);
}

/**
 * Lets this machine be one of the cloud, whose tokens are the key of the host; gives the way back. The project is named:
 * where it is not, the program of the cloud is started to ask for it.
 */
async function enterCloud(): Promise<() => Promise<void>> {
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
async function publish(incoming: IncomingMessage, response: ServerResponse, url: string, path: string): Promise<void> {
  const found = /^\/models\/([^/:?]+):(rawPredict|streamRawPredict)$/.exec(path);
  if (found === null) return forward(incoming, response, `${url}/v1beta${path}`);
  const { anthropic_version, ...body } = JSON.parse(await readText(incoming));
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
