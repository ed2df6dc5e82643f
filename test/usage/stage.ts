import type { ConfigInput } from '../../src/config/schema.js';
import { WHOLE, WIRES } from '../support/answers.js';
import { EVENT_STREAM, json, type Recorder, startRecorder, type Tree } from '../support/gateway/harness.js';
import { inTwo } from '../support/wire/wire.js';

/** The keys of callers, by their names. */
export const KEYS = { boss: 'a-key-of-the-operator', a: 'a-key-of-the-team-a', b: 'a-key-of-the-team-b' } as const;

export const bearer = (name: keyof typeof KEYS) => ({ authorization: `Bearer ${KEYS[name]}` });

/** 130 tokens of input and 40 of output: 100 * 3 + 20 * 0.3 + 10 * 3.75 + 40 * 15 = 943.5 millionths of a USD. */
const CLAUDE = { input_tokens: 100, cache_read_input_tokens: 20, cache_creation_input_tokens: 10, output_tokens: 40 };

/** 50 and 30 tokens: 40 * 1 + 10 * 0.1 + 30 * 2 = 101 millionths of a USD. */
const CHAT = {
  ...{ prompt_tokens: 50, completion_tokens: 30, total_tokens: 80 },
  ...{ prompt_tokens_details: { cached_tokens: 10 }, completion_tokens_details: { reasoning_tokens: 12 } },
};

/** A service whose models have what they do in their names: `picky` (takes no temperature), `refused`, `broken`, `searched`, `uncounted`, `huge`. */
export async function startService(): Promise<Recorder> {
  const service = await startRecorder();
  service.reply = (response, { path, body }) => {
    if (body === '') return json(response, 200, { data: [] });
    if (path.includes('count_tokens')) return json(response, 200, { input_tokens: 12 });
    const asked: Tree = JSON.parse(body);
    const model: string = asked.model;
    if (model.includes('waiting')) return;
    if (model.includes('refused'))
      return json(response, 400, { type: 'error', error: { type: 'invalid_request_error', message: 'no' } });
    if (model.includes('picky') && asked.temperature !== undefined)
      return json(response, 400, { error: { type: 'invalid_request_error', message: NO_TEMPERATURE } });
    const isChat = path.includes('chat/completions');
    const dialect = isChat ? 'chatCompletions' : 'messages';
    const usage = isChat ? CHAT : usageOf(model);
    const whole: Tree = { ...WHOLE[dialect]('Hello there'), usage };
    if (model.includes('uncounted')) delete whole.usage;
    if (asked.stream !== true) return json(response, 200, whole);
    const frames = WIRES[dialect].frames(whole, inTwo(3));
    response.writeHead(200, EVENT_STREAM);
    if (!model.includes('broken')) return void response.end(frames.join(''));
    response.write(frames.slice(0, 3).join(''));
    setTimeout(() => response.destroy(), 20);
  };
  return service;
}

const NO_TEMPERATURE = "Unsupported parameter: 'temperature' is not supported with this model.";

function usageOf(model: string): Tree {
  if (model.includes('searched')) return { ...CLAUDE, server_tool_use: { web_search_requests: 2 } };
  return model.includes('huge') ? { ...CLAUDE, output_tokens: 9_000_000_000_000_000 } : CLAUDE;
}

/** The key of a backend. */
export const SECRET = 'sk-the-key-of-the-backend-0123456789';

const PRICES = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

export function configFor(service: Pick<Recorder, 'url'>): ConfigInput {
  const priced = (model: string) => ({ backend: 'claude', model, prices: PRICES });
  return {
    backends: {
      claude: {
        dialect: 'messages',
        baseUrl: service.url,
        apiKey: SECRET,
        retries: 0,
        models: { 'free-*': { prices: PRICES } },
      },
      chat: { dialect: 'chatCompletions', baseUrl: service.url, retries: 0 },
    },
    models: {
      m: priced('claude-sonnet-4-5'),
      c: { backend: 'chat', model: 'gpt-x', prices: { input: 1, output: 2, cacheRead: 0.1 } },
      picky: { backend: 'chat' },
      refused: priced('refused'),
      broken: priced('broken'),
      searched: priced('searched'),
      uncounted: priced('uncounted'),
      huge: priced('huge'),
      unpriced: { backend: 'claude' },
      'free-*': { backend: 'claude' },
    },
    keys: [
      { name: 'boss', key: KEYS.boss, operator: true },
      { name: 'a', key: KEYS.a },
      { name: 'b', key: KEYS.b },
    ],
    usage: {},
  };
}

export const askBody = (model: string, stream = false): Tree => ({
  ...{ model, max_tokens: 100, stream },
  messages: [{ role: 'user', content: 'hello' }],
});
