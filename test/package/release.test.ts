import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { fold, KINDS, notesOf, UNRELEASED, versionNames, withAddress } from '../../release/changelog.mjs';
import { LICENCES, PLACES, SAID_OTHERWISE } from '../../release/facts.mjs';
import { type Bom, sbomOf } from '../../release/sbom.mjs';
import { PACKAGE_ROOT } from '../support/package-root.js';

const read = (file: string): string => readFileSync(join(PACKAGE_ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json'));
const lock = JSON.parse(read('package-lock.json'));
const changelog = read('CHANGELOG.md');

describe('the version', () => {
  test('is the same wherever it stands', () => {
    const { version } = manifest;
    expect([lock.version, lock.packages[''].version]).toEqual([version, version]);
    for (const { file, pattern } of PLACES) {
      const [found = '', before = ''] = pattern.exec(read(file)) ?? [];
      expect([file, found.slice(before.length)]).toEqual([file, version]);
    }
    expect(versionNames(changelog).slice(0, 2)).toEqual([UNRELEASED, version]);
  });

  test('says whose it is and where to go', () => {
    const home = 'https://github.com/interlingua/interlingua';
    expect(manifest).toMatchObject({ author: 'The interlingua authors', bugs: { url: `${home}/issues` } });
    expect(manifest.homepage).toMatch(/^https:\/\//);
    expect(read('LICENSE')).toContain(manifest.author);
  });
});

describe('the changelog', () => {
  test('has the kinds of change in their order in every version', () => {
    for (const name of versionNames(changelog).filter((one) => changelog.includes(`## ${one}\n\n`))) {
      const [, text = ''] = changelog.split(new RegExp(`^## ${name.replaceAll('.', '\\.')}$`, 'm'));
      const [own = ''] = text.split(/^## /m);
      const kinds = [...own.matchAll(/^### (.+)$/gm)].map(([, kind = '']) => kind);
      expect([name, kinds]).toEqual([name, KINDS.filter((kind) => kinds.includes(kind))]);
    }
  });

  const before = `# Changelog

## Unreleased

### Fixed

Streams:

- Third.

- is no group

### Added

- New.

## 0.2.0

### Fixed

Streams:

- First,
  in two lines.

Operation:

- Second.

## 0.1.0

- Old.
`;

  test('gives what is unreleased to a version, by kind and group', () => {
    const after = fold(before, '0.2.0');
    expect(notesOf(after, '0.2.0')).toBe(
      '### Added\n\n- New.\n\n### Fixed\n\nStreams:\n\n- First,\n  in two lines.\n- Third.\n\n- is no group\n\nOperation:\n\n- Second.\n',
    );
    expect(versionNames(after)).toEqual(['Unreleased', '0.2.0', '0.1.0']);
    expect(fold(after, '0.2.0')).toBe(after);
    expect(() => notesOf(after, 'Unreleased')).toThrow('nothing of Unreleased');
    expect(notesOf(fold(before, '0.3.0'), '0.3.0')).toMatch(/^### Added\n\n- New\.\n\n### Fixed/);
    expect(() => fold(before.replace('### Added', '### Addition'), '0.2.0')).toThrow('no kind of change');
  });

  test('has links that lead somewhere from outside as well', () => {
    const text = '[a](docs/http.md), [b](https://example.com)';
    const led = '[a](https://h/docs/http.md), [b](https://example.com)';
    expect(withAddress(text, 'https://h/')).toBe(led);
  });

  test('loses no line by it', () => {
    const bullets = (text: string) => text.split('\n').filter((line) => /^\s*\S/.test(line) && !line.startsWith('#'));
    const folded = bullets(fold(changelog, manifest.version));
    const missing = bullets(changelog).filter((line) => !folded.includes(line));
    expect(missing).toEqual([]);
    expect(notesOf(changelog, manifest.version).length).toBeGreaterThan(1000);
  });
});

/** Whether a value is a bill of materials, by the schemas of CycloneDX. */
function checkBom(): (bom: unknown) => readonly string[] {
  const folder = 'node_modules/@cyclonedx/cyclonedx-library/res/schema';
  const schema = (name: string): object => JSON.parse(read(`${folder}/${name}`));
  const ajv = new Ajv({ strict: false, logger: false });
  for (const name of ['spdx.SNAPSHOT.schema.json', 'jsf-0.82.SNAPSHOT.schema.json']) {
    const { $id: _other, ...named } = schema(name) as { $id: string };
    ajv.addSchema(named, `http://cyclonedx.org/schema/${name}`);
  }
  formats.default(ajv);
  ajv.addFormat('idn-email', true).addFormat('iri-reference', true);
  const check = ajv.compile(schema('bom-1.5.SNAPSHOT.schema.json'));
  return (bom) => (check(bom) ? [] : (check.errors ?? []).map((one) => `${one.instancePath} ${one.message}`));
}

describe('the bill of materials', () => {
  let bom: Bom;
  let vendored: Bom;
  const faultsOf = checkBom();

  beforeAll(() => {
    bom = sbomOf(PACKAGE_ROOT);
    vendored = JSON.parse(read('dist/vendored/sbom.cdx.json'));
  });

  test('is one, of the release and of what was copied', () => {
    expect(faultsOf(bom)).toEqual([]);
    expect(faultsOf(vendored)).toEqual([]);
    expect(faultsOf({ ...vendored, components: [{ name: 'without a type' }] })).not.toEqual([]);
    expect(bom.metadata.component).toMatchObject({ name: 'interlingua', version: manifest.version });
  });

  test('has every package that is installed with ours, and each that was copied', () => {
    const names = bom.components.map(({ name }) => name);
    const installed = Object.entries<{ dev?: boolean; devOptional?: boolean; peer?: boolean }>(lock.packages)
      .filter(([path, { dev, devOptional, peer }]) => path !== '' && ![dev, devOptional, peer].includes(true))
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(installed).toEqual(expect.arrayContaining(Object.keys(manifest.dependencies)));
    expect(names).toEqual(expect.arrayContaining(installed));
    expect(names).toHaveLength(installed.length + vendored.components.length);
    expect(names).toEqual(expect.arrayContaining(['pino', 'prom-client', 'cockatiel', 'gpt-tokenizer', 'node-fetch']));
    expect(new Set(bom.components.map((one) => one['bom-ref'])).size).toBe(bom.components.length);
    const own = bom.dependencies?.find(({ ref }) => ref === bom.metadata.component['bom-ref']);
    expect(own?.dependsOn).toEqual(expect.arrayContaining(vendored.components.map((one) => one['bom-ref'])));
  });

  test('has copies of the bytes that are locked, with their licences in a file', () => {
    const texts = read('dist/LICENCES.txt');
    for (const { name, version, hashes } of vendored.components) {
      const locked = lock.packages[`node_modules/${name}`];
      const hash = Buffer.from(locked.integrity.slice('sha512-'.length), 'base64').toString('hex');
      expect([name, version, hashes]).toEqual([name, locked.version, [{ alg: 'SHA-512', content: hash }]]);
      expect(`\n${texts}`).toContain(`\n${name}\n\n`);
    }
  });

  test('has licences alone that let everybody use it', () => {
    const licences = bom.components.flatMap(({ name, licenses = [] }) =>
      licenses.length === 0 ? [[name, 'none']] : licenses.map(({ license }) => [name, license?.id ?? 'unknown']),
    );
    expect(licences.filter(([, id = '']) => !LICENCES.includes(id))).toEqual([]);
    for (const name of Object.keys(SAID_OTHERWISE)) {
      expect(read(`node_modules/${name}/LICENSE`)).toContain('Permission is hereby granted, free of charge');
    }
  });
});

describe('npm audit', () => {
  /** Asked as the registry of npm is asked, which knows of one fault. */
  const asked: Record<string, string[]>[] = [];
  const registry = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    response.setHeader('content-type', 'application/json');
    if (request.url !== '/-/npm/v1/security/advisories/bulk') return response.writeHead(404).end('{}');
    const body = Buffer.concat(chunks);
    asked.push(JSON.parse((request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body).toString()));
    const fault = { id: 1, url: 'https://example.com/1', title: 'A made-up fault', severity: 'high', cwe: [] };
    return response.end(JSON.stringify({ pino: [{ ...fault, vulnerable_versions: '<99', cvss: { score: 0 } }] }));
  });

  beforeAll(() => new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => void registry.close(resolve)));

  test('tells a fault of a copied package', async () => {
    const { port } = registry.address() as AddressInfo;
    const words = ['audit', '--json', '--prefix', 'dist/vendored', `--registry=http://127.0.0.1:${port}/`];
    const child = spawn('npm', words, { cwd: PACKAGE_ROOT, stdio: ['ignore', 'pipe', 'ignore'] });
    let printed = '';
    child.stdout.on('data', (chunk) => {
      printed += chunk;
    });
    const status = await new Promise((resolve) => child.on('close', resolve));
    expect([status, Object.keys(JSON.parse(printed).vulnerabilities)]).toEqual([1, ['pino']]);
    expect(asked[0]?.cockatiel).toEqual([lock.packages['node_modules/cockatiel'].version]);
    expect(manifest.scripts.audit).toContain('npm audit --prefix dist/vendored');
  });
});
