import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { presets } from '../../src/presets/index.js';
import type { HostFeature } from '../../translators/index.js';
import { replyTo } from '../clients/replies.js';
import { startGateway } from '../support/gateway/harness.js';
import { type FakeHost, HOST_KEY, HOST_MODEL, startHost } from '../support/hosts/host.js';
import { CASES } from './cases.js';
import { differencesOf, recordDifferences } from './compare.js';
import { configOf, type Drive, drive } from './drive.js';
import { probedDifferences } from './probed.js';

/** `npm run real` against a fake of Ollama, which ignores a tool choice, with host records that are right and wrong. */

const RECORD: readonly HostFeature[] = presets.ollama.endpoints.responses?.unsupported ?? [];
const ASKED = CASES.filter(({ name }) => ['text', 'named', 'none', 'schema'].includes(name));

let host: FakeHost;
beforeAll(async () => {
  host = await startHost('ollama', 'responses', true);
  host.backend.script((request) => replyTo('responses', 'plain', request));
});
afterAll(() => host.close());

/** Drives the fake through a gateway whose record of it is this one. */
async function drivenWith(unsupported: readonly HostFeature[]): Promise<Drive> {
  const direct = { url: host.root, model: HOST_MODEL, key: HOST_KEY };
  const driven = { name: 'server', dialects: ['responses'], direct } as const;
  const { backends, models } = configOf(driven, 'ollama');
  const record = { unsupported: [...unsupported] };
  const held = Object.entries(backends).map(([name, backend]) => [name, { ...backend, ...record }]);
  const gateway = await startGateway({ backends: Object.fromEntries(held), models });
  try {
    return await drive(driven, gateway.url, ASKED);
  } finally {
    await gateway.close();
  }
}

const fallen = ({ rows }: Drive): string[] => [
  ...new Set(rows.filter(({ why }) => why !== null).map(({ check }) => check)),
];

test('a record that is right is not found fault with, and every case passes', async () => {
  const driven = await drivenWith(RECORD);
  expect(fallen(driven)).toEqual([]);
  expect(driven.rows.flatMap(({ differs }) => differs)).toEqual([]);
  expect(driven.rows).toHaveLength(4 * ASKED.length);
  expect(recordDifferences(RECORD, driven.direct.get('responses') ?? [])).toEqual([]);
});

test('a record that lacks what the server ignores is named, and the cases that need it fall', async () => {
  const wrong = RECORD.filter((feature) => feature !== 'toolChoice');
  const driven = await drivenWith(wrong);
  expect(fallen(driven)).toEqual(['named', 'none']);
  expect(recordDifferences(wrong, driven.direct.get('responses') ?? [])).toEqual([
    'namedToolChoice or toolChoice is not listed as unsupported, and the server does not do it: named, it calls another tool as well',
    'noneToolChoice or toolChoice is not listed as unsupported, and the server does not do it: none, it calls get_weather',
  ]);
});

test('a record that lists what the server does is named', async () => {
  const wrong = [...RECORD, 'outputFormat'] as const;
  const { direct } = await drivenWith(wrong);
  expect(recordDifferences(wrong, direct.get('responses') ?? [])).toEqual([
    'outputFormat is listed as unsupported, and the server does it: schema',
  ]);
});

test('what a probing finds is held to the record of a preset as well', async () => {
  const place = { url: host.root, model: HOST_MODEL, key: HOST_KEY };
  expect(await probedDifferences(place, 'ollama', ['responses'])).toEqual([]);
  // Of another server, which reads a tool choice and has stop strings.
  expect(await probedDifferences(place, 'vllm', ['responses'])).toEqual(
    expect.arrayContaining([
      'responses, a tool by name (namedToolChoice): the record says that it holds; the server: ignored: another tool was called',
      'responses, stop strings (addedSettings.stop): the record says that it holds; the server: ignored: the text goes on',
    ]),
  );
});

describe('an exchange and the direct one', () => {
  const turn = { text: 'A', calls: [], finish: 'end', usage: { input: 3, output: 2 }, pieces: [], native: {} } as const;

  test('are the same where texts, calls, ends and tokens are', () => {
    expect(differencesOf({ turn }, { turn: { ...turn, finish: 'stop' } })).toEqual([]);
  });

  test('differ in what is told', () => {
    const other = { ...turn, text: 'B', usage: { input: 4, output: 2 } };
    expect(differencesOf({ turn }, { turn: other })).toEqual([
      'its text: directly "A", here "B"',
      'tokens of the input: directly "3", here "4"',
    ]);
    expect(differencesOf({ turn }, { error: { message: 'no' }, fault: '400 no' })).toEqual([
      'directly it is as it should be: 400 no',
    ]);
  });

  test('both fail in the words of the server', () => {
    const direct = { error: { status: 400, message: 'no eyes' }, fault: '400 no eyes' };
    expect(differencesOf(direct, { error: { message: 'it says: no eyes' }, fault: '400' })).toEqual([]);
    expect(differencesOf(direct, { error: { message: 'the backend failed' }, fault: '500' })).toHaveLength(1);
  });
});
