import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createGateway } from '../../src/index.js';
import { dialectIds } from '../../translators/index.js';
import { tableOf } from '../support/dialects/index.js';
import type { LoadOrder } from './load.js';
import { type Figure, median, table } from './measure.js';

const BODIES = tableOf('benchRequest');

/** Processor time of this process per exchange, each pair against a bare `node:http` pipe in the same run. */
export async function benchGateway(): Promise<void> {
  const load = fork(fileURLToPath(new URL('./load.js', import.meta.url)));
  const [{ port }] = (await once(load, 'message')) as [{ port: number }];
  const backendUrl = `http://127.0.0.1:${port}`;
  const pipe = await startPipe(port);
  const gateway = createGateway({
    backends: Object.fromEntries(
      dialectIds.map((dialect) => [
        dialect,
        { dialect, baseUrl: backendUrl, ...(dialect === 'responses' && { state: 'own' as const }) },
      ]),
    ),
    models: Object.fromEntries(dialectIds.map((dialect) => [`to-${dialect}`, { backend: dialect }])),
    log: { level: 'silent' },
  });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  try {
    console.log(table('request over HTTP', 'CPU ms', await measure(load, url, pipe.url, false)));
    console.log();
    console.log(table('200-event stream over HTTP', 'CPU ms', await measure(load, url, pipe.url, true)));
  } finally {
    await gateway.close();
    pipe.server.close();
    load.kill();
  }
}

async function measure(load: ChildProcess, gateway: string, pipe: string, stream: boolean): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const client of dialectIds) {
    for (const backend of dialectIds) {
      const { path, body } = BODIES[client](stream);
      const model = `to-${backend}`;
      const text = JSON.stringify(body).replace('"M"', `"${model}"`);
      const target = path.replace('/M:', `/${model}:`);
      const own = BODIES[backend](stream);
      const direct = { path: own.path, body: JSON.stringify(own.body) };
      const times: number[] = [];
      const floors: number[] = [];
      for (let round = 0; round < 6; round += 1) {
        times.push(await spent(load, order(gateway + target, text, stream)));
        floors.push(await spent(load, order(pipe + direct.path, direct.body, stream)));
      }
      figures.push({ name: `${client} to ${backend}`, time: median(times.slice(1)), floor: median(floors.slice(1)) });
    }
  }
  return figures;
}

function order(url: string, body: string, stream: boolean): LoadOrder {
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return { url, body, headers, count: stream ? 150 : 600, concurrency: 16 };
}

/** Processor time per exchange in milliseconds. */
async function spent(load: ChildProcess, work: LoadOrder): Promise<number> {
  const before = process.cpuUsage();
  load.send(work);
  const [answer] = (await once(load, 'message')) as [{ done: boolean; reason?: string }];
  if (!answer.done) throw new Error(`the load failed: ${answer.reason} at ${work.url}`);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / work.count;
}

/** The least that any gateway does: pass the bytes on and back. */
async function startPipe(port: number): Promise<{ readonly server: Server; readonly url: string }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const server = createServer((incoming, outgoing) => {
    const call = request(
      { host: '127.0.0.1', port, path: incoming.url, method: incoming.method, headers: incoming.headers, agent },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    call.on('error', () => outgoing.destroy());
    incoming.pipe(call);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
