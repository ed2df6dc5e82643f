import { AggregatorRegistry, Registry } from 'prom-client';
import type { Config } from '../../config/index.js';
import { type MetricsListener, startMetricsListener } from './listener.js';
import type { Scrape } from './meter.js';

/** In the primary: the metrics of all workers together. */
export interface PrimaryMetrics {
  /** Asks all workers. Rejects when one of them does not answer. */
  render(): Promise<Scrape>;
  /** Listens where the configuration says; resolves at once where it names no port. */
  listen(config: Pick<Config, 'metrics'>): Promise<void>;
  close(): Promise<void>;
}

/** Made before the first worker, so that every answer is heard. */
export function createPrimaryMetrics(): PrimaryMetrics {
  const all = new AggregatorRegistry();
  let listener: MetricsListener | undefined;
  const render = async (): Promise<Scrape> => ({
    type: Registry.PROMETHEUS_CONTENT_TYPE,
    text: await all.clusterMetrics(),
  });
  return {
    render,
    async listen({ metrics: { host, port } }) {
      if (port !== undefined) listener = await startMetricsListener({ host, port }, render);
    },
    async close() {
      await listener?.close();
    },
  };
}
