import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** The steps of release.yml that publish, run as they stand there with programs that answer what a test says. */

const { jobs } = parse(readFileSync(join(PACKAGE_ROOT, '.github/workflows/release.yml'), 'utf8'));
const { name: PACKAGE } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));

/** Notes its command, and prints the answer for it: what is asked for in vain is an error in the words of npm, or of buildx. */
const STUB = `#!${process.execPath}
const { appendFileSync } = require('node:fs');
const { basename } = require('node:path');
const command = [basename(process.argv[1]), ...process.argv.slice(2)].join(' ');
appendFileSync('commands.txt', command + '\\n');
const answers = JSON.parse(process.env.ANSWERS);
const found = Object.keys(answers).find((one) => command.startsWith(one));
if (found !== undefined) {
  const { failed, text } = { failed: false, ...(typeof answers[found] === 'string' ? { text: answers[found] } : answers[found]) };
  process[failed ? 'stderr' : 'stdout'].write(text + '\\n');
  process.exitCode = failed ? 1 : 0;
} else if (/^(npm|gh release) view|^docker buildx imagetools inspect/.test(command)) {
  process.stderr.write(command.startsWith('docker') ? 'ERROR: ' + process.argv[5] + ': not found\\n' : 'npm error code E404\\n');
  process.exitCode = 1;
}
`;

type Answers = Readonly<Record<string, string | { readonly failed: true; readonly text: string }>>;

const folders: string[] = [];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'interlingua-steps-'));
  folders.push(folder);
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin/stub'), STUB, { mode: 0o755 });
  for (const name of ['npm', 'docker', 'gh']) symlinkSync('stub', join(folder, 'bin', name));
  mkdirSync(join(folder, 'release-files'));
});

afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true });
});

/** Runs the step of a job whose script has these words, for a version that was tagged. */
function run(job: string, words: string, version: string, answers: Answers) {
  writeFileSync(join(folder, `release-files/${PACKAGE}-${version}.tgz`), 'packed');
  writeFileSync(join(folder, 'commands.txt'), '');
  const script: string = jobs[job].steps.find((step: { run?: string }) => step.run?.includes(words)).run;
  const env = {
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    ANSWERS: JSON.stringify(answers),
    GITHUB_REF_NAME: `v${version}`,
    GITHUB_REPOSITORY: 'Owner/Name',
    GITHUB_SHA: 'abc',
    GITHUB_OUTPUT: join(folder, 'output.txt'),
    IMAGE: 'ghcr.io/owner/name',
    VERSION: version,
  };
  writeFileSync(env.GITHUB_OUTPUT, '');
  const { status, stdout, stderr } = spawnSync('bash', ['-e', '-c', script], { cwd: folder, env, encoding: 'utf8' });
  const commands = readFileSync(join(folder, 'commands.txt'), 'utf8').trim().split('\n');
  return { status, stdout, stderr, commands, output: readFileSync(env.GITHUB_OUTPUT, 'utf8') };
}

describe('the package', () => {
  const publish = (version: string, answers: Answers) => run('npm', 'npm publish', version, answers);
  const tagOf = (commands: readonly string[]): string | undefined =>
    commands.find((one) => one.startsWith('npm publish'))?.match(/--tag (\S+)/)?.[1];
  const present = (latest: string): Answers => ({ [`npm view ${PACKAGE} dist-tags.latest`]: latest });

  test.each([
    ['0.1.0', undefined, 'latest'],
    ['0.3.0', '0.2.0', 'latest'],
    ['0.10.0', '0.9.1', 'latest'],
    ['1.0.0', '1.0.0-rc.2', 'latest'],
    ['0.2.1', '0.3.0', 'release-0.2'],
    ['0.3.0-rc.1', '0.2.0', 'next'],
    ['0.1.0-rc.1', undefined, 'next'],
  ])('%s while latest names %s is published as %s', (version, latest, tag) => {
    const { status, commands } = publish(version, latest === undefined ? {} : present(latest));
    expect([status, tagOf(commands)]).toEqual([0, tag]);
    expect(commands.at(-1)).toContain(`npm publish ./release-files/${PACKAGE}-${version}.tgz `);
  });

  const integrity = `sha512-${createHash('sha512').update('packed').digest('base64')}`;
  const published = (text: string): Answers => ({ [`npm view ${PACKAGE}@0.3.0 dist.integrity`]: text });

  test('that npm has already is left as it is', () => {
    const { status, commands } = publish('0.3.0', published(integrity));
    expect([status, tagOf(commands)]).toEqual([0, undefined]);
  });

  test('that npm has with other bytes is a failure', () => {
    const { status, commands, stdout } = publish('0.3.0', published('sha512-other'));
    expect([status, tagOf(commands)]).toEqual([1, undefined]);
    expect(stdout).toContain('0.3.0 is published with other bytes');
  });

  test('is not published while npm cannot be asked what latest names', () => {
    const down = { failed: true, text: 'npm error code ECONNREFUSED' } as const;
    const { status, commands, stderr } = publish('0.3.0', { [`npm view ${PACKAGE} dist-tags.latest`]: down });
    expect(status).not.toBe(0);
    expect(stderr).toContain('ECONNREFUSED');
    expect(tagOf(commands)).toBeUndefined();
  });
});

