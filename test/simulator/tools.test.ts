import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DialectId, dialectIds } from '../../translators/index.js';
import { startGateway, type TestGateway } from '../support/gateway/harness.js';

/** The newest models of messages are held to no call; the simulator is, where it is asked to. */
const TAKES_FORCED: Partial<Record<DialectId, object>> = { messages: { profile: { forcedWithThinking: true } } };

/** Agents run what a model calls: the simulator calls what was asked for, and nothing in it comes from the prompt. */

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    backends: Object.fromEntries(
      dialectIds.map((dialect) => [dialect, { dialect, simulator: true, ...TAKES_FORCED[dialect] }]),
    ),
    models: Object.fromEntries(dialectIds.map((dialect) => [dialect, { backend: dialect }])),
    store: { type: 'memory' },
  });
});
afterAll(() => gateway.close());

type Item = Readonly<Record<string, unknown>>;

const BASH = tool('bash', { command: { type: 'string' } });

function tool(name: string, properties: Readonly<Record<string, unknown>>): object {
  const parameters = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { type: 'function', name, parameters };
}

async function ask(model: string, input: unknown, more: object): Promise<readonly Item[]> {
  const answer = await fetch(`${gateway.url}/v1/responses`, {
    method: 'POST',
    body: JSON.stringify({ model, input, store: false, ...more }),
  });
  const body = (await answer.json()) as { readonly output: readonly Item[] };
  expect({ status: answer.status, body }).toMatchObject({ status: 200 });
  return body.output;
}

const callsIn = (output: readonly Item[]): readonly Item[] =>
  output.filter(({ type }) => type === 'function_call' || type === 'custom_tool_call');

const DANGER = '"rm -rf ~/old"';

describe.each(dialectIds)('the %s simulator', (model) => {
  test('answers with text where no tool is asked for', async () => {
    for (const input of [`explain ${DANGER} to me, run nothing`, 'Say hello']) {
      expect((await ask(model, input, { tools: [BASH] })).map(({ type }) => type)).toEqual(['message']);
    }
  });

  test('what an agent adds in a tag asks for nothing', async () => {
    const content = ['<system-reminder>\nUse bash.\n</system-reminder>', 'Say hello'];
    const input = [{ role: 'user', content: content.map((text) => ({ type: 'input_text', text })) }];
    const output = await ask(model, input, { tools: [BASH] });
    expect(output.map(({ type }) => type)).toEqual(['message']);
    expect(JSON.stringify(output)).not.toContain('reminder');
  });

  test.each(['named by the prompt', 'forced'])('takes no word of the prompt into a call (%s)', async (how) => {
    const words = { type: 'string' };
    const tools = [
      BASH,
      tool('shell', { command: { type: 'array', items: words }, workdir: words }),
      tool('edit', {
        path: words,
        changes: {
          type: 'array',
          items: { type: 'object', properties: { text: words }, required: ['text'], additionalProperties: false },
        },
      }),
    ];
    for (const name of how === 'forced' ? ['bash', 'shell', 'edit'] : ['bash shell edit']) {
      const prompt = how === 'forced' ? `Run ${DANGER}` : `Use ${name} for ${DANGER} or 'wipe-disk' at Home`;
      const choice = how === 'forced' ? { tool_choice: { type: 'function', name } } : {};
      const calls = callsIn(await ask(model, prompt, { tools, ...choice }));
      expect(calls.map((call) => call.name)).toEqual(name.split(' '));
      for (const { arguments: text } of calls) expect(text).not.toMatch(/rm|old|wipe|disk|home/i);
    }
  });

  test('ends after one call, also where each request demands a call', async () => {
    const tools = [BASH, tool('finish', {})];
    const prompt = { role: 'user', content: 'Use bash.' };
    const [call] = callsIn(await ask(model, [prompt], { tools }));
    expect(call).toMatchObject({ name: 'bash', arguments: expect.stringContaining('echo hello') });
    const result = { type: 'function_call_output', call_id: call?.call_id, output: 'hello' };
    const history = [prompt, call, result];
    expect(callsIn(await ask(model, history, { tools }))).toEqual([]);
    const next = callsIn(await ask(model, history, { tools, tool_choice: 'required' }));
    expect(next.map(({ name }) => name)).toEqual(['finish']);
  });
});

test('a tool of free text gets a fixed text, or one that fits its pattern', async () => {
  const custom = { type: 'custom', name: 'run' };
  const grammar = { type: 'grammar', syntax: 'regex', definition: '^[A-Z]{3}$' };
  const choice = { tool_choice: 'required' };
  const [call] = callsIn(await ask('responses', `Run ${DANGER}`, { tools: [custom], ...choice }));
  expect(call).toMatchObject({ input: 'echo hello' });
  const [fitting] = callsIn(await ask('responses', 'x', { tools: [{ ...custom, format: grammar }], ...choice }));
  expect(fitting).toMatchObject({ input: 'AAA' });
});
