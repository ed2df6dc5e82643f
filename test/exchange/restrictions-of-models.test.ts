import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
  WHOLE,
} from '../support/gateway/harness.js';

// What models and local servers of 2026 refuse in their own words, made good in one further attempt.

let recorder: Recorder;
let gateway: TestGateway;
let next = 0;

beforeAll(async () => {
  recorder = await startRecorder();
  const baseUrl = recorder.url;
  gateway = await startGateway({
    backends: {
      chatCompletions: { preset: 'openai', dialect: 'chatCompletions', baseUrl },
      responses: { preset: 'openai', dialect: 'responses', baseUrl },
      messages: { preset: 'anthropic', baseUrl },
      ollama: { preset: 'ollama', dialect: 'chatCompletions', baseUrl },
      'vllm-messages': { preset: 'vllm', dialect: 'messages', baseUrl },
      'vllm-responses': { preset: 'vllm', dialect: 'responses', baseUrl },
      'vllm-chatCompletions': { preset: 'vllm', dialect: 'chatCompletions', baseUrl },
      any: { dialect: 'responses', baseUrl },
      theirs: { dialect: 'responses', baseUrl, auth: 'client' },
    },
    models: Object.fromEntries(
      [
        ...['chatCompletions', 'responses', 'messages', 'ollama', 'any', 'theirs'],
        ...['vllm-messages', 'vllm-responses', 'vllm-chatCompletions'],
      ].map((name) => [`${name}/*`, { backend: name, model: '*' }]),
    ),
  });
});
afterAll(async () => {
  await Promise.all([gateway.close(), recorder.close()]);
});
beforeEach(() => {
  next += 1;
  recorder.seen.length = 0;
});

type Dialect = 'messages' | 'responses' | 'chatCompletions';

/** The server refuses what `fault` has a body for. */
function refuse(dialect: Dialect, fault: (body: Tree) => Tree | undefined): void {
  recorder.reply = (response, seen) => {
    const error = fault(JSON.parse(seen.body));
    if (error === undefined) json(response, 200, WHOLE[dialect]('Hi'));
    else json(response, 400, dialect === 'messages' ? { type: 'error', error } : { error });
  };
}

const open = (message: string, param: string | null, code: string | null = null): Tree => ({
  message,
  type: 'invalid_request_error',
  param,
  code,
});

async function ask(path: string, body: Tree) {
  recorder.seen.length = 0;
  const { status, headers, text } = await send(gateway.url, path, { body });
  const sent = recorder.seen.map((seen): Tree => JSON.parse(seen.body));
  return { status, sent, text, losses: String(headers['x-interlingua-loss'] ?? '') };
}

const MESSAGES = '/v1/messages';
const RESPONSES = '/v1/responses';
const CHAT = '/v1/chat/completions';
const hello = { messages: [{ role: 'user', content: 'Hello' }] };
const tools = [{ name: 'f', input_schema: { type: 'object', properties: {} } }];

