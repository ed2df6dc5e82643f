import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Loss } from '../../translators/index.js';
import { GATEWAY_KEY, openStage, type Stage } from '../sdk/stage.js';
import { FAKE_DIALECTS } from '../support/fake-backend/index.js';
import { ASK, STREAM, send } from '../support/gateway/harness.js';
import { lossCounts } from '../support/loss-counts.js';
import { LOSSY, type LossyAsk, replyOf, sendLossy } from '../support/lossy-exchanges.js';
import { pairsOf } from '../support/pairs.js';
import { parseList } from '../support/structured-list.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

/** What `x-interlingua-loss` says, as `feature kind path`, with the number of losses it stands for. */
function reported(headers: Headers): { readonly named: string[]; readonly count: number } {
  const members = parseList(headers.get('x-interlingua-loss') ?? '');
  return {
    named: members.map(({ token, parameters }) => `${token} ${parameters.kind} ${parameters.path}`),
    // Figures about the answer are named and not counted (http.md#losses).
    count: members.reduce(
      (sum, { token, parameters }) => sum + (token === 'telemetry' ? 0 : Number(parameters.n ?? 1)),
      0,
    ),
  };
}

/** How many losses the header counts, of both kinds. */
function all(headers: Headers): number {
  const { counted, minor } = lossCounts(headers.get('x-interlingua-losses'));
  return counted + minor;
}

/** The losses that a stream tells in comments, and the name of the event after each block of them. */
function commented(text: string): { readonly losses: Loss[]; readonly before: string[] } {
  const blocks = text.split('\n\n');
  const at = blocks.flatMap((block, index) => (block.startsWith(': interlingua-loss ') ? [index] : []));
  return {
    losses: at.flatMap((index) =>
      (blocks[index] ?? '').split('\n').map((line) => JSON.parse(line.replace(': interlingua-loss ', '')) as Loss),
    ),
    before: at.map((index) => /^event: (.*)$/m.exec(blocks[index + 1] ?? '')?.[1] ?? ''),
  };
}

/** The event behind the losses of the answer; that of chat completions has no name. */
const LAST_WORD = { messages: 'message_stop', responses: 'response.completed', chatCompletions: '' } as const;

describe.each(pairsOf(FAKE_DIALECTS))('%s client, %s backend', (client, backend) => {
  const ask: LossyAsk = { client, model: `via-${backend}`, lossy: LOSSY[client] };

  test('a plain answer: what request and answer lost is in the headers', async () => {
    stage.backends[backend].script(replyOf(backend, false));
    const { text, headers } = await sendLossy(stage.url, ask, false);
    expect(text).toBe('Hello');
    const { named, count } = reported(headers);
    if (client === backend) {
      expect([headers.get('x-interlingua-losses'), headers.get('x-interlingua-loss')]).toEqual(['0', null]);
      return;
    }
    expect(named).toContain(LOSSY[client].request);
    expect(named).toContainEqual(expect.stringContaining(`${LOSSY[backend].answer} `));
    expect(all(headers)).toBe(count);
  });

  test('a stream: those of the request in the headers, those of the answer before the last event', async () => {
    stage.backends[backend].script(replyOf(backend, true));
    const { text, headers, body } = await sendLossy(stage.url, ask, true);
    expect(text).toBe('Hello');
    const { losses, before } = commented(body);
    if (client === backend) {
      expect([headers.get('x-interlingua-losses'), losses]).toEqual(['0', []]);
      return;
    }
    const { named, count } = reported(headers);
    expect(named).toContain(LOSSY[client].request);
    expect(named).not.toContainEqual(expect.stringContaining(`${LOSSY[backend].answer} `));
    expect(all(headers)).toBe(count);
    if (client === 'generateContent') {
      expect(body).not.toContain('interlingua-loss');
      return;
    }
    expect(losses.map(({ feature, kind }) => `${feature} ${kind}`)).toContain(LOSSY[backend].answer);
    expect(before).toEqual([LAST_WORD[client]]);
  });
});

describe.each(pairsOf(FAKE_DIALECTS))('a plain Hello: %s client, %s backend', (client, backend) => {
  const asks = { plain: ASK[client](`via-${backend}`), streamed: STREAM[client](`via-${backend}`) };

  test.each(['plain', 'streamed'] as const)('%s: nothing that strict would count', async (way) => {
    const { path, body } = asks[way];
    const answer = await send(stage.url, path, { body, headers: { authorization: `Bearer ${GATEWAY_KEY}` } });
    expect(answer.status).toBe(200);
    const said = answer.headers['x-interlingua-losses'];
    if (client === backend) expect(said).toBe('0');
    else expect(lossCounts(said).counted).toBe(0);
  });
});

describe('what is reported of odd keys', () => {
  test('their paths come back whole from printable ASCII', async () => {
    const keys = ['schlüssel', 'a "b" \\c', '鍵', '100%', 'line\nbreak'];
    const { headers } = await sendKeys(keys);
    expect(headers['x-interlingua-loss']).toMatch(/^[\x20-\x7e]+$/);
    const members = parseList(String(headers['x-interlingua-loss'])).filter(({ token }) => token.startsWith('ext.'));
    expect(members.map(({ parameters }) => decodeURIComponent(String(parameters.path)))).toEqual(
      keys.map((key) => `/${key}`),
    );
  });

  test('more than the header holds: the token more, and the number of all', async () => {
    const keys = Array.from({ length: 300 }, (_, index) => `an-unknown-key-${index}`);
    const { headers } = await sendKeys(keys);
    const header = String(headers['x-interlingua-loss']);
    expect(header.length).toBeLessThanOrEqual(4096);
    expect(parseList(header).at(-1)).toEqual({ token: 'more', parameters: {} });
    expect(lossCounts(headers['x-interlingua-losses']).counted).toBeGreaterThanOrEqual(300);
  });

  test('many of one feature are one entry with their number', async () => {
    const marked = { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } };
    const { path, body } = ASK.messages('via-generateContent', {
      messages: [{ role: 'user', content: [marked, marked, marked] }],
    });
    const { headers } = await send(stage.url, path, { body, headers: { 'x-api-key': GATEWAY_KEY } });
    expect(parseList(String(headers['x-interlingua-loss']))).toContainEqual({
      token: 'cache.mark',
      parameters: { kind: 'dropped', path: '/messages/0/content/0', n: 3 },
    });
  });
});

function sendKeys(keys: readonly string[]) {
  const more = Object.fromEntries(keys.map((key) => [key, true]));
  const { path, body } = ASK.messages('via-responses', more);
  return send(stage.url, path, { body, headers: { 'x-api-key': GATEWAY_KEY } });
}
