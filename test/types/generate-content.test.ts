import type {
  Candidate,
  Content,
  FinishReason,
  FunctionDeclaration,
  GenerateContentResponse,
  GenerateContentResponseUsageMetadata,
  GenerationConfig,
  GroundingMetadata,
  Part,
  ThinkingConfig,
  Tool,
  ToolConfig,
} from '@google/genai';
import { expect, test } from '@jest/globals';
import type { Part as CanonicalPart } from '../../translators/canonical/content.js';
import { encodePart } from '../../translators/generate-content/content/encode.js';
import { generateContent } from '../../translators/generate-content/index.js';
import { encode, responseContext } from '../generate-content/support.js';

/** A client's enums are strings on the wire; the shapes around them are what has to fit. */
type Wire<T> = T extends string
  ? string
  : T extends readonly (infer I)[]
    ? Wire<I>[]
    : T extends object
      ? { [K in keyof T]?: Wire<T[K]> }
      : T;

const signature = 'U0lH';
const own = { dialect: 'generateContent', domain: 'd' } as const;

/** Parts as the printers write them, held against the vendor's types, with what they are printed from. */
const parts = [
  [{ kind: 'text', text: 'a' }, { text: 'a' }],
  [
    { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'aGk=' }, detail: 'high' },
    { inlineData: { mimeType: 'image/png', data: 'aGk=' }, mediaResolution: { level: 'MEDIA_RESOLUTION_HIGH' } },
  ],
  [
    {
      kind: 'media',
      class: 'video',
      mime: 'video/mp4',
      data: { from: 'file', id: 'gs://x', vendor: 'generateContent' },
      clip: { start: '1s', end: '2s', fps: 2 },
    },
    {
      fileData: { fileUri: 'gs://x', mimeType: 'video/mp4' },
      videoMetadata: { startOffset: '1s', endOffset: '2s', fps: 2 },
    },
  ],
  [
    {
      kind: 'call',
      callId: 'c',
      name: 'f',
      args: { text: '{"a":1}' },
      state: [{ ...own, kind: 'signature', payload: signature }],
    },
    { functionCall: { id: 'c', name: 'f', args: { a: 1 } }, thoughtSignature: signature },
  ],
  [
    {
      kind: 'result',
      callId: 'c',
      name: 'f',
      parts: [
        { kind: 'text', text: 'x' },
        { kind: 'media', class: 'image', mime: 'image/png', data: { from: 'base64', base64: 'aGk=' } },
      ],
    },
    {
      functionResponse: {
        id: 'c',
        name: 'f',
        response: { output: 'x' },
        parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }],
      },
    },
  ],
  [
    { kind: 'hostedCall', callId: 'h', family: 'codeExec', input: { code: 'x' } },
    { executableCode: { language: 'PYTHON', code: 'x' } },
  ],
  [
    { kind: 'hostedResult', callId: 'h', family: 'codeExec', output: { stdout: '1' } },
    { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
  ],
] satisfies readonly (readonly [CanonicalPart, Wire<Part>])[];

test.each<[CanonicalPart, unknown]>([...parts])('a part fits', (part, expected) => {
  expect(encodePart(part, false)).toEqual(expected);
});

const request = {
  contents: [{ role: 'user', parts: [{ text: 'hi' }] } satisfies Content],
  tools: [
    { functionDeclarations: [{ name: 'f', description: '' } satisfies FunctionDeclaration] },
    { googleSearch: {} },
    { urlContext: {} },
    { codeExecution: {} },
    {
      mcpServers: [
        { name: 's', streamableHttpTransport: { url: 'https://x.example', headers: { Authorization: 'Bearer t' } } },
      ],
    },
  ] satisfies Tool[],
  toolConfig: {
    functionCallingConfig: { mode: 'VALIDATED' },
    includeServerSideToolInvocations: true,
    retrievalConfig: { latLng: { latitude: 1, longitude: 2 } },
  } satisfies Wire<ToolConfig>,
  generationConfig: {
    maxOutputTokens: 5,
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' } satisfies Wire<ThinkingConfig>,
  } satisfies Wire<GenerationConfig>,
};

test('a request fits', () => {
  const server = { label: 's', url: 'https://x.example', authorization: 't', approval: 'never' };
  const hosted = { kind: 'hosted', dialect: 'test', type: '' } as const;
  const { body } = encode({
    tools: [
      { kind: 'function', name: 'f', strict: true },
      { ...hosted, family: 'webSearch', settings: { userLocation: { latitude: 1, longitude: 2 } } },
      { ...hosted, family: 'urlFetch', settings: {} },
      { ...hosted, family: 'codeExec', settings: {} },
      { ...hosted, family: 'mcp', settings: { server } },
    ],
    maxOutput: 5,
    reasoning: { mode: 'on', effort: 'low', show: 'auto' },
  });
  expect(body).toEqual(request);
});

const candidate = {
  content: { role: 'model', parts: [{ text: 'ab' }] },
  finishReason: 'STOP' satisfies `${FinishReason}`,
  index: 0,
  groundingMetadata: {
    webSearchQueries: ['q'],
    groundingChunks: [{ web: { uri: 'u', title: 't' } }, { retrievedContext: { title: 'd', text: 'c' } }],
    groundingSupports: [
      { segment: { startIndex: 1, endIndex: 2, text: 'b' }, groundingChunkIndices: [0] },
      { segment: { endIndex: 2, text: 'ab' }, groundingChunkIndices: [1] },
    ],
  } satisfies GroundingMetadata,
  logprobsResult: {
    chosenCandidates: [{ token: 'ab', logProbability: -1 }],
    topCandidates: [{ candidates: [{ token: 'ab', logProbability: -1 }] }],
  },
} satisfies Wire<Candidate>;
const usageMetadata = {
  promptTokenCount: 8,
  cachedContentTokenCount: 1,
  candidatesTokenCount: 2,
  toolUsePromptTokenCount: 2,
  thoughtsTokenCount: 3,
  totalTokenCount: 15,
} satisfies GenerateContentResponseUsageMetadata;
const envelope = { usageMetadata, modelVersion: 'm' } satisfies Partial<GenerateContentResponse>;

test('an answer fits', () => {
  const token = { token: 'ab', logprob: -1 };
  const body = generateContent.encodeResponse(
    {
      source: 'test',
      id: 'i',
      model: 'm',
      parts: [
        { kind: 'hostedCall', callId: 's', family: 'webSearch', input: { query: 'q' } },
        {
          kind: 'text',
          text: 'ab',
          citations: [
            { source: 'web', url: 'u', title: 't', span: { start: 1, end: 2 } },
            { source: 'doc', title: 'd', citedText: 'c' },
          ],
          logprobs: [{ ...token, top: [token] }],
        },
      ],
      finish: { kind: 'end', raw: 'end', dialect: 'test' },
      usage: { input: 10, cacheRead: 1, toolInput: 2, output: 5, reasoning: 3 },
    },
    responseContext(),
  );
  expect(body).toMatchObject({ candidates: [candidate], ...envelope });
});
