import { gzipSync } from 'node:zlib';
import type { DialectId } from '../../../translators/index.js';
import { rawAnswer } from '../../support/faulty-backend.js';
import { indiscretion, KEY } from './canaries.js';
import type { Cell, Fault } from './fault.js';
import { type Kind, wordsOf } from './told.js';

type Asked = Parameters<Fault['serve']>[0];

/** Answers with a whole message. */
export function whole(asked: Asked, ...message: Parameters<typeof rawAnswer>): void {
  asked.answered = true;
  asked.socket.write(rawAnswer(...message));
}

/** The address a request was sent to. */
export function hostOf({ head }: Asked): string {
  return /^host: *(\S+)/im.exec(head)?.[1] ?? '';
}

/** A refusal in the backend's own words, which tell every secret there is, in the body, the headers and the status text. */
function refuse(asked: Asked, kind: Kind, headers: Readonly<Record<string, string>> = {}): void {
  const message = `${LEAD[kind]?.[asked.dialect] ?? ''}${indiscretion(hostOf(asked))}`;
  const { status, body } = wordsOf(asked.dialect, kind, message);
  const escaped = JSON.stringify(body).replaceAll('/', '\\/').replaceAll('>', '\\u003E');
  const leaky = {
    'x-debug-key': KEY,
    'request-id': KEY,
    'x-request-id': KEY,
    'openai-version': KEY,
    'x-ratelimit-limit-requests': KEY,
    'anthropic-ratelimit-requests-limit': KEY,
    'www-authenticate': message,
    server: hostOf(asked),
    location: message,
  };
  whole(asked, `${status} ${message}`, escaped, { ...leaky, ...headers });
}

/** By these words services tell a missing model from a missing anything. */
const LEAD: Partial<Record<Kind, Partial<Record<DialectId, string>>>> = {
  model: { messages: 'model: some-model ', generateContent: 'models/some-model is not found. ' },
};

const TOLD_AS_THEY_ARE = [
  'invalid_request',
  'model',
  'conflict',
  'too_large',
  'rate_limit',
  'internal',
  'timeout',
  'overloaded',
] as const;

/** The clients of OpenAI read the delay in milliseconds, too. */
const hasMillis = (client: Cell['client']): boolean => client === 'responses' || client === 'chatCompletions';

const noRetry = ({ client }: Cell) => ({
  'x-should-retry': client === 'generateContent' ? undefined : 'false',
  location: undefined,
});

const nothingMore = () => ({ location: undefined, 'www-authenticate': undefined, 'x-debug-key': undefined });

