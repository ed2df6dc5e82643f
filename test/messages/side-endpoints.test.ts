import { describe, expect, test } from '@jest/globals';
import { createLosses } from '../../translators/canonical/loss.js';
import { messages } from '../../translators/messages/index.js';
import { foreignRequest } from './support.js';

const MODELS = ['a', 'b', 'c'].map((id) => ({ id, owner: 'x' }));

describe('model lists', () => {
  test('an entry is complete; what is unknown is null', () => {
    expect(messages.models.encodeModel({ id: 'm', owner: 'x', createdAt: 1, outputLimit: 9 })).toEqual({
      type: 'model',
      id: 'm',
      display_name: 'm',
      created_at: '1970-01-01T00:00:01Z',
      max_input_tokens: null,
      max_tokens: 9,
      lifecycle: 'active',
      deprecated_at: null,
      retires_at: null,
      line: null,
      capabilities: null,
    });
  });

  test.each([
    [{}, ['a', 'b', 'c'], false],
    [{ limit: '2' }, ['a', 'b'], true],
    [{ limit: '2', after_id: 'b' }, ['c'], false],
    [{ limit: '1', before_id: 'c' }, ['b'], true],
    [{ limit: 'x', after_id: 'nope' }, ['a', 'b', 'c'], false],
  ])('pages %j', (query, ids, more) => {
    const page = messages.models.encodeList(MODELS, query);
    expect((page.data as { id: string }[]).map(({ id }) => id)).toEqual(ids);
    expect(page).toMatchObject({ has_more: more, first_id: ids[0], last_id: ids.at(-1) });
  });

  test('a backend’s list, with the way to its next page', () => {
    const body = {
      data: [{ id: 'a', display_name: 'A', created_at: '2026-01-01T00:00:00Z', max_tokens: 5 }, { x: 1 }],
      has_more: true,
      last_id: 'a',
    };
    expect(messages.models.decodeList(body, 'me')).toEqual({
      models: [{ id: 'a', owner: 'me', displayName: 'A', createdAt: Date.parse('2026-01-01') / 1000, outputLimit: 5 }],
      next: 'after_id=a',
    });
    expect(() => messages.models.decodeList([], 'me')).toThrow(expect.objectContaining({ kind: 'upstream' }));
  });
});

describe('token counting', () => {
  test('an encoded request without what concerns the answer [M §1.1]', () => {
    const request = foreignRequest({
      sampling: { temperature: 1 },
      stop: ['x'],
      user: 'u',
      stream: true,
      model: 'claude-3-7-sonnet',
    });
    const sent = messages.encodeRequest(request, {
      losses: createLosses(),
      target: messages.target(request.model),
      domain: 'd',
    });
    expect(messages.count.encodeRequest(sent)).toEqual({
      model: 'claude-3-7-sonnet',
      messages: [{ role: 'user', content: 'hi' }],
    });
  });

  test('answers', () => {
    expect(messages.count.decodeResponse({ input_tokens: 588 })).toEqual({ input: 588 });
    expect(messages.count.encodeResponse({ input: 588 })).toEqual({ input_tokens: 588 });
    expect(() => messages.count.decodeResponse({})).toThrow(expect.objectContaining({ kind: 'upstream' }));
    const request = messages.count.decodeRequest(
      { model: 'm', messages: [{ role: 'user', content: 'x' }] },
      { losses: createLosses() },
    );
    expect(request.model).toBe('m');
  });
});

describe('paths', () => {
  test.each([
    ['create', '/v1/messages'],
    ['count', '/v1/messages/count_tokens'],
    ['models', '/v1/models?limit=1000'],
  ] as const)('%s', (operation, path) => {
    expect(messages.endpoint(operation, { model: '../x', stream: true })).toBe(path);
  });
});

describe('profiles by name', () => {
  test.each([
    ['claude-3-haiku-20240307', { maxOutput: 4096, prefill: true, schemaOutput: false }],
    ['claude-3-5-sonnet-latest', { maxOutput: 8192 }],
    ['claude-opus-4-20250514', { maxOutput: 32_000, sampling: ['usual-when-reasoning'] }],
    ['claude-opus-4-1-20250805', { maxOutput: 32_000, sampling: ['temp-xor-topP', 'usual-when-reasoning'] }],
    ['claude-haiku-4-5', { maxOutput: 64_000, prefill: true, midSystem: false }],
    ['anthropic/claude-sonnet-4-6', { prefill: false, forcedWithThinking: true }],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', { maxOutput: 32_000 }],
    ['claude-opus-4-7', { sampling: ['none'], midSystem: false }],
    ['claude-opus-4-8', { midSystem: true }],
    ['claude-fable-5-2', { thinking: expect.objectContaining({ canDisable: false, defaultOn: true }) }],
    ['anthropic/claude-opus-4.8:thinking', { maxOutput: 128_000, midSystem: true }],
    ['claude-next', { defaultMaxOutput: 64_000, thinking: expect.objectContaining({ control: 'adaptive' }) }],
    ['some-other-model', { defaultMaxOutput: 8192, thinking: expect.objectContaining({ control: 'budget' }) }],
  ])('%s', (model, expected) => {
    expect(messages.target(model)).toMatchObject(expected);
  });

  test('choices win: another name, or flags', () => {
    expect(messages.target('alias', 'claude-3-haiku')).toMatchObject({ maxOutput: 4096 });
    expect(messages.target('alias', { model: 'claude-3-haiku', maxOutput: 5 })).toMatchObject({
      maxOutput: 5,
      prefill: true,
    });
  });
});

describe('a pause goes on', () => {
  const sent = {
    body: { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'q' }] },
    model: 'm',
    stream: true,
  };
  const open = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} };

  test('with the answer behind the history, and nothing added [hard case STOP-05]', () => {
    const text = { type: 'text', text: 'x', citations: [{ type: 'char_location', file_id: null, document_index: 0 }] };
    const resumed = messages.pauses?.resume(sent, {
      content: [{ type: 'text', text: '' }, text, open],
      container: { id: 'c' },
    });
    expect(resumed?.body).toEqual({
      ...sent.body,
      container: 'c',
      messages: [
        { role: 'user', content: 'q' },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'x', citations: [{ type: 'char_location', document_index: 0 }] }, open],
        },
      ],
    });
    const again = resumed && messages.pauses?.resume(resumed, { content: [{ type: 'text', text: 'y' }] });
    expect(again?.body.messages).toMatchObject([{}, { role: 'assistant', content: [{}, {}, { text: 'y' }] }]);
    expect(sent.body.messages).toHaveLength(1);
  });
});
