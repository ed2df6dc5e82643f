import { z } from 'zod';
import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';

/** Any JSON object; its keys are never looked at here ([G §2.1.4]). */
const struct = z.custom<JsonObject>(isObject, 'expected an object');
const list = z.array(struct);
/** A list whose items are read one by one. */
const items = z.custom<readonly unknown[]>(Array.isArray, 'expected a list');
const words = z.array(z.string());

const whole = z.number().int('must be a whole number');
/** A word that decides what is asked, in either case: another is refused (translation.md 0.14). */
const word = (...known: readonly string[]) =>
  z.string().refine((given) => known.some((one) => one.toLowerCase() === given.toLowerCase()), {
    error: `expected one of ${known.join(', ')}`,
  });

/** The data of a text part. */
export const text = z.string();

/** `Content` ([G §2.3]). */
export const content = z.object({ role: z.string().optional(), parts: items.optional() });

/** `inlineData`. */
export const blob = z.object({ mimeType: z.string().optional(), data: z.string(), displayName: z.string().optional() });
/** `fileData`. */
export const fileData = z.object({
  fileUri: z.string(),
  mimeType: z.string().optional(),
  displayName: z.string().optional(),
});
/** Which part of a film is meant. */
export const videoMetadata = z.object({
  startOffset: z.string().optional(),
  endOffset: z.string().optional(),
  fps: z.number().optional(),
});
/** A call of a function of the client. */
export const functionCall = z.object({ name: z.string(), args: struct.optional(), id: z.string().optional() });
/** What the client says a call brought. */
export const functionResponse = z.object({
  name: z.string().optional(),
  response: struct.optional(),
  id: z.string().optional(),
  parts: list.optional(),
});
/** Code that the service runs. */
export const executableCode = z.object({
  language: z.string().optional(),
  code: z.string().optional(),
  id: z.string().optional(),
});
/** What its run brought. */
export const codeExecutionResult = z.object({
  outcome: z.string().optional(),
  output: z.string().optional(),
  id: z.string().optional(),
});
/** A call of a tool of the service. */
export const toolCall = z.object({
  id: z.string().optional(),
  toolType: z.string().optional(),
  args: struct.optional(),
});
/** What that call brought. */
export const toolResponse = z.object({
  id: z.string().optional(),
  toolType: z.string().optional(),
  response: struct.optional(),
});
/** What may stand beside the data member of a part ([G §2.4]). */
export const modifiers = z.object({ thought: z.boolean().optional(), thoughtSignature: z.string().optional() });

/** A function of the client; its other schemas stay as they are. */
export const functionDeclaration = z.object({
  name: z.string().max(128, 'must have at most 128 characters'),
  description: z.string().optional(),
  parameters: struct.optional(),
  parametersJsonSchema: struct.optional(),
});
/** The tool choice. */
export const functionCallingConfig = z.object({
  mode: word('MODE_UNSPECIFIED', 'AUTO', 'ANY', 'NONE', 'VALIDATED').optional(),
  allowedFunctionNames: words.optional(),
});
/** A server of tools that the service calls. */
export const mcpServer = z.object({
  name: z.string(),
  streamableHttpTransport: struct.optional(),
});
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