/** Answered refusals (hardening.md section 4 rows 10 to 17), and such as are odd in themselves. */
export const REFUSALS: readonly Fault[] = [
  ...TOLD_AS_THEY_ARE.map(
    (kind): Fault => ({
      row: {
        invalid_request: 10,
        model: 12,
        rate_limit: 13,
        overloaded: 16,
        conflict: 10,
        too_large: 10,
        internal: 15,
        timeout: 15,
      }[kind],
      name: `a refusal: ${kind}`,
      told: kind,
      headers: nothingMore,
      serve: (asked) => refuse(asked, kind),
    }),
  ),
  ...(['authentication', 'permission'] as const).map(
    (kind): Fault => ({
      row: 11,
      name: `a refusal of our own key: ${kind}`,
      told: 'upstream',
      headers: noRetry,
      serve: (asked) => refuse(asked, kind),
    }),
  ),
  {
    row: 13,
    name: '429 with a delay',
    told: 'rate_limit',
    headers: () => ({ 'retry-after': '7' }),
    serve: (asked) => refuse(asked, 'rate_limit', { 'retry-after': '7' }),
  },
  ...[
    { value: '1000000000', delay: '86400' },
    { value: 'Fri, 31 Dec 2099 23:59:59 GMT', delay: '86400' },
    ...['-1', 'NaN', '1e9', '0x10', '7 s', '9'.repeat(9000), ''].map((value) => ({ value, delay: undefined })),
  ].map(
    ({ value, delay }): Fault => ({
      row: 14,
      name: `429 with the delay ${value.slice(0, 30)}`,
      told: 'rate_limit',
      headers: ({ client }) => ({
        'retry-after': delay,
        'retry-after-ms': delay !== undefined && hasMillis(client) ? `${delay}000` : undefined,
      }),
      serve: (asked) => refuse(asked, 'rate_limit', { 'retry-after': value }),
    }),
  ),
  ...(
    [
      { status: '500 Oops', told: 'internal' },
      { status: '502 Bad Gateway', told: 'internal' },
      { status: '503 Unavailable', told: 'overloaded' },
      { status: '504 Timeout', told: 'timeout' },
      {
        status: '529 Overloaded',
        told: ({ backend }: Cell) => (backend === 'generateContent' ? 'internal' : 'overloaded'),
      },
      { status: '599 Odd', told: 'internal' },
      { status: '400 Bad', told: 'invalid_request' },
      { status: '413 Large', told: 'too_large' },
      { status: '418 Teapot', told: 'invalid_request' },
      { status: '422 No', told: 'invalid_request' },
    ] satisfies { status: string; told: Fault['told'] }[]
  ).flatMap(({ status, told }): Fault[] => [
    {
      row: 15,
      name: `a page of HTML with ${status}`,
      told,
      headers: nothingMore,
      serve: (asked) =>
        whole(asked, status, `<html>${indiscretion(hostOf(asked))}</html>`, { 'content-type': 'text/html' }),
    },
    { row: 15, name: `nothing with ${status}`, told, serve: (asked) => whole(asked, status, '') },
  ]),
  ...[
    { name: 'an array', body: '[{"error":"x"}]' },
    { name: 'null', body: 'null' },
    { name: 'a text', body: '"no"' },
    { name: 'an error that is a text', body: '{"error":"no"}' },
    { name: 'an error of other types', body: '{"type":7,"error":{"message":["a"],"type":{},"code":[],"status":1}}' },
    { name: 'bytes that are no UTF-8', body: Buffer.from([0x7b, 0xff, 0xfe, 0x22, 0xc3]) },
    { name: 'cut JSON', body: '{"error":{"message":"no' },
    { name: 'compressed JSON', body: gzipSync('{"error":{"message":"no"}}') },
    { name: 'deep JSON', body: `${'{"error":'.repeat(5000)}1${'}'.repeat(5000)}` },
  ].map(
    ({ name, body }): Fault => ({
      row: 10,
      name: `400 with ${name}`,
      told: 'invalid_request',
      serve: (asked) => whole(asked, '400 Bad', body, name === 'compressed JSON' ? { 'content-encoding': 'gzip' } : {}),
    }),
  ),
  {
    row: 26,
    name: 'a refusal of endless length',
    told: 'upstream',
    serve: (asked) => endless(asked, rawAnswer('400 Bad', '', { 'content-length': 1e9 }), Buffer.alloc(65_536, 'x')),
  },
  ...['301 Moved', '302 Found', '303 Other', '304 Same', '307 Again', '308 For Good', '300 Choose'].map(
    (status): Fault => ({
      row: 17,
      name: status,
      told: 'upstream',
      headers: nothingMore,
      serve: (asked) =>
        status.startsWith('304')
          ? whole(asked, status, '', { location: `http://${hostOf(asked)}/elsewhere` })
          : refuseElsewhere(asked, status),
    }),
  ),
];

function refuseElsewhere(asked: Asked, status: string): void {
  whole(asked, status, `see ${indiscretion(hostOf(asked))}`, {
    location: `http://${hostOf(asked)}/elsewhere?key=${KEY}`,
  });
}

/** The most that is written of what has no end, in bytes: more than any limit here and every buffer on the way. */
const ENOUGH = 64 * 1024 * 1024;

/** Writes for ever, as fast as it is taken. */
export function endless({ socket }: Asked, head: string | Uint8Array, piece: Uint8Array): void {
  socket.write(head);
  const go = (): void => {
    while (!socket.destroyed && socket.bytesWritten < ENOUGH) if (!socket.write(piece)) return;
  };
  socket.on('drain', go);
  go();
}