describe('models of the vendors', () => {
  test.each(['chatCompletions', 'responses'] as const)(
    'a temperature other than the default is left out, not where the model does not reason: %s',
    async (dialect) => {
      const words =
        "Unsupported value: 'temperature' does not support 0.8 with this model. Only the default (1) value is supported.";
      const isOff = (body: Tree) => (body.reasoning_effort ?? body.reasoning?.effort) === 'none';
      refuse(dialect, (body) =>
        body.temperature === undefined || isOff(body) ? undefined : open(words, 'temperature', 'unsupported_value'),
      );
      // A name without a row: nobody says that its models take no temperature.
      const model = `${dialect}/gpt-4o-of-tomorrow-${next}`;
      const first = await ask(MESSAGES, { model, max_tokens: 64, temperature: 0.8, ...hello });
      expect([first.status, first.sent.map(({ temperature: t }) => t)]).toEqual([200, [0.8, undefined]]);
      expect(first.losses).toContain('sampling.temperature');
    },
  );

  test('a parameter that is gone', async () => {
    const words = "Unsupported parameter: 'temperature' is not supported with this model.";
    refuse('responses', (body) =>
      body.temperature === undefined ? undefined : open(words, 'temperature', 'unsupported_parameter'),
    );
    const body = { model: `responses/gpt-4o-${next}`, max_tokens: 64, temperature: 0.8, ...hello };
    expect((await ask(MESSAGES, body)).sent.map(({ temperature: t }) => t)).toEqual([0.8, undefined]);
    expect((await ask(MESSAGES, body)).sent.map(({ temperature: t }) => t)).toEqual([undefined]);
  });

  test('tools at a model that reasons', async () => {
    const words =
      "Function tools with reasoning_effort are not supported for gpt-5.6-luna in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
    refuse('chatCompletions', (body) =>
      body.tools === undefined || body.reasoning_effort === 'none' ? undefined : open(words, 'reasoning_effort'),
    );
    const more = { tools, thinking: { type: 'adaptive' } };
    const model = `chatCompletions/gpt-5.2-of-${next}`;
    const mended = await ask(MESSAGES, { model, max_tokens: 64, ...hello, ...more });
    expect([mended.status, mended.sent.at(-1)?.reasoning_effort]).toEqual([200, 'none']);
  });

  test.each(['chatCompletions', 'responses'] as const)(
    'an effort that is not among those that are listed: %s',
    async (dialect) => {
      const given = (body: Tree) => body.reasoning_effort ?? body.reasoning?.effort;
      const param = dialect === 'responses' ? 'reasoning.effort' : 'reasoning_effort';
      const words = (effort: string) =>
        `Unsupported value: '${effort}' is not supported with the 'gpt-9-astra' model. Supported values are: 'low', 'medium', 'high', 'xhigh', and 'max'.`;
      refuse(dialect, (body) => (given(body) === 'none' ? open(words('none'), param, 'unsupported_value') : undefined));
      const enums = { type: 'object', properties: { p: { enum: ['low', 'high'] } } };
      const body = {
        ...{ model: `${dialect}/gpt-5.1-of-${next}`, max_tokens: 64, ...hello, thinking: { type: 'disabled' } },
        tools: [{ name: 'f', input_schema: enums }],
      };
      const first = await ask(MESSAGES, body);
      expect([first.status, first.sent.map(given)]).toEqual([200, ['none', 'low']]);
      expect(first.losses).toContain('reasoning.mode');
      expect((await ask(MESSAGES, body)).sent.map(given)).toEqual(['low']);
    },
  );

  test('the lowest effort, refused without a list: those above it are taken', async () => {
    const words = "Unsupported value: 'reasoning_effort' does not support 'minimal' with this model.";
    const given = ({ reasoning_effort: effort }: Tree) => effort;
    refuse('chatCompletions', (body) =>
      given(body) === 'minimal' ? open(words, 'reasoning_effort', 'unsupported_value') : undefined,
    );
    const asked = (effort: string) =>
      ask(RESPONSES, { model: `chatCompletions/gpt-5-of-${next}`, input: 'Hello', reasoning: { effort } });
    const first = await asked('minimal');
    expect([first.status, first.sent.map(given)]).toEqual([200, ['minimal', 'low']]);
    expect((await asked('high')).sent.map(given)).toEqual(['high']);
  });

  test('thinking that cannot be switched off, and calls that cannot be forced beside it', async () => {
    refuse('messages', ({ thinking, tool_choice: choice }) => {
      const type = 'invalid_request_error';
      const off = '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive".';
      if (thinking?.type === 'disabled') return { type, message: off };
      const forced = 'Thinking may not be enabled when tool_choice forces tool use.';
      return choice?.type === 'any' ? { type, message: forced } : undefined;
    });
    const model = `messages/claude-opus-5-of-${next}`;
    const off = { model, input: 'Hello', reasoning: { effort: 'none' } };
    const first = await ask(RESPONSES, off);
    expect([first.status, first.sent.at(-1)?.output_config]).toEqual([200, { effort: 'low' }]);
    expect((await ask(RESPONSES, off)).sent).toHaveLength(1);
    const tool = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } };
    const forced = await ask(RESPONSES, { model, input: 'Hello', tools: [tool], tool_choice: 'required' });
    expect([forced.status, forced.sent.at(-1)?.tool_choice?.type ?? 'auto']).toEqual([200, 'auto']);
    expect(forced.losses).toContain('toolChoice');
  });
});

