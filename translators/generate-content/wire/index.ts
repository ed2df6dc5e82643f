import * as z from 'zod/mini';
import { list, struct, words } from './content.js';

export * from './content.js';
export * from './tools.js';

/** A threshold of one content filter. */
export const safetySetting = z.object({ category: z.string(), threshold: z.string() });
/** Whether and how hard to think. */
export const thinkingConfig = z.object({
  includeThoughts: z.optional(z.boolean()),
  thinkingBudget: z.optional(z.number()),
  thinkingLevel: z.optional(z.string()),
});
/** One answer, or one chunk of a stream ([G §5.1]). */
export const response = z.object({
  candidates: z.optional(list),
  promptFeedback: z.optional(struct),
  usageMetadata: z.optional(struct),
  modelVersion: z.optional(z.string()),
  responseId: z.optional(z.string()),
  createTime: z.optional(z.string()),
});
/** One answer; its metadata is read where it is used. */
export const candidate = z.object({
  content: z.optional(struct),
  finishReason: z.optional(z.string()),
  finishMessage: z.optional(z.string()),
  index: z.optional(z.number()),
});
/** Why a prompt was not answered. */
export const promptFeedback = z.object({
  blockReason: z.optional(z.string()),
  blockReasonMessage: z.optional(z.string()),
});

/** What an answer says about its sources ([G §5.3]). Everything in it is optional and read leniently. */
export const groundingMetadata = z.object({
  webSearchQueries: z.catch(z.optional(words), undefined),
  groundingChunks: z.catch(z.optional(list), undefined),
  groundingSupports: z.catch(z.optional(list), undefined),
});
/** A stretch of the answer, in bytes; zeros are left out on the wire. */
export const segment = z.object({
  startIndex: z._default(z.catch(z.number(), 0), 0),
  endIndex: z._default(z.catch(z.number(), 0), 0),
  partIndex: z._default(z.catch(z.number(), 0), 0),
  text: z.catch(z.optional(z.string()), undefined),
});
/** Log probabilities, one entry per token. */
export const logprobsResult = z.object({
  chosenCandidates: z._default(
    z.array(z.object({ token: z._default(z.string(), ''), logProbability: z._default(z.number(), 0) })),
    [],
  ),
  topCandidates: z._default(
    z.array(
      z.object({
        candidates: z._default(
          z.array(z.object({ token: z._default(z.string(), ''), logProbability: z._default(z.number(), 0) })),
          [],
        ),
      }),
    ),
    [],
  ),
});

/** The body of every failure ([G §7]). */
export const failure = z.object({
  error: z.object({
    code: z.catch(z.optional(z.number()), undefined),
    message: z.catch(z.optional(z.string()), undefined),
    status: z.catch(z.optional(z.string()), undefined),
    details: z.catch(z.optional(list), undefined),
  }),
});
/** The answer to countTokens. */
export const count = z.object({
  totalTokens: z._default(z.number(), 0),
  cachedContentTokenCount: z.optional(z.number()),
});
/** One entry of a list of models. */
export const model = z.object({
  name: z.string(),
  displayName: z.optional(z.string()),
  inputTokenLimit: z.optional(z.number()),
  outputTokenLimit: z.optional(z.number()),
});
export type Model = z.infer<typeof model>;
/** A page of models, of the public or the enterprise host. */
export const modelList = z.object({
  models: z.optional(list),
  publisherModels: z.optional(list),
  nextPageToken: z.optional(z.string()),
});
