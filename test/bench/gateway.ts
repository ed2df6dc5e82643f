import { join } from 'node:path';
import type { ConfigInput } from '../../src/index.js';
import { type DialectId, dialectIds } from '../../translators/index.js';
import { createGateway } from './built.js';
import type { LoadOrder } from './load.js';
import type { Load } from './load-process.js';
import { type Effort, type Row, ratioRow } from './measure.js';
import { orderOf, type Shape } from './order.js';
import { startPipe } from './pipe.js';
import type { TargetName } from './targets.js';

/** The exchanges that are measured. */
const CASES: readonly {
  readonly target: TargetName;
  readonly client: DialectId;
  readonly backend: DialectId;
  readonly stored?: true;
  readonly stream?: true;
  /** The backend sends each event in a packet of its own. */
  readonly apart?: true;
  readonly request?: Shape['request'];
  readonly clients?: number;
}[] = [
  { target: 'stored', client: 'responses', backend: 'messages', stored: true },
  { target: 'small', client: 'messages', backend: 'generateContent' },
  { target: 'small', client: 'generateContent', backend: 'responses' },
  { target: 'relay', client: 'messages', backend: 'messages' },
  { target: 'smallCrowd', client: 'messages', backend: 'chatCompletions', clients: 64 },
  { target: 'storedCrowd', client: 'responses', backend: 'messages', stored: true, clients: 64 },
  { target: 'relayCrowd', client: 'messages', backend: 'messages', clients: 64 },
  { target: 'storedStream', client: 'responses', backend: 'messages', stored: true, stream: true },
  { target: 'stream', client: 'messages', backend: 'generateContent', stream: true },
  { target: 'storedStreamApart', client: 'responses', backend: 'messages', stored: true, stream: true, apart: true },
  { target: 'streamApart', client: 'messages', backend: 'generateContent', stream: true, apart: true },
  { target: 'agent', client: 'messages', backend: 'chatCompletions', request: 'agent', stream: true, apart: true },
  { target: 'agent', client: 'responses', backend: 'messages', request: 'agent', stream: true, apart: true },
  { target: 'agent', client: 'generateContent', backend: 'responses', request: 'agent', stream: true, apart: true },
  {
    target: 'agentStored',
    client: 'responses',
    backend: 'messages',
    request: 'agent',
    stored: true,
    stream: true,
    apart: true,
  },
  { target: 'agentRelayed', client: 'messages', backend: 'messages', request: 'agent', stream: true, apart: true },
];

/** A gateway in this process, and the least that any gateway does, in front of the same backend. */
interface Stage {
  readonly load: Load;
  readonly gateway: string;
  readonly pipe: string;
  readonly apartPipe: string;
}

/** Processor time of this process for each exchange, against a bare `node:http` pipe in the same run; and the time that is added for one client. */
export async function benchGateway(load: Load, folder: string, effort: Effort): Promise<readonly Row[]> {
  const pipe = await startPipe(load.port);
  const apartPipe = await startPipe(load.apartPort);
  const gateway = createGateway({
    backends: { ...backendsAt('to', load.port), ...backendsAt('apart', load.apartPort) },
    models: Object.fromEntries(['to', 'apart'].flatMap((kind) => dialectIds.map((dialect) => modelOf(kind, dialect)))),
    store: { type: 'lmdb', path: join(folder, 'store') },
    log: { level: 'silent' },
  });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const stage: Stage = { load, gateway: url, pipe: pipe.url, apartPipe: apartPipe.url };
  try {
    const rows: Row[] = [];
    for (const one of CASES) rows.push(await processorTime(stage, one, effort));
    return rows;
  } finally {
    await gateway.close();
    pipe.server.close();
    apartPipe.server.close();
  }
}

/** Backends of all dialects in one place, and the model that each is asked for. */
function backendsAt(kind: string, port: number): NonNullable<ConfigInput['backends']> {
  const baseUrl = `http://127.0.0.1:${port}`;
  return Object.fromEntries(
    dialectIds.map((dialect) => [
      `${kind}-${dialect}`,
      { dialect, baseUrl, ...(dialect === 'responses' && { state: 'own' as const }) },
    ]),
  );
}

function modelOf(kind: string, dialect: DialectId) {
  return [`${kind}-${dialect}`, { backend: `${kind}-${dialect}` }] as const;
}

async function processorTime(stage: Stage, one: (typeof CASES)[number], { short }: Effort): Promise<Row> {
  const {
    target,
    client,
    backend,
    stored = false,
    stream = false,
    apart = false,
    request = 'small',
    clients = 16,
  } = one;
  const count = (stream ? 150 : 600) / (short ? 3 : 1);
  const shape = { request, stream, count, concurrency: clients };
  const ours = orderOf(stage.gateway, client, {
    model: `${apart ? 'apart' : 'to'}-${backend}`,
    stored,
    ...shape,
  });
  const direct = orderOf(apart ? stage.apartPipe : stage.pipe, backend, {
    model: 'M',
    stored: false,
    ...shape,
  });
  const times: number[] = [];
  const floors: number[] = [];
  // The compiler is done after some 8,000 exchanges (docs/internals/decisions/0018-steps-of-an-exchange.md).
  const warm = short ? 6 : 16;
  for (let round = 0; round < warm + (short ? 3 : 11); round += 1) {
    times.push(await spent(stage.load, ours));
    floors.push(await spent(stage.load, direct));
  }
  return ratioRow({ target, detail: `${client} to ${backend}` }, times.slice(warm), floors.slice(warm));
}

/** Processor time per exchange in milliseconds. */
async function spent(load: Load, work: LoadOrder): Promise<number> {
  const before = process.cpuUsage();
  await load.run(work);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / work.count;
}
