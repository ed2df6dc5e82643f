import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type FaultyBackend, inChunks, rawAnswer, startFaultyBackend } from '../support/faulty-backend.js';
import { send, startGateway, type TestGateway } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import type { Cell } from './cells.js';

/** A gateway in front of one backend for each cell, and a way to leave in the middle of its exchange. */
export interface Departures {
  readonly gateway: TestGateway;
  readonly backend: FaultyBackend;
  /** The name of a cell's model. */
  modelOf(cell: Cell): string;
  /**
   * Sends a cell's request, lets the backend answer `steps` pieces, goes away, and gives the milliseconds until the
   * backend has lost its connections, with those that a server takes to lose a connection with nothing between. Rejects
   * when the backend keeps one.
   */
  leave(cell: Cell, steps: number, flood?: boolean): Promise<Departure>;
  close(): Promise<void>;
}

export interface Departure {
  readonly ms: number;
  readonly plainMs: number;
}

/** How long, in ms, the backend is waited for: longer than any figure that is measured. */
const PATIENCE = 30_000;

/** A server whose connections are closed at the same moments as those of the gateway's clients: what this machine takes for that. */
async function startPlain(): Promise<{ open(): Promise<() => Promise<number>>; close(): void }> {
  const closings = new Map<number | undefined, Promise<number>>();
  const server = createServer((socket) => {
    const closed = new Promise<number>((resolve) => socket.on('close', () => resolve(performance.now())));
    closings.set(socket.remotePort, closed);
    socket.on('error', () => {}).resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = Object(server.address());
  return {
    async open() {
      const client = connect(port, '127.0.0.1');
      await until(() => closings.has(client.localPort));
      const closing = closings.get(client.localPort);
      return async () => {
        const left = performance.now();
        client.destroy();
        return ((await closing) ?? Number.NaN) - left;
      };
    },
    close: () => server.close(),
  };
}

export async function startDepartures(cells: readonly Cell[]): Promise<Departures> {
  const backend = await startFaultyBackend();
  const plain = await startPlain();
  const nameOf = (cell: Cell): string => `cell-${cells.indexOf(cell)}`;
  const modelOf = (cell: Cell): string => `${cell.family ?? 'any'}-${nameOf(cell)}`;
  const gateway = await startGateway({
    backends: Object.fromEntries(
      cells.map((cell) => [
        nameOf(cell),
        { ...cell.backend, baseUrl: `${backend.url}/at/${nameOf(cell)}`, retries: 0 },
      ]),
    ),
    models: Object.fromEntries(cells.map((cell) => [modelOf(cell), { backend: nameOf(cell) }])),
    media: { families: { 'img-multi': ['img-multi-*'], 'img-legacy': ['img-legacy-*'], 'video-2': ['video-2-*'] } },
    store: { type: 'memory' },
    limits: { drainSeconds: 1 },
  });
  /** Asks for what a cell is about; gives the id that the gateway made of it. */
  const prepare = async (cell: Cell): Promise<string> => {
    const { before } = cell;
    if (before === undefined) return '';
    const { path, body, answer } = before;
    backend.on(nameOf(cell), ({ socket }) => socket.write(rawAnswer('200 OK', JSON.stringify(answer(nameOf(cell))))));
    const told = await send(gateway.url, path, { body: body(modelOf(cell)) });
    if (typeof told.body?.id !== 'string') throw new Error(`${cell.name}: ${told.text}`);
    return told.body.id;
  };
  return {
    gateway,
    backend,
    modelOf,
    async leave(cell, steps, flood = false) {
      const id = await prepare(cell);
      const gone: Promise<unknown>[] = [];
      let played = (): void => {};
      const ready = new Promise<void>((resolve) => {
        played = resolve;
      });
      backend.on(nameOf(cell), (one) => {
        gone.push(new Promise((resolve) => one.socket.on('close', resolve)));
        void play(one.socket, cell, steps, flood).then(played);
      });
      const client = connect(gateway.port, '127.0.0.1');
      client.on('error', () => {});
      if (flood) client.pause();
      else client.resume();
      client.write(requestOf(cell, modelOf(cell), id));
      let refused = '';
      client.once('data', (chunk: Buffer) => {
        refused = chunk.toString();
      });
      await within(ready, () => `${cell.name}: the backend was not asked; the client got ${refused}`);
      // What the backend said is on its way through the gateway, or has passed it.
      await sleep(steps % 2 === 0 ? 0 : 8);
      const leavePlain = await plain.open();
      const left = performance.now();
      client.destroy();
      const plainMs = leavePlain();
      await within(Promise.all(gone), () => `${cell.name}, left after ${steps} pieces: the backend goes on`);
      return { ms: performance.now() - left, plainMs: await plainMs };
    },
    async close() {
      await gateway.close();
      await backend.close();
      plain.close();
    },
  };
}

/** Writes the first `steps` pieces; then, where it is to flood, one piece again and again until nobody takes more. */
async function play(socket: Socket, cell: Cell, steps: number, flood: boolean): Promise<void> {
  const chunked = cell.steps[0]?.includes('text/event-stream') === true;
  cell.steps.slice(0, steps).forEach((step, index) => {
    if (index === 0) socket.write(chunked ? step.replace(/\r\n$/, 'transfer-encoding: chunked\r\n\r\n') : step);
    else socket.write(chunked ? inChunks(step) : step);
  });
  if (!flood) return;
  const piece = inChunks(cell.endless?.piece ?? '');
  let idle = 0;
  while (!socket.destroyed && idle < 10) {
    idle = socket.writableLength < 1_000_000 && socket.write(piece) ? 0 : idle + 1;
    await sleep(idle === 0 ? 0 : 15);
  }
}

function requestOf(cell: Cell, model: string, id: string): Buffer {
  const body = Buffer.from(cell.body?.(model) ?? '');
  const headers = {
    'content-type': 'application/json',
    'content-length': body.length,
    host: '127.0.0.1',
    ...cell.headers,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${cell.method} ${cell.path(model, id)} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

async function within(promise: Promise<unknown>, told: () => string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(told())), PATIENCE);
  });
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
