import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { createGateway } from '../../src/index.js';
import { dialectsOf, type PresetName, presetNames, presets } from '../../src/presets/index.js';
import { FAKE_DIALECTS, type FakeDialectName } from '../support/fake-backend/index.js';
import { enterCloud, type FakeHost, HOST_KEY, HOST_MODEL, startHost } from '../support/hosts/host.js';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
export const PAGE = 'docs/hosts.md';

/** The configuration of each recipe, by the name of the preset. */
export const RECIPES = new Map(
  [...readFileSync(join(root, PAGE), 'utf8').matchAll(/^### ([\w-]+)\n[^#]*?```yaml\n([^`]*)```/gm)].map(
    ([, name = '', code = '']) => [name, code],
  ),
);

/** A host in one of the dialects that it speaks. */
export interface Endpoint {
  readonly name: PresetName;
  readonly dialect: FakeDialectName;
  /** The one that the recipe speaks of. */
  readonly usual: boolean;
}

export const ENDPOINTS: readonly Endpoint[] = presetNames.flatMap((name) =>
  FAKE_DIALECTS.filter((dialect) => dialect in presets[name].endpoints).map((dialect) => ({
    name,
    dialect,
    usual: dialectsOf(presets[name])[0] === dialect,
  })),
);

/** The recipes in front of fakes of their hosts, in one gateway. */
export interface HostsStage {
  readonly url: string;
  hostOf(endpoint: Endpoint): FakeHost;
  close(): Promise<void>;
}

const idOf = ({ name, dialect }: Endpoint): string => `${name}.${dialect}`;

/** The name by which clients get the model of a host, as `serve --backend` makes it. */
export const modelAt = (endpoint: Endpoint): string => `${idOf(endpoint)}/${HOST_MODEL}`;

/** A key that opens one host only, so that lists are of its models. */
export const keyOf = (endpoint: Endpoint): string => `key-for-${idOf(endpoint)}`;

/** Starts fakes of hosts, and one gateway in which each is a backend as its recipe says. */
export async function startHosts(endpoints: readonly Endpoint[], lenient = false): Promise<HostsStage> {
  const leave = await enterCloud();
  const started = await Promise.all(
    endpoints.map(
      async (endpoint) => [idOf(endpoint), await startHost(endpoint.name, endpoint.dialect, lenient)] as const,
    ),
  );
  const hosts = new Map(started);
  const hostOf = (endpoint: Endpoint): FakeHost => {
    const host = hosts.get(idOf(endpoint));
    if (host === undefined) throw new Error(`no host for ${idOf(endpoint)}`);
    return host;
  };
  const gateway = createGateway({
    backends: Object.fromEntries(endpoints.map((endpoint) => [idOf(endpoint), backendOf(endpoint, hostOf(endpoint))])),
    models: Object.fromEntries(
      endpoints.map((endpoint) => [`${idOf(endpoint)}/*`, { backend: idOf(endpoint), model: '*' }]),
    ),
    keys: endpoints.map((endpoint) => ({
      name: idOf(endpoint),
      key: keyOf(endpoint),
      models: [`${idOf(endpoint)}/*`],
    })),
    media: { allowPrivate: ['127.0.0.1'] },
    log: { level: 'silent' },
    limits: { drainSeconds: 1 },
  });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  return {
    url,
    hostOf,
    async close() {
      await gateway.close();
      await Promise.all([...hosts.values()].map((host) => host.close()));
      await leave();
    },
  };
}

/** The backend of a recipe, with the address of the fake. */
function backendOf({ name, dialect }: Endpoint, fake: FakeHost) {
  const { [name]: recipe } = parse(RECIPES.get(name) ?? '').backends;
  return {
    ...recipe,
    // Named: the fake is of one endpoint.
    dialect,
    ...(recipe.apiKey !== undefined && { apiKey: HOST_KEY }),
    baseUrl: fake.root,
    breaker: false,
  };
}