describe('what clients of chat completions wish for', () => {
  const LOGPROBS = 'message.output_text.logprobs';
  const asksForLogprobs = ({ top_logprobs: top, include = [] }: Tree) =>
    top !== undefined || include.includes(LOGPROBS);

  // [R §3.18]
  test.each([
    [
      'an organisation that is not verified',
      'Your organization must be verified to generate reasoning summaries. Please go to the settings and click on Verify Organization.',
      'unsupported_value',
    ],
    [
      'a model that has none',
      "Unsupported parameter: 'reasoning.summary' is not supported with this model.",
      'unsupported_parameter',
    ],
  ])('summaries of thoughts: %s', async (_name, words, code) => {
    const summaryOf = ({ reasoning }: Tree) => reasoning?.summary;
    refuse('responses', (body) => (summaryOf(body) === undefined ? undefined : open(words, 'reasoning.summary', code)));
    const body = { model: `responses/gpt-5.2-of-${next}`, ...hello, reasoning_effort: 'low' };
    const first = await ask(CHAT, body);
    expect([first.status, first.sent.map(summaryOf)]).toEqual([200, ['auto', undefined]]);
    expect(first.sent.at(-1)?.reasoning).toEqual({ effort: 'low' });
    const second = await ask(CHAT, body);
    expect(second.sent.map(summaryOf)).toEqual([undefined]);
    // The client asked for none.
    for (const { losses } of [first, second]) expect(losses).not.toMatch(/reasoning\.(?:show|summary)/);
    const thinking = { type: 'adaptive', display: 'summarized' };
    const shown = await ask(MESSAGES, { model: body.model, max_tokens: 64, ...hello, thinking });
    expect([shown.sent.map(summaryOf), shown.losses]).toEqual([
      [undefined],
      expect.stringContaining('reasoning.show;kind=dropped'),
    ]);
  });

  test('an organisation that is not verified is the caller’s own where callers bring their credentials', async () => {
    const words = 'Your organization must be verified to generate reasoning summaries.';
    const summaryOf = ({ reasoning }: Tree) => reasoning?.summary;
    refuse('responses', (body) =>
      summaryOf(body) === undefined ? undefined : open(words, 'reasoning.summary', 'unsupported_value'),
    );
    const body = { model: `theirs/gpt-5.2-of-${next}`, ...hello, reasoning_effort: 'low' };
    for (let times = 0; times < 2; times += 1) {
      const { status, sent } = await ask(CHAT, body);
      expect([status, sent.map(summaryOf)]).toEqual([200, ['auto', undefined]]);
    }
  });

  test.each([
    ['by its member', "Unsupported parameter: 'top_logprobs' is not supported with this model.", 'top_logprobs'],
    ['by what is included', `Unsupported value: 'include' does not support '${LOGPROBS}' with this model.`, 'include'],
    ['in prose', 'logprobs are not supported with reasoning models.', null],
  ])('log probabilities, refused %s, in every member that asks for them', async (_name, words, param) => {
    refuse('responses', (body) => (asksForLogprobs(body) ? open(words, param, 'unsupported_parameter') : undefined));
    const body = { model: `responses/gpt-4o-of-tomorrow-${next}`, ...hello, logprobs: true, top_logprobs: 2 };
    const first = await ask(CHAT, body);
    expect([first.status, first.sent.map(asksForLogprobs)]).toEqual([200, [true, false]]);
    expect(first.losses).toContain('logprobs;kind=dropped');
    expect((await ask(CHAT, body)).sent.map(asksForLogprobs)).toEqual([false]);
  });

  test('thinking that can be kept to the turns between tools, and not switched off', async () => {
    refuse('messages', ({ thinking }) => {
      const message =
        '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" or "thinking.type.between_tools".';
      return thinking?.type === 'disabled' ? { type: 'invalid_request_error', message } : undefined;
    });
    const body = { model: `messages/claude-sonnet-5-of-${next}`, ...hello, reasoning_effort: 'none' };
    const first = await ask(CHAT, body);
    expect([first.status, first.sent.map(({ thinking }) => thinking?.type)]).toEqual([
      200,
      ['disabled', 'between_tools'],
    ]);
    expect(first.losses).toContain('reasoning.mode');
    expect((await ask(CHAT, body)).sent.map(({ thinking }) => thinking?.type)).toEqual(['between_tools']);
  });
});

