import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { type DescribedError, describeError, type SessionOptions } from '../support/sessions/index.js';
import { openStage, type Stage, WAY_TITLE, waysOf } from './stage.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

type Words = Readonly<Record<FakeDialectName, Partial<DescribedError>>>;

/** Each failure in the words of the client's dialect (translation.md 7.1). */
const BAD_REQUEST: Words = {
  messages: { name: 'BadRequestError', status: 400, type: 'invalid_request_error' },
  responses: { name: 'BadRequestError', status: 400, type: 'invalid_request_error' },
  generateContent: { name: 'ApiError', status: 400, type: 'INVALID_ARGUMENT' },
  chatCompletions: { name: 'BadRequestError', status: 400, type: 'invalid_request_error' },
};
const BAD_KEY: Words = {
  messages: { name: 'AuthenticationError', status: 401, type: 'authentication_error' },
  responses: { name: 'AuthenticationError', status: 401, code: 'invalid_api_key' },
  generateContent: { name: 'ApiError', status: 401, type: 'UNAUTHENTICATED' },
  chatCompletions: { name: 'AuthenticationError', status: 401, code: 'invalid_api_key' },
};
const UPSTREAM: Words = {
  messages: { status: 502, type: 'api_error' },
  responses: { status: 502, type: 'server_error' },
  generateContent: { status: 503, type: 'UNAVAILABLE' },
  chatCompletions: { status: 502, type: 'server_error' },
};
const RATE_LIMIT: Words = {
  messages: { name: 'RateLimitError', status: 429, type: 'rate_limit_error', retryAfter: 7 },
  responses: { name: 'RateLimitError', status: 429, code: 'rate_limit_exceeded', retryAfter: 7 },
  generateContent: { name: 'ApiError', status: 429, type: 'RESOURCE_EXHAUSTED', retryAfter: 7 },
  chatCompletions: { name: 'RateLimitError', status: 429, code: 'rate_limit_exceeded', retryAfter: 7 },
};
const NO_MODEL: Words = {
  messages: { status: 404, type: 'not_found_error' },
  responses: { status: 400, code: 'model_not_found' },
  generateContent: { status: 404, type: 'NOT_FOUND' },
  chatCompletions: { status: 404, code: 'model_not_found' },
};
const OVERLOADED: Words = {
  messages: { status: 529, type: 'overloaded_error' },
  responses: { status: 503, type: 'server_error' },
  generateContent: { status: 503, type: 'UNAVAILABLE' },
  chatCompletions: { status: 503, type: 'server_error' },
};
const OVERLOADED_LATE: Words = {
  messages: { type: 'overloaded_error' },
  responses: { type: 'server_error' },
  generateContent: { type: 'UNAVAILABLE' },
  chatCompletions: { type: 'server_error' },
};
const INTERNAL_LATE: Words = {
  messages: { type: 'api_error' },
  responses: { type: 'server_error' },
  generateContent: { type: 'INTERNAL' },
  chatCompletions: { type: 'server_error' },
};
const UPSTREAM_LATE: Words = {
  messages: { type: 'api_error' },
  responses: { type: 'server_error' },
  generateContent: { type: 'UNAVAILABLE' },
  chatCompletions: { type: 'server_error' },
};

const LONG = 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen';

describe.each(waysOf(0))(WAY_TITLE, ({ client, backend, stream }) => {
  const model = `via-${backend}`;
  const relayed = client === backend;

  /** The error of one call, as a user of the SDK sees it; fails when there is none. */
  async function failure(options: Partial<SessionOptions> = {}): Promise<DescribedError> {
    const session = stage.session(client, { model, ...options });
    session.user('Hello.');
    const outcome = await session.send({ stream }).then(
      (turn) => ({ turn }),
      (error: unknown) => ({ error }),
    );
    if ('turn' in outcome) throw new Error(`answered: ${JSON.stringify(outcome.turn)}`);
    return describeError(outcome.error);
  }

  test('400 of the backend: status, type and the backend’s words', async () => {
    stage.backends[backend].script({ kind: 'error', status: 400, message: 'Too many bananas in this request.' });
    const error = await failure();
    expect(error).toMatchObject({ sdk: true, ...BAD_REQUEST[client] });
    expect(error.message).toContain('Too many bananas in this request.');
  });

  test('401 for a wrong key, before anything is sent', async () => {
    expect(await failure({ apiKey: 'wrong-key-wrong-key' })).toMatchObject({ sdk: true, ...BAD_KEY[client] });
    expect(stage.backends[backend].requests).toHaveLength(0);
  });

  test('the backend refuses the gateway’s own key: the client’s key is not to blame', async () => {
    const error = await failure({ model: `locked-${backend}` });
    expect(error).toMatchObject({ sdk: true, ...UPSTREAM[client] });
    expect(stage.backends[backend].requests).toHaveLength(1);
  });

  test('404 for a model the gateway does not have', async () => {
    expect(await failure({ model: 'no-such-model' })).toMatchObject({ sdk: true, ...NO_MODEL[client] });
  });

  test('429 with the time to wait', async () => {
    stage.backends[backend].script({ kind: 'error', status: 429, message: 'Slow down.', retryAfter: 7 });
    const error = await failure();
    const { code: _own, ...words } = RATE_LIMIT[client];
    expect(error).toMatchObject({ sdk: true, ...(relayed ? words : RATE_LIMIT[client]) });
    expect(error.message).toContain('Slow down.');
  });

  test('overload, in mid-stream where there is a stream', async () => {
    stage.backends[backend].script({ kind: 'midstreamError', text: LONG, after: 2 });
    const error = await failure();
    // Inside a stream the dialects of OpenAI have no status to tell overload from other failures by.
    const late = backend === 'responses' || backend === 'chatCompletions' ? INTERNAL_LATE : OVERLOADED_LATE;
    expect(error).toMatchObject({ sdk: true, ...(stream ? late : OVERLOADED)[client] });
  });

  test.each([
    { title: 'ends without its finish', reset: false },
    { title: 'is reset', reset: true },
  ])('an answer that $title is an error, never a clean end', async ({ reset }) => {
    stage.backends[backend].script({ kind: 'cut', text: LONG, after: 2, reset });
    const error = await failure();
    // What was relayed byte for byte can only be broken off; how that surfaces is the SDK's affair.
    if (relayed) return;
    if (stream) expect(error).toMatchObject({ sdk: true, ...UPSTREAM_LATE[client] });
    else expect(error).toMatchObject({ sdk: true, ...UPSTREAM[client] });
  });

  test('the server goes on serving after a failure', async () => {
    stage.backends[backend].script([
      { kind: 'cut', text: LONG, reset: true },
      { kind: 'text', text: 'Here again.' },
    ]);
    await failure();
    const session = stage.session(client, { model });
    session.user('Still there?');
    await expect(session.send({ stream })).resolves.toMatchObject({ text: 'Here again.', finish: 'end' });
  });
});
