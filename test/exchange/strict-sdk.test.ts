import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { BACKEND_MODELS, DIALECTS, GATEWAY_KEY, openStage, type Stage } from '../sdk/stage.js';
import { tableOf } from '../support/dialects/index.js';
import type { FakeDialectName } from '../support/fake-backend/index.js';
import { FAKE_DIALECTS } from '../support/fake-backend/index.js';
import { ASK, messageOf, type Sending, send, startGateway } from '../support/gateway/harness.js';
import { LOSSY, type LossyAsk, sendLossy } from '../support/lossy-exchanges.js';
import { crossPairsOf } from '../support/pairs.js';
import { describeError } from '../support/sessions/index.js';
import { parseList } from '../support/structured-list.js';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());
beforeEach(() => stage.reset());

const STRICT = { 'x-interlingua-losses': 'strict' };
const CROSSING = crossPairsOf(FAKE_DIALECTS).map(([client, backend]) => ({ client, backend }));

const seen = (): number => DIALECTS.reduce((sum, dialect) => sum + stage.backends[dialect].requests.length, 0);

/** The `allow` that a refusal advises. */
const adviceOf = (message: string): string => /allow="([^"]*)" lets (?:it|them) go$/.exec(message)?.[1] ?? '';

const FIELD = tableOf('lossOf');

const SHOWN: Readonly<Record<FakeDialectName, unknown>> = {
  messages: ['unsupported_translation', '/inference_geo'],
  responses: ['unsupported_translation', 'text.verbosity'],
  generateContent: [
    [
      'type.googleapis.com/google.rpc.BadRequest',
      [
        {
          field: 'generation_config.enable_enhanced_civic_answers',
          description: expect.stringMatching(/^ext\.enableEnhancedCivicAnswers would be dropped: /),
        },
      ],
    ],
  ],
  chatCompletions: ['unsupported_translation', 'logit_bias'],
};

const ERROR_NAMES = {
  messages: 'BadRequestError',
  responses: 'BadRequestError',
  generateContent: 'ApiError',
  chatCompletions: 'BadRequestError',
} as const;

