import { describe, expect, test } from '@jest/globals';
import { translateRequest } from '../../translators/index.js';

const GIF = 'R0lGODlhAQABAAAAACw=';

/** What a server with these manners receives for the messages of a Messages client, which knows the vendor's forms only. */
const sent = (messages: readonly object[], profile: object) =>
  translateRequest({
    from: 'messages',
    to: 'chatCompletions',
    body: { model: 'm', max_tokens: 100, messages },
    profile,
  });

describe('what only single servers take', () => {
  test('a picture stays in a result where the server reads it there', () => {
    const source = { type: 'base64', media_type: 'image/gif', data: GIF };
    const content = [
      { type: 'text', text: 'one' },
      { type: 'image', source },
    ];
    const { body, losses } = sent(
      [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content }] },
      ],
      { toolResultMedia: true },
    );
    expect(body.messages).toContainEqual({
      role: 'tool',
      tool_call_id: 't1',
      content: [
        { type: 'text', text: 'one' },
        { type: 'image_url', image_url: { url: `data:image/gif;base64,${GIF}` } },
      ],
    });
    expect(losses).toEqual([]);
  });

  test('documents go by their address, or as a data URL in its place', () => {
    const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' };
    const { body } = sent([{ role: 'user', content: [{ type: 'document', title: 'a.pdf', source: pdf }] }], {
      host: 'api.mistral.ai',
      model: 'mistral-large-latest',
    });
    expect(body.messages).toEqual([
      {
        role: 'user',
        content: [
          {
            type: 'document_url',
            document_url: 'data:application/pdf;base64,JVBERi0xLjQK',
            document_name: 'a.pdf',
          },
        ],
      },
    ]);
  });

  test('the last message of the assistant is continued by two members of the request', () => {
    const { body, losses } = sent(
      [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'The answer is' },
      ],
      { prefill: true, server: { prefillForm: 'continue' } },
    );
    expect(body).toMatchObject({ continue_final_message: true, add_generation_prompt: false });
    expect(body.messages).toHaveLength(2);
    expect(losses).toEqual([]);
  });

  test('cache marks go to the last four places where the server takes them', () => {
    const marked = (text: string) => ({ type: 'text', text, cache_control: { type: 'ephemeral' } });
    const { body, losses } = sent(
      [
        { role: 'user', content: [marked('1'), marked('2')] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'f', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'r', cache_control: { type: 'ephemeral', ttl: '1h' } },
            marked('3'),
            marked('4'),
          ],
        },
      ],
      { cacheMarks: 4 },
    );
    const mark = { cache_control: { type: 'ephemeral' } };
    expect(body.messages).toMatchObject([
      { content: [{ text: '1' }, { text: '2', ...mark }] },
      { role: 'assistant' },
      { role: 'tool', content: [{ text: 'r', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
      {
        content: [
          { text: '3', ...mark },
          { text: '4', ...mark },
        ],
      },
    ]);
    expect(losses).toEqual([
      expect.objectContaining({ path: '/messages/2/content/0', feature: 'cache.mark', kind: 'moved' }),
      expect.objectContaining({ path: '/messages/0/content/0', feature: 'cache.mark', kind: 'dropped' }),
    ]);
  });
});

describe('what chat clients ask of other services', () => {
  test('a model that continues its last message is asked to', () => {
    const messages = [
      { role: 'user', content: 'q' },
      { role: 'assistant', content: 'The answer is' },
    ];
    const { body, losses } = translateRequest({
      from: 'chatCompletions',
      to: 'messages',
      body: { model: 'm', max_tokens: 100, messages, continue_final_message: true, add_generation_prompt: false },
      profile: 'claude-3-5-haiku',
    });
    expect(body.messages).toEqual(messages);
    expect(losses).toEqual([]);
  });
});
