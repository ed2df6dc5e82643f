import { checkGenerate } from '../../../src/simulator/rules/index.js';
import type { Tree } from '../gateway/harness.js';
import { GENERATE_CONTENT_SPELLING } from '../neutral.js';
import { generateContentWire } from '../wire/generate-content.js';
import { askGenerateContent } from '../wire/requests.js';
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
  folder: 'generate-content',
  beyondPlan: {
    'response/metadata.ts': 'log probabilities and telemetry stand beside the content',
    'content/grounding.ts': 'the sources of all texts stand in one object',
    'content/pairs.ts': 'calls and results have no ids and are told apart by their order',
    'tools/arguments.ts': 'arguments may come in pieces that name their JSON path',
    'stream/calls.ts': 'calls whose arguments come in pieces are open side by side',
    'edge/resume.ts': 'a cut answer can be continued',
  },
  violations: (body, { model, host, state }) =>
    checkGenerate(body, { model, host, gemini3: model.startsWith('gemini-3'), state }),
  askingForThoughts: {
    generationConfig: { thinkingConfig: { includeThoughts: true } },
    tools: [{ functionDeclarations: [{ name: 'look', parameters: { type: 'OBJECT' } }] }],
  },
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
  letter: 'G',
  model: 'gemini-3-pro',
  newestModel: 'gemini-3-pro',
  strictestModel: 'gemini-3.8-flash',
  generations: ['gemini-3-pro', 'gemini-2.5-flash', 'gemini-2.0-flash'],
  models: ['gemini-1.5-pro', 'gemini-2.5-flash', 'gemini-2.5-computer-use-preview', 'gemini-3-pro', 'gemini-3.6-flash'],
  targets: [
    'gemini-3-pro',
    'gemini-2.5-flash',
    'gemini-2.5-pro',
    'gemini-3.6-flash',
    'gemini-2.0-flash',
    'gemini-2.5-flash-image',
  ],
  profiles: [
    'gemini-2.5-flash',
    'gemini-3-pro',
    'gemini-3.6-flash',
    'gemma-3-27b',
    { model: 'gemini-3-pro', cloud: true },
  ],
  turnsKey: 'contents',
  partsKey: 'parts',
  requestType: `
import type * as G from '@google/genai';
// Enums of this client are strings on the wire.
type Wire<T> = T extends string ? string : T extends readonly (infer I)[] ? Wire<I>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
type Top = Pick<G.GenerateContentConfig, 'toolConfig' | 'safetySettings' | 'cachedContent' | 'serviceTier' | 'labels'>;
type Config = G.GenerationConfig & Pick<G.GenerateContentConfig, 'imageConfig'>;
type Request = Wire<Top & { contents: G.Content[]; systemInstruction?: G.Content; tools?: G.Tool[]; generationConfig?: Config }>;
`,
  answerTypes: `
import type * as G from '@google/genai';
// Enums of this client are their words on the wire.
type Wire<T> = T extends string ? \`\${T}\` : T extends readonly (infer I)[] ? Wire<I>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;
type Body = Wire<Pick<G.GenerateContentResponse, 'usageMetadata' | 'modelVersion' | 'responseId' | 'promptFeedback'>>;
// The client's types require nothing; its readers want these, and parts that are no empty list.
type Part = Wire<G.Part>;
type Content = { role: 'model'; parts: [Part, ...Part[]] };
type Candidate = Omit<Wire<G.Candidate>, 'content' | 'index'> & { content: Content; index: number };
type Named = Required<Pick<Body, 'modelVersion' | 'responseId'>>;
type Said<C> =
  | (Omit<Body, 'promptFeedback'> & Named & { candidates: [C]; promptFeedback?: never })
  | (Body & Named & Required<Pick<Body, 'promptFeedback'>> & { candidates?: never });
type Answer = Said<Candidate & Required<Pick<Candidate, 'finishReason'>>>;
type Event = Said<Candidate> | { error: { code: number; message: string; status: string } };
`,
  requiredMembers: { answer: 'responseId', event: 'modelVersion' },
  errorEvent: (body) => [undefined, body],
  deltaEvent: undefined,
  wrongKey: /UNAUTHENTICATED/,
  routes: [':generateContent', ':streamGenerateContent?alt=sse', ':streamGenerateContent', ':countTokens'],
  textOfEvent: ({ candidates }) => candidates?.[0]?.content?.parts?.map(({ text }: Tree) => text).join(''),
  argsOfEvent: ({ candidates }) =>
    candidates?.[0]?.content?.parts?.map(({ functionCall }: Tree) => JSON.stringify(functionCall?.args)).join(''),
  saysComplete: ({ candidates }) => candidates?.[0]?.finishReason !== undefined,
  saysFailure: ({ error }) => error !== undefined,
  isLastEvent: ({ candidates }) => candidates?.[0]?.finishReason === 'STOP',
  ending: { complete: /"finishReason": ?"STOP"/, error: /^data: \{"error":.*"UNAVAILABLE"/m },
  smallRequest: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
  withTool: (parametersJsonSchema) => ({
    tools: [{ functionDeclarations: [{ name: 't', parametersJsonSchema }] }],
  }),
  errorMessage: (body: Tree) =>
    typeof body?.error?.code === 'number' && typeof body.error.status === 'string' && body.error.message,
  countPath: '/v1beta/models/g-real:countTokens',
  counted: { totalTokens: 42 },
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
  finishText: '"finishReason"',
  oddMembers: {
    systemInstruction: { parts: [{ text: 'odd' }] },
    generationConfig: { temperature: 0.1, topK: 3, stopSequences: ['odd'], responseMimeType: 'application/json' },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    tools: [{ functionDeclarations: [{ name: 'odd', parameters: { type: 'OBJECT', properties: {} } }] }],
  },
  pathBelowRoot: (segment: string) => `/root/v1beta/models/${segment}:generateContent`,
  forbidden: { error: { code: 403, status: 'PERMISSION_DENIED' } },
  refusals: {
    invalid_request: [400, 'INVALID_ARGUMENT'],
    authentication: [401, 'UNAUTHENTICATED'],
    billing: [429, 'RESOURCE_EXHAUSTED'],
    permission: [403, 'PERMISSION_DENIED'],
    model: [404, 'NOT_FOUND'],
    conflict: [409, 'ABORTED'],
    too_large: [413, 'PAYLOAD_TOO_LARGE'],
    rate_limit: [429, 'RESOURCE_EXHAUSTED'],
    timeout: [504, 'DEADLINE_EXCEEDED'],
    overloaded: [503, 'UNAVAILABLE'],
    internal: [500, 'INTERNAL'],
    upstream: [503, 'UNAVAILABLE'],
  },
  errorBody: (code, status, message) => ({ error: { code, message, status } }),
  openingFrames: 1,
  deltaFrame: 0,
  recordings: 'google-generatecontent',
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
  fakeOptions: { gemini3: true },
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
  failureText: '"error"',
  traced: {
    provider: 'gcp.gen_ai',
    operation: 'generate_content',
    id: 'g1',
    model: 'g-real',
    finish: 'STOP',
  },
} satisfies TestDialect;
