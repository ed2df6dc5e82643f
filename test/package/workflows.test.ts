import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { PACKAGE_ROOT } from '../support/package-root.js';

const read = (file: string): string => readFileSync(join(PACKAGE_ROOT, file), 'utf8');
const manifest = JSON.parse(read('package.json'));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly needs?: string | readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: { readonly node: readonly number[] } };
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = '.github/workflows';
const files = readdirSync(join(PACKAGE_ROOT, FOLDER));
const workflows = new Map<string, Workflow>(files.map((file) => [file, parse(read(`${FOLDER}/${file}`))]));
const jobs = [...workflows].flatMap(([file, workflow]) =>
  Object.entries(workflow.jobs).map(([name, job]) => ({ name: `${file} ${name}`, workflow, job })),
);
const steps = jobs.flatMap(({ name, job }) => job.steps.map((step) => ({ name, step })));

/** What a job may write. All others read the contents, at most. */
const WRITES: Readonly<Record<string, readonly string[]>> = {
  'release.yml npm': ['id-token'],
  'release.yml image': ['packages', 'id-token'],
  'release.yml release': ['contents', 'packages', 'id-token'],
  'site.yml deploy': ['pages', 'id-token'],
};

test.each(jobs)('$name may no more than it needs, and ends', ({ name, workflow, job }) => {
  const granted = Object.entries({ ...(job.permissions ?? workflow.permissions) });
  expect(workflow.permissions).toBeDefined();
  expect(granted.filter(([, what]) => what === 'write').map(([of]) => of)).toEqual(WRITES[name] ?? []);
  expect(granted.filter(([of, what]) => what !== 'write' && !(of === 'contents' && what === 'read'))).toEqual([]);
  expect(job['timeout-minutes']).toBeGreaterThan(0);
});