describe.each(CROSSING)('$client client, $backend backend', ({ client, backend }) => {
  const ask: LossyAsk = { client, model: `via-${backend}`, lossy: LOSSY[client], headers: STRICT };
  const [feature = '', kind = '', path = ''] = LOSSY[client].request.split(' ');

  test.each([false, true])("strict is the SDK's own 400 before any call, stream: %s", async (stream) => {
    const error = describeError(await sendLossy(stage.url, ask, stream).catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({ sdk: true, name: ERROR_NAMES[client], status: 400 });
    expect(error.message).toContain(`strict translation refused: ${path} ${feature} ${kind}; `);
    expect(adviceOf(error.message)).toBe(feature);
    expect(seen()).toBe(0);
  });

  test('what the refusal advises lets the request go', async () => {
    const headers = { 'x-interlingua-losses': `strict;allow="${feature}"` };
    await sendLossy(stage.url, { ...ask, headers }, false);
    expect(stage.backends[backend].requests).toHaveLength(1);
  });

  test('the body shows the field in the place of the dialect, the headers all that would be lost', async () => {
    const answer = await refusal(client, `via-${backend}`);
    expect(FIELD[client](answer.body)).toEqual(SHOWN[client]);
    expect(parseList(String(answer.headers['x-interlingua-loss']))).toEqual([
      { token: feature, parameters: { kind, path } },
    ]);
    expect(seen()).toBe(0);
  });

  test('a count is refused like the request itself', async () => {
    const counted = COUNT[client]?.(`via-${backend}`);
    if (counted === undefined) return;
    const { path: route, body } = counted;
    const headers = { authorization: `Bearer ${GATEWAY_KEY}` };
    expect((await send(stage.url, route, { body, headers })).status).toBe(200);
    stage.reset();
    const refused = await send(stage.url, route, { body, headers: { ...headers, ...STRICT } });
    expect(refused.status).toBe(400);
    expect(messageOf(client, refused.body)).toContain('strict translation refused: ');
    expect(seen()).toBe(0);
  });

  test('nor is anybody called when only the first of several targets would lose', async () => {
    const backends = Object.fromEntries(
      DIALECTS.map((dialect) => [dialect, { dialect, baseUrl: stage.backends[dialect].url }]),
    );
    const targets = [backend, client].map((name) => ({ backend: name, model: BACKEND_MODELS[name] }));
    const gateway = await startGateway({ backends, models: { both: targets } });
    try {
      const { path: route, body } = lossyAsk(client, 'both');
      const answer = await send(gateway.url, route, { body, headers: STRICT });
      expect(answer.status).toBe(400);
      expect(messageOf(client, answer.body)).toContain('strict translation refused: ');
      expect(seen()).toBe(0);
    } finally {
      await gateway.close();
    }
  });
});

describe.each(DIALECTS)('%s client, backend of the same dialect', (dialect) => {
  test('strict has nothing to refuse: the body is relayed', async () => {
    const ask: LossyAsk = { client: dialect, model: `via-${dialect}`, lossy: LOSSY[dialect], headers: STRICT };
    const { headers } = await sendLossy(stage.url, ask, false);
    expect(headers.get('x-interlingua-losses')).toBe('0');
    expect(seen()).toBe(1);
  });
});

test('a refusal names ten of many, the headers all of them', async () => {
  const many = Object.fromEntries(Array.from({ length: 14 }, (_, index) => [`unknown_${index}`, true]));
  const { path, body } = ASK.messages('via-responses', many);
  const answer = await sendStrict(path, { body });
  const message = messageOf('messages', answer.body);
  expect(message.match(/\/unknown_\d+ ext\.unknown_\d+ dropped/g)).toHaveLength(10);
  expect(message).toContain(' and 4 more; ');
  expect(adviceOf(message)).toBe('ext.*');
  expect(parseList(String(answer.headers['x-interlingua-loss']))).toHaveLength(14);
  expect(seen()).toBe(0);
});

test.each(['messages', 'generateContent'] as const)(
  'a result without its call is refused over a backend of %s, whatever is let go',
  async (backend) => {
    const input = [
      { role: 'user', content: 'Hello' },
      { type: 'function_call_output', call_id: 'call_gone', output: 'late' },
    ];
    const body = { model: `via-${backend}`, input };
    const headers = { authorization: `Bearer ${GATEWAY_KEY}`, 'x-interlingua-losses': 'strict;allow="*"' };
    for (const path of ['/v1/responses', '/v1/responses/input_tokens']) {
      const answer = await send(stage.url, path, { body, headers });
      expect(answer.status).toBe(400);
      expect(messageOf('responses', answer.body)).toBe('no tool call found for the output with call_id "call_gone"');
    }
    expect(seen()).toBe(0);
  },
);

test('hints are no reason to refuse', async () => {
  const { path, body } = ASK.messages('via-generateContent', {
    metadata: { user_id: 'u' },
    cache_control: { type: 'ephemeral', ttl: '1h' },
    service_tier: 'standard_only',
  });
  const answer = await sendStrict(path, { body });
  expect(answer.status).toBe(200);
  expect(parseList(String(answer.headers['x-interlingua-loss'])).map(({ token }) => token)).toEqual(
    expect.arrayContaining(['user', 'cache.ttl', 'tier']),
  );
});

function sendStrict(path: string, sending: Sending) {
  return send(stage.url, path, { ...sending, headers: { authorization: `Bearer ${GATEWAY_KEY}`, ...STRICT } });
}

function refusal(client: FakeDialectName, model: string) {
  const { path, body } = lossyAsk(client, model);
  return sendStrict(path, { body });
}

function lossyAsk(client: FakeDialectName, model: string) {
  const { fields } = LOSSY[client];
  return ASK[client](model, client === 'generateContent' ? { generationConfig: fields } : fields);
}

const COUNT = tableOf('lossyCount');
