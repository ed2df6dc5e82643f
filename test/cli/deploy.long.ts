import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { V8_FLAGS } from '../../src/cli/flags.js';
import { loadConfig } from '../../src/config/load.js';
import { ConfigError } from '../../src/config/problem.js';
import { startGateway, type Tree } from '../support/gateway/harness.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

const compose: Tree = parse(read('compose.yaml'));
const { gateway, redis } = compose.services;
const mount = '/etc/interlingua';
const file = join(root, 'deploy', 'gateway.yaml');

/** What an operator would set. */
const SET = {
  GATEWAY_KEY: 'q3VvvGS2wq1cJ9u0y6XkT4pZ',
  ANTHROPIC_API_KEY: 'one-key-of-a-service',
  OPENAI_API_KEY: 'two-key-of-a-service',
  GEMINI_API_KEY: 'three-key-of-a-service',
};

/** The container's environment, with what the operator has set in the place of `${NAME:?...}`. */
function containerEnvironment(operator: Record<string, string>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries<string>(gateway.environment).map(([name, value]) => {
      const wanted = /^\$\{(\w+):\?[^}]+\}$/.exec(value)?.[1];
      return [name, wanted === undefined ? value : operator[wanted]];
    }),
  );
}

describe('the configuration of the compose file', () => {
  test('is the mounted one, and is valid once the operator has set the keys', () => {
    expect(gateway.environment.INTERLINGUA_CONFIG).toBe(`${mount}/gateway.yaml`);
    expect(gateway.volumes).toContain(`./deploy:${mount}:ro`);
    const config = loadConfig(file, containerEnvironment(SET));
    expect(config.listen).toMatchObject({ host: '0.0.0.0', port: 8080 });
    expect(config.keys.map(({ name }) => name)).toEqual(['default']);
    expect(config.store).toMatchObject({ type: 'redis', url: 'redis://redis:6379' });
    const seconds = Number(/^(\d+)s$/.exec(gateway.stop_grace_period)?.[1]);
    expect(seconds).toBeGreaterThan(config.limits.drainSeconds + 5);
  });

  test.each(Object.keys(SET))('does not start without %s, nor with an empty one', (name) => {
    const { [name as keyof typeof SET]: _unset, ...rest } = SET;
    expect(() => loadConfig(file, containerEnvironment(rest))).toThrow(ConfigError);
    expect(() => loadConfig(file, containerEnvironment({ ...SET, [name]: '' }))).toThrow(ConfigError);
    // Compose itself refuses what is unset or empty.
    expect(gateway.environment[name]).toMatch(new RegExp(`^\\$\\{${name}:\\?.+\\}$`));
  });

  test('holds no key of its own', () => {
    for (const [, value] of read('deploy/gateway.yaml').matchAll(/\b(?:apiKey|key|sha256): *("[^"]*"|[^,}\s]+)/g)) {
      expect(value).toMatch(/^"\$\{\w+\}"$/);
    }
    expect(JSON.stringify(compose)).not.toMatch(/sk-|[A-Za-z0-9+/]{32,}/);
  });
});

describe('the compose file', () => {
  test('waits for a healthy store that nobody else reaches', () => {
    expect(gateway.depends_on.redis.condition).toBe('service_healthy');
    expect(redis.healthcheck.test).toEqual(['CMD', 'redis-cli', 'ping']);
    expect(redis.ports).toBeUndefined();
    expect(gateway.ports.every((port: string) => port.startsWith('127.0.0.1:'))).toBe(true);
    expect(gateway.deploy.replicas).toBeGreaterThan(1);
  });
});

describe('the image', () => {
  const instructions = read('Dockerfile')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const of = (name: string) => instructions.filter((line) => line.startsWith(`${name} `));

  test('copies what exists and is sent to the builder', () => {
    const sent = new Set(
      read('.dockerignore')
        .split('\n')
        .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : [])),
    );
    expect(read('.dockerignore')).toMatch(/^\*\n/);
    const sources = of('COPY')
      .filter((line) => !line.includes('--from='))
      .flatMap((line) => line.split(' ').slice(1, -1));
    expect(sources).toEqual(expect.arrayContaining(['src', 'translators', 'package-lock.json']));
    for (const source of sources)
      expect([source, existsSync(join(root, source)), sent.has(source)]).toEqual([source, true, true]);
    expect([...sent].filter((name) => !sources.includes(name))).toEqual([]);
  });

  test('runs no install script, and nothing as root', () => {
    const installs = of('RUN').filter((line) => line.includes('npm ci'));
    expect(installs).toHaveLength(2);
    for (const line of installs) expect(line).toContain('--ignore-scripts');
    expect(of('USER')).toEqual(['USER node']);
    expect(instructions.indexOf('USER node')).toBeGreaterThan(
      instructions.findLastIndex((line) => line.startsWith('RUN ')),
    );
    expect(of('ENV').some((line) => /key|token|secret/i.test(line))).toBe(false);
  });

  test('gets signals itself, and is asked for its health where it tells it', async () => {
    const [command = ''] = of('CMD');
    const words: string[] = JSON.parse(command.slice('CMD '.length));
    // Its Node.js is newer than the oldest, which has one flag more.
    expect(words).toEqual(['node', V8_FLAGS[0], '/app/dist/src/cli.js', 'serve']);
    const [health = ''] = of('HEALTHCHECK');
    const check: string[] = JSON.parse(health.slice(health.indexOf('CMD ') + 'CMD '.length));
    expect(check).toEqual(['node', '/app/dist/src/health.js']);
    const healthy = await startGateway({ backends: { sim: { dialect: 'responses', simulator: true } } });
    const folder = mkdtempSync(join(tmpdir(), 'interlingua-health-'));
    writeFileSync(
      join(folder, 'interlingua.yaml'),
      `backends: { a: { dialect: responses, simulator: true } }\nlisten: { host: 0.0.0.0, port: ${healthy.port} }\nopen: true\n`,
    );
    /** With the port of the file in the working directory, or with that of the environment. */
    const ask = (env: Record<string, string> = {}) =>
      new Promise((resolve) => {
        const program = join(root, 'dist', 'src', 'health.js');
        spawn(process.execPath, [program], { cwd: folder, env: { PATH: process.env.PATH, ...env } }).on(
          'exit',
          resolve,
        );
      });
    expect(await ask()).toBe(0);
    expect(await ask({ INTERLINGUA_PORT: '9' })).toBe(1);
    await healthy.close();
    expect(await ask()).toBe(1);
    rmSync(folder, { recursive: true });
  });
});
