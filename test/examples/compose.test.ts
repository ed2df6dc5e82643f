import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { attempt, isThere } from '../support/programs.js';

/** The services of the example 'compose', which are those of the repository's compose file and Grafana. */

const FOLDER = join(PACKAGE_ROOT, 'examples', 'compose');
const read = (path: string) => parse(readFileSync(join(FOLDER, path), 'utf8'));

interface Service {
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly environment?: Readonly<Record<string, string>>;
}

const own = read('compose.yaml');
const [shared = ''] = own.include as string[];
const base = read(shared);
const services: Readonly<Record<string, Service>> = { ...base.services, ...own.services };
const { grafana = {} } = services;
/** The folders that a service mounts: where they are in the container, and on the machine. */
const mounts = new Map(
  (grafana.volumes ?? []).map((text) => text.split(':').slice(0, 2).reverse() as [string, string]),
);

describe('the services', () => {
  test('are those that the README names, and none is declared twice', () => {
    expect(Object.keys(services)).toEqual(['gateway', 'redis', 'prometheus', 'grafana']);
    expect(Object.keys(own.services).filter((name) => Object.hasOwn(base.services, name))).toEqual([]);
  });

  test('have ports of their own, of this machine alone', () => {
    const published = Object.values(services).flatMap(({ ports = [] }) => ports);
    expect(published.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
    expect(new Set(published).size).toBe(published.length);
  });

  test('wait for services that there are, and tell whether they are healthy', () => {
    const awaited = Object.values(services).flatMap(({ depends_on = [] }) =>
      Array.isArray(depends_on) ? depends_on : Object.keys(depends_on),
    );
    expect(awaited.filter((name) => !Object.hasOwn(services, name))).toEqual([]);
    expect(grafana.healthcheck?.test.at(-1)).toBe('http://127.0.0.1:3000/api/health');
    expect(services.redis?.healthcheck?.test).toContain('redis-cli');
    expect(readFileSync(join(PACKAGE_ROOT, 'Dockerfile'), 'utf8')).toContain('HEALTHCHECK');
  });

  test('are given keys by the names that the sample of an environment has', () => {
    const asked = JSON.stringify(base).match(/\$\{(\w+)/g) ?? [];
    const sample = readFileSync(join(FOLDER, '.env.example'), 'utf8');
    expect(asked.length).toBeGreaterThan(3);
    expect(asked.map((name) => name.slice(2)).filter((name) => !sample.includes(`${name}=`))).toEqual([]);
  });
});

describe('Grafana', () => {
  test('finds its folders on the machine', () => {
    for (const folder of mounts.values()) expect([folder, existsSync(join(FOLDER, folder))]).toEqual([folder, true]);
  });

  test('reads the metrics of the service that gathers them', () => {
    const { datasources } = read('grafana/datasources/prometheus.yaml');
    const [{ type, url, isDefault }] = datasources;
    expect({ type, isDefault }).toEqual({ type: 'prometheus', isDefault: true });
    const { hostname, port } = new URL(url);
    expect(services[hostname]?.ports?.some((one) => one.endsWith(`:${port}`))).toBe(true);
  });

  test('shows the dashboard of the repository, whose metrics test/package/operators.test.ts knows', () => {
    const { providers } = read('grafana/dashboards/interlingua.yaml');
    const [{ options }] = providers;
    const folder = mounts.get(options.path) ?? '';
    const home = grafana.environment?.GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH ?? '';
    const file = join(FOLDER, folder, home.slice(options.path.length));
    expect(file).toBe(join(PACKAGE_ROOT, 'deploy/grafana/interlingua.json'));
    expect(JSON.parse(readFileSync(file, 'utf8')).uid).toBe('interlingua');
  });
});

const engine = isThere('docker') && attempt({ words: ['docker', 'compose', 'version'] }, FOLDER) === undefined;
if (!engine)
  process.stdout.write('Compose itself does not read the example: `docker compose` is not on this machine.\n');
(engine ? test : test.skip)('Compose reads the files', () => {
  const env = Object.fromEntries(
    ['GATEWAY', 'ANTHROPIC_API', 'OPENAI_API', 'GEMINI_API'].map((name) => [`${name}_KEY`, 'a-key-of-the-team-1']),
  );
  expect(attempt({ words: ['docker', 'compose', 'config', '--quiet'], env }, FOLDER)).toBeUndefined();
});
