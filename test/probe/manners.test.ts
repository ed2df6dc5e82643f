import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { parseConfig } from '../../src/config/index.js';
import { blockOf, type ProbeReport, printBlock, probe } from '../../src/probe/index.js';
import { liar, stream } from '../support/answering/liar.js';
import { json } from '../support/gateway/harness.js';

const LIST = { object: 'list', data: [{ id: 'tiny', object: 'model', owned_by: 'x' }] };
const WORDS = 'One, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen'.split(
  ' ',
);

/** An answer of chat completions with so many words. */
function said(words: number, more: object = {}) {
  const message = { role: 'assistant', content: WORDS.slice(0, words).join(' '), ...more };
  return { choices: [{ index: 0, message, finish_reason: 'length' }] };
}

const TEXT = { ...said(14), usage: { prompt_tokens: 20, completion_tokens: 14 } };
const CHUNK = { choices: [{ index: 0, delta: { content: 'One, two, three,' }, finish_reason: 'length' }] };

const chat = (url: string, more: object = {}) =>
  probe({ url, model: 'tiny', dialects: ['chatCompletions'], seconds: 60, callSeconds: 20, ...more });

function findingOf(report: ProbeReport, row: string) {
  const { verdict, words } = report.findings.find((one) => one.row === row) ?? {};
  return { verdict, words };
}

describe('a first question', () => {
  test('that is one too many leaves the other endpoints', async () => {
    const { url } = await liar(({ method, path }, response) => {
      if (method === 'GET') json(response, 200, LIST);
      else if (path.endsWith('/chat/completions')) json(response, 429, { error: { message: 'slow down' } });
      else
        json(response, 200, {
          type: 'message',
          content: [{ type: 'text', text: 'One, two' }],
          stop_reason: 'max_tokens',
        });
    });
    const report = await chat(url, { dialects: ['chatCompletions', 'messages'] });
    expect(report.endpoints).toMatchObject([
      { dialect: 'chatCompletions', answers: false, reason: '429 slow down' },
      { dialect: 'messages', answers: true },
    ]);
  });

  test('goes without what is refused, in whatever order', async () => {
    const { url } = await liar(({ method, body }, response) => {
      const refuse = (message: string) => json(response, 400, { error: { message } });
      if (method === 'GET') json(response, 200, LIST);
      else if (body.max_tokens !== undefined)
        refuse(
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        );
      else if (body.temperature !== undefined)
        refuse(
          "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
        );
      else if (body.stream === true) stream(response, CHUNK, '[DONE]');
      else json(response, 200, TEXT);
    });
    const report = await chat(url);
    expect(report.endpoints).toMatchObject([{ answers: true }]);
    expect(blockOf(report, false)?.backends.server?.profile).toMatchObject({
      server: { maxTokensField: 'max_completion_tokens' },
    });
  });
});

