import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  createStreamTranslator,
  type DialectId,
  explainLoss,
  FEATURES,
  type Feature,
  type Loss,
  type ProfileChoice,
  TranslationError,
  translateRequest,
  translateResponse,
} from '../../translators/index.js';
import { answerStream } from '../support/answers.js';
import { loadCases, parseLosses } from '../support/cases.js';
import { bodiesOf } from '../support/fields/fate.js';
import { DOCUMENTED } from '../support/fields/index.js';
import { WHOLE } from '../support/gateway/harness.js';
import { CROSS_PAIRS } from '../support/pairs.js';
import {
  ANSWERS,
  MODELS,
  REQUESTS,
  requestOf,
  type Translate,
  translatedAnswer,
  translatedRequest,
} from '../support/support-table/index.js';

function lossesOf(translate: Translate, from: DialectId, to: DialectId, body: unknown): readonly Loss[] {
  try {
    return translate(from, to, body);
  } catch (error) {
    if (error instanceof TranslationError) return error.losses;
    throw error;
  }
}

/** What the rows of the support table and the walk over all documented fields lose. */
function produced(): Loss[] {
  return CROSS_PAIRS.flatMap(([from, to]) => [
    ...REQUESTS.flatMap(({ rows }) =>
      rows.flatMap(({ says }) => (says[from] === undefined ? [] : lossesOf(translatedRequest, from, to, says[from]))),
    ),
    ...ANSWERS.flatMap(({ rows }) =>
      rows.flatMap(({ says }) => (says[from] === undefined ? [] : lossesOf(translatedAnswer, from, to, says[from]))),
    ),
    ...DOCUMENTED[from].flatMap((documented) =>
      Object.keys(documented.fields).flatMap((field) =>
        lossesOf(translatedRequest, from, to, bodiesOf(documented, field).body),
      ),
    ),
  ]);
}

const PRODUCED = produced();

/** Features that the case files name without a doubt; test/cases.test.ts proves those. */
const IN_CASES = new Set(
  loadCases(join(import.meta.dirname, '..', 'cases'))
    .flatMap(({ blocks }) => blocks.filter(({ lang }) => lang === 'losses').flatMap(parseLosses))
    .filter(({ features, optional }) => features.length === 1 && !optional)
    .flatMap(({ features }) => features),
);

const sent = (from: DialectId, to: DialectId, body: unknown, profile?: ProfileChoice): readonly Loss[] =>
  translateRequest({ from, to, body, model: MODELS[to], profile }).losses;

const LOOP = requestOf('responses loop', 'r');
const TOOL = { type: 'function', name: 'f', description: 'd', parameters: { type: 'object' }, strict: false };
const FALLBACK = { type: 'fallback', from: { model: 'a' }, to: { model: 'b' }, trigger: { type: 'refusal' } };
const text = (words: string) => ({ type: 'text', text: words });

/** What it takes to lose the rarer ones. */
const RARE: readonly [Feature, () => readonly Loss[]][] = [
  [
    'call.id',
    () =>
      sent('responses', 'messages', {
        ...LOOP,
        input: [...(LOOP.input as object[]), ...(LOOP.input as object[])],
      }),
  ],
  [
    'handover',
    () =>
      translateResponse({
        from: 'messages',
        to: 'generateContent',
        body: { ...WHOLE.messages('a'), content: [FALLBACK, text('a')] },
      }).losses,
  ],
  ['part.handover', () => sent('messages', 'responses', requestOf('messages assistant', [FALLBACK, text('a')]))],
  [
    'part.approval',
    () =>
      sent(
        'responses',
        'messages',
        requestOf('responses assistant', [
          { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 's', name: 'f', arguments: '{}' },
          { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: true },
        ]),
      ),
  ],
  [
    'instruction.join',
    () =>
      sent('messages', 'responses', requestOf('messages', { system: [text('s'), text('t')] }), {
        instructionsField: 'demanded',
      }),
  ],
  [
    'part.media.mime',
    () =>
      sent(
        'responses',
        'generateContent',
        requestOf('responses user', [
          { type: 'input_file', filename: 'a.json', file_data: 'data:application/json;base64,e30=' },
        ]),
      ),
  ],
  [
    'reasoning.effort',
    () => sent('responses', 'generateContent', requestOf('responses', { reasoning: { effort: 'xhigh' } })),
  ],
  [
    'result.part',
    () => sent('messages', 'generateContent', requestOf('messages loop', { content: [text('a'), text('b')] })),
  ],
  [
    'stream.arguments',
    () => {
      const body = requestOf('generateContent choice', { mode: 'ANY', streamFunctionCallArguments: true });
      const translator = createStreamTranslator({ from: 'messages', to: 'generateContent', request: body });
      for (const event of answerStream('messages', 1)) translator.push(event);
      return translator.losses;
    },
  ],
  ['tool.duplicate', () => sent('responses', 'messages', requestOf('responses tools', [TOOL]))],
  ['tool.opaque', () => sent('responses', 'messages', requestOf('responses tools', [{ type: 'new_tool' }]))],
];

