import { z } from 'zod';
import { items, list, struct, whole, word, words } from './content.js';

export * from './content.js';
export * from './tools.js';

/** A threshold of one content filter. */
export const safetySetting = z.object({ category: z.string(), threshold: z.string() });
/** Whether and how hard to think. */
export const thinkingConfig = z.object({
  includeThoughts: z.boolean().optional(),
  thinkingBudget: z.number().optional(),
  thinkingLevel: z.string().optional(),
});
/** `GenerationConfig` ([G §2.6]), within the limits of the base specification. */
export const generationConfig = z.object({
  temperature: z.number().min(0, 'must be at least 0').max(2, 'must be at most 2').optional(),
  topP: z.number().min(0, 'must be at least 0').max(1, 'must be at most 1').optional(),
  topK: whole.optional(),
  seed: whole.optional(),
  presencePenalty: z.number().optional(),
  frequencyPenalty: z.number().optional(),
  maxOutputTokens: whole.min(1, 'must be at least 1').optional(),
  candidateCount: whole.optional(),
  stopSequences: words.max(5, 'must have at most 5 entries').optional(),
  responseLogprobs: z.boolean().optional(),
  logprobs: whole.optional(),
  responseMimeType: z
    .enum(['text/plain', 'application/json', 'text/x.enum'], {
      error: 'expected text/plain, application/json or text/x.enum',
    })
    .optional(),
  responseSchema: struct.optional(),
  responseJsonSchema: struct.optional(),
  _responseJsonSchema: struct.optional(),
  responseFormat: z.array(struct).or(struct).optional(),
  responseModalities: z.array(word('TEXT', 'IMAGE', 'AUDIO', 'VIDEO', 'DOCUMENT', 'MODALITY_UNSPECIFIED')).optional(),
  thinkingConfig: struct.optional(),
  speechConfig: struct.optional(),
  imageConfig: struct.optional(),
  mediaResolution: z.string().optional(),
});
/** The body of generateContent and streamGenerateContent ([G §2.2]). */
export const request = z.object({
  contents: items.optional(),
  systemInstruction: struct.or(z.string()).optional(),
  tools: list.optional(),
  toolConfig: struct.optional(),
  safetySettings: list.optional(),
  generationConfig: struct.optional(),
  cachedContent: z.string().optional(),
  serviceTier: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  continuationToken: z.string().optional(),
  model: z.string().optional(),
});
/** The body as checked. */
export type Request = z.infer<typeof request>;
/** The config as checked. */
export type GenerationConfig = z.infer<typeof generationConfig>;

/** One answer, or one chunk of a stream ([G §5.1]). */
export const response = z.object({
  candidates: list.optional(),
  promptFeedback: struct.optional(),
  usageMetadata: struct.optional(),
  modelVersion: z.string().optional(),
  responseId: z.string().optional(),
  createTime: z.string().optional(),
});
/** One answer; its metadata is read where it is used. */
export const candidate = z.object({
  content: struct.optional(),
  finishReason: z.string().optional(),
  finishMessage: z.string().optional(),
  index: z.number().optional(),
});
/** Why a prompt was not answered. */
export const promptFeedback = z.object({
  blockReason: z.string().optional(),
  blockReasonMessage: z.string().optional(),
});

/** What an answer says about its sources ([G §5.3]). Everything in it is optional and read leniently. */
export const groundingMetadata = z.object({
  webSearchQueries: words.optional().catch(undefined),
  groundingChunks: list.optional().catch(undefined),
  groundingSupports: list.optional().catch(undefined),
});
/** A stretch of the answer, in bytes; zeros are left out on the wire. */
export const segment = z.object({
  startIndex: z.number().catch(0).default(0),
  endIndex: z.number().catch(0).default(0),
  partIndex: z.number().catch(0).default(0),
  text: z.string().optional().catch(undefined),
});
/** Log probabilities, one entry per token. */
export const logprobsResult = z.object({
  chosenCandidates: z
    .array(z.object({ token: z.string().default(''), logProbability: z.number().default(0) }))
    .default([]),
  topCandidates: z
    .array(
      z.object({
        candidates: z
          .array(z.object({ token: z.string().default(''), logProbability: z.number().default(0) }))
          .default([]),
      }),
    )
    .default([]),
});

/** The body of every failure ([G §7]). */
export const failure = z.object({
  error: z.object({
    code: z.number().optional().catch(undefined),
    message: z.string().optional().catch(undefined),
    status: z.string().optional().catch(undefined),
    details: list.optional().catch(undefined),
  }),
});
/** The answer to countTokens. */
export const count = z.object({
  totalTokens: z.number().default(0),
  cachedContentTokenCount: z.number().optional(),
});
/** One entry of a list of models. */
export const model = z.object({
  name: z.string(),
  displayName: z.string().optional(),
  inputTokenLimit: z.number().optional(),
  outputTokenLimit: z.number().optional(),
});
export type Model = z.infer<typeof model>;
/** A page of models, of the public or the enterprise host. */
export const modelList = z.object({
  models: list.optional(),
  publisherModels: list.optional(),
  nextPageToken: z.string().optional(),
});
