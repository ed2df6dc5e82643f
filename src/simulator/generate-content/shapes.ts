import type { Shapes } from '../shape.js';

const ENUMS = {
  mode: "'MODE_UNSPECIFIED'|'AUTO'|'ANY'|'NONE'|'VALIDATED'",
  // Lower case is tolerated here [G §2.1].
  level: "'MINIMAL'|'LOW'|'MEDIUM'|'HIGH'|'minimal'|'low'|'medium'|'high'|'THINKING_LEVEL_UNSPECIFIED'",
  resolution:
    "'MEDIA_RESOLUTION_UNSPECIFIED'|'MEDIA_RESOLUTION_LOW'|'MEDIA_RESOLUTION_MEDIUM'|'MEDIA_RESOLUTION_HIGH'|'MEDIA_RESOLUTION_ULTRA_HIGH'",
  modality: "'MODALITY_UNSPECIFIED'|'TEXT'|'IMAGE'|'AUDIO'|'VIDEO'",
  threshold:
    "'HARM_BLOCK_THRESHOLD_UNSPECIFIED'|'BLOCK_LOW_AND_ABOVE'|'BLOCK_MEDIUM_AND_ABOVE'|'BLOCK_ONLY_HIGH'|'BLOCK_NONE'|'OFF'",
  category:
    "'HARM_CATEGORY_HARASSMENT'|'HARM_CATEGORY_HATE_SPEECH'|'HARM_CATEGORY_SEXUALLY_EXPLICIT'|'HARM_CATEGORY_DANGEROUS_CONTENT'|'HARM_CATEGORY_CIVIC_INTEGRITY'|'HARM_CATEGORY_JAILBREAK'|'HARM_CATEGORY_IMAGE_HATE'|'HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT'|'HARM_CATEGORY_IMAGE_HARASSMENT'|'HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT'",
};

const REQUEST = {
  contents: 'Content[]',
  systemInstruction: 'Content',
  tools: 'Tool[]',
  toolConfig: 'ToolConfig',
  safetySettings: 'SafetySetting[]',
  generationConfig: 'GenerationConfig',
  cachedContent: 'string',
  continuationToken: 'base64',
  model: 'string',
};

const PARTS = {
  Content: { role: 'string', parts: 'Part[]' },
  Part: {
    text: 'string',
    inlineData: 'Blob',
    fileData: 'FileData',
    functionCall: 'FunctionCall',
    functionResponse: 'FunctionResponse',
    executableCode: 'ExecutableCode',
    codeExecutionResult: 'CodeExecutionResult',
    toolCall: 'ServerTool',
    toolResponse: 'ServerTool',
    thought: 'bool',
    thoughtSignature: 'base64',
    videoMetadata: 'VideoMetadata',
    mediaResolution: 'MediaResolution',
    mediaProcessing: "'STATIC'|'AGENTIC'",
    speechMetadata: 'object',
  },
  Blob: { mimeType: 'string', data: 'base64', displayName: 'string' },
  FileData: { mimeType: 'string', fileUri: 'string', displayName: 'string' },
  FunctionCall: { name: 'string', args: 'object', id: 'string' },
  FunctionResponse: {
    name: 'string',
    response: 'object',
    id: 'string',
    parts: 'FunctionResponsePart[]',
    scheduling: "'SCHEDULING_UNSPECIFIED'|'SILENT'|'WHEN_IDLE'|'INTERRUPT'",
    willContinue: 'bool',
  },
  FunctionResponsePart: { inlineData: 'Blob', fileData: 'FileData' },
  ExecutableCode: { language: "'LANGUAGE_UNSPECIFIED'|'PYTHON'", code: 'string', id: 'string' },
  CodeExecutionResult: {
    outcome: "'OUTCOME_UNSPECIFIED'|'OUTCOME_OK'|'OUTCOME_FAILED'|'OUTCOME_DEADLINE_EXCEEDED'",
    output: 'string',
    id: 'string',
  },
  ServerTool: {
    id: 'string',
    toolType: "'GOOGLE_SEARCH_WEB'|'GOOGLE_SEARCH_IMAGE'|'URL_CONTEXT'|'GOOGLE_MAPS'|'FILE_SEARCH'|'MEDIA_PROCESSING'",
    args: 'object',
    response: 'object',
  },
  VideoMetadata: { startOffset: 'string', endOffset: 'string', fps: 'number' },
  MediaResolution: { level: ENUMS.resolution, numTokens: 'int' },
};

