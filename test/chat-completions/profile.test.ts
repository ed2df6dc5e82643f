import { describe, expect, test } from '@jest/globals';
import { createLosses, dialects } from '../../translators/index.js';

const { chatCompletions } = dialects;

const flags = (model: string, host?: string) => {
  const profile = chatCompletions.target(model, host === undefined ? undefined : { host });
  return { ...profile, ...profile.server };
};

describe('the profile of a model at a server', () => {
  test('an unknown server gets the plainest form', () => {
    expect(flags('some-model', 'llm.example:8000')).toMatchObject({
      maxTokensField: 'max_tokens',
      systemMessages: 'one',
      developerRole: false,
      midSystem: false,
      strictTools: false,
      urlMedia: [],
      reasoningControl: 'none',
      thinking: { control: 'none' },
    });
  });

  test.each([
    ['api.openai.com', 'gpt-4.1', { maxTokensField: 'max_completion_tokens', allowedTools: true, customTools: false }],
    ['one.openai.azure.com', 'gpt-5', { fileParts: 'none', customTools: true }],
    ['api.moonshot.cn', 'kimi-k2.5', { systemMessages: 'many', midSystem: true, forcedWithThinking: false }],
    ['dashscope-intl.aliyuncs.com', 'qwen3-max', { reasoningControl: 'qwen' }],
    ['us-east5-aiplatform.googleapis.com', 'gemini-3-pro', { reasoningReplay: 'signature', usageForm: 'gemini' }],
    ['generativelanguage.googleapis.com', 'gemini-2.5-flash', { reasoningReplay: 'own' }],
    ['127.0.0.1:11434', 'llama3', { toolChoice: 'ignored', textParts: false }],
    ['localhost:1234', 'any', { prefill: true, prefillForm: 'plain' }],
    ['API.MISTRAL.AI', 'mistral-large-latest', { idRule: 'nine', requiredWord: 'any', prefillForm: 'prefix' }],
  ])('%s is known', (host, model, wanted) => {
    expect(flags(model, host)).toMatchObject(wanted);
  });

  test.each([
    ['vllm', { videoParts: true, prefill: true, prefillForm: 'continue', reasoningControl: 'template' }],
    ['sglang', { videoParts: true, prefillForm: 'continue', reasoningControl: 'template' }],
    ['llamacpp', { videoParts: false, prefill: true, prefillForm: 'plain', reasoningControl: 'template' }],
    ['lmstudio', { prefill: true, prefillForm: 'plain', reasoningControl: 'none' }],
    ['ollama', { toolChoice: 'ignored', textParts: false, reasoningControl: 'effort' }],
  ])('%s is known by its name, at whatever host', (name, wanted) => {
    const named = chatCompletions.target('Qwen/Qwen3-32B', { host: 'llm.example:8000', model: name });
    expect({ ...named, ...named.server }).toMatchObject(wanted);
    expect(named.server?.inlineThink).toBe(name === 'ollama' ? 'no' : 'open');
    expect(chatCompletions.target('Qwen/Qwen3-32B', name)).toEqual(named);
  });

  test('a server of open weights asks a model for efforts whose template has them', () => {
    const { thinking, server } = chatCompletions.target('openai/gpt-oss-120b', 'vllm');
    expect([thinking.levels, server?.reasoningControl]).toEqual([['low', 'medium', 'high'], 'effort']);
  });

  test('hosts that only look like known ones are not', () => {
    for (const host of ['api.openai.com.example', 'openai.azure.com', 'moonshot.ai', 'llm.example:114340'])
      expect(flags('m', host).maxTokensField).toBe('max_tokens');
  });

  test.each(['mistralai/Devstral-Small-2505', 'accounts/fireworks/models/mixtral-8x22b', 'mistral-small:24b'])(
    '%s keeps the rules of its template at any host',
    (model) => {
      expect(flags(model, 'llm.example')).toMatchObject({ idRule: 'nine', assistantAfterTool: true });
      expect(flags(model, 'openrouter.ai')).toMatchObject({ idRule: 'nine', assistantAfterTool: true });
    },
  );

  test('reasoning that a family wants back is not forced on a server that refuses it', () => {
    expect(flags('moonshotai/kimi-k2-instruct', 'llm.example').reasoningReplay).toBe('must');
    expect(flags('moonshotai/kimi-k2-instruct', 'openrouter.ai').reasoningReplay).toBe('must');
    expect(flags('moonshotai/kimi-k2-instruct', 'api.groq.com').reasoningReplay).toBe('own');
    expect(flags('deepseek-r1', 'llm.example').reasoningReplay).toBe('never');
    expect(flags('deepseek-v3.2', 'llm.example').reasoningReplay).toBe('must-with-tools');
  });

  test('tags in the text are looked for only where no server takes them out', () => {
    expect(flags('MiniMax-M2', 'llm.example').inlineThink).toBe('forcedOpen');
    expect(flags('MiniMax-M2', 'api.minimax.io').inlineThink).toBe('no');
    expect(flags('qwen3-32b', 'api.groq.com').inlineThink).toBe('no');
  });

  test('without a host a model is taken to be at its vendor', () => {
    expect(flags('gpt-5').maxTokensField).toBe('max_completion_tokens');
    expect(flags('gpt-oss-120b').maxTokensField).toBe('max_tokens');
    expect(flags('ft:gpt-4o:org').maxTokensField).toBe('max_completion_tokens');
    expect(flags('o1-mini')).toMatchObject({ systemMessages: 'none', developerRole: false });
  });

  test("the operator's own flags win, one by one", () => {
    const profile = chatCompletions.target('m', {
      host: 'api.openai.com',
      model: 'gpt-4.1',
      strictTools: false,
      server: { idRule: 'any' },
    });
    expect(profile.strictTools).toBe(false);
    expect(profile.server).toMatchObject({ idRule: 'any', allowedTools: true });
  });
});

