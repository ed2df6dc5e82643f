import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PACKAGE_ROOT } from '../support/package-root.js';

const { name, version } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
const files = [`${name}-${version}.cdx.json`, `${name}-${version}.tgz`];

/** What a command printed, with its status. */
function run(command: string, args: readonly string[], cwd = PACKAGE_ROOT) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', maxBuffer: 64e6 });
  return { status, text: `${stdout ?? ''}${stderr ?? ''}` };
}

const there = (command: string, ...args: string[]): boolean => run(command, args).status === 0;

describe('each step of a release that needs no account', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'interlingua-release-'));
    const { status, text } = run(process.execPath, ['release/assemble.mjs', folder]);
    if (status !== 0) throw new Error(text);
  }, 300_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('the files of the release, with checksums that sha256sum holds', () => {
    expect(readdirSync(folder).sort()).toEqual(['SHA256SUMS', ...files, 'notes.txt'].sort());
    expect(run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], folder)).toMatchObject({ status: 0 });
    const notes = readFileSync(join(folder, 'notes.txt'), 'utf8');
    expect(notes).toMatch(/^### /m);
    expect(notes).toContain(`/blob/v${version}/docs/hosts.md#endpoints`);
    expect(notes).not.toMatch(/\]\(docs\//);
  });

  test('the package is what npm would publish, with the materials of what was copied', async () => {
    // The registry is asked whether the version is there already.
    const registry = createServer((_request, response) => response.writeHead(404).end('{}'));
    await new Promise<void>((resolve) => void registry.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
    const words = [
      'publish',
      join(folder, files[1] ?? ''),
      '--dry-run',
      '--json',
      '--access=public',
      '--ignore-scripts',
    ];
    const printed = await promisify(execFile)('npm', [...words, `--registry=${address}`], { maxBuffer: 64e6 });
    registry.close();
    const told = JSON.parse(printed.stdout);
    const packed = told[name] ?? told;
    expect(packed).toMatchObject({ id: `${name}@${version}` });
    const paths = packed.files.map(({ path }: { path: string }) => path);
    for (const file of ['sbom.cdx.json', 'package.json', 'package-lock.json'])
      expect(paths).toContain(`dist/vendored/${file}`);
  }, 120_000);

  test.each([
    ['v9.9.9', 'the tag v9.9.9 is not the version'],
    [version, `the tag ${version} is not the version`],
  ])('refuses the tag %s', (tag, reason) => {
    const { status, text } = run(process.execPath, ['release/assemble.mjs', join(folder, 'never'), tag]);
    expect([status, text]).toEqual([1, expect.stringContaining(reason)]);
  });
});

const hasLinter = there('actionlint', '-version');
if (!hasLinter) process.stderr.write('actionlint is not here: the workflows were not checked by it\n');
(hasLinter ? test : test.skip)('actionlint has nothing to say of the workflows', () => {
  expect(run('actionlint', [])).toEqual({ status: 0, text: '' });
});

test('the files that the image is built of are enough to build', () => {
  // Beside the packages, which it links.
  const folder = mkdtempSync(join(PACKAGE_ROOT, '.image-'));
  try {
    const [stage = ''] = readFileSync(join(PACKAGE_ROOT, 'Dockerfile'), 'utf8')
      .split(/^FROM .*$/m)
      .slice(1);
    const sources = [...stage.matchAll(/^COPY (.+) \.\S*$/gm)].flatMap(([, names = '']) => names.split(' '));
    expect(sources).toEqual(expect.arrayContaining(['package.json', 'src', 'build.mjs']));
    for (const source of sources) cpSync(join(PACKAGE_ROOT, source), join(folder, source), { recursive: true });
    expect(run('cp', ['-al', join(PACKAGE_ROOT, 'node_modules'), folder])).toMatchObject({ status: 0 });
    expect(run('npm', ['run', '--silent', 'build'], folder)).toEqual({ status: 0, text: '' });
    const told = run(process.execPath, ['dist/src/cli.js', '--version'], folder);
    expect(told).toEqual({ status: 0, text: `${version}\n` });
    expect(readdirSync(join(folder, 'dist')).sort()).toEqual(readdirSync(join(PACKAGE_ROOT, 'dist')).sort());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 300_000);

const hasEngine = there('docker', 'info');
if (!hasEngine) process.stderr.write('no engine for containers is here: the image was not built\n');
(hasEngine ? test : test.skip)(
  'the image is built and says its version',
  () => {
    const image = 'interlingua-test-of-release';
    const docker = (...words: string[]): string =>
      execFileSync('docker', words, { cwd: PACKAGE_ROOT, encoding: 'utf8' });
    docker('build', '--quiet', '--tag', image, '.');
    const label = '{{ index .Config.Labels "org.opencontainers.image.version" }}';
    expect(docker('inspect', '--format', label, image).trim()).toBe(version);
    expect(docker('run', '--rm', image, 'node', '/app/dist/src/cli.js', '--version')).toContain(version);
  },
  900_000,
);