const TOOLS = {
  FunctionDeclaration: {
    name: 'string',
    description: 'string',
    parameters: 'Schema',
    parametersJsonSchema: 'any',
    response: 'Schema',
    responseJsonSchema: 'any',
    behavior: "'UNSPECIFIED'|'BLOCKING'|'NON_BLOCKING'",
  },
  ComputerUse: {
    environment: "'ENVIRONMENT_BROWSER'|'ENVIRONMENT_MOBILE'|'ENVIRONMENT_DESKTOP'!",
    excludedPredefinedFunctions: 'string[]',
    enablePromptInjectionDetection: 'bool',
    disabledSafetyPolicies: 'string[]',
  },
  FunctionCallingConfig: { mode: ENUMS.mode, allowedFunctionNames: 'string[]' },
  RetrievalConfig: { latLng: 'object', languageCode: 'string' },
  SafetySetting: { category: ENUMS.category, threshold: ENUMS.threshold },
};

const COMMON_TOOLS = {
  functionDeclarations: 'FunctionDeclaration[]',
  googleSearch: 'object',
  googleSearchRetrieval: 'object',
  codeExecution: 'object',
  urlContext: 'object',
  googleMaps: 'object',
  computerUse: 'ComputerUse',
};

const CONFIG = {
  temperature: 'number',
  topP: 'number',
  topK: 'number',
  maxOutputTokens: 'int',
  stopSequences: 'string[]',
  candidateCount: 'int',
  seed: 'int',
  presencePenalty: 'number',
  frequencyPenalty: 'number',
  responseLogprobs: 'bool',
  logprobs: 'int',
  responseMimeType: 'string',
  responseSchema: 'Schema',
  responseJsonSchema: 'any',
  _responseJsonSchema: 'any',
  responseModalities: `${ENUMS.modality}[]`.replaceAll('|', '[]|'),
  thinkingConfig: 'ThinkingConfig',
  speechConfig: 'object',
  imageConfig: 'object',
  mediaResolution: ENUMS.resolution,
  enableAffectiveDialog: 'bool',
  translationConfig: 'object',
  audioTranscriptionConfig: 'object',
};

const INT64 = 'int|string';
const SCHEMA = {
  type: 'string',
  format: 'string',
  title: 'string',
  description: 'string',
  nullable: 'bool',
  enum: 'string[]',
  items: 'Schema',
  minItems: INT64,
  maxItems: INT64,
  // A map with free keys; the rules look at its entries.
  properties: 'object',
  required: 'string[]',
  minProperties: INT64,
  maxProperties: INT64,
  minimum: 'number',
  maximum: 'number',
  minLength: INT64,
  maxLength: INT64,
  pattern: 'string',
  example: 'any',
  anyOf: 'Schema[]',
  propertyOrdering: 'string[]',
  default: 'any',
};

/** The fields of a generate request in camelCase, by host [G §2, §3.1]. */
export function contentShapes(host: 'dev' | 'cloud'): Shapes {
  const cloud = host === 'cloud';
  const dev = !cloud;
  return {
    Request: {
      ...REQUEST,
      ...(cloud
        ? { labels: 'object', modelArmorConfig: 'object' }
        : { serviceTier: "'flex'|'standard'|'priority'|'unspecified'", store: 'bool' }),
    },
    CountRequest: dev
      ? { contents: 'Content[]', generateContentRequest: 'Request', model: 'string' }
      : {
          contents: 'Content[]',
          systemInstruction: 'Content',
          tools: 'Tool[]',
          generationConfig: 'GenerationConfig',
          model: 'string',
        },
    ...PARTS,
    Part: { ...PARTS.Part, ...(dev ? { partMetadata: 'object' } : {}) },
    ...TOOLS,
    Tool: {
      ...COMMON_TOOLS,
      ...(cloud
        ? {
            retrieval: 'object',
            enterpriseWebSearch: 'object',
            exaAiSearch: 'object',
            parallelAiSearch: 'object',
          }
        : { fileSearch: 'object', mcpServers: 'object[]' }),
    },
    ToolConfig: {
      functionCallingConfig: 'FunctionCallingConfig',
      retrievalConfig: 'RetrievalConfig',
      includeServerSideToolInvocations: 'bool',
    },
    FunctionCallingConfig: {
      ...TOOLS.FunctionCallingConfig,
      ...(cloud ? { streamFunctionCallArguments: 'bool' } : {}),
    },
    SafetySetting: { ...TOOLS.SafetySetting, ...(cloud ? { method: "'SEVERITY'|'PROBABILITY'" } : {}) },
    GenerationConfig: {
      ...CONFIG,
      ...(cloud
        ? {
            responseFormat: 'object[]',
            audioTimestamp: 'bool',
            routingConfig: 'object',
            modelSelectionConfig: 'object',
          }
        : { enableEnhancedCivicAnswers: 'bool' }),
    },
    ThinkingConfig: { includeThoughts: 'bool', thinkingBudget: 'int', thinkingLevel: ENUMS.level },
    Schema: { ...SCHEMA, ...(cloud ? { additionalProperties: 'any', ref: 'string', defs: 'object' } : {}) },
  };
}
