/**
 * What a published package must pass; a package that is packed already may be given: `npm pack` in a clean clone, publint, attw, and a program that installs the package and
 * imports all of it, checked by TypeScript 5 and 7 without the types of Express, and run. Needs a package registry.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'interlingua-package-'));

/** Runs a command and gives what it printed. */
function run(cwd, command, ...args) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 2] });
}

function bin(name, file) {
  return join(root, 'node_modules', name, file);
}

function install(cwd, ...packages) {
  run(cwd, 'npm', 'install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund', ...packages);
}

/** Says what is held at the moment. */
function step(text) {
  process.stdout.write(`package: ${text}\n`);
}

/** The package that `npm pack` makes in a clone in which nothing is installed. */
function packClone(clone) {
  step('npm pack in a clean clone, after --dry-run');
  run(folder, 'git', 'clone', '--quiet', '--no-hardlinks', root, clone);
  // To look at what would be packed comes first, in a clone in which nothing is installed either.
  run(clone, 'npm', 'pack', '--dry-run', '--silent');
  return join(clone, run(clone, 'npm', 'pack', '--silent').trim().split('\n').at(-1) ?? '');
}

const CONSUMER = `
import { createServer } from 'node:http';
import { createGateway, loadConfig, type Config, type ConfigInput, type GatewayServer } from 'interlingua';
import { createHandler, type HandlerRecord, type HandlerStore } from 'interlingua/handler';
import { createHandler as createPart } from 'interlingua/handler/core';
import { fromMessages } from 'interlingua/fetch/messages';
import { toResponses } from 'interlingua/fetch/responses';
import { translateRequest, translateStream, type Loss, type StreamTranslator } from 'interlingua/translators';
import { createTranslators } from 'interlingua/translators/core';
import { messages } from 'interlingua/translators/messages';
import { responses } from 'interlingua/translators/responses';
import { generateContent } from 'interlingua/translators/generate-content';
import { chatCompletions } from 'interlingua/translators/chat-completions';
import { zodSchemas } from 'interlingua/translators/zod';

const input: ConfigInput = { backends: { sim: { dialect: 'messages', simulator: true } }, log: { level: 'silent' } };
const gateway: GatewayServer = createGateway(input);
const server = createServer(gateway.app);
const plain = createServer(gateway.handler);
const records: HandlerRecord[] = [];
const store: HandlerStore = { get: async () => null, set: async () => {}, delete: async () => {} };
const backends = { there: { dialect: 'responses', baseUrl: 'http://127.0.0.1:9' } } as const;
const handler: (request: Request) => Promise<Response> = createHandler({ backends, open: true, store, onExchange: (one) => records.push(one) });
const part = createPart({ from: [fromMessages], to: [toResponses], backends, open: true });
const asked = await Promise.all([handler, part].map((one) => one(new Request('http://localhost/v1/models'))));
if (asked.some(({ status }) => status !== 200) || records.length !== 1) throw new Error('the handler does not answer');
console.log(typeof plain.listen);
const around: (path: string, handler: (request: object, response: object, next: (error?: unknown) => void) => void) => void = () => {};
const read: (file?: string) => Config = loadConfig;
const all = createTranslators([messages, responses, generateContent, chatCompletions], { schemas: zodSchemas });
const body = { model: 'any', max_tokens: 5, messages: [{ role: 'user', content: 'Hello' }] };
const { losses }: { readonly losses: readonly Loss[] } = translateRequest({ from: 'messages', to: 'responses', body });
const stream: StreamTranslator = all.createStreamTranslator({ from: 'messages', to: 'responses' });
console.log(typeof server.listen, typeof read, typeof around, losses.length, stream.losses.length, typeof translateStream);
await gateway.close();
`;

try {
  const tarball = process.argv[2] ?? packClone(join(folder, 'clone'));

  step('publint');
  run(root, process.execPath, bin('publint', 'src/cli.js'), 'run', tarball, '--strict');
  step('attw');
  run(
    root,
    process.execPath,
    bin('@arethetypeswrong/cli', 'dist/index.js'),
    tarball,
    '--profile',
    'esm-only',
    '--no-emoji',
  );

  const consumer = join(folder, 'consumer');
  mkdirSync(join(consumer, 'node_modules', '@types'), { recursive: true });
  writeFileSync(join(consumer, 'package.json'), '{ "type": "module", "private": true }');
  writeFileSync(join(consumer, 'program.ts'), CONSUMER);
  step('npm install in another project');
  install(consumer, tarball);
  const types = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies['@types/node'];
  // Beside our own it would be the `tsc` of this project as well.
  install(consumer, `@types/node@${types}`, 'typescript@5.9.3');
  const options = {
    module: 'nodenext',
    target: 'es2022',
    strict: true,
    skipLibCheck: false,
    types: ['node'],
    outDir: 'out',
  };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['program.ts'] }));
  for (const [version, compiler] of [
    ['5', join(consumer, 'node_modules/typescript/bin/tsc')],
    ['7', bin('typescript', 'bin/tsc')],
  ]) {
    step(`types in TypeScript ${version}`);
    run(consumer, process.execPath, compiler, '-p', '.');
  }
  step(run(consumer, process.execPath, 'out/program.js').trim());
} catch (error) {
  process.stdout.write(`${error.stdout ?? ''}${error.stderr ?? ''}${error.message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
