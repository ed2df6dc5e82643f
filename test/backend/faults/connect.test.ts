import { createServer } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DialectId } from '../../../translators/index.js';
import { CERTIFICATE } from '../../support/faulty-backend.js';
import { DIALECTS, startGateway, type TestGateway } from '../../support/gateway/harness.js';
import { listen, shut } from '../../support/sockets.js';
import { until } from '../../support/until.js';
import { KEY, leaksIn } from './canaries.js';
import { asking, exchange, inParallel, type Outcome } from './cells.js';
import { expectRefusal } from './checks.js';
import type { Kind } from './told.js';

/** A server of the transport layer that counts who comes. */
interface Door {
  readonly port: number;
  readonly sockets: Set<Socket>;
  /** Connections so far. */
  visits: number;
  /** Bytes of requests that came through, after any handshake. */
  heard: number;
  close(): void;
}

function openDoor(server: Server, event: string, greet: (socket: Socket) => void): Promise<Door> {
  return new Promise((resolve) => {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      door.visits += 1;
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => sockets.delete(socket));
    });
    server.on(event, (socket: Socket) => {
      socket.on('data', (bytes) => {
        door.heard += bytes.length;
      });
      greet(socket);
    });
    const door: Door & { port: number } = {
      port: 0,
      sockets,
      visits: 0,
      heard: 0,
      close() {
        server.close();
        for (const socket of sockets) socket.destroy();
      },
    };
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      door.port = typeof address === 'object' && address !== null ? address.port : 0;
      resolve(door);
    });
  });
}

interface Way {
  readonly row: number;
  readonly name: string;
  readonly kind: Kind;
  readonly host: () => string;
  readonly url: () => string;
  readonly retries: number;
  readonly connect: number;
  readonly door?: () => Door;
  /** Connections per call. */
  readonly visits?: number;
}

let silent: Door;
let distrusted: Door;
let plain: Door;
let gone: string;

const WAYS: readonly Way[] = [
  {
    row: 1,
    name: 'a name that does not resolve',
    kind: 'upstream',
    host: () => NOWHERE,
    url: () => `http://${NOWHERE}`,
    retries: 1,
    connect: 8,
  },
  {
    row: 2,
    name: 'a refused connection',
    kind: 'upstream',
    host: () => gone.slice('http://'.length),
    url: () => gone,
    retries: 1,
    connect: 8,
  },
  {
    row: 3,
    name: 'a connection that hangs',
    kind: 'timeout',
    host: () => `127.0.0.1:${silent.port}`,
    url: () => `https://127.0.0.1:${silent.port}`,
    retries: 3,
    connect: 0.3,
    door: () => silent,
    visits: 2,
  },
  {
    row: 4,
    name: 'a certificate that nobody trusts',
    kind: 'upstream',
    host: () => `127.0.0.1:${distrusted.port}`,
    url: () => `https://127.0.0.1:${distrusted.port}`,
    retries: 3,
    connect: 8,
    door: () => distrusted,
    visits: 1,
  },
  {
    row: 4,
    name: 'no TLS where there should be',
    kind: 'upstream',
    host: () => `127.0.0.1:${plain.port}`,
    url: () => `https://127.0.0.1:${plain.port}`,
    retries: 3,
    connect: 8,
    door: () => plain,
    visits: 1,
  },
];

/** Too long for a label of a name: refused before any server is asked. */
const NOWHERE = `${'x'.repeat(64)}.invalid`;

interface Case {
  readonly way: Way;
  readonly title: string;
  readonly client: DialectId;
  readonly model: string;
  readonly backend: DialectId;
  readonly mode: 'plain' | 'stream';
}

const CASES: readonly Case[] = WAYS.flatMap((way, index) =>
  DIALECTS.flatMap((client) =>
    DIALECTS.flatMap((backend) =>
      (['plain', 'stream'] as const).map((mode) => ({
        way,
        title: `row ${way.row}, ${mode}, ${client} client, ${backend} backend: ${way.name}`,
        client,
        backend,
        mode,
        model: `${backend}-${index}`,
      })),
    ),
  ),
);

let gateway: TestGateway;
const outcomes = new Map<Case, Outcome>();

beforeAll(async () => {
  silent = await openDoor(createTcpServer(), 'connection', () => {});
  distrusted = await openDoor(createTlsServer(CERTIFICATE), 'secureConnection', () => {});
  plain = await openDoor(createTcpServer(), 'connection', (socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n'));
  });
  const server = createServer();
  gone = await listen(server);
  await shut(server);
  const backends = WAYS.flatMap(({ url, retries, connect }, index) =>
    DIALECTS.map((dialect) => [
      `${dialect}-${index}`,
      {
        dialect,
        baseUrl: url(),
        apiKey: KEY,
        retries,
        breaker: false,
        timeouts: { connect, firstByte: 10, idle: 10, total: 12 },
      },
    ]),
  );
  const names = WAYS.flatMap((_way, index) => DIALECTS.map((dialect) => `${dialect}-${index}`));
  gateway = await startGateway({
    backends: Object.fromEntries(backends),
    models: Object.fromEntries(names.map((name) => [name, { backend: name }])),
    store: { type: 'off' },
  });
  await inParallel(
    CASES.map((found) => async () => {
      const { path, body } = asking(found.client, found.mode, found.model);
      outcomes.set(found, await exchange(gateway.url, path, body));
    }),
    30,
  );
}, 60_000);

afterAll(async () => {
  await gateway.close();
  for (const door of [silent, distrusted, plain]) door.close();
});

test.each(CASES)('$title', (found) => {
  const outcome = outcomes.get(found);
  if (outcome === undefined) throw new Error('was not run');
  const { way, client } = found;
  expectRefusal(client, outcome, way.kind);
  expect(leaksIn(`${outcome.head}\n${outcome.text}`, way.host())).toEqual([]);
});

describe('what the other side saw', () => {
  test.each(WAYS.filter(({ door }) => door !== undefined))('row $row: $name', ({ door, visits = 0 }) => {
    const cases = CASES.filter(({ way }) => way.door?.() === door?.());
    expect(door?.().visits).toBe(cases.length * visits);
  });

  test('no request went where nobody is trusted', () => {
    expect(distrusted.heard).toBe(0);
  });

  test('connections that hang are given up', async () => {
    await until(() => silent.sockets.size === 0);
  });
});
