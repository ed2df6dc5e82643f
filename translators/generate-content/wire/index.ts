import * as s from '../../wire/schema.js';
import { list, struct, words } from './content.js';

export * from './content.js';
export * from './tools.js';

/** A threshold of one content filter. */
export const safetySetting = s.object({ category: s.string(), threshold: s.string() });
/** Whether and how hard to think. */
export const thinkingConfig = s.object({
  includeThoughts: s.optional(s.boolean()),
  thinkingBudget: s.optional(s.number()),
  thinkingLevel: s.optional(s.string()),
});
/** One answer, or one chunk of a stream ([G §5.1]). */
export const response = s.object({
  candidates: s.optional(list),
  promptFeedback: s.optional(struct),
  usageMetadata: s.optional(struct),
  modelVersion: s.optional(s.string()),
  responseId: s.optional(s.string()),
  createTime: s.optional(s.string()),
});
/** One answer; its metadata is read where it is used. */
export const candidate = s.object({
  content: s.optional(struct),
  finishReason: s.optional(s.string()),
  finishMessage: s.optional(s.string()),
  index: s.optional(s.number()),
});
/** Why a prompt was not answered. */
export const promptFeedback = s.object({
  blockReason: s.optional(s.string()),
  blockReasonMessage: s.optional(s.string()),
});

/** What an answer says about its sources ([G §5.3]). Everything in it is optional and read leniently. */
export const groundingMetadata = s.object({
  webSearchQueries: s.fallback(s.optional(words), undefined),
  groundingChunks: s.fallback(s.optional(list), undefined),
  groundingSupports: s.fallback(s.optional(list), undefined),
});
/** A stretch of the answer, in bytes; zeros are left out on the wire. */
export const segment = s.object({
  startIndex: s.filled(s.fallback(s.number(), 0), 0),
  endIndex: s.filled(s.fallback(s.number(), 0), 0),
  partIndex: s.filled(s.fallback(s.number(), 0), 0),
  text: s.fallback(s.optional(s.string()), undefined),
});
/** Log probabilities, one entry per token. */
export const logprobsResult = s.object({
  chosenCandidates: s.filled(
    s.array(s.object({ token: s.filled(s.string(), ''), logProbability: s.filled(s.number(), 0) })),
    [],
  ),
  topCandidates: s.filled(
    s.array(
      s.object({
        candidates: s.filled(
          s.array(s.object({ token: s.filled(s.string(), ''), logProbability: s.filled(s.number(), 0) })),
          [],
        ),
      }),
    ),
    [],
  ),
});

/** The body of every failure ([G §7]). */
export const failure = s.object({
  error: s.object({
    code: s.fallback(s.optional(s.number()), undefined),
    message: s.fallback(s.optional(s.string()), undefined),
    status: s.fallback(s.optional(s.string()), undefined),
    details: s.fallback(s.optional(list), undefined),
  }),
});
/** The answer to countTokens. */
export const count = s.object({
  totalTokens: s.filled(s.number(), 0),
  cachedContentTokenCount: s.optional(s.number()),
});
/** One entry of a list of models. */
export const model = s.object({
  name: s.string(),
  displayName: s.optional(s.string()),
  inputTokenLimit: s.fallback(s.optional(s.number()), undefined),
  outputTokenLimit: s.fallback(s.optional(s.number()), undefined),
});
export type Model = s.Infer<typeof model>;
/** A page of models, of the public or the enterprise host. */
export const modelList = s.object({
  models: s.optional(list),
  publisherModels: s.optional(list),
  nextPageToken: s.optional(s.string()),
});
