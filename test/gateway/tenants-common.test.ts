import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest } from '@jest/globals';
import { captureLog } from '../observe/support.js';
import { json, type Tree, WHOLE } from '../support/gateway/harness.js';
import { png } from '../support/pictures.js';
import { until } from '../support/until.js';
import { begin, bodyOf, isRed, MB, type Name, type Stage, testRows } from './two-keys.js';

/* Parts that belong to nobody, or to the operator. */

const folder = mkdtempSync(join(tmpdir(), 'interlingua-tenants-'));
afterAll(() => rmSync(folder, { recursive: true }));

const credential = join(folder, 'key');
writeFileSync(credential, 'the-key-of-the-operator\n');

const traffic = join(folder, 'traffic.jsonl');
const recorded = (): Tree[] =>
  existsSync(traffic)
    ? readFileSync(traffic, 'utf8')
        .split('\n')
        .filter((line) => line.includes('the blue team'))
        .map((line) => JSON.parse(line))
    : [];

/** What was logged and recorded of the second key, alone and beside the first. */
const told: unknown[] = [];

/** Bytes behind an answer, which whoever is next on the connection would take for its own. */
const MORE = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}';

const largeBody = (name: Name, megabytes: number): Buffer =>
  Buffer.from(JSON.stringify(bodyOf(name, { metadata: { user_id: 'x'.repeat(megabytes * MB) } })));

/** Serves pictures, but those that nobody ever gets, and answers as generateContent does. */
function withPictures({ recorder }: Stage): void {
  recorder.reply = (response, { method, path }) => {
    const { socket } = response;
    if (method === 'POST') return json(response, 200, WHOLE.generateContent('hi'));
    if (path === '/never') return;
    response.on('finish', () => path === '/more' && socket?.write(MORE));
    response.writeHead(200, { 'content-type': 'image/png' }).end(png({ width: 2, height: 2 }));
  };
}

const seeing = (stage: Stage, name: Name, path: string) => {
  const source = { type: 'url', url: `${stage.recorder.url}${path}` };
  const content = [
    { type: 'text', text: `a word of the ${name} team` },
    { type: 'image', source },
  ];
  return stage.ask(name, { messages: [{ role: 'user', content }] });
};

testRows({
  'room for large bodies and threads': {
    async worst(stage) {
      const body = largeBody('red', 30);
      begin(4, () => stage.send('red', '/v1/messages', { body }));
      // Three of them are half of what may be open.
      await until(async () => stage.reds() === 3);
    },
    asks: (stage) => stage.send('blue', '/v1/messages', { body: largeBody('blue', 2) }),
  },
  'connections to backends': {
    config: { models: { m: { backend: 'one' } } },
    async worst(stage) {
      stage.onRed = (response) => {
        const { socket } = response;
        response.on('finish', () => socket?.write(MORE));
        json(response, 200, WHOLE.messages('for red'));
      };
      for (let count = 0; count < 3; count += 1) expect((await stage.ask('red')).text).toContain('for red');
    },
    async asks(stage) {
      const answer = await stage.ask('blue');
      expect(answer.body).toEqual(WHOLE.messages('hi'));
      return answer;
    },
  },
  'addresses of fetched files': {
    config: { models: { m: { backend: 'one' } }, media: { allowPrivate: ['127.0.0.1'] } },
    backend: { dialect: 'generateContent' },
    async worst(stage) {
      withPictures(stage);
      expect((await seeing(stage, 'red', '/more')).status).toBe(200);
      begin(8, () => seeing(stage, 'red', '/never'));
      await until(() => stage.recorder.seen.filter(({ path }) => path === '/never').length === 8);
    },
    asks(stage) {
      withPictures(stage);
      return seeing(stage, 'blue', '/picture');
    },
  },
  credentials: {
    config: { models: { m: { backend: 'one' } } },
    backend: { apiKey: `\${file:${credential}}` },
    async worst(stage) {
      stage.onRed = (response) =>
        json(response, 401, { type: 'error', error: { type: 'authentication_error', message: 'no' } });
      for (let count = 0; count < 3; count += 1) expect((await stage.ask('red')).status).toBe(502);
    },
    async asks(stage) {
      const answer = await stage.ask('blue');
      const sent = stage.recorder.seen.filter((seen) => !isRed(seen)).at(-1);
      expect(sent?.headers['x-api-key']).toBe('the-key-of-the-operator');
      return answer;
    },
  },
  'metrics and traces': {
    async worst(stage) {
      const series = async (count: number): Promise<number> => {
        const name = `red-made-${count}`;
        const headers = { 'x-request-id': name, 'user-agent': name, traceparent: name, 'x-interlingua-losses': name };
        await stage.send('red', '/v1/messages', { body: bodyOf('red', { model: name }), headers });
        await stage.send('red', `/${name}`, { headers });
        const { text } = await stage.send('red', '/metrics');
        expect(text).not.toContain('red-made');
        return text.split('\n').filter((line) => line.startsWith('interlingua_')).length;
      };
      for (let count = 0; count < 5; count += 1) await series(count);
      const few = await series(5);
      for (let count = 6; count < 20; count += 1) await series(count);
      expect(await series(20)).toBe(few);
    },
  },
  'the log and the record': {
    config: { log: { level: 'info' }, record: { path: traffic } },
    async worst(stage) {
      captureLog();
      for (const odd of ['\u001b[2J', '"},{"key":"blue"', 'x'.repeat(MB / 2)]) {
        const more = { model: odd, metadata: { user_id: `\n{"key":"blue"} ${odd}` } };
        await stage.send('red', '/v1/messages', {
          body: bodyOf('red', more),
          headers: { 'x-request-id': odd.slice(0, 99).replace('\u001b', '') },
        });
        await stage.send('red', `/v1/${encodeURIComponent(odd.slice(0, 500))}`);
      }
      jest.restoreAllMocks();
    },
    async asks(stage) {
      const log = captureLog();
      const answer = await stage.ask('blue');
      const line = () => log.lines().find(({ key }) => key === 'blue');
      await until(() => line() !== undefined && recorded().length > told.length);
      jest.restoreAllMocks();
      const { id: _id, time: _time, ms: _ms, firstByteMs: _first, firstTokenMs: _token, ...fields } = line();
      told.push([fields, recorded().at(-1)]);
      expect(told.at(-1)).toEqual(told[0]);
      return answer;
    },
  },
});
