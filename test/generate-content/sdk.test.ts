import { GoogleGenAI } from '@google/genai';
import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { generateContent } from '../../translators/generate-content/index.js';
import { responseContext } from './support.js';

/** A client whose every call is answered with these bytes, a few at a time. */
function clientFor(body: string, step = 37): GoogleGenAI {
  const bytes = new TextEncoder().encode(body);
  const answer = async (): Promise<Response> => {
    let at = 0;
    const stream = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + step));
        at += step;
      },
    });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  };
  return new GoogleGenAI({ apiKey: 'k', httpOptions: { fetch: answer } });
}

function write(events: readonly StreamEvent[]): string {
  const encoder = generateContent.createStreamEncoder(responseContext());
  return events.map((event) => encoder.encode(event)).join('');
}

const conversation: StreamEvent[] = [
  { type: 'start', id: 'msg_1', model: 'backend', usage: { input: 12 } },
  { type: 'part.start', ix: 0, part: { kind: 'reasoning', text: [] } },
  { type: 'part.delta', ix: 0, op: 'reasoning', value: 'let me see' },
  {
    type: 'part.end',
    ix: 0,
    part: {
      kind: 'reasoning',
      text: ['let me see'],
      state: [{ dialect: 'messages', domain: 'm', kind: 'reasoning', payload: '{}' }],
    },
  },
  { type: 'part.start', ix: 1, part: { kind: 'text', text: '' } },
  { type: 'part.delta', ix: 1, op: 'text', value: 'Grüße ' },
  { type: 'part.delta', ix: 1, op: 'text', value: 'an 世界' },
  { type: 'part.end', ix: 1, part: { kind: 'text', text: 'Grüße an 世界' } },
  { type: 'part.start', ix: 2, part: { kind: 'call', callId: 'toolu_1', name: 'temp', args: { value: {} } } },
  { type: 'part.delta', ix: 2, op: 'args', value: '{"city":' },
  { type: 'part.delta', ix: 2, op: 'args', value: '"Oslo"}' },
  {
    type: 'part.end',
    ix: 2,
    part: { kind: 'call', callId: 'toolu_1', name: 'temp', args: { text: '{"city":"Oslo"}' } },
  },
  { type: 'usage', usage: { output: 9, reasoning: 3 } },
  { type: 'finish', finish: { kind: 'tool_use', raw: 'tool_use', dialect: 'messages' } },
  { type: 'end' },
];

describe("the vendor's own client", () => {
  test('reads our stream', async () => {
    const stream = await clientFor(write(conversation)).models.generateContentStream({ model: 'm', contents: 'hi' });
    let text = '';
    const calls: unknown[] = [];
    const reasons: unknown[] = [];
    let total: number | undefined;
    for await (const chunk of stream) {
      text += (chunk.candidates?.[0]?.content?.parts ?? [])
        .map((part) => (part.thought === true ? '' : (part.text ?? '')))
        .join('');
      calls.push(...(chunk.functionCalls ?? []));
      if (chunk.candidates?.[0]?.finishReason !== undefined) reasons.push(chunk.candidates[0].finishReason);
      total = chunk.usageMetadata?.totalTokenCount ?? total;
      expect(chunk.responseId).toMatch(/^[0-9a-f]{32}$/);
    }
    expect(text).toBe('Grüße an 世界');
    expect(calls).toEqual([{ id: 'toolu_1', name: 'temp', args: { city: 'Oslo' } }]);
    expect(reasons).toEqual(['STOP']);
    expect(total).toBe(21);
  });

  test('its chat helper keeps the turn, and what it sends back is read with its state', async () => {
    const chat = clientFor(write(conversation)).chats.create({ model: 'm' });
    for await (const _chunk of await chat.sendMessageStream({ message: 'hi' })) void _chunk;
    const history = chat.getHistory(true);
    const parts = history.flatMap((content) => (content.role === 'model' ? (content.parts ?? []) : []));
    expect(
      parts
        .filter((part) => part.text !== undefined && part.thought !== true)
        .map((part) => part.text)
        .join(''),
    ).toBe('Grüße an 世界');
    const request = generateContent.decodeRequest(
      { contents: history },
      { losses: responseContext().losses, model: 'm' },
    );
    const carriers = request.turns
      .flatMap((turn) => turn.parts.map((part) => part.carrier))
      .filter((carrier) => carrier !== undefined);
    expect(carriers).toHaveLength(1);
  });

  test('a heartbeat in between changes nothing', async () => {
    const encoder = generateContent.createStreamEncoder(responseContext());
    const body = conversation.map((event) => encoder.encode(event) + encoder.heartbeat()).join('');
    const chat = clientFor(body).chats.create({ model: 'm' });
    let text = '';
    for await (const chunk of await chat.sendMessageStream({ message: 'hi' })) {
      for (const part of chunk.candidates?.[0]?.content?.parts ?? [])
        if (part.thought !== true) text += part.text ?? '';
    }
    expect(text).toBe('Grüße an 世界');
    expect(chat.getHistory(true).length).toBeGreaterThan(1);
  });

  test.each([1, 37, 100_000])('throws on a failure in mid-stream (%d bytes at a time)', async (step) => {
    const events: StreamEvent[] = [
      ...conversation.slice(0, 7),
      { type: 'error', error: { kind: 'overloaded', message: 'full' } },
    ];
    const stream = await clientFor(write(events), step).models.generateContentStream({ model: 'm', contents: 'hi' });
    const drained = async (): Promise<void> => {
      for await (const _chunk of stream) void _chunk;
    };
    await expect(drained()).rejects.toThrow(/full|UNAVAILABLE|Incomplete/);
  });

  test('reads our plain answer', async () => {
    const body = generateContent.encodeResponse(
      {
        source: 'messages',
        id: 'i',
        model: 'm',
        parts: [
          {
            kind: 'text',
            text: 'yes',
            citations: [{ source: 'web', url: 'https://a.example', title: 'A', span: { start: 0, end: 3 } }],
          },
        ],
        finish: { kind: 'end', raw: 'end_turn', dialect: 'messages' },
      },
      responseContext(),
    );
    const answer = await clientFor(JSON.stringify(body)).models.generateContent({ model: 'm', contents: 'hi' });
    expect(answer.text).toBe('yes');
    expect(answer.candidates?.[0]?.groundingMetadata?.groundingSupports?.[0]?.segment).toEqual({
      endIndex: 3,
      text: 'yes',
    });
  });

  test('reads our errors', async () => {
    const { status, body } = generateContent.encodeError(
      { kind: 'rate_limit', message: 'slow down', retryAfterMs: 1500 },
      {},
    );
    const client = new GoogleGenAI({
      apiKey: 'k',
      httpOptions: { fetch: async () => Response.json(body, { status }) },
    });
    await expect(client.models.generateContent({ model: 'm', contents: 'hi' })).rejects.toMatchObject({
      status: 429,
      message: expect.stringContaining('slow down'),
    });
  });
});
