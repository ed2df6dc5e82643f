import { describe, expect, test } from '@jest/globals';
import { decodeRequest, encodeRequest, translateRequest } from '../../translators/index.js';

const CALL = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}', strict: true } };

/** A conversation with everything that servers know in messages, and keys that nobody knows. */
const BODY = {
  model: 'm',
  messages: [
    { role: 'system', content: 'S', name: 'rules' },
    { role: 'developer', content: [{ type: 'text', text: 'D', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    {
      role: 'user',
      name: 'ann',
      content: [
        { type: 'text', text: 'q', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low', odd: 1 } },
        { type: 'image_url', image_url: 'https://example.com/b.png' },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'file', file: { file_id: 'file-1', filename: 'a.pdf' } },
        { type: 'file', file: { filename: 'a.png', file_data: 'data:image/png;base64,iVBORw0KGgo=' } },
        { type: 'video_url', video_url: { url: 'https://example.com/a.mp4', fps: 1 } },
        { type: 'audio_url', audio_url: { url: 'https://example.com/a.mp3' } },
        { type: 'document_url', document_url: 'https://example.com/a.pdf', document_name: 'a.pdf' },
        { type: 'odd', odd: true },
      ],
    },
    {
      role: 'assistant',
      content: null,
      refusal: null,
      reasoning_content: 'Hm.',
      tool_calls: [CALL, { id: 'c2', type: 'custom', custom: { name: 'g', input: 'x' } }],
    },
    { role: 'tool', tool_call_id: 'c1', content: 'r', odd: 1 },
    {
      role: 'tool',
      tool_call_id: 'c2',
      content: [
        { type: 'text', text: 'r' },
        { type: 'text', text: 's' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'a' },
        { type: 'refusal', refusal: 'No.' },
      ],
    },
    { role: 'system', content: 'later' },
    { role: 'assistant', content: '', refusal: 'No.', function_call: { name: 'f', arguments: '{"a":1.0}' } },
    { role: 'function', name: 'f', content: 'r' },
    { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    {
      role: 'assistant',
      content: 'b',
      annotations: [
        {
          type: 'url_citation',
          url_citation: { start_index: 0, end_index: 1, url: 'https://example.com/', title: 'Example' },
        },
      ],
      images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
      prefix: true,
    },
  ],
};

const decoded = (body: unknown) => decodeRequest('chatCompletions', body).value;
const encoded = (request: ReturnType<typeof decoded>) => encodeRequest('chatCompletions', request).value;

describe('a conversation of this dialect', () => {
  test('is encoded as it came', () => {
    expect(encoded(decoded(BODY))).toEqual(BODY);
  });

  test('is encoded to the same meaning without a memory of how it came', () => {
    const again = encoded(structuredClone(decoded(BODY)));
    expect(structuredClone(decoded(again))).toEqual(structuredClone(decoded(BODY)));
  });
});

describe('what only chat clients say', () => {
  test('names of speakers and unknown keys are lost by name', () => {
    const { losses } = translateRequest({
      from: 'chatCompletions',
      to: 'generateContent',
      body: { ...BODY, messages: BODY.messages.slice(0, 2).concat({ role: 'user', content: 'q', odd: 1 } as never) },
    });
    expect(losses.map(({ path, feature }) => `${path} ${feature}`).sort()).toEqual([
      '/messages/0/name turn.name',
      '/messages/1 instruction.authority',
      '/messages/1/content/0 cache.mark',
      '/messages/2/odd ext.odd',
    ]);
  });

  // Something else of the body, as here a key that objects have of themselves, may have the checks copy it.
  test.each([
    ['nothing', {}],
    ['labels', { metadata: { a: 'b' } }],
    ['a key that has the body copied', { constructor: 1 }],
  ])('keys of an object that the model has taken apart are kept beside %s', (_name, more) => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'q' }],
      prompt_cache_options: { mode: 'explicit', ttl: '30m', future: 1 },
      ...more,
    };
    const bag = decoded(body).ext?.chatCompletions;
    expect(JSON.parse(JSON.stringify(bag?.prompt_cache_options))).toEqual({ future: 1 });
    const same = translateRequest({ from: 'chatCompletions', to: 'chatCompletions', body, model: 'other' });
    expect(same.body).toMatchObject({ prompt_cache_options: body.prompt_cache_options });
    const { losses } = translateRequest({ from: 'chatCompletions', to: 'generateContent', body });
    expect(losses.map(({ path }) => path)).toContain('/prompt_cache_options/future');
  });

  test.each([
    ['/messages', { messages: [] }],
    ['/messages/0', { messages: ['q'] }],
    ['/messages/0/role', { messages: [{ role: 'critic', content: 'q' }] }],
    ['/messages/0/content', { messages: [{ role: 'user', content: 1 }] }],
    ['/messages/0/content/0/text', { messages: [{ role: 'user', content: [{ type: 'text' }] }] }],
    ['/messages/0/tool_calls/0/function/name', { messages: [{ role: 'assistant', tool_calls: [{ function: {} }] }] }],
    ['/messages/0/content/0/image_url/url', image('data:image/png;base64,?')],
    ['/model', { model: '', messages: [{ role: 'user', content: 'q' }] }],
  ])('a fault at %s is refused with its path', (path, fields) => {
    expect(() => decodeRequest('chatCompletions', { model: 'm', ...fields })).toThrow(
      expect.objectContaining({ kind: 'invalid_request', path }),
    );
  });
});

function image(url: string) {
  return { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }] };
}
