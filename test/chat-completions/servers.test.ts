import { describe, expect, test } from '@jest/globals';
import type { StreamEvent } from '../../translators/canonical/events.js';
import { createFold } from '../../translators/canonical/fold.js';
import { createLosses } from '../../translators/canonical/loss.js';
import type { CanonicalResponse } from '../../translators/canonical/response.js';
import { chatCompletions } from '../../translators/chat-completions/index.js';
import { into } from '../support/events.js';
import { createIssuedState } from '../support/fake-backend/issued-state.js';
import { type Answer, planOf } from '../support/fake-backend/reply.js';
import { printCompletion } from '../support/services/chat-completions/print.js';
import { SERVERS, type Server, type ServerName } from '../support/services/chat-completions/server.js';
import { streamCompletion } from '../support/services/chat-completions/stream.js';

const HOSTS: Readonly<Record<ServerName, readonly [host: string, model: string]>> = {
  openai: ['api.openai.com', 'gpt-5.2'],
  compatible: ['127.0.0.1:9', 'a-model'],
  azure: ['one.openai.azure.com', 'gpt-4.1'],
  deepseek: ['api.deepseek.com', 'deepseek-v4'],
  kimi: ['api.moonshot.ai', 'kimi-k2-thinking'],
  mistral: ['api.mistral.ai', 'magistral-medium'],
  openrouter: ['openrouter.ai', 'anthropic/claude-sonnet-4-5'],
  gemini: ['generativelanguage.googleapis.com', 'gemini-3-pro'],
  perplexity: ['api.perplexity.ai', 'sonar'],
  local: ['127.0.0.1:1234', 'qwen3'],
};

const CALLS = [
  { name: 'look', arguments: { at: 'the far end of the garden, and a little further' } },
  { name: 'look', arguments: {} },
];

const ANSWERS: Readonly<Record<string, Answer>> = {
  text: { kind: 'text', text: 'One two three four five six seven.', reasoning: ['First this.', 'Then that.'] },
  calls: { kind: 'calls', calls: CALLS, text: 'I look.' },
  'calls that were thought over': { kind: 'reasoning+calls', calls: CALLS, reasoning: 'Both ends.' },
  'a refusal': { kind: 'refusal', text: 'I will not help with that.' },
  'a text that is cut': { kind: 'truncated', text: 'Once upon a' },
  'a call that is cut': { kind: 'truncated', call: { name: 'look', cut: '{"at":"the far en' } },
  'a stop string': { kind: 'text', text: 'Alpha beta', stopSequence: 'STOP' },
};

const USAGE = { input: 90, cached: 40, cacheWritten: 0, output: 30, reasoning: 12 };

function printing(name: ServerName, answer: Answer) {
  const { issued: _issued, ...state } = createIssuedState();
  const minted = new Map<string, number>();
  const mint = (prefix: string, length = 24): string => {
    const count = (minted.get(prefix) ?? 0) + 1;
    minted.set(prefix, count);
    return `${prefix}${String(count).padStart(length, '0')}`;
  };
  const server: Server = SERVERS[name];
  const fixed = { ...state, issue: (binding: string) => Buffer.from(`state of ${binding}`).toString('base64') };
  return {
    plan: planOf(answer),
    model: 'm',
    usage: USAGE,
    server,
    mint,
    state: fixed,
    show: () => {},
    includeUsage: true,
    now: 1,
  };
}

function contextOf(name: ServerName) {
  const [host, model] = HOSTS[name];
  return { losses: createLosses(), domain: 'd', target: chatCompletions.target(model, { model, host }) };
}

function whole(name: ServerName, answer: Answer): CanonicalResponse {
  const body: unknown = JSON.parse(JSON.stringify(printCompletion(printing(name, answer))));
  return chatCompletions.decodeResponse(body, contextOf(name));
}

function streamed(name: ServerName, answer: Answer): CanonicalResponse {
  const events: StreamEvent[] = [];
  const decoder = chatCompletions.createStreamDecoder(contextOf(name), into(events));
  for (const { text } of streamCompletion(printing(name, answer)).frames) decoder.push(text);
  decoder.end();
  const fold = createFold('chatCompletions');
  events.forEach(fold.sink);
  if (fold.response === undefined) throw new Error(JSON.stringify(events.at(-1)));
  return fold.response;
}

const NAMES = Object.keys(SERVERS) as ServerName[];

describe.each(NAMES)('an answer of %s', (name) => {
  test.each(Object.entries(ANSWERS))('%s: the stream says what the whole answer says', (_title, answer) => {
    const [one, other] = [whole(name, answer), streamed(name, answer)];
    expect({ finish: other.finish.kind, parts: said(other) }).toEqual({ finish: one.finish.kind, parts: said(one) });
    expect(other.usage).toEqual(one.usage);
  });

  test('tokens are counted alike, whatever the form', () => {
    const usage = whole(name, ANSWERS.text as Answer).usage;
    expect([usage?.input, usage?.output]).toEqual([90, 30]);
    const silent = name === 'gemini' ? undefined : 40;
    expect(usage?.cacheRead ?? undefined).toBe(silent);
  });
});

/** What the parts say, without how they were spelled. */
function said({ parts }: CanonicalResponse): unknown[] {
  return parts.map((part) => {
    const { src: _src, ext: _ext, state, ...rest } = part as typeof part & { src?: unknown; ext?: unknown };
    return { ...rest, state: state?.map(({ payload, ...entry }: { payload?: unknown }) => entry) };
  });
}
