import { GATEWAY_KEY } from '../sdk/stage.js';
import { connectChatCompletions, connectGenerateContent, connectMessages, connectResponses } from './clients.js';
import type { FakeDialectName, RawReply } from './fake-backend/index.js';
import { FRAMES, WHOLE } from './gateway/harness.js';

/** What a dialect can say that no other takes. */
interface Lossy {
  /** Fields of a request; for generateContent of its config. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** `feature kind path` */
  readonly request: string;
  /** `feature kind` */
  readonly answer: string;
}

export const LOSSY: Readonly<Record<FakeDialectName, Lossy>> = {
  messages: {
    fields: { inference_geo: 'us' },
    request: 'ext.inference_geo dropped /inference_geo',
    answer: 'finish dropped',
  },
  responses: {
    fields: { text: { verbosity: 'low' } },
    request: 'verbosity dropped /text/verbosity',
    answer: 'part.phase dropped',
  },
  generateContent: {
    fields: { enableEnhancedCivicAnswers: true },
    request: 'ext.enableEnhancedCivicAnswers dropped /generationConfig/enableEnhancedCivicAnswers',
    answer: 'telemetry dropped',
  },
  chatCompletions: {
    fields: { logit_bias: { 1: 5 } },
    request: 'sampling.logitBias dropped /logit_bias',
    answer: 'telemetry dropped',
  },
};

/** An answer that says Hello and something that only its own dialect can say. */
export function replyOf(backend: FakeDialectName, stream: boolean): RawReply {
  const pieces = stream ? FRAMES[backend]('Hello') : [JSON.stringify(WHOLE[backend]('Hello'))];
  return {
    kind: 'raw',
    headers: { 'content-type': stream ? 'text/event-stream' : 'application/json' },
    // The client has its head before the backend says how the answer ends.
    chunks: pieces.flatMap((piece) => [EXTRA[backend](piece), { pauseMs: 5 }]),
  };
}

const EXTRA: Readonly<Record<FakeDialectName, (text: string) => string>> = {
  messages: (text) =>
    text.replace(
      '"stop_reason":"end_turn","stop_sequence":null',
      '"stop_reason":"stop_sequence","stop_sequence":"END"',
    ),
  responses: (text) => text.replaceAll('"role":"assistant"', '"role":"assistant","phase":"commentary"'),
  generateContent: (text) => text.replaceAll('"finishReason":"STOP"', '"finishReason":"STOP","avgLogprobs":-0.5'),
  chatCompletions: (text) => text.replaceAll('"model":"h-real"', '"model":"h-real","provider":"Fake"'),
};

export interface LossyAsk {
  readonly client: FakeDialectName;
  readonly model: string;
  readonly lossy: Lossy;
  /** More headers of the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** More fields of the request. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** What came back: what the SDK read, and the head and bytes it read it from. */
export interface LossyAnswer {
  readonly text: string;
  readonly headers: Headers;
  readonly body: string;
}

/** Sends a request with a lossy field through the official client. Rejects with the SDK's own error. */
export async function sendLossy(url: string, ask: LossyAsk, stream: boolean): Promise<LossyAnswer> {
  let kept: { readonly headers: Headers; readonly body: Promise<string> } | undefined;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await globalThis.fetch(input, init);
    // Read beside the client, which waits at the end for everybody who reads the same bytes.
    kept = { headers: response.headers, body: response.clone().text() };
    return response;
  };
  const text = await CLIENTS[ask.client](url, ask, stream, fetch);
  if (kept === undefined) throw new Error('the client called nobody');
  return { text, headers: kept.headers, body: await kept.body };
}

type Client = (url: string, ask: LossyAsk, stream: boolean, fetch: typeof globalThis.fetch) => Promise<string>;

const PROMPT = 'Say hello.';

const CLIENTS: Readonly<Record<FakeDialectName, Client>> = {
  async messages(url, { model, lossy, headers, fields }, stream, fetch) {
    const client = connectMessages(url, { apiKey: GATEWAY_KEY, fetch });
    const body = {
      model,
      max_tokens: 100,
      messages: [{ role: 'user' as const, content: PROMPT }],
      ...lossy.fields,
      ...fields,
    };
    const message = stream
      ? await client.messages.stream(body, { headers }).finalMessage()
      : await client.messages.create(body, { headers });
    return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
  },
  async responses(url, { model, lossy, headers, fields }, stream, fetch) {
    const client = connectResponses(url, { apiKey: GATEWAY_KEY, fetch });
    const body = { model, input: PROMPT, ...lossy.fields, ...fields };
    if (!stream) return (await client.responses.create(body, { headers })).output_text;
    return (await client.responses.stream(body, { headers }).finalResponse()).output_text;
  },
  async generateContent(url, { model, lossy, headers, fields }, stream, fetch) {
    const client = connectGenerateContent(url, { apiKey: GATEWAY_KEY, fetch });
    const config = { ...lossy.fields, ...fields, httpOptions: { headers: { ...headers } } };
    const params = { model, contents: PROMPT, config };
    if (!stream) return (await client.models.generateContent(params)).text ?? '';
    let text = '';
    for await (const chunk of await client.models.generateContentStream(params)) text += chunk.text ?? '';
    return text;
  },
  async chatCompletions(url, { model, lossy, headers, fields }, stream, fetch) {
    const client = connectChatCompletions(url, { apiKey: GATEWAY_KEY, fetch });
    const body = { model, messages: [{ role: 'user' as const, content: PROMPT }], ...lossy.fields, ...fields };
    const { completions } = client.chat;
    const answer = stream
      ? await completions.stream(body, { headers }).finalChatCompletion()
      : await completions.create(body, { headers });
    return answer.choices[0]?.message.content ?? '';
  },
};
