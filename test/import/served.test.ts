import Anthropic from '@anthropic-ai/sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { configOf } from '../../src/config/index.js';
import { importConfig, type SourceName } from '../../src/import/index.js';
import { createGateway } from '../../src/index.js';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';

/** What was imported is served: the official clients get answers from the backends of the other gateway's file. */

let [chat, claude]: FakeBackend[] = [];
beforeAll(async () => {
  chat = await startFakeBackend('chatCompletions', { apiKey: 'key-of-the-chat-server' });
  claude = await startFakeBackend('messages', { apiKey: 'key-of-the-claude-server' });
});
beforeEach(() => {
  chat?.reset();
  claude?.reset();
});
afterAll(() => Promise.all([chat?.close(), claude?.close()]));

const KEY = 'a-master-key-of-16-and-more';

async function serve(
  source: SourceName,
  text: string,
  environment: Record<string, string>,
  work: (url: string) => Promise<void>,
) {
  const { text: file } = importConfig(source, text, 'f');
  const quiet = { log: { level: 'silent' }, store: { type: 'memory' }, listen: { port: 0 } };
  const gateway = createGateway(
    configOf({ name: 'f', path: '/f.yaml', text: file }, environment, { edit: (input) => ({ ...input, ...quiet }) }),
  );
  try {
    await work((await gateway.listen()).url);
  } finally {
    await gateway.close();
  }
}

const ask = (url: string, model: string, apiKey = KEY) =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 }).chat.completions.create({
    model,
    messages: [{ role: 'user', content: 'Hello' }],
  });

describe('a file that was imported', () => {
  test('of LiteLLM serves its groups, its aliases and its fallbacks, to holders of its key', async () => {
    const config = `
model_list:
  - { model_name: fast, litellm_params: { model: openai/qwen3, api_base: os.environ/CHAT_BASE, api_key: os.environ/CHAT_KEY } }
  - { model_name: smart, litellm_params: { model: anthropic/claude-sonnet-4-5, api_base: "${claude?.url}", api_key: key-of-the-claude-server } }
router_settings: { fallbacks: [{ fast: [smart] }], model_group_alias: { gpt-4: fast } }
general_settings: { master_key: os.environ/MASTER }
`;
    const environment = {
      CHAT_BASE: `${chat?.url}/v1`,
      CHAT_KEY: 'key-of-the-chat-server',
      SERVER_API_KEY: 'key-of-the-claude-server',
      MASTER: KEY,
    };
    await serve('litellm', config, environment, async (url) => {
      chat?.script({ kind: 'text', text: 'From chat.' });
      claude?.script({ kind: 'text', text: 'From claude.' });
      expect((await ask(url, 'gpt-4')).choices[0]?.message.content).toBe('From chat.');
      expect(chat?.requests[0]?.body).toMatchObject({ model: 'qwen3' });
      const anthropic = new Anthropic({ baseURL: url, apiKey: KEY, maxRetries: 0 });
      const message = await anthropic.messages.create({
        model: 'smart',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello' }],
      });
      expect(message.content).toMatchObject([{ type: 'text', text: 'From claude.' }]);
      expect(claude?.requests[0]?.body).toMatchObject({ model: 'claude-sonnet-4-5' });
      chat?.script({ kind: 'error', status: 503, message: 'out' });
      expect((await ask(url, 'fast')).choices[0]?.message.content).toBe('From claude.');
      await expect(ask(url, 'fast', 'another-key-of-nobody')).rejects.toMatchObject({ status: 401 });
    });
  });

  test('of claude-code-router serves what Claude Code asks for, by route and by name', async () => {
    const config = JSON.stringify({
      APIKEY: '$ROUTER_KEY',
      Providers: [
        {
          name: 'mine',
          api_base_url: `${chat?.url}/v1/chat/completions`,
          api_key: 'key-of-the-chat-server',
          models: ['big', 'small'],
        },
        {
          name: 'theirs',
          api_base_url: `${claude?.url}/v1/messages`,
          api_key: '$CLAUDE',
          models: ['claude-opus-4-8'],
          transformer: { use: ['Anthropic'] },
        },
      ],
      Router: { default: 'mine,big', background: 'mine,small', think: 'theirs,claude-opus-4-8' },
    });
    const environment = { ROUTER_KEY: KEY, CLAUDE: 'key-of-the-claude-server', MINE_API_KEY: 'key-of-the-chat-server' };
    await serve('claude-code-router', config, environment, async (url) => {
      const anthropic = new Anthropic({ baseURL: url, authToken: KEY, apiKey: null, maxRetries: 0 });
      for (const model of ['claude-sonnet-5', 'claude-haiku-4-5-20251001', 'mine,small', 'think']) {
        await anthropic.messages.create({ model, max_tokens: 100, messages: [{ role: 'user', content: 'Hello' }] });
      }
      const models = (backend: FakeBackend | undefined) =>
        backend?.requests.map(({ body }) => (body as { model: string }).model);
      expect(models(chat)).toEqual(['big', 'small', 'small']);
      expect(models(claude)).toEqual(['claude-opus-4-8']);
    });
  });

  test('of Portkey serves its targets under every name, in order', async () => {
    const config = JSON.stringify({
      strategy: { mode: 'fallback' },
      targets: [
        {
          provider: 'openai',
          custom_host: `${chat?.url}/v1`,
          api_key: 'key-of-the-chat-server',
          override_params: { model: 'qwen3' },
        },
        {
          provider: 'anthropic',
          custom_host: claude?.url,
          api_key: 'key-of-the-claude-server',
          override_params: { model: 'claude-sonnet-4-5' },
        },
      ],
    });
    const environment = { SERVER_API_KEY: 'key-of-the-chat-server', SERVER_API_KEY_2: 'key-of-the-claude-server' };
    await serve('portkey', config, environment, async (url) => {
      chat?.script({ kind: 'error', status: 500, message: 'broken' });
      claude?.script({ kind: 'text', text: 'From claude.' });
      expect((await ask(url, 'any-name')).choices[0]?.message.content).toBe('From claude.');
      expect(chat?.requests[0]?.body).toMatchObject({ model: 'qwen3' });
    });
  });
});
