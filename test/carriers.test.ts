import { describe, expect, test } from '@jest/globals';
import { createStreamTranslator, translateRequest, translateResponse } from '../translators/index.js';

/** Single properties of carriers (translation.md 4); what holds for whole sessions is in test/laws/carriers. */

const HOST = { now: 1_700_000_000, nonce: 'test' };
const SIGNATURE = 'U2lnbmF0dXJl';
const TOOLS = [
  { name: 'f', description: 'd', input_schema: { type: 'object', properties: { a: { type: 'integer' } } } },
];

type Json = Record<string, unknown>;

/** An answer of a generateContent backend with a signed call. */
function signedCall(signature = SIGNATURE): Json {
  return {
    candidates: [
      {
        content: {
          role: 'model',
          parts: [{ functionCall: { id: 'k1', name: 'f', args: { a: 1 } }, thoughtSignature: signature }],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: 'g',
    responseId: 'r1',
  };
}

function messagesRequest(messages: unknown[] = [{ role: 'user', content: 'q' }]): Json {
  return { model: 'm', max_tokens: 1000, tools: TOOLS, messages };
}

function responsesRequest(input: unknown[]): Json {
  return {
    model: 'm',
    max_output_tokens: 1000,
    input,
    tools: [{ type: 'function', name: 'f', parameters: TOOLS[0]?.input_schema }],
  };
}

/** The Messages client's second turn: it sends back what it was given, with a result for the call. */
function secondTurn(answer: Json): Json {
  return messagesRequest([
    { role: 'user', content: 'q' },
    { role: 'assistant', content: answer.content },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'k1', content: 'ok' }] },
  ]);
}

/** The Responses client's second turn. */
function secondInput(answer: Json): Json {
  return responsesRequest([
    { role: 'user', content: 'q' },
    ...(answer.output as unknown[]),
    { type: 'function_call_output', call_id: 'k1', output: 'ok' },
  ]);
}

function answerMessages(body: Json, domain: string): Json {
  return translateResponse({
    ...HOST,
    from: 'generateContent',
    to: 'messages',
    body,
    domain,
    request: messagesRequest(),
  }).body;
}

/** The signature on the call of the second content, where the model's turn stands. */
function signatureOf(body: unknown): unknown {
  const { contents } = body as { contents: { parts: { thoughtSignature?: string; functionCall?: unknown }[] }[] };
  return contents[1]?.parts.find((part) => part.functionCall !== undefined)?.thoughtSignature;
}

describe('the domain', () => {
  test('state is opened for the backend that issued it', () => {
    const answer = answerMessages(signedCall(), 'here');
    const next = translateRequest({
      from: 'messages',
      to: 'generateContent',
      body: secondTurn(answer),
      domain: 'here',
    });
    expect(signatureOf(next.body)).toBe(SIGNATURE);
    expect(next.losses).toEqual([]);
  });

  test('another backend of the same dialect does not get it', () => {
    const answer = answerMessages(signedCall(), 'here');
    const next = translateRequest({
      from: 'messages',
      to: 'generateContent',
      body: secondTurn(answer),
      domain: 'elsewhere',
      profile: 'gemini-3-pro',
    });
    expect(signatureOf(next.body)).toBe('skip_thought_signature_validator');
    expect(next.losses.map((loss) => `${loss.feature} ${loss.kind}`).sort()).toEqual([
      'reasoning.state dropped',
      'reasoning.state invented',
    ]);
    expect(JSON.stringify(next.body)).not.toContain('ilingua1');
  });
});

test('within one dialect a carrier passes untouched', () => {
  const { body: inner } = translateResponse({
    ...HOST,
    from: 'generateContent',
    to: 'responses',
    body: signedCall(),
    domain: 'deep',
    request: responsesRequest([{ role: 'user', content: 'q' }]),
  });
  const body = secondInput(inner);
  const relayed = translateRequest({ from: 'responses', to: 'responses', body, domain: 'middle' });
  expect(relayed.body).toEqual(body);
});

describe('what clients do to a carrier', () => {
  function carrierOf(answer: Json): string {
    const [block] = answer.content as { signature: string }[];
    return block?.signature ?? '';
  }

  function withCarrier(answer: Json, carrier: string): Json {
    const [block, ...rest] = answer.content as Json[];
    return { ...answer, content: [{ ...block, signature: carrier }, ...rest] };
  }

  test('the URL-safe alphabet is read', () => {
    // A payload whose base64 holds both letters that differ.
    const answer = answerMessages(signedCall(`${'++//'.repeat(20)}`), 'here');
    const carrier = carrierOf(answer);
    const swapped = carrier.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
    const body = secondTurn(withCarrier(answer, swapped));
    const next = translateRequest({ from: 'messages', to: 'generateContent', body, domain: 'here' });
    expect(signatureOf(next.body)).toBe('++//'.repeat(20));
  });

  test('a large signature comes home whole', () => {
    const signature = btoa('a fairly compressible signature '.repeat(4000));
    const answer = answerMessages(signedCall(signature), 'here');
    expect(carrierOf(answer).length).toBeLessThan(signature.length / 4);
    const next = translateRequest({
      from: 'messages',
      to: 'generateContent',
      body: secondTurn(answer),
      domain: 'here',
    });
    expect(signatureOf(next.body)).toBe(signature);
  });
});

test('streamed and whole answers give the same carrier', () => {
  const whole = answerMessages(signedCall(), 'here');
  const stream = createStreamTranslator({
    ...HOST,
    from: 'generateContent',
    to: 'messages',
    domain: 'here',
    request: messagesRequest(),
  });
  const text = stream.push(`data: ${JSON.stringify(signedCall())}\r\n\r\n`) + stream.end();
  const streamed = /"signature_delta","signature":"([^"]+)"/.exec(text)?.[1];
  const [block] = whole.content as { signature: string }[];
  expect(streamed).toBe(block?.signature);
});