describe('local servers', () => {
  test('a cap above the window of vLLM, at all its endpoints', async () => {
    const capOf = (body: Tree) => body.max_tokens ?? body.max_completion_tokens ?? body.max_output_tokens;
    for (const dialect of ['messages', 'responses', 'chatCompletions'] as const) {
      refuse(dialect, (body) => {
        const cap = capOf(body);
        const message = `max_completion_tokens=${cap} cannot be greater than max_model_len=4096. Please request fewer output tokens. (parameter=max_tokens, value=${cap})`;
        return cap > 4096 ? { type: 'BadRequestError', message, param: 'max_tokens', code: 400 } : undefined;
      });
      const [path, own] = dialect === 'messages' ? [RESPONSES, { input: 'Hello' }] : [MESSAGES, hello];
      const cap = dialect === 'messages' ? { max_output_tokens: 32_000 } : { max_tokens: 32_000 };
      const body = { model: `vllm-${dialect}/m${next}`, ...own, ...cap };
      expect((await ask(path, body)).sent.map(capOf)).toEqual([32_000, 4096]);
      const second = await ask(path, body);
      expect([second.status, second.sent.map(capOf)]).toEqual([200, [4096]]);
      expect(second.losses).toContain('maxOutput;kind=approximated');
    }
  });

  test('degrees of thinking that a model of Ollama does not have: it thinks all the same', async () => {
    const words = (effort: string) => `think value "${effort}" is not supported for this model`;
    refuse('chatCompletions', ({ reasoning_effort: effort }) =>
      effort === undefined || effort === 'none' ? undefined : { ...open(words(effort), null), type: 'api_error' },
    );
    const body = { model: `ollama/gpt-oss:${next}`, input: 'Hello', reasoning: { effort: 'medium' } };
    const { status, sent, losses } = await ask(RESPONSES, body);
    expect([status, sent.map(({ reasoning_effort: effort }) => effort)]).toEqual([200, ['medium', undefined]]);
    expect(losses).toContain('reasoning.effort');
    const off = await ask(RESPONSES, { ...body, reasoning: { effort: 'none' } });
    expect(off.sent.map(({ reasoning_effort: effort }) => effort)).toEqual(['none']);
  });

  test('a model of Ollama that does not think', async () => {
    refuse('chatCompletions', ({ reasoning_effort: effort }) =>
      effort === undefined ? undefined : { ...open('"plain" does not support thinking', null), type: 'api_error' },
    );
    const body = { model: `ollama/gpt-oss-plain${next}`, input: 'Hello', reasoning: { effort: 'medium' } };
    expect((await ask(RESPONSES, body)).sent.map(({ reasoning_effort: e }) => e)).toEqual(['medium', undefined]);
  });
});
