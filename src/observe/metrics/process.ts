import { AggregatorRegistry, collectDefaultMetrics, Registry } from 'prom-client';
import { isWorker } from '../../workers/index.js';

let own: Registry | undefined;

/** Gauges with the suffix of counters, which checkers of metrics refuse: the sums of gauges that are there too. */
const SUMS = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** Memory, processor time and the like: of the process, whatever number of gateways it has. */
function processRegistry(): Registry {
  if (own === undefined) {
    own = new Registry();
    collectDefaultMetrics({ register: own });
    for (const name of SUMS) own.removeSingleMetric(name);
  }
  return own;
}

/** The text of a registry together with that of the process. */
export async function mergedText(registry: Registry): Promise<string> {
  const [counted, process] = await Promise.all([registry.metrics(), processRegistry().metrics()]);
  return counted + process;
}

/** In a worker: lets the primary ask for what this process counts. */
export function shareWithPrimary(registry: Registry): void {
  if (!isWorker) return;
  AggregatorRegistry.setRegistries([registry, processRegistry()]);
  // The first aggregator of a process is what hears the question.
  new AggregatorRegistry();
}
