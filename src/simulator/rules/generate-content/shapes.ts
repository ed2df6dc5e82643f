import { readShapes, type Shapes } from '../shape.js';

/**
 * The fields of a generate request and of a count request in camelCase [G §2, §3.1]; the variants are the hosts.
 */
const TEXT = `
Mode = 'MODE_UNSPECIFIED'|'AUTO'|'ANY'|'NONE'|'VALIDATED'
// Lower case is tolerated here [G §2.1].
Level = 'MINIMAL'|'LOW'|'MEDIUM'|'HIGH'|'minimal'|'low'|'medium'|'high'|'THINKING_LEVEL_UNSPECIFIED'
Resolution = 'MEDIA_RESOLUTION_UNSPECIFIED'|'MEDIA_RESOLUTION_LOW'|'MEDIA_RESOLUTION_MEDIUM'|'MEDIA_RESOLUTION_HIGH'
  |'MEDIA_RESOLUTION_ULTRA_HIGH'
Modality = 'MODALITY_UNSPECIFIED'|'TEXT'|'IMAGE'|'AUDIO'|'VIDEO'
Threshold = 'HARM_BLOCK_THRESHOLD_UNSPECIFIED'|'BLOCK_LOW_AND_ABOVE'|'BLOCK_MEDIUM_AND_ABOVE'|'BLOCK_ONLY_HIGH'
  |'BLOCK_NONE'|'OFF'
Category = 'HARM_CATEGORY_HARASSMENT'|'HARM_CATEGORY_HATE_SPEECH'|'HARM_CATEGORY_SEXUALLY_EXPLICIT'
  |'HARM_CATEGORY_DANGEROUS_CONTENT'|'HARM_CATEGORY_CIVIC_INTEGRITY'|'HARM_CATEGORY_JAILBREAK'
  |'HARM_CATEGORY_IMAGE_HATE'|'HARM_CATEGORY_IMAGE_DANGEROUS_CONTENT'|'HARM_CATEGORY_IMAGE_HARASSMENT'
  |'HARM_CATEGORY_IMAGE_SEXUALLY_EXPLICIT'
Int64 = int|string

Request: contents Content[], systemInstruction Content, tools Tool[], toolConfig ToolConfig,
  safetySettings SafetySetting[], generationConfig GenerationConfig, cachedContent string, continuationToken base64,
  model string, labels@cloud object, modelArmorConfig@cloud object, store@dev bool,
  serviceTier@dev 'flex'|'standard'|'priority'|'unspecified'
CountRequest: contents Content[], model string, generateContentRequest@dev Request, systemInstruction@cloud Content,
  tools@cloud Tool[], generationConfig@cloud GenerationConfig

Content: role string, parts Part[]
Part: text string, inlineData Blob, fileData FileData, functionCall FunctionCall, functionResponse FunctionResponse,
  executableCode ExecutableCode, codeExecutionResult CodeExecutionResult, toolCall ServerTool, toolResponse ServerTool,
  thought bool, thoughtSignature base64, videoMetadata VideoMetadata, mediaResolution MediaResolution,
  mediaProcessing 'STATIC'|'AGENTIC', speechMetadata object, partMetadata@dev object
Blob: mimeType string, data base64, displayName string
FileData: mimeType string, fileUri string, displayName string
FunctionCall: name string, args object, id string
FunctionResponse: name string, response object, id string, parts FunctionResponsePart[], willContinue bool,
  scheduling 'SCHEDULING_UNSPECIFIED'|'SILENT'|'WHEN_IDLE'|'INTERRUPT'
FunctionResponsePart: inlineData Blob, fileData FileData
ExecutableCode: language 'LANGUAGE_UNSPECIFIED'|'PYTHON', code string, id string
CodeExecutionResult: output string, id string,
  outcome 'OUTCOME_UNSPECIFIED'|'OUTCOME_OK'|'OUTCOME_FAILED'|'OUTCOME_DEADLINE_EXCEEDED'
ServerTool: id string, args object, response object,
  toolType 'GOOGLE_SEARCH_WEB'|'GOOGLE_SEARCH_IMAGE'|'URL_CONTEXT'|'GOOGLE_MAPS'|'FILE_SEARCH'|'MEDIA_PROCESSING'
VideoMetadata: startOffset string, endOffset string, fps number
MediaResolution: level Resolution, numTokens int

Tool: functionDeclarations FunctionDeclaration[], googleSearch object, googleSearchRetrieval object,
  codeExecution object, urlContext object, googleMaps object, computerUse ComputerUse, fileSearch@dev object,
  mcpServers@dev object[], retrieval@cloud object, enterpriseWebSearch@cloud object, exaAiSearch@cloud object,
  parallelAiSearch@cloud object
FunctionDeclaration: name string, description string, parameters Schema, parametersJsonSchema any, response Schema,
  responseJsonSchema any, behavior 'UNSPECIFIED'|'BLOCKING'|'NON_BLOCKING'
ComputerUse: environment! 'ENVIRONMENT_BROWSER'|'ENVIRONMENT_MOBILE'|'ENVIRONMENT_DESKTOP',
  excludedPredefinedFunctions string[], enablePromptInjectionDetection bool, disabledSafetyPolicies string[]
ToolConfig: functionCallingConfig FunctionCallingConfig, retrievalConfig RetrievalConfig,
  includeServerSideToolInvocations bool
FunctionCallingConfig: mode Mode, allowedFunctionNames string[], streamFunctionCallArguments@cloud bool
RetrievalConfig: latLng object, languageCode string
SafetySetting: category Category, threshold Threshold, method@cloud 'SEVERITY'|'PROBABILITY'

GenerationConfig: temperature number(0..2), topP number(0..1), topK number(0..), maxOutputTokens int(1..),
  stopSequences string[](..5), candidateCount int(1..8), seed int(-2147483648..2147483647),
  presencePenalty number(-2..2), frequencyPenalty number(-2..2), responseLogprobs bool, logprobs int(0..20),
  responseMimeType string, responseSchema Schema, responseJsonSchema any, _responseJsonSchema any,
  responseModalities Modality[], thinkingConfig ThinkingConfig, speechConfig object, imageConfig object,
  mediaResolution Resolution, enableAffectiveDialog bool, translationConfig object, audioTranscriptionConfig object,
  enableEnhancedCivicAnswers@dev bool, responseFormat@cloud object[], audioTimestamp@cloud bool,
  routingConfig@cloud object, modelSelectionConfig@cloud object
ThinkingConfig: includeThoughts bool, thinkingBudget int, thinkingLevel Level

Schema: type string, format string, title string, description string, nullable bool, enum string[], items Schema,
  minItems Int64, maxItems Int64, properties Schema{}, required string[], minProperties Int64, maxProperties Int64,
  minimum number, maximum number, minLength Int64, maxLength Int64, pattern string, example any, anyOf Schema[],
  propertyOrdering string[], default any, additionalProperties@cloud any, ref@cloud string, defs@cloud Schema{}
`;

export type Host = 'dev' | 'cloud';

/** The fields of requests to a host. */
export const CONTENT_SHAPES: Readonly<Record<Host, Shapes>> = {
  dev: readShapes(TEXT, ['dev']),
  cloud: readShapes(TEXT, ['cloud']),
};
