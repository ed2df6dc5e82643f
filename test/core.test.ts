import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import * as chatCompletionsParts from '../translators/chat-completions/parts.js';
import { createRequestTranslators, createTranslators, TranslationError } from '../translators/core.js';
import * as generateContentParts from '../translators/generate-content/parts.js';
import * as whole from '../translators/index.js';
import * as messagesParts from '../translators/messages/parts.js';
import * as responsesParts from '../translators/responses/parts.js';
import { zodSchemas } from '../translators/zod.js';
import { agentConversation } from './support/agent-conversation.js';
import { answerStream } from './support/answers.js';
import { tableOf } from './support/dialects/index.js';
import { FAKE_DIALECTS } from './support/fake-backend/index.js';
import { crossPairsOf } from './support/pairs.js';

const { messages, messagesRequests, messagesClient, messagesBackend } = messagesParts;
const { responses, responsesRequests, responsesClient, responsesBackend } = responsesParts;
const { generateContent, generateContentRequests, generateContentClient, generateContentBackend } =
  generateContentParts;
const { chatCompletions, chatCompletionsRequests, chatCompletionsClient, chatCompletionsBackend } =
  chatCompletionsParts;
const PARTS = { messages, responses, generateContent, chatCompletions };
const CLIENTS = {
  messages: messagesClient,
  responses: responsesClient,
  generateContent: generateContentClient,
  chatCompletions: chatCompletionsClient,
};
const BACKENDS = {
  messages: messagesBackend,
  responses: responsesBackend,
  generateContent: generateContentBackend,
  chatCompletions: chatCompletionsBackend,
};
const CLIENT_REQUESTS = {
  messages: messagesParts.messagesClientRequests,
  responses: responsesParts.responsesClientRequests,
  generateContent: generateContentParts.generateContentClientRequests,
  chatCompletions: chatCompletionsParts.chatCompletionsClientRequests,
};
const BACKEND_REQUESTS = {
  messages: messagesParts.messagesBackendRequests,
  responses: responsesParts.responsesBackendRequests,
  generateContent: generateContentParts.generateContentBackendRequests,
  chatCompletions: chatCompletionsParts.chatCompletionsBackendRequests,
};
const REQUESTS = {
  messages: messagesRequests,
  responses: responsesRequests,
  generateContent: generateContentRequests,
  chatCompletions: chatCompletionsRequests,
};
const MODELS = tableOf('model');
const CROSS_PAIRS = crossPairsOf(FAKE_DIALECTS);

describe('translators of halves', () => {
  test.each(CROSS_PAIRS)('%s to %s: a request becomes what the whole library makes of it', (from, to) => {
    const options = { from, to, body: agentConversation(from, 3), model: MODELS[to] };
    const expected = whole.translateRequest(options);
    const { translateRequest } = createTranslators({ clients: [CLIENTS[from]], backends: [BACKENDS[to]] });
    expect(translateRequest(options)).toEqual(expected);
    const requests = { clients: [CLIENT_REQUESTS[from]], backends: [BACKEND_REQUESTS[to]] };
    expect(createRequestTranslators(requests).translateRequest(options)).toEqual(expected);
  });

  test.each(CROSS_PAIRS)('%s to %s: so do a stream and an error on their way back', (client, backend) => {
    const halves = createTranslators({ clients: [CLIENTS[client]], backends: [BACKENDS[backend]] });
    const way = { from: backend, to: client };
    const request = agentConversation(client, 3);
    const [expected, streamed] = [whole, halves].map(({ createStreamTranslator }) => {
      const stream = createStreamTranslator({ ...way, request, model: 'm', now: 0 });
      return stream.push(answerStream(backend, 12).join('')) + stream.end();
    });
    expect(streamed).toBe(expected);
    const error = { ...way, status: 429, body: { error: { message: 'slow down' } } };
    expect(halves.translateError(error)).toEqual(whole.translateError(error));
  });

  test('each is known on its own side alone', () => {
    const { decodeRequest, encodeRequest, detectDialect } = createTranslators({
      clients: [messagesClient],
      backends: [responsesBackend],
    });
    // @ts-expect-error Clients speak another dialect.
    expect(() => decodeRequest('responses', {})).toThrow('there is no dialect "responses"; known: messages');
    const { value } = decodeRequest('messages', agentConversation('messages', 1));
    // @ts-expect-error So do services.
    expect(() => encodeRequest('messages', value)).toThrow('there is no dialect "messages"; known: responses');
    expect(detectDialect(agentConversation('messages', 1))).toBe('messages');
    expect(detectDialect(agentConversation('responses', 1))).toBeUndefined();
  });

  test('a stream of one dialect passes where that is whole among the clients, and is refused else', () => {
    const backends = [messagesBackend, responsesBackend];
    const [half, all] = [
      createTranslators({ clients: [messagesClient], backends }),
      createTranslators({ clients: [messages], backends }),
    ];
    const way = { from: 'messages', to: 'messages' } as const;
    expect(() => half.createStreamTranslator(way)).toThrow(
      expect.objectContaining({
        kind: 'invalid_request',
        message: expect.stringContaining('the whole dialect `messages`'),
      }),
    );
    const text = answerStream('messages', 3).join('');
    const stream = all.createStreamTranslator(way);
    expect(stream.push(text) + stream.end()).toBe(text);
    expect(half.translateResponse({ ...way, body: { id: 'a' } }).body).toEqual({ id: 'a' });
  });
});

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
