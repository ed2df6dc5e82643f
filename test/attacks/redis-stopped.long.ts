import { expect, test } from '@jest/globals';
import { createGateway } from '../../src/index.js';
import { connectResponses } from '../support/clients.js';
import { until } from '../support/gateway/program.js';
import { redisInstalled, startOwnRedis } from '../support/redis.js';

/** A Redis server that takes connections and answers nobody costs one wait, and not one for each call (attacks.md finding 20). */
const ABSENT = redisInstalled ? '' : ' (skipped: there is no redis-server on this machine)';

(redisInstalled ? test : test.skip)(
  `calls do not wait for a server that stopped, each for itself${ABSENT}`,
  async () => {
    const redis = await startOwnRedis();
    const gateway = createGateway({
      backends: { sim: { dialect: 'messages', simulator: true } },
      store: { type: 'redis', url: redis.url },
      limits: { drainSeconds: 1 },
      log: { level: 'silent' },
    });
    try {
      const { url } = await gateway.listen({ port: 0 });
      const client = connectResponses(url);
      const ask = async () => Object(await client.responses.create({ model: 'sim', input: 'one' }));
      const kept = await ask();
      expect(kept.store).toBe(true);
      redis.process?.kill('SIGSTOP');
      expect((await ask()).store).toBe(false);
      // If each waited for the server, they would take longer than the test may.
      for (let n = 0; n < 20; n += 1) expect((await ask()).store).toBe(false);
      const reading = await fetch(`${url}/v1/responses/${kept.id}`);
      expect(reading.status).toBe(503);
      redis.process?.kill('SIGCONT');
      await until(async () => (await ask()).store === true, 'an answer that is kept');
      expect((await client.responses.retrieve(kept.id)).id).toBe(kept.id);
    } finally {
      await gateway.close();
      await redis.close();
    }
  },
  60_000,
);
