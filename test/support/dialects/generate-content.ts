import { checkGenerate } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { GENERATE_CONTENT_SPELLING } from '../neutral.js';
import { generateContentWire } from '../wire/generate-content.js';
import { askGenerateContent } from '../wire/requests.js';
import { factsOf } from './facts.js';
import type { TestDialect } from './record.js';

/** Words for what the caller did, or may do something about. */
const CALLERS: ReadonlySet<string> = new Set([
  'INVALID_ARGUMENT',
  'UNAUTHENTICATED',
  'PERMISSION_DENIED',
  'NOT_FOUND',
  'ABORTED',
  'PAYLOAD_TOO_LARGE',
  'RESOURCE_EXHAUSTED',
  'CANCELLED',
]);

export const generateContent = {
  request: askGenerateContent,
  wire: generateContentWire,
  ...factsOf('generate-content'),
  violations: (body, { model, host, state }) =>
    checkGenerate(body, { model, host, gemini3: model.startsWith('gemini-3'), state }),
  errorQuoting: (place, key) => ({
    error: {
      code: 400,
      message: place === 'message' ? `wrong: ${key}` : 'wrong',
      status: place === 'code' ? key : 'INVALID_ARGUMENT',
      ...(place === 'param' && {
        details: [
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: key, description: 'wrong' }],
          },
        ],
      }),
    },
  }),
  get spelling() {
    return GENERATE_CONTENT_SPELLING;
  },
  errorEvent: (body) => [undefined, body],
  wrongKey: /UNAUTHENTICATED/,
  textOfEvent: ({ candidates }) => candidates?.[0]?.content?.parts?.map(({ text }: Tree) => text).join(''),
  argsOfEvent: ({ candidates }) =>
    candidates?.[0]?.content?.parts?.map(({ functionCall }: Tree) => JSON.stringify(functionCall?.args)).join(''),
  saysComplete: ({ candidates }) => candidates?.[0]?.finishReason !== undefined,
  saysFailure: ({ error }) => error !== undefined,
  isLastEvent: ({ candidates }) => candidates?.[0]?.finishReason === 'STOP',
  ending: { complete: /"finishReason": ?"STOP"/, error: /^data: \{"error":.*"UNAVAILABLE"/m },
  withTool: (parametersJsonSchema) => ({
    tools: [{ functionDeclarations: [{ name: 't', parametersJsonSchema }] }],
  }),
  errorMessage: (body: Tree) =>
    typeof body?.error?.code === 'number' && typeof body.error.status === 'string' && body.error.message,
  lossyCount: (model: string) => ({
    path: `/v1beta/models/${model}:countTokens`,
    body: {
      generateContentRequest: {
        model: `models/${model}`,
        contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
        generationConfig: { enableEnhancedCivicAnswers: true },
      },
    },
  }),
  lossOf: (body) => body.error.details.map((detail: Tree) => [detail['@type'], detail.fieldViolations]),
  saysFinish: ({ candidates }: Tree) => candidates?.[0]?.finishReason !== undefined,
  pathBelowRoot: (segment: string) => `/root/v1beta/models/${segment}:generateContent`,
  errorBody: (code, status, message) => ({ error: { code, message, status } }),
  limitHeaders: (_kind, like) => ({ 'retry-after': like.seconds }),
  limitBody: (kind, { retryDelay }) => {
    const type = (name: string) => `type.googleapis.com/google.rpc.${name}`;
    const metrics: Record<string, readonly string[]> = {
      requests: ['generativelanguage.googleapis.com/generate_content_requests', '1'],
      tokens: ['generativelanguage.googleapis.com/generate_content_token_count', '5'],
    };
    const quotas = metrics[kind] === undefined ? [] : [metrics[kind]];
    return {
      error: {
        code: 429,
        status: 'RESOURCE_EXHAUSTED',
        details: [
          { '@type': type('RetryInfo'), retryDelay },
          ...quotas.map(([quotaMetric, quotaValue]) => ({
            '@type': type('QuotaFailure'),
            violations: [{ quotaMetric, quotaValue }],
          })),
        ],
      },
    };
  },
  requestWithSchema: (schema) => ({
    contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
    tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }],
    generationConfig: { responseMimeType: 'application/json', responseSchema: schema },
  }),
  isErrorBody: ({ error }) =>
    typeof error.code === 'number' &&
    typeof error.status === 'string' &&
    error.code < 500 === CALLERS.has(error.status),
  richMembers: (schema) => ({
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      { role: 'model', parts: [{ functionCall: { name: 'f', args: { a: { b: 1 } } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: { r: { s: 1 } } } }] },
    ],
    systemInstruction: { parts: [{ text: 's' }] },
    tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
    generationConfig: { responseJsonSchema: schema, responseMimeType: 'application/json' },
    labels: { a: 'b' },
  }),
} satisfies TestDialect;
