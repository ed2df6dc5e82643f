import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { type Authority, authorized } from '../../../src/backend/clouds/authority.js';
import type { BackendRequest, Transport, TransportSink } from '../../../src/backend/transport.js';
import { CredentialError } from '../../../src/ground/index.js';
import { until } from '../stage.js';

interface Sent {
  readonly request: BackendRequest;
  readonly sink: TransportSink;
  aborted: boolean;
}

/** A transport that notes what is sent and answers nothing by itself. */
function stage(authority: Partial<Authority> = {}) {
  const sent: Sent[] = [];
  const learned: string[] = [];
  const heard: unknown[] = [];
  const transport: Transport = {
    send(request, sink) {
      const one: Sent = { request, sink, aborted: false };
      sent.push(one);
      return {
        pause: () => {},
        resume: () => {},
        abort() {
          one.aborted = true;
        },
      };
    },
    close: async () => {},
  };
  let number = 0;
  const whole: Authority = {
    async headersFor() {
      number += 1;
      return { authorization: `Bearer token-${number}` };
    },
    refused: () => true,
    ...authority,
  };
  const sink: TransportSink = {
    connected: () => heard.push('connected'),
    head: (status) => heard.push(status),
    data: (chunk) => heard.push(Buffer.from(chunk).toString()),
    end: () => heard.push('end'),
    error: (error) => heard.push(error),
  };
  const ready = authorized(transport, whole, (secret) => learned.push(secret));
  const send = (body?: BackendRequest['body']) =>
    ready.send({ method: 'POST', path: '/', headers: { x: 'y' }, ...(body !== undefined && { body }) }, sink);
  return { sent, learned, heard, send };
}

test('a request goes out with its credentials, and its token is known as a secret', async () => {
  const { sent, learned, heard, send } = stage();
  send('body');
  await until(() => sent.length === 1, 'the request');
  expect(sent[0]?.request).toEqual({
    method: 'POST',
    path: '/',
    headers: { x: 'y', authorization: 'Bearer token-1' },
    body: 'body',
  });
  expect(learned).toEqual(['token-1']);
  sent[0]?.sink.connected();
  sent[0]?.sink.head(200, {});
  sent[0]?.sink.data(Buffer.from('hi'));
  sent[0]?.sink.end();
  expect(heard).toEqual(['connected', 200, 'hi', 'end']);
});

test('what is refused with 401 goes out once more with others, and a second refusal is shown', async () => {
  const { sent, heard, send } = stage();
  send('body');
  await until(() => sent.length === 1, 'the request');
  sent[0]?.sink.head(401, {});
  await until(() => sent.length === 2, 'the second request');
  expect([sent[0]?.aborted, sent[1]?.request.headers.authorization]).toEqual([true, 'Bearer token-2']);
  sent[1]?.sink.head(401, {});
  expect(heard).toEqual([401]);
});

test.each([
  ['there are no others', { refused: () => false }, 'body'],
  ['the body was a stream', {}, Readable.from(['body'])],
])('a refusal is shown where %s', async (_why, authority, body) => {
  const { sent, heard, send } = stage(authority);
  send(body);
  await until(() => sent.length === 1, 'the request');
  sent[0]?.sink.head(401, {});
  expect([heard, sent.length]).toEqual([[401], 1]);
});

test('without credentials nothing goes out, and who gave up hears nothing', async () => {
  const failing = { headersFor: () => Promise.reject(new Error('no account')) };
  const first = stage(failing);
  first.send('body');
  await until(() => first.heard.length === 1, 'the failure');
  expect(first.heard[0]).toBeInstanceOf(CredentialError);
  expect([String(first.heard[0]), first.sent]).toEqual([expect.stringContaining('no account'), []]);
  const second = stage(failing);
  second.send('body').abort();
  const third = stage();
  third.send('body').abort();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([second.heard, third.sent]).toEqual([[], []]);
});
