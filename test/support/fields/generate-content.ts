import type * as G from '@google/genai';
import type { JsonObject } from '../../../translators/index.js';
import { beside, type Documented, documented, PDF, PNG, SCHEMA } from './documented.js';

const text = { text: 'hi' };
const hi = { role: 'user', parts: [text] };
const declaration = { name: 'f', description: 'd', parametersJsonSchema: SCHEMA };
const asJson = { responseMimeType: 'application/json' };
const functions = { functionDeclarations: [declaration] };

const top = (fields: JsonObject): JsonObject => ({
  contents: [hi],
  generationConfig: { maxOutputTokens: 20000 },
  ...fields,
});
const config = (fields: JsonObject): JsonObject => top({ generationConfig: { maxOutputTokens: 20000, ...fields } });
const given = (part: JsonObject): JsonObject[] => (Object.keys(part).length === 0 ? [] : [part]);
const user = (part: JsonObject): JsonObject => top({ contents: [{ role: 'user', parts: [text, ...given(part)] }] });
const model = (part: JsonObject): JsonObject =>
  top({ tools: [functions], contents: [hi, { role: 'model', parts: [part] }, hi] });
const looped = (functionCall: JsonObject, functionResponse: JsonObject): JsonObject =>
  top({
    tools: [functions],
    contents: [hi, { role: 'model', parts: [{ functionCall }] }, { role: 'user', parts: [{ functionResponse }] }],
  });
const call = { name: 'f', args: { a: 'x' } };
const response = { name: 'f', response: { output: 'r' } };
const png = { inlineData: { mimeType: 'image/png', data: PNG } };

/** The wire has more at the top than the client, which puts everything into one configuration [G §2.2]. */
type Top = Pick<
  G.GenerateContentConfig,
  | 'systemInstruction'
  | 'tools'
  | 'toolConfig'
  | 'safetySettings'
  | 'cachedContent'
  | 'serviceTier'
  | 'store'
  | 'labels'
  | 'modelArmorConfig'
  | 'continuationToken'
>;

/** Data that only the model writes; what answers a call is a table of its own. */
type ModelData =
  | 'toolCall'
  | 'toolResponse'
  | 'audioTranscription'
  | 'codeExecutionResult'
  | 'executableCode'
  | 'functionCall';