describe('a body that goes to a server of its own dialect', () => {
  const fitted = (body: object, model: string, host: string) => {
    const losses = createLosses();
    const profile = chatCompletions.target(model, { host });
    const members = chatCompletions.withholdState(
      { model, messages: [], ...body },
      { losses, target: profile, foreign: () => false },
    );
    return { members, losses: losses.list.map(({ path, feature, kind }) => `${path} ${feature} ${kind}`) };
  };

  test('H-FIELD-01: of two caps one is sent', () => {
    const both = { max_tokens: 100, max_completion_tokens: 200 };
    expect(fitted(both, 'm', 'llm.example')).toStrictEqual({
      members: { max_tokens: 200, max_completion_tokens: undefined },
      losses: ['/max_tokens maxOutput approximated'],
    });
    expect(fitted({ ...both, max_tokens: 200 }, 'gpt-5', 'api.openai.com')).toStrictEqual({
      members: { max_tokens: undefined, max_completion_tokens: 200 },
      losses: [],
    });
    expect(fitted({ max_completion_tokens: 200 }, 'm', 'llm.example').members).toStrictEqual({});
  });

  test('H-FIELD-03: a server that refuses unknown members gets none', () => {
    const body = {
      user: 'u',
      seed: 7,
      frequency_penalty: 0,
      temperature: 0.5,
      tools: [],
      stream_options: { include_usage: true },
      reasoning_effort: 'low',
      max_completion_tokens: 9,
      messages: [{ role: 'assistant', content: 'a', reasoning_content: 'r' }],
    };
    expect(fitted(body, 'mistral-large-latest', 'api.mistral.ai')).toStrictEqual({
      members: {
        user: undefined,
        seed: undefined,
        random_seed: 7,
        frequency_penalty: undefined,
        tools: undefined,
        stream_options: undefined,
        max_completion_tokens: undefined,
        max_tokens: 9,
        messages: [{ role: 'assistant', content: 'a' }],
      },
      losses: ['/user user dropped', '/messages/0 reasoning.state dropped'],
    });
  });
});
