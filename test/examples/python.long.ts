import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createGateway, type GatewayServer, loadConfig } from '../../src/index.js';
import { attemptIn, LANGUAGES, PYTHON_PROGRAM } from '../clients/languages.js';
import { PACKAGE_ROOT } from '../support/package-root.js';
import { isThere } from '../support/programs.js';

/** The examples in Python over the simulator, with the packages of `npm run clients:python`, which has the versions of their files. */

/** What each prints, line by line. */
const PRINTED: Readonly<Record<string, readonly RegExp[]>> = {
  'python-langchain': [
    /^ChatOpenAI: .*18 degrees/,
    /^ChatAnthropic: .*18 degrees/,
    /^ChatGoogleGenerativeAI: .*18 degrees/,
  ],
  'python-pydantic-ai': [/^weather: .*18 degrees/, /^place: Place\(city='.+', country='.+'\)/],
  'python-openai-agents': [/^sim-messages: .*18 degrees/, /^sim-generate-content: .*18 degrees/],
};

const missing = install();
if (missing !== undefined) process.stdout.write(`The examples in Python are left out: ${missing}\n`);

function install(): string | undefined {
  const { python } = LANGUAGES;
  if (python === undefined || !isThere('python3')) return 'python3 is not on this machine';
  for (const command of python.install()) {
    const failure = attemptIn('python', command);
    if (failure !== undefined) return `their packages cannot be installed here: ${failure}`;
  }
  return undefined;
}

let gateway: GatewayServer;
let url: string;
beforeAll(async () => {
  // As a start without a configuration and without keys of services serves it.
  gateway = createGateway(loadConfig(undefined, { INTERLINGUA_LOG_LEVEL: 'silent' }));
  ({ url } = await gateway.listen({ port: 0 }));
});
afterAll(() => gateway.close());

describe('the examples in Python', () => {
  (missing === undefined ? test : test.skip).each(Object.keys(PRINTED))(
    '%s',
    async (name) => {
      const child = spawn(PYTHON_PROGRAM, ['-B', 'main.py'], {
        cwd: join(PACKAGE_ROOT, 'examples', name),
        env: { PATH: process.env.PATH, INTERLINGUA_URL: url },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
      const [printed, failed, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
      if (code !== 0) throw new Error(failed.slice(-2000));
      expect(printed.trim().split('\n')).toEqual((PRINTED[name] ?? []).map((line) => expect.stringMatching(line)));
    },
    120_000,
  );
});