/** Features that no body and no answer of this file produces, and where they are. */
const ELSEWHERE: readonly { readonly features: RegExp; readonly where: string }[] = [
  { features: /^headers\.beta$/, where: 'of a header, which the gateway reads: test/exchange/losses.test.ts' },
  { features: /^thread$/, where: 'of relayed bodies, by what is known of their host: test/exchange/threads.test.ts' },
  { features: /^image\../, where: 'of requests for pictures: test/media' },
];

describe('the features that a loss may name', () => {
  test.each(RARE)('%s is lost', (feature, losses) => {
    expect(losses().map((loss) => loss.feature)).toContain(feature);
  });

  test('every one is produced by an executable case', () => {
    const seen = new Set<string>([
      ...PRODUCED.map(({ feature }) => feature),
      ...IN_CASES,
      ...RARE.map(([name]) => name),
    ]);
    const idle = Object.keys(FEATURES).filter((feature) => !seen.has(feature));
    expect(idle.filter((feature) => !ELSEWHERE.some(({ features }) => features.test(feature)))).toEqual([]);
    expect(ELSEWHERE.filter(({ features }) => !idle.some((feature) => features.test(feature)))).toEqual([]);
  });

  test('nothing else is produced, but for keys of one dialect', () => {
    const unknown = PRODUCED.filter(({ feature }) => !(feature in FEATURES) && !feature.startsWith('ext.'));
    expect(unknown).toEqual([]);
  });

  test.each(Object.entries(FEATURES))('%s has one sentence of its own', (_feature, sentence) => {
    expect(sentence).toMatch(/^[A-Z][^.]*\.$/);
    expect(Object.values(FEATURES).filter((other) => other === sentence)).toHaveLength(1);
  });
});

describe('a loss in words', () => {
  test.each<[Loss, string]>([
    [
      { path: '/top_k', feature: 'sampling.topK', kind: 'dropped', detail: 'the model does not support it' },
      '/top_k was dropped: the number of candidates from which a token is drawn (sampling.topK). The model does not support it.',
    ],
    [
      { path: '', feature: 'telemetry', kind: 'dropped', detail: 'avgLogprobs, created_at' },
      'something in the body was dropped: telemetry: figures about the answer that do not change it (telemetry). avgLogprobs, created_at.',
    ],
    [
      { path: '/$headers/anthropic-beta', feature: 'headers.beta', kind: 'dropped', detail: 'a: it stays here' },
      'the header anthropic-beta was dropped: feature names in a header of the client (headers.beta). a: it stays here.',
    ],
    [
      {
        path: '/messages/0',
        feature: 'turn.inserted',
        kind: 'invented',
        detail: 'the target requires a user turn first',
      },
      'added to /messages/0: a turn that the target requires and the source did not have (turn.inserted). The target requires a user turn first.',
    ],
    [
      { path: '/a\nb', feature: 'ext.a\nb', kind: 'dropped', detail: 'only supported by the messages dialect' },
      '/a\\u000ab was dropped: a key that only the dialect it came from has (ext.a\\u000ab). Only supported by the messages dialect.',
    ],
  ])('%j', (loss, sentence) => {
    expect(explainLoss(loss)).toBe(sentence);
  });

  test('every loss there is: one line that names it and ends in a full stop', () => {
    for (const loss of PRODUCED) {
      const text = explainLoss(loss);
      expect(text).toContain(`(${loss.feature}). `);
      expect(text).toMatch(/^\S.*[.!?]$/);
    }
  });
});
