import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeResponse, translateRequest } from '../../../translators/index.js';
import { inParallel } from '../../backend/faults/cells.js';
import { formHeaders, formOf } from '../../media/form.js';
import { CALLED } from '../../support/answers.js';
import { tableOf } from '../../support/dialects/index.js';
import {
  ASK,
  DIALECTS,
  json,
  likeVendor,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  WHOLE,
} from '../../support/gateway/harness.js';
import { share } from '../../support/runs.js';
import { wholeFor } from './answers.js';

let recorder: Recorder;
let gateway: TestGateway;

beforeAll(async () => {
  recorder = await startRecorder();
  const backend = { baseUrl: recorder.url, retries: 0, breaker: false } as const;
  gateway = await startGateway({
    backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { ...backend, ...likeVendor(dialect) }])),
    models: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { backend: dialect }])),
    limits: { drainSeconds: 1 },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.seen.length = 0;
  recorder.reply = (response, { path }) => json(response, 200, wholeFor(path));
});

/** Names that a careless merge would follow to what all objects have in common. */
const EVIL =
  '"__proto__":{"polluted":1,"toString":1},"constructor":{"prototype":{"polluted":1}},"prototype":{"polluted":1},"hasOwnProperty":1';

/** The text of a value with something more at the beginning of each object in turn, and once in all of them. */
function infected(value: unknown): string[] {
  const text = JSON.stringify(value);
  // Not those of JSON inside of a text.
  const opens = [...text.matchAll(/(?<!")\{(?!\\)/g)].map(({ index }) => index + 1);
  const put = (into: string, at: number): string =>
    `${into.slice(0, at)}${EVIL}${into[at] === '}' ? '' : ','}${into.slice(at)}`;
  return [...opens.map((at) => put(text, at)), [...opens].reverse().reduce(put, text)];
}

const SCHEMA = {
  type: 'object',
  properties: { a: { type: 'string', enum: ['x'] }, b: { anyOf: [{ $ref: '#/$defs/c' }] } },
  required: ['a'],
  additionalProperties: { type: 'number' },
  $defs: { c: { type: 'array', items: { type: 'object', properties: {} } } },
};

const RICH = tableOf('richMembers');

function expectClean(): void {
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  expect(Reflect.get(Object, 'polluted')).toBeUndefined();
  expect(String({})).toBe('[object Object]');
}

describe.each(DIALECTS)('names of the prototype in a request of %s (hardening.md row 61)', (client) => {
  test.each(DIALECTS)('to a %s backend pollute nothing and fail nothing', async (backend) => {
    const { path, body } = ASK[client](backend, RICH[client](SCHEMA));
    const failures: unknown[] = [];
    const all = infected(body);
    expect(all.length).toBeGreaterThan(10);
    const bodies = share(all, DIALECTS.indexOf(backend));
    await inParallel(
      bodies.map((text) => async () => {
        const answer = await send(gateway.url, path, { body: text });
        if (answer.status >= 500) failures.push([answer.status, answer.text, text]);
      }),
      8,
    );
    expect(failures).toEqual([]);
    expectClean();
    if (client === backend) {
      // What is relayed is relayed as it came.
      const sent = new Set(recorder.seen.map((seen) => seen.body));
      expect(bodies.filter((text) => sent.has(text)).length).toBeGreaterThan(bodies.length / 2);
    }
  });
});

describe.each(DIALECTS)('names of the prototype in an answer of %s', (backend) => {
  const call = JSON.parse(CALLED[backend]('{"a":{"b":1}}'));

  test.each(DIALECTS)('for a %s client', async (client) => {
    const { path, body } = ASK[client](backend);
    const bodies = [...infected(WHOLE[backend]('hi')), ...infected(call)];
    for (const text of share(bodies, DIALECTS.indexOf(client))) {
      recorder.reply = (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      const answer = await send(gateway.url, path, { body });
      expect([answer.status, text]).toEqual([200, text]);
    }
    expectClean();
  });

  test('in an error of it', async () => {
    for (const text of infected({
      type: 'error',
      error: { type: 'x', code: 400, message: 'm', status: 'S', param: null },
    })) {
      recorder.reply = (response) => response.writeHead(400, { 'content-type': 'application/json' }).end(text);
      const { path, body } = ASK[backend](backend);
      expect((await send(gateway.url, path, { body })).status).toBe(400);
    }
    expectClean();
  });
});

test('keys of arguments and schemas round-trip as data', () => {
  const input = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":1},"a":1}');
  const answer = {
    ...WHOLE.messages(''),
    content: [{ type: 'tool_use', id: 't1', name: 'f', input }],
    stop_reason: 'tool_use',
  };
  const decoded = decodeResponse('messages', answer);
  expect(JSON.stringify(decoded)).toContain('__proto__');
  // A schema that every target writes anew, since none takes all of it.
  const schema = JSON.parse(
    '{"type":"object","properties":{"__proto__":{"type":"string"},"a":{"oneOf":[{"$ref":"#/$defs/c"},{"type":"null"}]}},' +
      '"$defs":{"c":{"type":"object","properties":{"__proto__":{"type":"number","if":{},"contentEncoding":"x"}}}},"if":{"required":["a"]}}',
  );
  const { body } = ASK.responses('m', {
    tools: [{ type: 'function', name: 'f', parameters: schema, strict: false }],
    text: { format: { type: 'json_schema', name: 's', schema, strict: true } },
  });
  for (const to of ['messages', 'generateContent'] as const) {
    const { body: value } = translateRequest({ from: 'responses', to, body });
    const found = JSON.stringify(value).match(/"__proto__":\{"type":"(?:string|number)"/g) ?? [];
    expect([to, found.length]).toEqual([to, 4]);
  }
  expectClean();
});

test('names of the prototype in a query, a form, a header and a configuration', async () => {
  const { path, body } = ASK.messages('messages');
  for (const name of [
    '__proto__',
    'constructor',
    'prototype',
    '__proto__[polluted]',
    'constructor.prototype.polluted',
    'toString',
  ]) {
    const queried = await send(gateway.url, `${path}?${encodeURIComponent(name)}=1&polluted=1`, { body });
    expect([name, queried.status]).toEqual([name, 200]);
    const headed = await send(gateway.url, path, {
      body,
      headers: { ...(/^[\w.]+$/.test(name) && { [name]: 'polluted' }) },
    });
    expect([name, headed.status]).toEqual([name, 200]);
    for (const route of [
      '/v1/models',
      `/v1/models/${name}`,
      `/v1/responses/${name}`,
      `/v1/videos/${name}`,
      `/media/${name}`,
      `/${name}`,
    ]) {
      expect([route, (await send(gateway.url, route)).status < 500]).toEqual([route, true]);
    }
    const asked = await send(gateway.url, path, { body: { ...body, model: name } });
    expect([name, asked.status]).toEqual([name, 404]);
    const form = formOf([
      { name, value: '{"polluted":1}' },
      { name: 'prompt', value: 'x' },
      { name: 'model', value: name },
    ]);
    const formed = await send(gateway.url, '/v1/images/edits', { body: form, headers: formHeaders(form) });
    expect([name, formed.status >= 400 && formed.status < 500]).toEqual([name, true]);
  }
  expectClean();
});