test('actions are pinned to commits, with the version that each is', () => {
  const uses = files.flatMap((file) => read(`${FOLDER}/${file}`).match(/\buses:.*$/gm) ?? []);
  expect(uses.length).toBeGreaterThan(10);
  expect(uses.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  // One action, one commit.
  const pins = new Map(uses.map((line) => line.split(/[ @]/).slice(1, 3)).map(([name = '', pin = '']) => [name, pin]));
  for (const line of uses) expect(line).toContain(pins.get(line.split(/[ @]/)[1] ?? '') ?? 'nothing');
});

test('steps run what there is, and take no text of others into a command', () => {
  const lines = steps.flatMap(({ step }) => (step.run ?? '').split('\n'));
  const scripts = lines.flatMap((line) => [...line.matchAll(/\bnpm (?:run )?([a-z][\w:-]*)/g)].map(([, name]) => name));
  const own = scripts.filter((name) => name !== undefined && !['ci', 'publish', 'audit', 'view'].includes(name));
  expect(own).toEqual(expect.arrayContaining(['test', 'lint', 'typecheck', 'check:package', 'release']));
  expect(own.filter((name = '') => manifest.scripts[name] === undefined)).toEqual([]);
  expect(lines.filter((line) => line.startsWith('.ci/') && !existsSync(join(PACKAGE_ROOT, line)))).toEqual([]);
  // An expression in a script is text of whoever named a branch; the environment is not.
  expect(lines.filter((line) => line.includes('${{'))).toEqual([]);
});

test('no key of a caller stays in a checkout, and no script of a package runs', () => {
  for (const { name, step } of steps) {
    if (step.uses?.startsWith('actions/checkout@')) {
      expect([name, step.with?.['persist-credentials']]).toEqual([name, false]);
    }
    if (/\bnpm ci\b/.test(step.run ?? '')) expect(step.run).toContain('--ignore-scripts');
  }
});

describe('a pull request', () => {
  test('is tested on every Node.js that is supported', () => {
    const ci = workflows.get('ci.yml');
    expect(Object.keys(ci?.on ?? {})).toEqual(['pull_request', 'push']);
    const versions = ci?.jobs.test?.strategy?.matrix.node ?? [];
    expect(versions).toEqual([20, 22, 24, 26]);
    expect(manifest.engines.node).toMatch(new RegExp(`^>=${versions[0]}\\.`));
  });
});

describe('a release', () => {
  const { jobs: parts = {} } = workflows.get('release.yml') ?? {};
  const scripts = (name: string) => parts[name]?.steps.map(({ run }) => run ?? '').join('\n') ?? '';

  test('publishes nothing before everything has passed, and says so last', () => {
    expect(scripts('check')).toMatch(/npm run release -- release-files "\$GITHUB_REF_NAME"[\s\S]*^\.ci\/run$/m);
    expect([parts.npm?.needs, parts.image?.needs, parts.release?.needs]).toEqual(['check', 'check', ['npm', 'image']]);
    // What has the right to publish runs nothing of the checkout.
    expect(parts.npm?.steps.some(({ uses }) => uses?.startsWith('actions/checkout@'))).toBe(false);
    expect(scripts('npm')).toMatch(/npm publish "\.\/\$file" .*--provenance/);
  });

  test('is one after the other, since latest is moved by what it names, and none cancels one that waits', () => {
    expect(workflows.get('release.yml')).toMatchObject({ concurrency: { group: 'release', queue: 'max' } });
    expect(read(`${FOLDER}/release.yml`)).toContain('tags: ["v[0-9]+.[0-9]+.[0-9]+", "v[0-9]+.[0-9]+.[0-9]+-*"]');
  });

  test('has an image for two processors with its materials, its statement and its signature', () => {
    const build = parts.image?.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'));
    expect(build?.with).toMatchObject({ platforms: 'linux/amd64,linux/arm64', sbom: true, provenance: 'mode=max' });
    expect(scripts('image')).toContain('cosign sign --yes "$IMAGE@$DIGEST"');
    expect(read('Dockerfile')).toContain('FROM --platform=$BUILDPLATFORM');
  });

  test('has notes, materials and signed checksums', () => {
    expect(scripts('release')).toContain('cosign sign-blob --yes --bundle');
    expect(scripts('release')).toContain('--notes-file release-files/notes.txt');
    expect(scripts('release')).toMatch(/\*\.tgz \S+\*\.cdx\.json \S+SHA256SUMS/);
  });
});

test('what is locked is renewed: the actions, the image, and each folder with a lock file', () => {
  const { updates } = parse(read('.github/dependabot.yml'));
  const folders = updates.flatMap(
    (one: { directory?: string; directories?: string[] }) => one.directories ?? one.directory,
  );
  const systems = updates.map((one: { 'package-ecosystem': string }) => one['package-ecosystem']);
  expect(systems).toEqual(expect.arrayContaining(['npm', 'github-actions', 'docker']));
  expect(folders).toEqual(expect.arrayContaining(locked('')));
});

/** The folders with a lock file of npm, of which nothing is installed by others. */
function locked(folder: string): string[] {
  const entries = readdirSync(join(PACKAGE_ROOT, folder), { withFileTypes: true });
  const inside = entries.filter(
    (one) => one.isDirectory() && !/^(?:node_modules|dist.*|\..*|src|translators)$/.test(one.name),
  );
  return [
    ...(entries.some((one) => one.name === 'package-lock.json') ? [folder || '/'] : []),
    ...inside.flatMap((one) => locked(`${folder}/${one.name}`)),
  ];
}

describe('forms', () => {
  const forms = readdirSync(join(PACKAGE_ROOT, '.github/ISSUE_TEMPLATE')).filter((file) => file !== 'config.yml');

  test.each(forms)('%s asks by fields that GitHub knows, each with a name of its own', (file) => {
    const { name, description, body } = parse(read(`.github/ISSUE_TEMPLATE/${file}`));
    expect(name && description).toBeTruthy();
    const ids = body.map((one: { id: string }) => one.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { type, attributes } of body) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes', 'markdown']).toContain(type);
      expect(attributes.label).not.toBe('');
    }
  });

  test('a weakness is reported in private', () => {
    const { contact_links: links } = parse(read('.github/ISSUE_TEMPLATE/config.yml'));
    expect(links[0].url).toMatch(/\/security\/advisories\/new$/);
    expect(existsSync(join(PACKAGE_ROOT, '.github/pull_request_template.md'))).toBe(true);
  });
});
