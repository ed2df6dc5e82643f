/**
 * Loaded before the gateway's program with `--import`, with `--expose-gc` and a channel to the parent: collects garbage
 * and tells what the process holds whenever the parent asks. Nothing of the program is touched.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const delays = monitorEventLoopDelay({ resolution: 10 });
delays.enable();
const warnings = [];
process.on('warning', (warning) => warnings.push(`${warning.name}: ${warning.message}`));

process.on('message', (question) => {
  if (question?.probe === undefined) return;
  const loop = { p50: delays.percentile(50) / 1e6, p99: delays.percentile(99) / 1e6, max: delays.max / 1e6 };
  if (question.forget === true) delays.reset();
  if (question.collect === true) {
    globalThis.gc();
    // Buffers that the first found are freed beside it; the next one waits for that.
    globalThis.gc();
  }
  const resources = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  const listeners = {};
  for (const name of process.eventNames()) listeners[String(name)] = process.listenerCount(name);
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const cpuMs = (user + system) / 1000;
  const memory = { rss, heapUsed, external, arrayBuffers };
  process.send({ probe: question.probe, memory, cpuMs, loop, resources, listeners, warnings });
});
// What asks does not keep the program alive.
process.channel?.unref();
