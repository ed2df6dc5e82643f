import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Anthropic from '@anthropic-ai/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import OpenAI from 'openai';
import { createAwsAuthority, type Identity } from '../../../src/backend/clouds/aws.js';
import type { BackendRequest } from '../../../src/backend/transport.js';
import { faultOfSignature, type KeyPair, type SignedRequest } from '../../support/clouds/signature.js';
import {
  ASK,
  EVENT_STREAM,
  FRAMES,
  json,
  messageOf,
  STREAM,
  send,
  startGateway,
  type TestGateway,
  WHOLE,
} from '../../support/gateway/harness.js';
import { headersOf, listen, shut } from '../../support/sockets.js';

const VECTOR_KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };

const VECTOR_TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';

/** Of the published test suite of Signature Version 4: name, request, signature. */
const VECTORS: readonly (readonly [string, Partial<BackendRequest>, string, Partial<Identity>?])[] = [
  ['get-vanilla', {}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-vanilla-query-order-key-case',
    { path: '/?Param2=value2&Param1=value1' },
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  ['post-vanilla', { method: 'POST' }, '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'post-x-www-form-urlencoded',
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Param1=value1',
    },
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  [
    'post-sts-header-before',
    { method: 'POST' },
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
    { sessionToken: VECTOR_TOKEN },
  ],
];

test.each(VECTORS)('the published vector %s', async (_name, request, signature, more = {}) => {
  const identity = { ...VECTOR_KEYS, ...more };
  const at = () => new Date('2015-08-30T12:36:00Z');
  const scope = { region: 'us-east-1', service: 'service' };
  const authority = createAwsAuthority('https://example.amazonaws.com', scope, async () => identity, at);
  const whole = { method: 'GET', path: '/', headers: {}, ...request } as const;
  const headers = await authority.headersFor(whole);
  expect(headers['x-amz-date']).toBe('20150830T123600Z');
  expect(headers.authorization?.split('Signature=')[1]).toBe(signature);
  // What checks signatures in the tests below holds to the vectors as well.
  const all = { host: 'example.amazonaws.com', ...whole.headers, ...headers };
  const body = String(request.body ?? '');
  expect(faultOfSignature({ ...whole, headers: all, body }, identity, scope)).toBeUndefined();
});

const SCOPE = { region: 'eu-central-1', service: 'bedrock' };

/** A key as long as those of the service, so that it counts as a secret. */
const KEYS: KeyPair = { accessKeyId: 'AKIATESTTESTTEST', secretAccessKey: 'secret/of+the/first+account0123456789012' };

const ROLE: KeyPair = {
  accessKeyId: 'ASIATESTTESTTEST',
  secretAccessKey: 'secret/of+the/role+0123456789012345678901',
  sessionToken: 'session-token-of-the-role-0001',
};

describe('calls with credentials of the account', () => {
  /** What the services let in, and what they saw. */
  let keys: KeyPair;
  const faults: string[] = [];
  const seen: SignedRequest[] = [];
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const { method = '', url: path = '' } = request;
    const one = { method, path, headers: headersOf(request), body };
    if (path.startsWith('/sts')) return answerSts(one, response);
    const fault = faultOfSignature(one, keys, SCOPE);
    if (fault !== undefined) {
      faults.push(fault);
      return json(response, 403, { message: fault });
    }
    seen.push(one);
    const dialect = path.startsWith('/anthropic') ? 'messages' : 'responses';
    if (!body.includes('"stream":true')) return json(response, 200, WHOLE[dialect]('signed'));
    response.writeHead(200, EVENT_STREAM);
    return response.end(FRAMES[dialect]('signed').join(''));
  });
  const answerSts = ({ body }: SignedRequest, response: Parameters<typeof json>[0]): void => {
    asked.push(new URLSearchParams(body.toString()).get('Action') ?? '');
    const action = asked.at(-1) ?? '';
    const credentials = [
      `<AccessKeyId>${ROLE.accessKeyId}</AccessKeyId>`,
      `<SecretAccessKey>${ROLE.secretAccessKey}</SecretAccessKey>`,
      `<SessionToken>${ROLE.sessionToken}</SessionToken>`,
      `<Expiration>${new Date(Date.now() + 3_600_000).toISOString()}</Expiration>`,
    ];
    const user =
      '<AssumedRoleUser><Arn>arn:aws:sts::1:assumed-role/r/s</Arn><AssumedRoleId>A:s</AssumedRoleId></AssumedRoleUser>';
    response.writeHead(200, { 'content-type': 'text/xml' });
    response.end(
      `<${action}Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><${action}Result><Credentials>${credentials.join('')}</Credentials>${user}</${action}Result></${action}Response>`,
    );
  };

  const before = { ...process.env };
  /** One for each test: the package reads a file once. */
  let folder: string;
  let url: string;
  let gateway: TestGateway;

  beforeAll(async () => {
    url = await listen(server);
  });
  beforeEach(() => {
    for (const list of [faults, seen, asked]) list.length = 0;
    keys = KEYS;
    folder = mkdtempSync(join(tmpdir(), 'interlingua-aws-'));
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    Object.assign(process.env, {
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_CONFIG_FILE: join(folder, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
      AWS_ENDPOINT_URL_STS: `${url}/sts`,
    });
    writeFileSync(join(folder, 'config'), '');
    writeFileSync(join(folder, 'credentials'), '');
  });
  afterEach(async () => {
    await gateway.close();
    rmSync(folder, { recursive: true });
  });
  afterAll(async () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('AWS_')) delete process.env[name];
    for (const [name, value] of Object.entries(before)) if (name.startsWith('AWS_')) process.env[name] = value;
    await shut(server);
  });

  const start = async (env: Record<string, string>): Promise<void> => {
    Object.assign(process.env, env);
    const cloud = { auth: 'aws', region: SCOPE.region, retries: 0, breaker: false } as const;
    gateway = await startGateway({
      backends: {
        claude: { dialect: 'messages', baseUrl: `${url}/anthropic`, ...cloud },
        gpt: { dialect: 'responses', baseUrl: `${url}/openai`, ...cloud, state: 'none' },
      },
      models: { 'claude-*': { backend: 'claude' }, 'gpt-*': { backend: 'gpt' } },
      store: { type: 'off' },
    });
  };
  const environment = ({ accessKeyId, secretAccessKey, sessionToken }: KeyPair): Record<string, string> => ({
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    ...(sessionToken !== undefined && { AWS_SESSION_TOKEN: sessionToken }),
  });
  const ask = { model: 'claude-opus-4-8', max_tokens: 64, messages: [{ role: 'user' as const, content: 'hi' }] };
  const statusOf = async (model: string): Promise<number> => {
    const { path, body } = ASK.messages(model);
    const { status } = await send(gateway.url, path, { body });
    expect(faults).toEqual([]);
    return status;
  };

  test('from the environment: every request of the official clients is signed as the service checks it', async () => {
    await start(environment(KEYS));
    const anthropic = new Anthropic({ apiKey: 'unused', baseURL: gateway.url, maxRetries: 0 });
    expect((await anthropic.messages.create(ask)).content).toMatchObject([{ text: 'signed' }]);
    expect(await anthropic.messages.stream({ ...ask, metadata: { user_id: 'ü' } }).finalText()).toBe('signed');
    const openai = new OpenAI({ apiKey: 'unused', baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    expect((await openai.responses.create({ model: 'gpt-5', input: 'hi', store: false })).output_text).toBe('signed');
    const { path, body } = STREAM.chatCompletions('gpt-5');
    expect((await send(gateway.url, path, { body })).status).toBe(200);
    expect(faults).toEqual([]);
    expect(seen.map(({ path: called }) => called)).toEqual([
      '/anthropic/v1/messages',
      '/anthropic/v1/messages',
      '/openai/v1/responses',
      '/openai/v1/responses',
    ]);
    // The key itself is nowhere sent, and no key of the client either.
    expect(JSON.stringify(seen)).not.toContain(KEYS.secretAccessKey);
    expect(seen.map(({ headers }) => headers['x-api-key'])).toEqual([undefined, undefined, undefined, undefined]);
  });

  test('with a query of the client and a large body', async () => {
    await start(environment(KEYS));
    const text = 'grüße '.repeat(300_000);
    const body = { ...ask, messages: [{ role: 'user', content: text }] };
    expect((await send(gateway.url, '/v1/messages?beta=true&b=a%20b&a=*', { body })).status).toBe(200);
    const foreign = { model: 'claude-opus-4-8', input: text, store: false };
    expect((await send(gateway.url, '/v1/responses', { body: foreign })).status).toBe(200);
    expect(faults).toEqual([]);
  });

  test('with a session token, which no client sees', async () => {
    keys = ROLE;
    await start(environment(ROLE));
    expect(await statusOf('claude-x')).toBe(200);
    keys = { ...ROLE, sessionToken: 'another' };
    const { path, body } = ASK.messages('claude-x');
    const refused = await send(gateway.url, path, { body });
    expect(messageOf('messages', refused.body)).toBe('the backend refused the credentials of this gateway');
  });

  test('from a profile', async () => {
    const { accessKeyId, secretAccessKey } = KEYS;
    const lines = ['[team]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
    writeFileSync(join(folder, 'credentials'), lines.join('\n'));
    await start({ AWS_PROFILE: 'team' });
    expect([await statusOf('claude-x'), await statusOf('gpt-x')]).toEqual([200, 200]);
  });

  test('from a role that a profile takes on, once for many calls', async () => {
    keys = ROLE;
    const { accessKeyId, secretAccessKey } = KEYS;
    const base = ['[base]', `aws_access_key_id = ${accessKeyId}`, `aws_secret_access_key = ${secretAccessKey}`];
    const role = [
      '[profile work]',
      'role_arn = arn:aws:iam::1:role/r',
      'source_profile = base',
      'region = eu-central-1',
    ];
    writeFileSync(join(folder, 'credentials'), base.join('\n'));
    writeFileSync(join(folder, 'config'), role.join('\n'));
    await start({ AWS_PROFILE: 'work' });
    expect(await Promise.all(['claude-x', 'claude-y', 'claude-z'].map(statusOf))).toEqual([200, 200, 200]);
    expect(asked).toEqual(['AssumeRole']);
  });

  test('from a role of a web identity', async () => {
    keys = ROLE;
    writeFileSync(join(folder, 'web-token'), 'some.jwt.token');
    await start({ AWS_ROLE_ARN: 'arn:aws:iam::1:role/r', AWS_WEB_IDENTITY_TOKEN_FILE: join(folder, 'web-token') });
    expect(await statusOf('claude-x')).toBe(200);
    expect(asked).toEqual(['AssumeRoleWithWebIdentity']);
  });

  test('without any credentials nothing is sent, and the client is told whose fault it is', async () => {
    await start({});
    const { path, body } = ASK.messages('claude-x');
    const answer = await send(gateway.url, path, { body });
    expect([answer.status, answer.body.error.message]).toEqual([
      502,
      'the gateway cannot get its credentials for the backend',
    ]);
    expect([seen, faults]).toEqual([[], []]);
  });
});
