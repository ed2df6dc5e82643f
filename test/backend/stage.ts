import { createServer } from 'node:http';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createHandler } from '../../src/app/application.js';
import { parseConfig } from '../../src/config/load.js';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGatewayParts, type Gateway } from '../../src/gateway/gateway.js';
import { createServices } from '../../src/gateway/services.js';
import type { Tracer } from '../../src/observe/tracing/tracer.js';
import type { DialectId } from '../../translators/index.js';
import { DIALECTS, json, type Recorder, startRecorder, type Tree, WHOLE } from '../support/gateway/harness.js';
import { listen, shut } from '../support/sockets.js';

/** A gateway on a free port that shows what it counts and logs. */
export interface WatchedGateway {
  readonly url: string;
  readonly parts: Gateway;
  /** `BACKEND REASON` of each target that was passed over. */
  readonly passed: string[];
  readonly lines: Tree[];
  /** `BACKEND STATUS` of each call to a backend that is over. */
  readonly traced: string[];
  /** Goes on with another configuration. */
  reload(config: ConfigInput): void;
  close(): Promise<void>;
}

export async function startWatched(input: ConfigInput): Promise<WatchedGateway> {
  const whole = (config: ConfigInput) =>
    parseConfig({ store: { type: 'memory' }, log: { level: 'silent' }, ...config });
  const config = whole(input);
  const lasting = createServices(config, {});
  const passed: string[] = [];
  const lines: Tree[] = [];
  const meter = {
    ...lasting.meter,
    passed: (backend: string, reason: string) => passed.push(`${backend} ${reason}`),
  };
  const traced: string[] = [];
  const tracer: Tracer = {
    ...lasting.tracer,
    called: (_call, { backend }) => ({
      headers: { traceparent: `trace-of-${backend.name}` },
      ended: (_ended, status) => traced.push(`${backend.name} ${status}`),
    }),
  };
  const logger = pino({ level: 'trace' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const watched = { ...lasting, meter, tracer, logger };
  let current = createGatewayParts(config, watched);
  const server = createServer(createHandler(() => current));
  return {
    url: await listen(server),
    get parts() {
      return current;
    },
    passed,
    lines,
    traced,
    reload(next) {
      const before = current;
      current = createGatewayParts(whole(next), watched, before);
      before.retire();
    },
    async close() {
      await shut(server);
      await current.close();
      await lasting.close();
    },
  };
}

/** A backend that answers in every dialect, by the path that is asked for. */
export async function startBackend(): Promise<Recorder> {
  const recorder = await startRecorder();
  recorder.reply = (response, { path }) => json(response, 200, WHOLE[dialectOf(path)]('hi'));
  return recorder;
}

export function dialectOf(path: string): DialectId {
  return DIALECTS.find((_dialect, index) => [/\/messages/, /\/responses/, /:/][index]?.test(path)) ?? 'messages';
}

/** A URL at which nobody listens. */
export async function freeUrl(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  await shut(server);
  return url;
}

/** A server on the bare socket that counts connections; by default it ends each of them at once. */
export interface Door {
  readonly url: string;
  visits: number;
  close(): Promise<void>;
}

export function openDoor(greet: (socket: Socket) => void): Promise<Door> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    door.visits += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    greet(socket);
  });
  const door: Door & { url: string } = {
    url: '',
    visits: 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      door.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
      resolve(door);
    });
  });
}

/** Sends a request and goes away when told. */
export function leavingClient(url: string, path: string, body: unknown): { leave(): void } {
  const { port } = new URL(url);
  const text = JSON.stringify(body);
  const socket = connect(Number(port), '127.0.0.1', () => {
    const head = [`POST ${path} HTTP/1.1`, 'host: localhost', 'content-type: application/json'];
    socket.write(`${[...head, `content-length: ${Buffer.byteLength(text)}`].join('\r\n')}\r\n\r\n${text}`);
  });
  socket.on('error', () => {});
  return { leave: () => socket.destroy() };
}

/** Waits until something is true. */
export async function until(isTrue: () => boolean, what: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (!isTrue()) {
    if (performance.now() > end) throw new Error(`never happened: ${what}`);
    await sleep(5);
  }
}
