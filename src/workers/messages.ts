import cluster, { type Worker } from 'node:cluster';

/** Questions and answers between the worker processes and the primary that started them. */
interface Message {
  readonly interlingua: 'question' | 'answer' | 'failure' | 'order';
  readonly id: number;
  readonly subject: string;
  readonly value: unknown;
}

/** How long, in ms, a worker waits for the primary. */
const PATIENCE_MS = 5000;

const waiting = new Map<number, (message: Message) => void>();
let asked = 0;
let listening = false;

/**
 * Set for the processes that a primary of ours starts: other programs have workers too, and mount gateways in them. It says when the
 * primary was started, in ms since 1970.
 */
export const WORKER_ENVIRONMENT = { INTERLINGUA_WORKER: String(Date.now()) } as const;

const { INTERLINGUA_WORKER: began } = process.env;

/** Whether this process works for a primary. */
export const isWorker = cluster.isWorker && began !== undefined && /^\d+$/.test(began);

/** When the primary of this worker was started, in ms since 1970; undefined = this is none. */
export const primaryStartedAt = isWorker ? Number(began) : undefined;

/** Which worker this process is; undefined = none. */
export const workerId = isWorker ? cluster.worker?.id : undefined;

const ORDERS = ['reload', 'refused', 'stop'] as const;

/** What a primary tells all its workers: that the configuration has changed, or could not, or that they shall end. */
export type Order = (typeof ORDERS)[number];

/** Asks the primary. Values are plain JSON. Rejects when it fails, or does not answer in time. */
export function askPrimary(subject: string, value: unknown): Promise<unknown> {
  if (!listening) {
    listening = true;
    process.on('message', (message) => {
      if (!isMessage(message) || message.interlingua === 'question') return;
      waiting.get(message.id)?.(message);
    });
  }
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    const settle = (work: () => void): void => {
      clearTimeout(timer);
      waiting.delete(id);
      work();
    };
    const timer = setTimeout(() => settle(() => reject(new Error('the primary does not answer'))), PATIENCE_MS);
    waiting.set(id, (message) =>
      settle(() =>
        message.interlingua === 'answer' ? resolve(message.value) : reject(new Error('the primary failed')),
      ),
    );
    const question: Message = { interlingua: 'question', id, subject, value };
    process.send?.(question, undefined, {}, (error) => {
      if (error !== null) settle(() => reject(error));
    });
  });
}

/** Answers a question of a worker; `worker` is who asks. */
export type Answerer = (value: unknown, worker: Worker) => unknown;

/** In the primary: answers what workers ask, each subject by its answerer. */
export function answerWorkers(answerers: Readonly<Record<string, Answerer>>): void {
  cluster.on('message', (worker, message) => {
    if (!isMessage(message) || message.interlingua !== 'question') return;
    const reply = (interlingua: Message['interlingua'], value: unknown): void => {
      const answer: Message = { interlingua, id: message.id, subject: message.subject, value };
      if (worker.isConnected()) worker.send(answer, () => {});
    };
    Promise.resolve()
      .then(() => answerers[message.subject]?.(message.value, worker))
      .then(
        (value) => reply('answer', value),
        () => reply('failure', undefined),
      );
  });
}

/** How long, in ms, the primary waits for what its workers answer: one that is busy is left out. */
const ROUND_MS = 1000;

/** What workers are asked, by the number of the question. */
const rounds = new Map<number, (value: unknown) => void>();
let hears = false;

/** In the primary: asks all workers, each with its own value, and gives what they answered in time, by their numbers. */
export async function askWorkers(
  subject: string,
  valueFor: (worker: number) => unknown,
): Promise<ReadonlyMap<number, unknown>> {
  if (!hears) {
    hears = true;
    cluster.on('message', (_worker, message) => {
      if (isMessage(message) && message.interlingua === 'answer') rounds.get(message.id)?.(message.value);
    });
  }
  const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker?.isConnected() === true);
  const answers = workers.map(async (worker): Promise<readonly (readonly [number, unknown])[]> => {
    if (worker === undefined) return [];
    asked += 1;
    const id = asked;
    const value = await new Promise<unknown>((resolve) => {
      const timer = setTimeout(resolve, ROUND_MS, undefined);
      rounds.set(id, (answer) => {
        clearTimeout(timer);
        resolve(answer);
      });
      const question: Message = { interlingua: 'question', id, subject, value: valueFor(worker.id) };
      worker.send(question, () => {});
    });
    rounds.delete(id);
    return value === undefined ? [] : [[worker.id, value]];
  });
  return new Map((await Promise.all(answers)).flat());
}

/** In a worker: answers what the primary asks about a subject. Without an answer it goes on without this worker. */
export function answerPrimary(subject: string, answer: (value: unknown) => Promise<unknown>): void {
  process.on('message', (message) => {
    if (!isMessage(message) || message.interlingua !== 'question' || message.subject !== subject) return;
    answer(message.value).then(
      (value) =>
        process.send?.({ ...message, interlingua: 'answer', value } satisfies Message, undefined, {}, () => {}),
      () => {},
    );
  });
}

/** In the primary: tells all workers. */
export function orderWorkers(order: Order): void {
  const message: Message = { interlingua: 'order', id: 0, subject: order, value: undefined };
  for (const worker of Object.values(cluster.workers ?? {})) {
    if (worker?.isConnected() === true) worker.send(message, () => {});
  }
}

/** In a worker: hears the orders of the primary. Earlier ones are lost, so that a worker asks after that. */
export function hearPrimary(orders: Readonly<Record<Order, () => void>>): void {
  process.on('message', (message) => {
    if (!isMessage(message) || message.interlingua !== 'order') return;
    const order = ORDERS.find((one) => one === message.subject);
    if (order !== undefined) orders[order]();
  });
}

function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'interlingua' in value && 'id' in value;
}