/** Every documented object of a request [G §2]. */
export const GENERATE_CONTENT_FIELDS: readonly Documented[] = [
  documented<Top>()(
    'request',
    top,
    {},
    {
      systemInstruction: { parts: [{ text: 's' }] },
      tools: [functions],
      toolConfig: { includeServerSideToolInvocations: true },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
      cachedContent: 'cachedContents/1',
      serviceTier: 'flex',
      store: false,
      labels: { k: 'v' },
      modelArmorConfig: { promptTemplateName: 'p' },
      continuationToken: 'AAAA',
    },
  ),
  documented<G.GenerationConfig & Pick<G.GenerateContentConfig, 'imageConfig'>>()(
    'generationConfig',
    config,
    {},
    {
      maxOutputTokens: 300,
      temperature: 0.5,
      topP: 0.5,
      topK: 5,
      candidateCount: 2,
      stopSequences: ['END'],
      responseLogprobs: true,
      logprobs: beside({ responseLogprobs: true }, 2),
      presencePenalty: 0.5,
      frequencyPenalty: 0.5,
      seed: 7,
      responseMimeType: 'application/json',
      responseSchema: beside(asJson, { type: 'OBJECT', properties: { a: { type: 'STRING' } } }),
      responseJsonSchema: beside(asJson, SCHEMA),
      responseFormat: [{ text: { mimeType: 'APPLICATION_JSON', schema: SCHEMA } }],
      responseModalities: ['TEXT', 'IMAGE'],
      thinkingConfig: { thinkingLevel: 'HIGH' },
      speechConfig: { languageCode: 'en-US' },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
      imageConfig: beside({ responseModalities: ['TEXT', 'IMAGE'] }, { aspectRatio: '3:2' }),
      enableEnhancedCivicAnswers: true,
      audioTimestamp: true,
      routingConfig: { manualMode: { modelName: 'm' } },
      modelSelectionConfig: { featureSelectionPreference: 'BALANCED' },
      audioTranscriptionConfig: {},
      translationConfig: { targetLanguageCode: 'de' },
      enableAffectiveDialog: true,
    },
  ),
  documented<G.ThinkingConfig>()(
    'thinkingConfig',
    (node) => config({ thinkingConfig: node }),
    {},
    {
      includeThoughts: true,
      thinkingBudget: 4096,
      thinkingLevel: 'HIGH',
    },
  ),
  documented<G.ImageConfig>()(
    'imageConfig',
    (node) => config({ responseModalities: ['TEXT', 'IMAGE'], imageConfig: node }),
    { aspectRatio: '1:1' },
    {
      imageSize: '2K',
      personGeneration: 'ALLOW_ALL',
      outputMimeType: 'image/png',
      outputCompressionQuality: 50,
      imageOutputOptions: { mimeType: 'image/png' },
      prominentPeople: 'PROMINENT_PEOPLE_UNSPECIFIED',
    },
  ),
  documented<Omit<G.Part, ModelData | 'functionResponse'>>()(
    'part of a user',
    user,
    {},
    {
      text: 'more',
      inlineData: png.inlineData,
      fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/a.pdf' },
      videoMetadata: beside({ fileData: { mimeType: 'video/mp4', fileUri: 'gs://a/b.mp4' } }, { fps: 2 }),
      mediaResolution: beside(png, { level: 'MEDIA_RESOLUTION_HIGH' }),
      partMetadata: beside(text, { k: 'v' }),
      mediaProcessing: beside(png, 'AGENTIC'),
      speechMetadata: beside(text, { speaker: 's' }),
      thought: beside(text, true),
      thoughtSignature: beside(text, 'c2ln'),
    },
  ),
  documented<Pick<G.Part, 'text' | 'thought' | 'thoughtSignature' | 'partMetadata' | 'speechMetadata'>>()(
    'text part of the model',
    model,
    { text: 'a' },
    { thought: true, thoughtSignature: 'c2ln', partMetadata: { k: 'v' }, speechMetadata: { speaker: 's' } },
  ),
  documented<Pick<G.Part, ModelData | 'inlineData' | 'thoughtSignature'>>()(
    'data part of the model',
    (part) =>
      top({ tools: [functions], contents: [hi, { role: 'model', parts: [{ text: 'a' }, ...given(part)] }, hi] }),
    {},
    {
      inlineData: png.inlineData,
      toolCall: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', args: {} },
      toolResponse: { id: 't1', toolType: 'GOOGLE_SEARCH_WEB', response: {} },
      audioTranscription: { text: 'said' },
      codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' },
      executableCode: { language: 'PYTHON', code: 'print(1)' },
      functionCall: call,
      thoughtSignature: beside({ functionCall: call }, 'c2ln'),
    },
  ),
  documented<NonNullable<G.Part['inlineData']>>()(
    'inlineData',
    (node) => user({ inlineData: node }),
    { mimeType: 'application/pdf', data: PDF },
    { displayName: 'a.pdf' },
  ),
  documented<G.FileData>()(
    'fileData',
    (node) => user({ fileData: node }),
    { fileUri: 'https://a.example/a.pdf', mimeType: 'application/pdf' },
    { displayName: 'a.pdf' },
  ),
  documented<G.FunctionCall>()('functionCall', (node) => looped(node, response), call, {
    id: 'c1',
    partialArgs: [{ jsonPath: '$.a', stringValue: 'x' }],
    willContinue: true,
  }),
  documented<G.FunctionResponse>()('functionResponse', (node) => looped(call, node), response, {
    id: 'c1',
    parts: [png],
    scheduling: 'SILENT',
    willContinue: true,
  }),
  documented<G.FunctionDeclaration>()(
    'functionDeclaration',
    (node) => top({ tools: [{ functionDeclarations: [node] }] }),
    { name: 'f' },
    {
      description: 'd',
      parameters: { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
      parametersJsonSchema: SCHEMA,
      response: { type: 'OBJECT', properties: { a: { type: 'STRING' } } },
      responseJsonSchema: SCHEMA,
      behavior: 'NON_BLOCKING',
    },
  ),
  documented<G.Tool>()(
    'tool',
    (node) => top({ tools: [functions, node] }),
    {},
    {
      functionDeclarations: [{ ...declaration, name: 'g' }],
      googleSearch: {},
      googleSearchRetrieval: {},
      codeExecution: {},
      urlContext: {},
      googleMaps: {},
      computerUse: { environment: 'ENVIRONMENT_BROWSER' },
      fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] },
      mcpServers: [{ name: 's', streamableHttpTransport: { url: 'https://mcp.example' } }],
      retrieval: { vertexAiSearch: { datastore: 'd' } },
      enterpriseWebSearch: {},
      exaAiSearch: {},
      parallelAiSearch: {},
    },
  ),
  documented<G.GoogleSearch>()(
    'googleSearch',
    (node) => top({ tools: [{ googleSearch: node }] }),
    {},
    {
      timeRangeFilter: { startTime: '2026-01-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' },
      searchTypes: { webSearch: {} },
      excludeDomains: ['b.example'],
      blockingConfidence: 'BLOCK_HIGH_AND_ABOVE',
    },
  ),
  documented<G.ComputerUse>()(
    'computerUse',
    (node) => top({ tools: [{ computerUse: node }] }),
    { environment: 'ENVIRONMENT_BROWSER' },
    {
      excludedPredefinedFunctions: ['drag_and_drop'],
      enablePromptInjectionDetection: true,
      disabledSafetyPolicies: ['p'],
    },
  ),
  documented<G.ToolConfig>()(
    'toolConfig',
    (node) => top({ tools: [functions], toolConfig: node }),
    {},
    {
      functionCallingConfig: { mode: 'ANY' },
      retrievalConfig: { latLng: { latitude: 47, longitude: 7 } },
      includeServerSideToolInvocations: true,
    },
  ),
  documented<G.FunctionCallingConfig>()(
    'functionCallingConfig',
    (node) => top({ tools: [functions], toolConfig: { functionCallingConfig: node } }),
    { mode: 'ANY' },
    { allowedFunctionNames: ['f'], streamFunctionCallArguments: true },
  ),
  documented<G.RetrievalConfig>()(
    'retrievalConfig',
    (node) => top({ tools: [{ googleSearch: {} }], toolConfig: { retrievalConfig: node } }),
    { latLng: { latitude: 47, longitude: 7 } },
    { languageCode: 'de' },
  ),
];
