import { describe, expect, test } from '@jest/globals';
import { createStreamTranslator, translateRequest, translateResponse } from '../translators/index.js';

/** Opaque state over several turns, gateways and backends (translation.md 4). Single hops are cases in test/cases. */

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
    });
    expect(signatureOf(next.body)).toBe('skip_thought_signature_validator');
    expect(next.losses.map((loss) => `${loss.feature} ${loss.kind}`).sort()).toEqual([
      'reasoning.state dropped',
      'reasoning.state invented',
    ]);
    expect(JSON.stringify(next.body)).not.toContain('ilingua1');
  });

  test('after an excursion to another backend the state still comes home', () => {
    const answer = answerMessages(signedCall(), 'here');
    const body = secondTurn(answer);
    translateRequest({ from: 'messages', to: 'responses', body, domain: 'other' });
    const back = translateRequest({ from: 'messages', to: 'generateContent', body, domain: 'here' });
    expect(signatureOf(back.body)).toBe(SIGNATURE);
  });
});

describe('several gateways', () => {
  /** A Messages client, a gateway that calls a Responses service, which is a gateway before a generateContent service. */
  function throughTwo(): { inner: Json; outer: Json } {
    const inner = translateResponse({
      ...HOST,
      from: 'generateContent',
      to: 'responses',
      body: signedCall(),
      domain: 'deep',
      request: responsesRequest([{ role: 'user', content: 'q' }]),
    }).body;
    const outer = translateResponse({
      ...HOST,
      from: 'responses',
      to: 'messages',
      body: inner,
      domain: 'middle',
      request: messagesRequest(),
    }).body;
    return { inner, outer };
  }

  test('each takes off its own layer', () => {
    const { outer } = throughTwo();
    const middle = translateRequest({ from: 'messages', to: 'responses', body: secondTurn(outer), domain: 'middle' });
    const deep = translateRequest({ from: 'responses', to: 'generateContent', body: middle.body, domain: 'deep' });
    expect(signatureOf(deep.body)).toBe(SIGNATURE);
  });

  test('a gateway that was taken away is not missed', () => {
    const { outer } = throughTwo();
    const direct = translateRequest({
      from: 'messages',
      to: 'generateContent',
      body: secondTurn(outer),
      domain: 'deep',
    });
    expect(signatureOf(direct.body)).toBe(SIGNATURE);
  });

  test('a gateway that was added is not noticed', () => {
    const { inner } = throughTwo();
    const direct = translateRequest({
      from: 'responses',
      to: 'generateContent',
      body: secondInput(inner),
      domain: 'deep',
    });
    expect(signatureOf(direct.body)).toBe(SIGNATURE);
  });

  test('within one dialect a carrier passes untouched', () => {
    const { inner } = throughTwo();
    const body = secondInput(inner);
    const relayed = translateRequest({ from: 'responses', to: 'responses', body, domain: 'middle' });
    expect(relayed.body).toEqual(body);
  });
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

  test.each([
    ['cut', (text: string) => text.slice(0, -12)],
    ['changed', (text: string) => `${text.slice(0, 40)}${text[40] === 'A' ? 'B' : 'A'}${text.slice(41)}`],
    ['emptied', (text: string) => text.slice(0, 8)],
  ])('%s, it counts as absent and is not sent on', (_what, damage) => {
    const answer = answerMessages(signedCall(), 'here');
    const body = secondTurn(withCarrier(answer, damage(carrierOf(answer))));
    const next = translateRequest({ from: 'messages', to: 'generateContent', body, domain: 'here' });
    expect(signatureOf(next.body)).toBe('skip_thought_signature_validator');
    expect(JSON.stringify(next.body)).not.toContain('ilingua1');
    expect(next.losses).toContainEqual(expect.objectContaining({ feature: 'reasoning.state', kind: 'dropped' }));
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

test('the encoding of earlier turns does not change when turns are added', () => {
  const answer = answerMessages(signedCall(), 'here');
  const short = secondTurn(answer);
  const long = {
    ...short,
    messages: [
      ...(short.messages as unknown[]),
      { role: 'assistant', content: 'done' },
      { role: 'user', content: 'and now?' },
    ],
  };
  const first = translateRequest({ from: 'messages', to: 'generateContent', body: short, domain: 'here' }).body;
  const second = translateRequest({ from: 'messages', to: 'generateContent', body: long, domain: 'here' }).body;
  const contents = first.contents as unknown[];
  expect(JSON.stringify((second.contents as unknown[]).slice(0, contents.length))).toBe(JSON.stringify(contents));
});
