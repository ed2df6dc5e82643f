import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { configOf } from '../../src/config/load.js';
import { dialectsOf, presetNames, presets } from '../../src/presets/index.js';
import { ASK, send, startGateway, startRecorder } from '../support/gateway/harness.js';
import { factsOf } from '../support/hosts/facts.js';
import { HOST_KEY } from '../support/hosts/host.js';
import { hostsInShort, hostsTable, recipes, unsupportedTable } from '../support/hosts/page.js';
import { PAGE, RECIPES, root } from './stage.js';

describe('what the pages say of hosts is what the presets say', () => {
  test.each([
    ['README.md', 'hosts', hostsInShort],
    [PAGE, 'hosts', hostsTable],
    [PAGE, 'unsupported', unsupportedTable],
    [PAGE, 'recipes', recipes],
  ])('%s: %s', (name, mark, print) => {
    const path = join(root, name);
    const text = readFileSync(path, 'utf8');
    const [before = '', rest = ''] = text.split(`<!-- ${mark} -->\n`);
    const [between, after = ''] = rest.split(`\n<!-- end of ${mark} -->`);
    expect(between).toBeDefined();
    if (process.env.UPDATE === '1')
      writeFileSync(path, `${before}<!-- ${mark} -->\n${print()}\n<!-- end of ${mark} -->${after}`);
    else expect(between).toBe(print());
  });
});

/** The command of each recipe: the environment in which it is started, and what is served. */
const COMMANDS = [
  ...readFileSync(join(root, PAGE), 'utf8').matchAll(
    /^### ([\w-]+)\n[^#]*?```sh\n(?:(\w+)=(\w+) )?interlingua serve --backend (\S+)\n```/gm,
  ),
].map(([, name = '', variable, key, flag = '']) => ({ name, variable, key, flag }));

test.each(COMMANDS)('the command and the file of $name make the same backend', ({ name, variable, key, flag }) => {
  const environment = variable === undefined ? {} : { [variable]: key };
  const text = RECIPES.get(name) ?? '';
  const { origins: _file, ...file } =
    configOf({ name: 'a.yaml', path: 'a.yaml', text }, environment).backends[name] ?? {};
  const { origins: _flag, ...command } = configOf(undefined, environment, { backends: [flag] }).backends[name] ?? {};
  expect(command).toEqual(file);
  expect(file).toMatchObject({ preset: { name } });
});

/** Keys and addresses that the recipes do not use, and where calls go with them. */
const OTHER_WAYS = [
  ['vertex', '/v1/publishers/google', 'x-goog-api-key', '/v1/publishers/google/models/m:generateContent'],
  ['azure', '/openai', 'bearer', '/openai/v1/responses'],
  ['foundry', '/anthropic', 'bearer', '/anthropic/v1/messages'],
  ['ollama', '', 'bearer', '/v1/chat/completions'],
  ['bedrock', '/openai/v1', 'bearer', '/openai/v1/responses'],
] as const;

describe('another key or address of a host', () => {
  test.each(OTHER_WAYS)('%s%s with a key as %s', async (preset, path, auth, expected) => {
    const recorder = await startRecorder();
    const backend = { preset, auth, baseUrl: `${recorder.url}${path}`, apiKey: HOST_KEY };
    const gateway = await startGateway({ backends: { host: backend } });
    const { path: asked, body } = ASK.chatCompletions('m');
    await send(gateway.url, asked, { body });
    const [seen] = recorder.seen;
    expect(seen?.path).toBe(expected);
    const credentials = ['authorization', 'x-api-key', 'api-key', 'x-goog-api-key'].flatMap((name) => {
      const value = seen?.headers[name];
      return value === undefined ? [] : [[name, value]];
    });
    expect(credentials).toEqual([auth === 'bearer' ? ['authorization', `Bearer ${HOST_KEY}`] : [auth, HOST_KEY]]);
    await gateway.close();
    await recorder.close();
  });
});

test('every host has a recipe and a fake that speaks the same dialects', () => {
  expect([...RECIPES.keys()]).toEqual(presetNames);
  expect(COMMANDS.map(({ name }) => name)).toEqual(presetNames);
  for (const name of presetNames)
    expect(Object.keys(factsOf(name).paths).sort()).toEqual([...dialectsOf(presets[name])].sort());
});
