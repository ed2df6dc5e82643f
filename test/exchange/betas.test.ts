import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { ConfigInput } from '../../src/config/schema.js';
import { type FakeBackend, startFakeBackend } from '../support/fake-backend/index.js';
import { openApplication, type TestApplication } from '../support/gateway/application.js';

/** Features that a translated body needs: the encoder names them, the gateway asks for them (configuration.md#rules `.betas`). */

let fake: FakeBackend;
let gateway: TestApplication;

beforeAll(async () => {
  fake = await startFakeBackend('messages');
  const backend = { dialect: 'messages', baseUrl: fake.url } as const;
  const config: ConfigInput = {
    backends: {
      plain: backend,
      joined: { ...backend, headers: { 'anthropic-beta': 'context-1m-2025-08-07' } },
      none: { ...backend, betas: 'none' },
      some: { ...backend, betas: ['mcp-client-2025-11-20'] },
    },
    models: {
      'plain/*': { backend: 'plain', model: 'claude-sonnet-4-6' },
      'joined/*': { backend: 'joined', model: 'claude-sonnet-4-6' },
      'none/*': { backend: 'none', model: 'claude-sonnet-4-6' },
      'some/*': { backend: 'some', model: 'claude-sonnet-4-6' },
    },
  };
  gateway = openApplication(config);
});

beforeEach(() => fake.reset());

afterAll(async () => {
  await gateway.close();
  await fake.close();
});

const MCP = {
  responses: {
    type: 'mcp',
    server_label: 'weather',
    server_url: 'https://mcp.example.org/mcp',
    require_approval: 'never',
  },
  generateContent: {
    mcpServers: [{ name: 'weather', streamableHttpTransport: { url: 'https://mcp.example.org/mcp' } }],
  },
};

const COMPUTER = { type: 'computer_use_preview', display_width: 1000, display_height: 500, environment: 'browser' };

function respond(model: string, tools: readonly object[], headers: Record<string, string> = {}) {
  return gateway.http.post('/v1/responses').set(headers).send({ model, input: 'Go.', tools });
}

function betas(): string | undefined {
  return fake.requests.at(-1)?.headers['anthropic-beta'];
}

test('an MCP server of a responses client is let in', async () => {
  const answer = await respond('plain/a', [MCP.responses]);
  expect(answer.text).toContain('"completed"');
  expect(betas()).toBe('mcp-client-2025-11-20');
});

test('and of a generateContent client, also when its tokens are counted', async () => {
  const contents = [{ role: 'user', parts: [{ text: 'Go.' }] }];
  const body = { contents, tools: [MCP.generateContent] };
  await gateway.http.post('/v1beta/models/plain%2Fa:generateContent').send(body).expect(200);
  expect(betas()).toBe('mcp-client-2025-11-20');
  await gateway.http
    .post('/v1beta/models/plain%2Fa:countTokens')
    .send({ generateContentRequest: { ...body, model: 'models/plain/a' } });
  expect(fake.requests.at(-1)?.path).toBe('/v1/messages/count_tokens');
  expect(betas()).toBe('mcp-client-2025-11-20');
});

test('a computer is, and several features stand in one header', async () => {
  await respond('plain/a', [COMPUTER, MCP.responses]).expect(200);
  expect(betas()?.split(',').sort()).toEqual([
    expect.stringMatching(/^computer-use-20\d\d-\d\d-\d\d$/),
    'mcp-client-2025-11-20',
  ]);
});

test('a body without such a feature asks for none', async () => {
  await respond('plain/a', []);
  expect(betas()).toBeUndefined();
});

test('what the configuration names is asked for as well', async () => {
  await respond('joined/a', [MCP.responses]);
  expect(betas()).toBe('context-1m-2025-08-07,mcp-client-2025-11-20');
  await respond('joined/a', []);
  expect(betas()).toBe('context-1m-2025-08-07');
});

test('also beside the names of a client of the same dialect', async () => {
  await gateway.http
    .post('/v1/messages')
    .set({ 'anthropic-version': '2023-06-01', 'anthropic-beta': 'compact-2026-01-12, context-1m-2025-08-07' })
    .send({ model: 'joined/a', max_tokens: 9, messages: [{ role: 'user', content: 'Go.' }] });
  expect(betas()).toBe('context-1m-2025-08-07,compact-2026-01-12');
});

test('`betas` takes names away', async () => {
  await respond('none/a', [MCP.responses]).expect(400);
  expect(betas()).toBeUndefined();
  await respond('some/a', [COMPUTER, MCP.responses]);
  expect(betas()).toBe('mcp-client-2025-11-20');
});

test('the names of a client of another dialect stay behind', async () => {
  await respond('plain/a', [MCP.responses], { 'anthropic-beta': 'odd-2025-01-01' });
  expect(betas()).toBe('mcp-client-2025-11-20');
});
