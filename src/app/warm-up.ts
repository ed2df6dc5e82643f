/**
 * What the first requests of a server would wait for is done before they come: small exchanges go through the real code, from the bytes of
 * a client to those of a backend and back, over connections within the process (docs/internals/decisions/0031-cold-and-small.md).
 */
import { createServer, type RequestListener, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  dialects,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { createHttpTransport, type Transport } from '../backend/index.js';
import { type Config, parseConfig } from '../config/index.js';
import { gatewayDialect } from '../dialects/index.js';
import { createGatewayParts, createServices } from '../gateway/index.js';
import { createHttpServer, type GatewayState } from '../http/index.js';
import { createHandler } from './application.js';
import { warmAnswer, warmEvents, warmRequest } from './warm-samples.js';

/** How often each pair of dialects is gone through, with a whole answer and with a stream: more takes memory, and wins little. */
const ROUNDS = 4;
/** The most processor time, in ms, that all of it takes. */
const BUDGET_MS = 1500;
/** How long, in ms, clients are left alone: at the beginning, and while any is there. */
const AWAY_MS = 100;
/** How long, in ms, it waits for clients to be gone before it gives up. */
const WAIT_MS = 60_000;
/**
 * After so many requests of clients it is given up: what these made hot, code for other dialects would have compiled anew. After 4,000 small
 * exchanges without a pause, each of the next 2,000 cost 0.6 ms for 0.2.
 */
const HOT_REQUESTS = 200;
/** How long, in ms, an exchange may take. */
const PATIENCE_MS = 2000;

/** The requests of clients: how many are open, and how many are over. */
export type Clients = Pick<GatewayState, 'requests' | 'served'>;

/**
 * Goes through all pairs of dialects that the configuration can use, one exchange after the other, and lets whoever is there go first.
 * Nothing of it is counted, logged or traced. After `signal` nothing more begins. Resolves with the statuses of the answers.
 */
export async function warmUp(config: Config, clients: Clients, signal: AbortSignal): Promise<readonly number[]> {
  const called = Object.values(config.backends).filter(({ baseUrl }) => baseUrl !== undefined);
  const targets = [...new Set(called.map(({ dialect }) => dialect))];
  if (targets.length === 0) return [];
  const statuses: number[] = [];
  // The end of the server is the end of the wait: a timer that keeps no process would keep whoever awaits it.
  const pause = (): Promise<void> => delay(AWAY_MS, undefined, { ref: false, signal }).catch(() => {});
  await pause();
  if (signal.aborted) return [];
  const stage = createStage(targets);
  const end = performance.now() + WAIT_MS;
  const begun = process.cpuUsage();
  let spent = 0;
  try {
    for (const exchange of exchanges(targets)) {
      while (clients.requests > 0 && !signal.aborted && performance.now() < end) await pause();
      if (signal.aborted || spent > BUDGET_MS || clients.served >= HOT_REQUESTS || performance.now() >= end) break;
      statuses.push(await stage.call(exchange));
      const { user, system } = process.cpuUsage(begun);
      spent = (user + system) / 1000;
    }
  } finally {
    await stage.close();
  }
  return statuses;
}

/** A call of a client, with what is sent for it. */
interface Exchange {
  readonly path: string;
  readonly body: string;
}

function* exchanges(targets: readonly DialectId[]): Generator<Exchange> {
  for (let round = 0; round < ROUNDS; round += 1)
    for (const target of targets)
      for (const client of dialectIds)
        for (const stream of [false, true]) {
          const { body } = translateRequest({
            from: 'messages',
            to: client,
            model: target,
            stream,
            body: warmRequest(round),
          });
          yield {
            path: `/${versionOf(client)}${dialects[client].endpoint('create', { model: target, stream })}`,
            body: JSON.stringify(body),
          };
        }
}

/** Where a client of the dialect calls. */
function versionOf(client: DialectId): string {
  const [first] = gatewayDialect(client).families.versions;
  return first === '' ? 'v1' : first;
}

/** A gateway with a backend for each dialect, all in this process and out of reach of everybody else. */
function createStage(targets: readonly DialectId[]) {
  const backends = new Map(targets.map((id, index) => [`http://b${index}.invalid`, createServer(answerAs(id))]));
  const origins = [...backends.keys()];
  const config = parseConfig({
    backends: Object.fromEntries(targets.map((id, index) => [id, { dialect: id, baseUrl: `${origins[index]}/v1` }])),
    models: Object.fromEntries(targets.map((id) => [id, { backend: id }])),
    log: { level: 'silent' },
  });
  const services = createServices(config);
  const gateway = createGatewayParts(config, services, undefined, undefined, (origin) => connect(backends.get(origin)));
  const front = createHttpServer(
    createHandler(() => gateway),
    config.limits,
    () => false,
  );
  const client = createHttpTransport('http://localhost', 1, () => connect(front));
  return {
    call: (exchange: Exchange) => call(client, exchange),
    async close(): Promise<void> {
      await Promise.all([client.close(), gateway.close()]);
      await services.close();
    },
  };
}

/** A connection to a server, which takes it for one of this machine. */
function connect(server: Server | undefined): Duplex {
  const [near, far] = duplexPair();
  server?.emit('connection', Object.assign(far, { remoteAddress: '127.0.0.1' }));
  return near;
}

/** Resolves with the status when the call is over; 0 = it has none. */
function call(client: Transport, { path, body }: Exchange): Promise<number> {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve) => {
    let status = 0;
    const end = (): void => {
      clearTimeout(timer);
      resolve(status);
    };
    const running = client.send(
      { method: 'POST', path, headers, body },
      {
        connected: () => {},
        head(given) {
          status = given;
        },
        data: () => {},
        end,
        error: end,
      },
    );
    const timer = setTimeout(() => {
      running.abort();
      end();
    }, PATIENCE_MS);
  });
}

/** A backend that answers the same to everybody, as a stream where one is asked for. */
function answerAs(id: DialectId): RequestListener {
  const whole = JSON.stringify(translateResponse({ from: 'messages', to: id, body: warmAnswer() }).body);
  return (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const isStream = request.url?.includes('stream') || Buffer.concat(chunks).includes('"stream":true');
      response.setHeader('content-type', isStream ? 'text/event-stream' : 'application/json');
      if (!isStream) {
        response.end(whole);
        return;
      }
      const translator = createStreamTranslator({ from: 'messages', to: id });
      for (const event of warmEvents()) response.write(translator.push(event));
      response.end(translator.end());
    });
  };
}
