import type { ForeseenRefusal, NeutralFields, NeutralKeys } from './record.js';

export const neutralFields: readonly NeutralFields[] = [
  {
    fields: ['thinkingConfig: includeThoughts', 'thinkingConfig beside a forced call: includeThoughts'],
    reason: 'thoughts asked of a model that has none (translation.md 0.8)',
  },
  {
    fields: ['request: toolConfig', 'toolConfig: includeServerSideToolInvocations'],
    reason: 'the others mix hosted tools and functions, and show hosted calls, without being asked',
  },
  {
    fields: ['generationConfig: logprobs'],
    reason: 'how many of what responseLogprobs asks for, which is reported',
  },
  {
    fields: ['part of a user: thoughtSignature'],
    reason: 'signatures are the model’s; on words of a user the service has no use for one',
  },
  {
    fields: ['functionCall: willContinue'],
    reason: 'of a call of the past all pieces are there',
  },
];

export const neutralKeys: readonly NeutralKeys[] = [
  {
    kind: 'request',
    keys: /\/role$|^\/generationConfig$|\/(?:mode|candidateCount|responseModalities|thinking_budget)$/,
    reason: 'the default: user, nothing, AUTO, 1, text, none',
  },
  {
    kind: 'request',
    keys: /\/(?:responseMimeType|response_mime_type)$/,
    reason: 'the schema beside it says the same',
  },
  {
    kind: 'request',
    keys: /\/functionResponse\/(?:name|id)$/,
    reason: 'one of them is enough to know the call',
  },
  {
    kind: 'request',
    keys: /\/includeServerSideToolInvocations$/,
    reason: 'the others mix hosted tools and functions without being asked',
  },
  {
    kind: 'request',
    keys: /\/(?:toolResponse|codeExecutionResult)\//,
    reason: 'a pair goes as one, and is reported at its call',
  },
  {
    kind: 'request',
    keys: /^\/generationConfig\/logprobs$/,
    reason: 'how many of what responseLogprobs asks for, which is reported',
  },
  {
    kind: 'response',
    keys: /^\/candidates\/\*\/(?:index|content|content\/role)$|\/functionCall\/args$|^\/createTime$/,
    reason: 'constants of the envelope, the time, an answer without parts, and the arguments {} (translation.md 0.8)',
  },
  {
    kind: 'response',
    keys: /^\/createTime$/,
    reason: 'a time of creation (translation.md 0.8)',
  },
  {
    kind: 'response',
    keys: /^\/usageMetadata\//,
    reason: 'a sum, the default tier, and figures that are reported together at the root (translation.md 0.8)',
  },
  {
    kind: 'response',
    keys: /^\/promptFeedback\/blockReasonMessage$/,
    reason: 'reported at the root, with the end of the answer',
  },
  {
    kind: 'response',
    keys: /^\/candidates\/\*\/(?:groundingMetadata|urlContextMetadata)\b/,
    reason: 'what of the sources has no place is reported at the text, or at the root; successes of fetches',
  },
  {
    kind: 'response',
    keys: /^\/candidates\/\*\/logprobsResult\//,
    reason: 'reported at the text; the numbers of tokens in a vocabulary mean nothing elsewhere (translation.md 5.6)',
  },
];

export const foreseenRefusals: readonly ForeseenRefusal[] = [
  {
    recordings: /^pydantic-ai--cache-google-model-cached-content-\d$/,
    path: /^\/cachedContent$/,
    reason: 'the service keeps the prompt (translation.md 2.2)',
  },
  {
    where: 'needsUser',
    recordings: /instructions-only-with-tool-calls-1$/,
    path: /^\/contents$/,
    reason: 'instructions without any user content (translation.md 2.3)',
  },
  {
    recordings: /video-as-binary-content-input$|youtube-video-url-input/,
    path: /^\/contents\/0\/parts\/1$/,
    reason: 'the others take no video (translation.md 2.6)',
  },
  {
    recordings: /can-transcribe-audio$/,
    path: /^\/contents\/0\/parts\/1$/,
    reason: 'the others take no audio (translation.md 2.6)',
  },
  {
    recordings: /tool-return-content-uploaded-file-au-(?:1cfb3e0c-2|efa41618-3)$|reuses-an-uploaded-file-in-chat$/,
    path: /^\/contents\/\d\/parts\/\d$/,
    reason: 'the service keeps the file (translation.md 2.6)',
  },
];
