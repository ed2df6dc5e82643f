import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { createGateway, type GatewayServer } from '../../../src/index.js';
import type { DialectId } from '../../../translators/index.js';
import { captureLog } from '../../observe/support.js';
import { tableOf } from '../../support/dialects/index.js';
import {
  DIALECTS,
  EVENT_STREAM,
  FRAMES,
  likeVendor,
  messageOf,
  type Recorder,
  STREAM,
  send,
  startRecorder,
  type Tree,
} from '../../support/gateway/harness.js';
import { until } from '../../support/until.js';
import { indiscretion, KEY, leaksIn } from './canaries.js';
import { refusalOf, wordsOf } from './told.js';

let backend: Recorder;
let gateway: GatewayServer;
let url: string;
const log = captureLog();

beforeAll(async () => {
  backend = await startRecorder();
  const base = { baseUrl: backend.url, retries: 0 } as const;
  gateway = createGateway({
    backends: Object.fromEntries(
      DIALECTS.flatMap((dialect) => [
        [`ours-${dialect}`, { ...base, ...likeVendor(dialect), apiKey: KEY }],
        [`theirs-${dialect}`, { ...base, ...likeVendor(dialect), auth: 'client' as const }],
      ]),
    ),
    models: Object.fromEntries(
      DIALECTS.flatMap((dialect) =>
        ['ours', 'theirs'].map((whose) => [`${whose}-${dialect}`, { backend: `${whose}-${dialect}` }]),
      ),
    ),
    log: { level: 'info' },
  });
  ({ url } = await gateway.listen({ host: '127.0.0.1', port: 0 }));
});

afterAll(async () => {
  await gateway.close();
  await backend.close();
  jest.restoreAllMocks();
});

/** The event by which a service of a dialect says in a stream that a key is wrong. */
function refusal(dialect: DialectId): string {
  const { body } = wordsOf(dialect, 'authentication', indiscretion('upstream.example'));
  return eventOf(dialect, body);
}

const ERRORS = tableOf('errorEvent');

function eventOf(dialect: DialectId, body: object): string {
  const [name, data] = ERRORS[dialect](body, 9);
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}

const OPENING = tableOf('openingFrames');

/** The beginning of an answer, with text in it. */
const begun = (dialect: DialectId): string => FRAMES[dialect]('Grüße').slice(0, OPENING[dialect]).join('');

let count = 0;

/** Asks for a stream, which the backend answers in these pieces. */
async function ask(dialect: DialectId, whose: string, pieces: readonly string[], array = false) {
  count += 1;
  const id = `refused-${count}`;
  backend.reply = (response) => {
    response.writeHead(200, array ? { 'content-type': 'application/json' } : EVENT_STREAM);
    const next = (index: number): void => {
      const piece = pieces[index];
      if (piece === undefined) response.end();
      else response.write(piece, () => setTimeout(next, 5, index + 1));
    };
    next(0);
  };
  const { path, body } = STREAM[dialect](`${whose}-${dialect}`);
  const answer = await send(url, array ? path.replace('?alt=sse', '') : path, {
    body,
    mayBreak: true,
    headers: { 'x-request-id': id, 'x-api-key': 'the-key-of-the-caller' },
  });
  const line: Tree = await until(() => {
    gateway.logger.warn('flush');
    return log.lines().find((one) => one.id === id && one.msg === 'exchange');
  });
  return { ...answer, line };
}

const WRONG = tableOf('wrongKey');

describe.each(DIALECTS)(
  'a relayed stream of %s in which our own key is refused (hardening.md section 4 row 11)',
  (dialect) => {
    const late = begun(dialect);
    const ways = {
      'in one piece with what was said': [late + refusal(dialect)],
      'after what was said': [late, refusal(dialect)],
      'in parts': [late + refusal(dialect).slice(0, 30), refusal(dialect).slice(30)],
      'and goes on': [late, `${refusal(dialect)}event: response.failed\ndata: {"invalid_api_key`, '":1}\n\n'],
      'without the last line end': [late + refusal(dialect).trimEnd()],
    };

    test.each(Object.entries(ways))('late, %s: ends in a failure of the gateway', async (_how, pieces) => {
      log.clear();
      const { status, text, line } = await ask(dialect, 'ours', pieces);
      expect(status).toBe(200);
      expect(text.startsWith(late)).toBe(true);
      const rest = text.slice(late.length);
      expect(rest).toContain(String(refusalOf(dialect, 'upstream')[1].split('/').at(-1)));
      expect(rest).toContain('the backend refused the credentials of this gateway');
      expect(rest).not.toMatch(WRONG[dialect]);
      expect(leaksIn(rest, 'upstream.example')).toEqual([]);
      expect(line).toMatchObject({ outcome: 'upstream', status: 200 });
      const heard = log.lines().filter(({ msg }) => msg === 'the backend refused the credentials of the gateway');
      expect(heard).toMatchObject([{ level: 50, backend: `ours-${dialect}` }]);
    });

    test('before anything was said: is answered with a status', async () => {
      const { status, headers, body, line } = await ask(dialect, 'ours', [refusal(dialect)]);
      expect(status).toBe(refusalOf(dialect, 'upstream')[0]);
      expect(messageOf(dialect, body)).toBe('the backend refused the credentials of this gateway');
      expect(headers['x-should-retry']).toBe(dialect === 'generateContent' ? undefined : 'false');
      expect(line.outcome).toBe('upstream');
    });

    test('of a caller whose own key is sent on: goes on as it came', async () => {
      const { text, line } = await ask(dialect, 'theirs', [late, refusal(dialect)]);
      expect(text).toMatch(WRONG[dialect]);
      expect(text).toContain('Wrong key');
      expect(line.outcome).toBe('authentication');
    });

    test('another failure goes on as it came, and is told as one', async () => {
      const { body } = wordsOf(dialect, 'rate_limit', 'slow down');
      const event = eventOf(dialect, body);
      const { text, line } = await ask(dialect, 'ours', [late, event]);
      expect(text).toBe(late + event);
      expect(line.outcome).toBe('rate_limit');
    });
  },
);

describe('an array of generateContent in which our own key is refused', () => {
  const [chunk = ''] = FRAMES.generateContent('Grüße').map((frame) => frame.replace(/^data: /, '').trim());
  const element = JSON.stringify(wordsOf('generateContent', 'authentication', indiscretion('upstream.example')).body);

  test.each([
    ['at once', [`[${chunk},\n${element}]`]],
    ['in parts', [`[${chunk}`, `,\n${element.slice(0, 20)}`, `${element.slice(20)}\n]`]],
  ])('late, %s: is one array, the last element of which is our failure', async (_how, pieces) => {
    const { status, text, line } = await ask('generateContent', 'ours', pieces, true);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toEqual([
      JSON.parse(chunk),
      { error: { code: 503, status: 'UNAVAILABLE', message: 'the backend refused the credentials of this gateway' } },
    ]);
    expect(line.outcome).toBe('upstream');
  });

  test('before anything was said: is answered with a status', async () => {
    const { status, body } = await ask('generateContent', 'ours', [`[${element}]`], true);
    expect(status).toBe(503);
    expect(JSON.stringify(body)).toContain('UNAVAILABLE');
  });
});
