import type { ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { blockOf, headOf, notesOf, type ProbeReport, printBlock, probe, tableOf } from '../../src/probe/index.js';
import { liar, stream } from '../support/answering/liar.js';
import { json } from '../support/gateway/harness.js';

const KEY = 'sk-a-key-that-nobody-may-see-0123';

const LIST = (entry: object = {}) => ({
  object: 'list',
  data: [{ id: 'tiny', object: 'model', owned_by: 'x', ...entry }],
});

const SAID = { role: 'assistant', content: 'Whatever you say, I say this, and nothing else, again and again.' };
const TEXT = {
  choices: [{ index: 0, message: SAID, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 12 },
};

const CHUNK = { choices: [{ index: 0, delta: SAID, finish_reason: 'stop' }] };

/** All that is printed of a report. */
function printed(report: ProbeReport): string {
  const block = blockOf(report, true);
  const lines = [...headOf(report), ...tableOf(report, false), ...notesOf(report), JSON.stringify(report)];
  return [...lines, ...(block === undefined ? [] : [printBlock(report, block)])].join('\n');
}

/** What a text holds that terminals obey; line ends are our own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const HARMFUL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/;

const chat = (url: string, more: object = {}) =>
  probe({ url, model: 'tiny', dialects: ['chatCompletions'], seconds: 60, callSeconds: 20, ...more });

function verdictOf(report: ProbeReport, row: string): string | undefined {
  return report.findings.find((one) => one.row === row)?.verdict;
}

describe('servers that lie', () => {
  test('one that accepts everything and does none of it', async () => {
    const { url } = await liar(({ method, body }, response) => {
      if (method === 'GET') json(response, 200, LIST());
      else if (body.stream === true) stream(response, CHUNK, '[DONE]');
      else json(response, 200, TEXT);
    });
    const report = await chat(url);
    for (const row of ['forced', 'named', 'allowed', 'schema', 'pictures', 'documents', 'logprobs', 'choices', 'stop'])
      expect([row, verdictOf(report, row)]).toEqual([row, 'ignored']);
    expect(verdictOf(report, 'tools')).toBe('undecided');
    expect(verdictOf(report, 'none')).toBe('undecided');
    expect(blockOf(report, false)?.backends.server?.profile).toMatchObject({
      schemaOutput: false,
      server: { toolChoice: 'auto', imageParts: false, logprobs: false, stopMax: 0 },
    });
  });

  test('one that claims a window that it refuses', async () => {
    const { url } = await liar(({ method, body }, response) => {
      const cap = Number(body.max_tokens ?? body.max_completion_tokens);
      const message = `max_tokens=${cap} cannot be greater than max_model_len=4096.`;
      if (method === 'GET') json(response, 200, LIST({ max_model_len: 131_072 }));
      else if (cap > 4096) json(response, 400, { error: { message } });
      else if (body.stream === true) stream(response, CHUNK, '[DONE]');
      else json(response, 200, TEXT);
    });
    const report = await chat(url);
    expect(report.models).toEqual([{ id: 'tiny', window: 131_072 }]);
    expect(blockOf(report, false)?.backends.server?.profile).toMatchObject({ maxOutput: 4096 });
  });

  test('one that says 200 and means an error', async () => {
    const error = { error: { message: 'the engine is gone' } };
    const { url } = await liar(({ method, body }, response) => {
      if (method === 'GET') json(response, 200, LIST());
      else if (body.stream === true) stream(response, error);
      else json(response, 200, body.tools === undefined ? TEXT : error);
    });
    const report = await chat(url);
    expect(verdictOf(report, 'stream')).toBe('refused');
    expect(verdictOf(report, 'forced')).toBe('refused');
    expect(notesOf(report).join('\n')).toContain('200, and in the stream: the engine is gone');
  });

  test('one that never answers is left', async () => {
    const { url, calls } = await liar(({ method }, response) => {
      if (method === 'GET') json(response, 200, LIST());
    });
    const report = await probe({ url, dialects: ['chatCompletions', 'messages'], callSeconds: 1, seconds: 30 });
    expect(report.endpoints.map(({ answers }) => answers)).toEqual([false, false]);
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2);
  });

  test('one that falls silent after its first answer is asked no more than twice', async () => {
    let answered = 0;
    const { url, calls } = await liar(({ method }, response) => {
      if (method === 'GET') return json(response, 200, LIST());
      answered += 1;
      if (answered === 1) json(response, 200, TEXT);
    });
    const report = await chat(url, { callSeconds: 1 });
    expect(report.endpoints[0]?.answers).toBe(true);
    expect(calls.filter(({ method }) => method === 'POST').length).toBeLessThanOrEqual(5);
    expect(verdictOf(report, 'pictures')).toBe('unasked');
  });

  test('the time is spent: what was found stays', async () => {
    const { url } = await liar(({ method, body }, response) => {
      if (method === 'GET') json(response, 200, LIST());
      else if (body.tools === undefined) json(response, 200, TEXT);
    });
    const report = await chat(url, { callSeconds: 20, seconds: 3 });
    expect(report.stopped).toBe('the time is spent');
    expect(verdictOf(report, 'usage')).toBe('holds');
  });

  test('one that sends the caller elsewhere: nobody follows, and the key stays', async () => {
    const elsewhere = await liar((_call, response) => json(response, 200, TEXT));
    const { url } = await liar((_call, response) => json(response, 307, {}, { location: `${elsewhere.url}/v1/x` }));
    const report = await chat(url, { key: KEY });
    expect(elsewhere.calls).toEqual([]);
    expect(report.endpoints[0]).toMatchObject({ answers: false, reason: expect.stringContaining('not followed') });
  });

  test('one whose words are traps for terminals, and that repeats the key', async () => {
    const trap = '\u001b]0;owned\u0007\u001b[2J\u202etxt.exe\u200b\u009b31m\nbackends: {}';
    const message = `${trap} Incorrect key ${KEY}, ${Buffer.from(KEY).toString('base64')}`;
    const { url } = await liar(({ method, path, body }, response) => {
      if (path === '/version') json(response, 200, { version: trap });
      else if (method === 'GET')
        json(response, 200, {
          data: [
            { id: `evil${trap}`, owned_by: 'vllm' },
            { id: 'tiny', owned_by: 'vllm' },
          ],
        });
      else if (body.stream === true || body.tools !== undefined) json(response, 400, { error: { message } });
      else json(response, 200, { ...TEXT, choices: [{ message: { content: trap }, finish_reason: trap }] });
    });
    const report = await chat(url, { key: KEY });
    expect(report.models).toEqual([{ id: 'tiny' }]);
    expect(report.server.title).toBe('vLLM');
    const text = printed(report);
    expect(text).toContain('Incorrect key');
    expect(text).not.toMatch(HARMFUL);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(Buffer.from(KEY).toString('base64'));
  });

  test.each([['whole answers'], ['lists']])('one whose %s have no end', async (what) => {
    let sent = 0;
    const endless = (response: ServerResponse): void => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        if (response.destroyed) return;
        sent += 65_536;
        if (response.write('x'.repeat(65_536))) setImmediate(more);
        else response.once('drain', more);
      };
      more();
    };
    const { url, calls } = await liar(({ method }, response) => {
      if (method === 'GET' && what !== 'lists') json(response, 200, LIST());
      else endless(response);
    });
    const report = await chat(url);
    expect(report.endpoints[0]?.answers).toBe(false);
    // What the sockets between the two hold is theirs.
    expect(sent / calls.length).toBeLessThan(32 * 1024 * 1024);
  });

  test('a stream without end is left after a number of events', async () => {
    const { url } = await liar(({ method, body }, response) => {
      if (method === 'GET') return json(response, 200, LIST());
      if (body.stream !== true) return json(response, 200, TEXT);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const more = (): void => {
        if (response.destroyed) return;
        const next = (): void => void setImmediate(more);
        if (response.write(`data: ${JSON.stringify({ choices: [{ delta: { content: 'x ' } }] })}\n\n`)) next();
        else response.once('drain', next);
      };
      more();
    });
    const report = await chat(url);
    expect(verdictOf(report, 'newerCap')).toBe('ignored');
    expect(verdictOf(report, 'stream')).toBe('undecided');
    expect(report.calls).toBeLessThanOrEqual(40);
  });

  test('no key goes to routes beside the endpoints', async () => {
    const { url, calls } = await liar(({ method, path }, response) => {
      if (path === '/v1/models') json(response, 200, LIST());
      else if (method === 'GET') json(response, 404, {});
      else json(response, 200, TEXT);
    });
    await chat(url, { key: KEY });
    const others = calls.filter(({ path }) => !path.startsWith('/v1/'));
    expect(others.length).toBeGreaterThan(0);
    expect(JSON.stringify(others)).not.toContain(KEY);
    expect(calls.filter(({ headers }) => headers.authorization === `Bearer ${KEY}`).length).toBeGreaterThan(5);
  });
});
