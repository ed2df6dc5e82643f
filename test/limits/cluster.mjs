// Three workers with one key: asks each through their ledgers what is admitted, kills one, and prints what came of it.
import cluster from 'node:cluster';
import { once } from 'node:events';
import { createLimitsAnswerer } from '../../src/limits/primary.ts';
import { createWorkerLedger } from '../../src/limits/worker.ts';
import { answerWorkers } from '../../src/workers/messages.ts';

const minute = { name: 'minute', requestsPerMinute: 10 };
const places = { name: 'places', concurrency: 3 };

async function work() {
  const ledger = createWorkerLedger(() => {});
  process.on('message', async (message) => {
    if (message.ask === undefined) return;
    const key = message.ask === 'minute' ? minute : places;
    const all = Array.from({ length: message.count }, (_, index) =>
      ledger.admit(key, `${process.pid}-${index}-${Date.now()}`),
    );
    const verdicts = await Promise.all(all);
    process.send({ admitted: verdicts.filter(({ refused }) => refused === undefined).length });
  });
  process.send({ ready: true });
}

async function watch() {
  answerWorkers({ limits: createLimitsAnswerer() });
  const workers = [cluster.fork(), cluster.fork(), cluster.fork()];
  const told = (worker, name) =>
    new Promise((resolve) => {
      const listen = (message) => {
        if (message[name] === undefined) return;
        worker.off('message', listen);
        resolve(message[name]);
      };
      worker.on('message', listen);
    });
  const ask = (worker, what, count) => {
    const answer = told(worker, 'admitted');
    worker.send({ ask: what, count });
    return answer;
  };
  await Promise.all(workers.map((worker) => told(worker, 'ready')));
  const minutes = await Promise.all(workers.map((worker) => ask(worker, 'minute', 10)));
  const [first, second, third] = workers;
  const held = await ask(first, 'places', 5);
  const refusedWhileHeld = (await ask(second, 'places', 1)) === 0;
  first.process.kill('SIGKILL');
  await once(first, 'exit');
  const afterDeath = (await ask(third, 'places', 1)) === 1;
  for (const worker of [second, third]) worker.process.kill();
  console.log(
    JSON.stringify({ admitted: minutes.reduce((sum, one) => sum + one), held, refusedWhileHeld, afterDeath }),
  );
}

await (cluster.isWorker ? work() : watch());
