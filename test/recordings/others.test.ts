import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { dialectsOf, presets } from '../../src/presets/index.js';
import { type JsonObject, objectOf, objectsOf } from '../../src/simulator/rules/index.js';
import type { DialectId } from '../../translators/index.js';
import { dialectAt } from '../support/dialect-at.js';
import {
  json,
  type Recorder,
  send,
  startGateway,
  startRecorder,
  type TestGateway,
  type Tree,
} from '../support/gateway/harness.js';
import { bytesOf, OTHERS, type Recording } from './recordings.js';

/** Lists of models and counts of tokens of real servers, to clients of every dialect. */

let recorder: Recorder;
beforeAll(async () => {
  recorder = await startRecorder();
});
afterAll(() => recorder.close());
beforeEach(() => {
  recorder.seen.length = 0;
});

/** A gateway in front of the server of a recording, at one of its endpoints; the server knows the recorded route only. */
async function open(recording: Recording, dialect: DialectId): Promise<TestGateway> {
  const { preset, request, response: recorded } = recording;
  recorder.reply = (response, { path }) => {
    if (path.split('?', 1)[0] === request.path)
      response.writeHead(recorded.status, recorded.headers).end(bytesOf(recording));
    else json(response, 404, { detail: 'Not Found' });
  };
  const baseUrl = dialect === 'chatCompletions' ? `${recorder.url}/v1` : recorder.url;
  return startGateway({
    backends: { server: { ...(preset !== undefined && { preset }), dialect, baseUrl } },
    models: { 'server/*': { backend: 'server', model: '*' } },
  });
}

/** The dialects in which the server of a list can be called; one that has lists in two forms gave that of messages to its client. */
function endpointsOf({ preset, response: { body } }: Recording): readonly DialectId[] {
  if (!('object' in objectOf(body))) return ['messages'];
  return preset === undefined ? ['messages', 'responses', 'chatCompletions'] : dialectsOf(presets[preset]);
}

/** When a model was made, in seconds; 0 = nobody knows. */
function timeOf({ created, created_at: at }: JsonObject): unknown {
  return created ?? (typeof at === 'string' ? Date.parse(at) / 1000 : 0);
}

const isList = ({ request }: Recording): boolean => request.path.endsWith('/models');
const LISTS = OTHERS.filter(isList).flatMap((recording) =>
  endpointsOf(recording).map((endpoint) => ({ name: recording.name, recording, endpoint })),
);

describe.each(LISTS)('$name, $endpoint', ({ recording, endpoint }) => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await open(recording, endpoint);
  });
  afterAll(() => gateway.close());

  test.each([
    ['messages', '/v1/models', { 'anthropic-version': '2023-06-01' }],
    ['responses, chatCompletions', '/v1/models', {}],
    ['generateContent', '/v1beta/models', {}],
  ])('%s: all models can be asked for by name', async (_clients, path, headers) => {
    const { status, body } = await send(gateway.url, path, { headers });
    expect(status).toBe(200);
    const shown = [...(body.data ?? body.models)].map(({ id, name, created, created_at: at, ...model }: Tree) => ({
      name: id ?? name.replace('models/', ''),
      made: created ?? (at === undefined ? undefined : Date.parse(at) / 1000),
      input: model.max_input_tokens ?? model.inputTokenLimit,
    }));
    const served = objectsOf(objectOf(recording.response.body).data).map((model) => ({
      name: `server/${model.id}`,
      made: path.includes('v1beta') ? undefined : timeOf(model),
      input: 'object' in body ? undefined : model.max_input_tokens,
    }));
    expect(shown).toEqual(served);
  });
});

const TEXT = 'Say something about llamas.';
const CONTENTS = [{ role: 'user', parts: [{ text: TEXT }] }];

/** A count of the recorded text for a model, and where its answer has the sum. */
interface Counting {
  readonly path: string;
  readonly body: object;
  readonly sum: (body: Tree) => unknown;
}

const COUNTS: Readonly<Partial<Record<DialectId, (model: string) => Counting>>> = {
  messages: (model) => ({
    path: '/v1/messages/count_tokens',
    body: { model, messages: [{ role: 'user', content: TEXT }] },
    sum: ({ input_tokens: sum }) => sum,
  }),
  responses: (model) => ({
    path: '/v1/responses/input_tokens',
    body: { model, input: TEXT },
    sum: ({ input_tokens: sum }) => sum,
  }),
  generateContent: (model) => ({
    path: `/v1beta/models/${model}:countTokens`,
    body: { contents: CONTENTS },
    sum: ({ totalTokens: sum }) => sum,
  }),
};

/** One whose preset we have is counted at whichever endpoint it answers. */
const countingEndpoints = ({ preset, request }: Recording): readonly DialectId[] =>
  preset === undefined ? [dialectAt(request.path)] : dialectsOf(presets[preset]);

const COUNTED = OTHERS.filter((recording) => !isList(recording)).flatMap((recording) =>
  countingEndpoints(recording).flatMap((endpoint) =>
    Object.entries(COUNTS).map(([client, count]) => ({ name: recording.name, recording, endpoint, client, count })),
  ),
);

test.each(COUNTED)('$name, $endpoint: a client of $client', async ({ recording, endpoint, count }) => {
  const { request, response } = recording;
  const { model } = objectOf(request.body);
  const { path, body, sum } = count(`server/${model}`);
  const gateway = await open(recording, endpoint);
  const answer = await send(gateway.url, path, { body });
  await gateway.close();
  expect(answer.status).toBe(200);
  const counted = response.status === 200;
  expect(answer.headers['x-interlingua-estimate']).toBe(counted ? undefined : 'true');
  if (counted) expect(sum(answer.body)).toBe(objectOf(response.body).input_tokens);
  else expect(sum(answer.body)).toBeGreaterThan(0);
});