describe('the image', () => {
  const look = (answers: Answers) => run('image', 'imagetools inspect', '0.3.0', answers);
  const inspect = 'docker buildx imagetools inspect ghcr.io/owner/name:0.3.0 --format';
  const manifest = `${inspect} {{json .Manifest}}`;
  const labelled = (revision: string): Answers => ({
    [`${inspect} {{json (index .Image "linux/amd64")}}`]: JSON.stringify({
      config: { Labels: { 'org.opencontainers.image.revision': revision } },
    }),
    [manifest]: JSON.stringify({ digest: 'sha256:1' }),
  });

  test('is built unless there is one of this commit, and then only signed', () => {
    expect(look({})).toMatchObject({ status: 0, output: '' });
    expect(look(labelled('abc'))).toMatchObject({ status: 0, output: 'digest=sha256:1\n' });
    const build = jobs.image.steps.find(({ id }: { id?: string }) => id === 'build');
    expect(build.if).toBe("steps.present.outputs.digest == ''");
    expect(build.with.tags).not.toContain('latest');
  });

  test('takes the place of none of another commit', () => {
    const { status, stdout, output } = look(labelled('other'));
    expect([status, output]).toEqual([1, '']);
    expect(stdout).toContain('ghcr.io/owner/name:0.3.0 is published from another commit: other, not abc');
  });

  const down = { failed: true, text: 'ERROR: unexpected status from HEAD request: 503 Service Unavailable' } as const;
  test.each([
    ['whether there is one', { [inspect]: down }],
    ['for its digest', { ...labelled('abc'), [manifest]: down }],
  ])('is not built while the registry cannot be asked %s', (_, answers) => {
    const { status, stderr, output } = look(answers);
    expect(status).not.toBe(0);
    expect(stderr).toContain('503');
    expect(output).toBe('');
  });
});

describe('the release', () => {
  const release = (version: string, latest: string, more: Answers = {}) =>
    run('release', 'gh release create', version, {
      [`npm view ${PACKAGE}@${version} version`]: version,
      [`npm view ${PACKAGE} dist-tags.latest`]: latest,
      ...more,
    });
  const moved = 'docker buildx imagetools create --tag ghcr.io/owner/name:latest ghcr.io/owner/name:0.3.0';

  test('moves latest of the image where npm has moved it', () => {
    const { status, commands } = release('0.3.0', '0.3.0');
    expect(status).toBe(0);
    expect(commands).toContain(moved);
    expect(commands.at(-1)).toMatch(/^gh release create v0\.3\.0 .*--latest=true --prerelease=false/);
  });

  test.each([
    ['0.2.1', '0.3.0', 'false'],
    // What is published first is `latest` at npm, whatever it is published as.
    ['0.3.0-rc.1', '0.3.0-rc.1', 'true'],
  ])('leaves it where it is for %s while npm names %s', (version, latest, prerelease) => {
    const { status, commands } = release(version, latest);
    expect(status).toBe(0);
    expect(commands.filter((one) => one.startsWith('docker'))).toEqual([]);
    expect(commands.at(-1)).toMatch(new RegExp(`--latest=false --prerelease=${prerelease}`));
  });

  test('that is there already gets its files again', () => {
    const { status, commands } = release('0.3.0', '0.3.0', { 'gh release view v0.3.0': 'v0.3.0' });
    expect(status).toBe(0);
    expect(commands.at(-2)).toMatch(/^gh release upload v0\.3\.0 .*\.tgz .* --clobber$/);
    expect(commands.at(-1)).toMatch(/^gh release edit v0\.3\.0 --draft=false --latest=true --prerelease=false$/);
  });
});
