import { describe, expect, test } from '@jest/globals';
import { type DialectId, dialectIds, TranslationError, translateRequest } from '../../../translators/index.js';
import { modelOf, pass } from './chain.js';
import { createClient } from './clients.js';
import { assistantTurns } from './home.js';
import type { Json } from './issuers.js';

/** What a service compacted on its own side rides as its state and comes home to it (translation.md 2.6, 4.1). */

const HOP = { domain: 'home', others: new Set<string>() };
const ITEM = { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAcipher' };
const SEARCH = {
  id: 'ws_1',
  type: 'web_search_call',
  status: 'completed',
  action: { type: 'search', query: 'q', sources: [] },
};
const WORDS = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Well.', annotations: [], logprobs: [] }],
};

function response(output: readonly Json[]): Json {
  return { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', model: 'r', output, usage: null };
}

const BLOCK = { type: 'compaction', content: null, encrypted_content: 'Y2lwaGVy' };

function message(content: readonly Json[]): Json {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content,
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

/** The client's second request, after an answer that a backend of `backend` compacted something in. */
function secondRequest(client: DialectId, backend: DialectId, answer: Json, stream: boolean): Json {
  const session = createClient(client);
  session.user('Begin.');
  const passage = pass(client, session.request(stream), [{ to: backend, ...HOP }], stream);
  session.answer(passage.answer(answer));
  session.user('Go on.');
  return session.request(false);
}

const WAYS = [false, true];

function othersThan(backend: DialectId): readonly DialectId[] {
  return dialectIds.filter((id) => id !== backend);
}

describe.each(WAYS)('a compaction, streamed: %s', (stream) => {
  test.each(othersThan('responses'))('of responses comes home through a client of %s', (client) => {
    for (const before of [[], [SEARCH]]) {
      const body = secondRequest(client, 'responses', response([...before, ITEM, WORDS]), stream);
      const { sent } = pass(client, body, [{ to: 'responses', ...HOP }], false);
      expect((sent.input as Json[]).slice(1, -1)).toEqual([
        ...before,
        ITEM,
        expect.objectContaining({ type: 'message', role: 'assistant' }),
      ]);
    }
  });

  test.each(othersThan('messages'))('of messages comes home through a client of %s', (client) => {
    const body = secondRequest(client, 'messages', message([BLOCK, { type: 'text', text: 'Well.' }]), stream);
    const { sent } = pass(client, body, [{ to: 'messages', ...HOP }], false);
    expect(assistantTurns('messages', sent)).toEqual([[BLOCK, { words: 'Well.' }]]);
  });

  test('alone in its turn it is kept as well', () => {
    const body = secondRequest('responses', 'messages', message([BLOCK]), stream);
    const { sent } = pass('responses', body, [{ to: 'messages', ...HOP }], false);
    expect((sent.messages as Json[])[1]).toEqual({ role: 'assistant', content: [BLOCK] });
  });

  test('another backend does not get it: shown as an item it is refused, carried beside the words it is left out', () => {
    const shown = secondRequest('responses', 'messages', message([BLOCK, { type: 'text', text: 'Well.' }]), stream);
    const other = { from: 'responses', to: 'generateContent', model: modelOf('generateContent') } as const;
    expect(() => translateRequest({ ...other, body: shown, domain: 'other' })).toThrow(TranslationError);
    const carried = secondRequest('messages', 'responses', response([ITEM, WORDS]), stream);
    const { body, losses } = translateRequest({ ...other, from: 'messages', body: carried, domain: 'other' });
    expect(JSON.stringify(body)).not.toMatch(/gAAAcipher|ilingua1/);
    expect(losses).toContainEqual(
      expect.objectContaining({ feature: 'reasoning.state', kind: 'dropped', detail: 'issued by responses' }),
    );
  });
});
