import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor } from '../../page/translate/copy/index.js';
import { ARGUMENTS as chatCompletions } from '../../page/translate/sdk/chat-completions.js';
import { ARGUMENTS as messages } from '../../page/translate/sdk/messages.js';
import { ARGUMENTS as responses } from '../../page/translate/sdk/responses.js';
import { type SimulatorServer, startSimulatorServer } from '../simulator/server.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { attempt, isThere } from '../support/programs.js';
import { type CopiedExample, copiedExamples, HOSTILE } from './copy-stage.js';

/** What is copied as curl and as Python runs against the simulator, with the newest SDKs. */

const run = promisify(execFile);

/** Where the SDKs are installed, beside those of test/clients. */
const FOLDER = join(PACKAGE_ROOT, '.clients', 'copied');
const PYTHON = join(FOLDER, 'bin', 'python');

/** The SDKs, newest as the package client finds them; why they cannot be had otherwise. */
function installed(): string | undefined {
  if (!isThere('python3')) return 'python3 is not on this machine';
  mkdirSync(FOLDER, { recursive: true });
  const commands = [
    { words: ['python3', '-m', 'venv', FOLDER] },
    {
      words: [
        PYTHON,
        '-m',
        'pip',
        'install',
        '--quiet',
        '--disable-pip-version-check',
        'anthropic',
        'openai',
        'google-genai',
      ],
    },
  ] as const;
  if (
    existsSync(PYTHON) &&
    attempt({ words: [PYTHON, '-c', 'import anthropic, openai, google.genai'] }, FOLDER) === undefined
  )
    return undefined;
  return commands.map((command) => attempt(command, FOLDER)).find((failure) => failure !== undefined);
}

const noPython = installed();
if (noPython !== undefined) process.stderr.write(`what is copied as Python is not run: ${noPython}\n`);
const noCurl = isThere('curl') ? undefined : 'curl is not on this machine';
if (noCurl !== undefined) process.stderr.write(`what is copied as curl is not run: ${noCurl}\n`);

let server: SimulatorServer;
let heard: { readonly body: unknown; readonly status: number }[] = [];
beforeAll(async () => {
  server = await startSimulatorServer({ seed: 'copy' }, ({ body }, status) => {
    heard.push({ body: JSON.parse(body), status });
  });
});
afterAll(() => server.close());

const EXAMPLES = [...copiedExamples(), ...HOSTILE].map((one): [string, CopiedExample] => [one.name, one]);

const ENVIRONMENT = { ANTHROPIC_API_KEY: 'a', OPENAI_API_KEY: 'o', GEMINI_API_KEY: 'g' };

/**
 * A value with all names in one spelling, levels in capitals and tools in one order: Google's SDK for Python writes these otherwise, and its
 * service does not care.
 */
function spelled(value: unknown, at = ''): unknown {
  if (at === 'thinkingLevel') return String(value).toUpperCase();
  if (Array.isArray(value)) {
    const own = value.map((one) => spelled(one));
    return at === 'tools' ? own.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b))) : own;
  }
  if (typeof value !== 'object' || value === null) return value;
  const camel = (name: string): string => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [camel(name), spelled(one, camel(name))]));
}

/** Google's SDK sends its settings where there are none. */
function withoutNothing(body: unknown): unknown {
  const { generationConfig, ...rest } = Object(body);
  return JSON.stringify(generationConfig) === '{}' ? rest : body;
}

(noCurl === undefined ? describe : describe.skip)('curl sends the body as it is', () => {
  test.each(EXAMPLES)('%s', async (_name, copied) => {
    heard = [];
    const code = codeFor('curl', copied) ?? '';
    await run('sh', ['-c', code.replace(/https:\/\/[^/']+/, server.url)], { env: { ...process.env, ...ENVIRONMENT } });
    expect(heard).toHaveLength(1);
    expect(heard[0]?.body).toEqual(copied.body);
  });
});

/** Runs each program of a list, and prints why one failed, or null. */
const DRIVER = `
import contextlib, io, json, sys
for program in json.load(sys.stdin):
    failure = None
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(compile(program, "copied", "exec"), {})
    except BaseException as error:
        failure = type(error).__name__ + ": " + str(error)
    print(json.dumps(failure))
`;

(noPython === undefined ? describe : describe.skip)('Python', () => {
  test('sends each body as it is', async () => {
    heard = [];
    const roots = {
      ANTHROPIC_BASE_URL: server.url,
      OPENAI_BASE_URL: `${server.url}/v1`,
      GOOGLE_GEMINI_BASE_URL: server.url,
    };
    const child = run(PYTHON, ['-B', '-c', DRIVER], {
      env: { ...process.env, ...ENVIRONMENT, ...roots },
      maxBuffer: 10_000_000,
    });
    child.child.stdin?.end(JSON.stringify(EXAMPLES.map(([, copied]) => codeFor('python', copied))));
    const failures = (await child).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as string | null);
    const told = failures.map((failure, index) => [EXAMPLES[index]?.[0], failure]);
    // What the service refuses, the SDK raises.
    expect(told.filter(([, failure], index) => failure !== null && (heard[index]?.status ?? 0) < 400)).toEqual([]);
    expect(heard.map(({ body }) => spelled(withoutNothing(body)))).toEqual(
      EXAMPLES.map(([, { body }]) => spelled(body)),
    );
  });

  test('has the arguments that are taken for its own', async () => {
    const program = [
      'import inspect, json, anthropic, openai',
      'a, o = anthropic.Anthropic(api_key="a"), openai.OpenAI(api_key="o")',
      'methods = {"messages": a.messages.create, "responses": o.responses.create, "chatCompletions": o.chat.completions.create}',
      'print(json.dumps({name: list(inspect.signature(method).parameters) for name, method in methods.items()}))',
    ].join('\n');
    const { stdout } = await run(PYTHON, ['-c', program]);
    const known = JSON.parse(stdout) as Readonly<Record<string, readonly string[]>>;
    for (const [dialect, names] of Object.entries({ messages, responses, chatCompletions }))
      expect([dialect, [...names].filter((name) => !known[dialect]?.includes(name))]).toEqual([dialect, []]);
  });
});
