import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { chatCompletions, chatCompletionsRequests } from '../translators/chat-completions/parts.js';
import { createRequestTranslators, createTranslators, TranslationError } from '../translators/core.js';
import { generateContent, generateContentRequests } from '../translators/generate-content/parts.js';
import * as whole from '../translators/index.js';
import { messages, messagesRequests } from '../translators/messages/parts.js';
import { responses, responsesRequests } from '../translators/responses/parts.js';
import { zodSchemas } from '../translators/zod.js';
import { agentConversation } from './support/agent-conversation.js';
import { answerStream } from './support/answers.js';
import { tableOf } from './support/dialects/index.js';
import { FAKE_DIALECTS } from './support/fake-backend/index.js';
import { crossPairsOf } from './support/pairs.js';

const PARTS = { messages, responses, generateContent, chatCompletions };
const REQUESTS = {
  messages: messagesRequests,
  responses: responsesRequests,
  generateContent: generateContentRequests,
  chatCompletions: chatCompletionsRequests,
};
const MODELS = tableOf('model');
const CROSS_PAIRS = crossPairsOf(FAKE_DIALECTS);

describe('translators of two dialects', () => {
  test.each(CROSS_PAIRS)('%s to %s: a request becomes what the whole library makes of it', (from, to) => {
    const options = { from, to, body: agentConversation(from, 3), model: MODELS[to] };
    const expected = whole.translateRequest(options);
    expect(createTranslators([PARTS[from], PARTS[to]]).translateRequest(options)).toEqual(expected);
    expect(createRequestTranslators([REQUESTS[from], REQUESTS[to]]).translateRequest(options)).toEqual(expected);
  });

  test.each(CROSS_PAIRS)('%s to %s: so do a stream and an error', (from, to) => {
    const parts = createTranslators([PARTS[from], PARTS[to]]);
    const streamed = [whole, parts].map(({ createStreamTranslator }) => {
      const stream = createStreamTranslator({ from, to, now: 0 });
      return stream.push(answerStream(from, 12).join('')) + stream.end();
    });
    expect(streamed[1]).toBe(streamed[0]);
    const error = { from, to, status: 429, body: { error: { message: 'slow down' } } };
    expect(parts.translateError(error)).toEqual(whole.translateError(error));
  });

  test('a dialect that was not handed over is refused by the names of those that were', () => {
    const { decodeRequest, translateRequest } = createTranslators([messages, responses]);
    const unknown: string = 'generateContent';
    const wrong = { from: unknown as 'messages', to: 'responses', body: {} } as const;
    for (const act of [() => translateRequest(wrong), () => decodeRequest(wrong.from, {})]) {
      expect(act).toThrow(TranslationError);
      expect(act).toThrow(
        expect.objectContaining({
          kind: 'invalid_request',
          message: 'there is no dialect "generateContent"; known: messages, responses',
        }),
      );
    }
  });

  test('bodies are told apart among those that were handed over', () => {
    const { detectDialect } = createTranslators([responses, messages]);
    expect(detectDialect(agentConversation('messages', 1))).toBe('messages');
    expect(detectDialect(agentConversation('generateContent', 1))).toBeUndefined();
  });

  test('schemas that describe themselves are taken as they are, others of Zod with their converters', () => {
    const ask = (schema: unknown) => ({
      from: 'messages' as const,
      to: 'responses' as const,
      body: {
        model: 'm',
        max_tokens: 9,
        messages: [{ role: 'user', content: 'hi' }],
        tools: [{ name: 't', input_schema: schema }],
      },
    });
    const parts = [messagesRequests, responsesRequests];
    const plain = createRequestTranslators(parts);
    const expected = whole.translateRequest(ask(z.object({ a: z.string() }))).body;
    expect(plain.translateRequest(ask(z.object({ a: z.string() }))).body).toEqual(expected);
    const old = ask(z3.object({ a: z3.string() }));
    expect(() => plain.translateRequest(old)).toThrow('needs `zodSchemas` of interlingua/translators/zod');
    expect(createRequestTranslators(parts, { schemas: zodSchemas }).translateRequest(old)).toEqual(
      whole.translateRequest(old),
    );
  });
});
