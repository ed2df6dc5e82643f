import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort, GATEWAYS, type PeerGateway, reachable, type Services } from '../bench/peer-gateways.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import type { Fakes } from '../support/fakes.js';
import { createWorkplace } from '../support/gateway/program.js';
import { createSession } from '../support/sessions/index.js';
import type { Stage } from './stage.js';

/**
 * The gateway of others that stands where ours does, where the environment names one: `npm run bench:peers` counts how many
 * of these tests it passes, each pair of dialects for itself.
 */
export const PEER: PeerGateway | undefined = peerOf(process.env.SDK_PEER);

function peerOf(wanted: string | undefined): PeerGateway | undefined {
  const peer = GATEWAYS.find(({ name }) => name === wanted);
  if (wanted !== undefined && peer === undefined) throw new Error(`no peer is called ${wanted}`);
  return peer;
}

/** Starts it in front of fakes that are there already, which accept `key`. */
export async function openPeerStage(
  { name, stage }: PeerGateway,
  fakes: Fakes,
  { models, key }: { readonly models: Readonly<Record<FakeDialectName, string>>; readonly key: string },
): Promise<Stage> {
  const services = Object.fromEntries(
    Object.entries(fakes.backends).map(([dialect, { url }]) => [
      dialect,
      { url, model: models[dialect as FakeDialectName], key },
    ]),
  ) as Services;
  const work = createWorkplace();
  const port = await freePort();
  const { words, env } = stage.command(services, { work, port });
  const child = spawn(words[0], words.slice(1), { stdio: 'ignore', env: { ...process.env, ...env } });
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    await work.end();
    await fakes.close();
  };
  try {
    await reachable(name, port, child);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    url,
    backends: fakes.backends,
    reset: fakes.reset,
    close,
    session(client, options) {
      const added = stage.headers?.(options.model, services) ?? {};
      const model = stage.modelOf?.(options.model, services) ?? options.model;
      return createSession(client, url, {
        ...(stage.key !== undefined && { apiKey: stage.key }),
        ...(stage.maxTokens !== undefined && { maxTokens: stage.maxTokens }),
        ...options,
        model,
        fetch: (input, init) => {
          // Peers know generateContent by the version of its address that all its clients used until lately.
          const address = typeof input === 'string' ? input.replace('/v1/models/', '/v1beta/models/') : input;
          const request = new Request(address, init);
          for (const [header, value] of Object.entries(added)) request.headers.set(header, value);
          return fetch(request);
        },
      });
    },
  };
}