test('no cap of a stream of responses is under the least that there is', async () => {
  const { url } = await liar(({ method, body }, response) => {
    const answer = {
      output: [{ type: 'message', content: [{ type: 'output_text', text: WORDS.join(' ') }] }],
      ...{ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    };
    const message = `Invalid 'max_output_tokens': integer below minimum value. Expected a value >= 16, but got ${body.max_output_tokens} instead.`;
    if (method === 'GET') json(response, 200, LIST);
    else if (Number(body.max_output_tokens) < 16) json(response, 400, { error: { message } });
    else if (body.stream === true) stream(response, { type: 'response.incomplete', response: answer });
    else json(response, 200, answer);
  });
  expect(findingOf(await chat(url, { dialects: ['responses'] }), 'stream').verdict).toBe('holds');
});

test.each([['counts'], ['does not count']])(
  'the newer cap of a model that thinks by itself, and %s',
  async (counting) => {
    const usage = (tokens: number) =>
      counting === 'counts' && { usage: { prompt_tokens: 20, completion_tokens: tokens } };
    const { url } = await liar(({ method, body }, response) => {
      const isQuiet = body.reasoning_effort === 'none';
      const cap = Number(body.max_completion_tokens ?? body.max_tokens);
      const [content = '', more] = isQuiet
        ? [WORDS.slice(0, cap).join(' ')]
        : ['', { reasoning_content: 'So they want' }];
      if (method === 'GET') json(response, 200, LIST);
      else if (body.stream === true)
        stream(
          response,
          { choices: [{ index: 0, delta: { content, ...more }, finish_reason: 'length' }] },
          { choices: [], ...usage(cap) },
          '[DONE]',
        );
      else json(response, 200, { ...said(cap, { content, ...more }), ...usage(cap) });
    });
    const report = await chat(url);
    expect(findingOf(report, 'thinkingOff').verdict).toBe('holds');
    expect(findingOf(report, 'thinkingOn').words).toBe('without being asked');
    expect(findingOf(report, 'newerCap').verdict).toBe('holds');
    // A word of the text with which others are compared.
    expect(findingOf(report, 'stop')).toEqual({ verdict: 'ignored', words: 'the text goes on' });
  },
);

test('nothing large is asked of a server that does not stream', async () => {
  const { url, calls } = await liar(({ method }, response) => json(response, 200, method === 'GET' ? LIST : TEXT));
  const report = await chat(url);
  expect(findingOf(report, 'stream').verdict).toBe('other');
  for (const row of ['largeCap', 'cancel'])
    expect(findingOf(report, row)).toEqual({ verdict: 'undecided', words: 'no stream came that could be left' });
  const caps = calls.flatMap(({ body }) => body.max_tokens ?? body.max_completion_tokens ?? []);
  expect(caps.length).toBeGreaterThan(10);
  expect(caps.filter((cap) => Number(cap) > 16)).toEqual([]);
});

test('comments in a stream are no events', async () => {
  const { url } = await liar(({ method, body }, response) => {
    if (method === 'GET') return json(response, 200, LIST);
    if (body.stream !== true) return json(response, 200, TEXT);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(': OPENROUTER PROCESSING\n\n'.repeat(130));
    response.end(`data: ${JSON.stringify(CHUNK)}\n\ndata: [DONE]\n\n`);
  });
  const report = await chat(url);
  for (const row of ['stream', 'newerCap', 'largeCap'])
    expect([row, findingOf(report, row).verdict]).toEqual([row, 'holds']);
});

test('what nobody answered to is not taken to hold where unknown members are refused', async () => {
  const isSwitch = ({ seed, parallel_tool_calls: single }: Record<string, unknown>) =>
    seed !== undefined || single !== undefined;
  const { url } = await liar(({ method, body }, response) => {
    const message = "Unexpected fields in the request: {'interlingua_probe'}";
    if (method === 'GET') json(response, 200, LIST);
    else if (body.interlingua_probe !== undefined) json(response, 422, { detail: message });
    else if (isSwitch(body)) json(response, 503, { error: { message: 'busy' } });
    else if (body.stream === true) stream(response, CHUNK, '[DONE]');
    else json(response, 200, TEXT);
  });
  const report = await chat(url);
  expect(findingOf(report, 'unknown').verdict).toBe('refused');
  for (const row of ['seed', 'parallel'])
    expect(findingOf(report, row)).toEqual({ verdict: 'undecided', words: '503 busy' });
});

test.each([['whole answers'], ['events'], ['refusals']])('nesting without end in %s', async (where) => {
  const deep = `{"error":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
  const { url } = await liar(({ method, body }, response) => {
    if (method === 'GET') return json(response, 200, LIST);
    if (where === 'events' && body.stream === true) return stream(response, deep);
    if (where === 'events') return json(response, 200, TEXT);
    response.writeHead(where === 'refusals' ? 400 : 200, { 'content-type': 'application/json' });
    response.end(deep);
  });
  const report = await chat(url);
  expect(report.endpoints).toMatchObject([{ answers: where === 'events' }]);
  expect(JSON.stringify(report).length).toBeLessThan(20_000);
});

test('a begun answer that is continued only where it is marked', async () => {
  const { url } = await liar(({ method, body }, response) => {
    const isMarked = body.continue_final_message === true && body.add_generation_prompt === false;
    if (method === 'GET') json(response, 200, LIST);
    else if (body.stream === true) stream(response, CHUNK, '[DONE]');
    else json(response, 200, isMarked ? said(14, { content: ' five, six, seven' }) : TEXT);
  });
  const report = await chat(url);
  expect(findingOf(report, 'prefill').verdict).toBe('holds');
  expect(blockOf(report, false)?.backends.server?.profile).toMatchObject({
    prefill: true,
    server: { prefillForm: 'continue' },
  });
});

test('a model that is named is asked where the list does not come', async () => {
  const { url } = await liar(({ method, body }, response) => {
    if (method === 'GET') response.destroy();
    else if (body.stream === true) stream(response, CHUNK, '[DONE]');
    else json(response, 200, TEXT);
  });
  expect((await chat(url)).endpoints).toMatchObject([{ answers: true }]);
  expect(await chat(url, { model: undefined })).toMatchObject({ endpoints: [], stopped: expect.any(String) });
});

test('the version of a query is written, and what else it has is named', async () => {
  const { url, calls } = await liar(({ method, body }, response) => {
    if (method === 'GET') json(response, 200, LIST);
    else if (body.stream === true) stream(response, CHUNK, '[DONE]');
    else json(response, 200, TEXT);
  });
  const report = await chat(`${url}/?api-version=2026-01-01&code=a-secret`);
  const asked = calls.flatMap(({ method, path }) => (method === 'POST' ? [path] : []));
  expect([...new Set(asked)]).toEqual(['/v1/chat/completions?api-version=2026-01-01&code=a-secret']);
  const block = blockOf(report, false) ?? { backends: {}, models: {} };
  const text = printBlock(report, block);
  expect(block.backends.server?.baseUrl).toBe(`${url}/v1?api-version=2026-01-01`);
  expect(text).toContain('# The address had a query: code. If calls need it');
  expect(JSON.stringify(report) + text).not.toContain('a-secret');
  const { backends } = parseConfig(parse(text));
  expect(backends.server).toMatchObject({ baseUrl: `${url}/v1`, query: 'api-version=2026-01-01' });
});
