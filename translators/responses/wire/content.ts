import * as z from 'zod/mini';
import { isObject, type JsonObject } from '../../wire/json.js';

const object = z.custom<JsonObject>((value) => isObject(value), { error: 'expected an object' });
const id = z.nullish(z.string());
const status = z.nullish(z.string());
const word = z.nullish(z.string());
/** A union would try both sides for every message; parts are checked when they are read. */
const contentOrString = z.custom<string | readonly JsonObject[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  { error: 'expected a string or a list of parts' },
);

/** Content parts [R §2.5]. */
export const inputText = z.object({ type: z.string(), text: z.string(), prompt_cache_breakpoint: z.nullish(object) });
export const inputImage = z.object({
  type: z.string(),
  image_url: word,
  file_id: word,
  detail: word,
  prompt_cache_breakpoint: z.nullish(object),
});
export const inputFile = z.object({
  type: z.string(),
  file_data: word,
  file_url: word,
  file_id: word,
  filename: word,
  detail: word,
  prompt_cache_breakpoint: z.nullish(object),
});
export const inputAudio = z.object({
  type: z.string(),
  input_audio: z.object({ data: z.string(), format: z.string() }),
});
export const outputText = z.object({
  type: z.string(),
  text: z.string(),
  annotations: z.nullish(z.array(object)),
  logprobs: z.nullish(z.array(object)),
});
export const refusal = z.object({ type: z.string(), refusal: z.string() });

/** Input and output items [R §2.5, §4.2]. `id` and `status` are lenient everywhere. */
export const message = z.object({
  type: z.nullish(z.string()),
  role: z.enum(['user', 'assistant', 'system', 'developer'], {
    error: 'expected one of assistant, system, developer, user',
  }),
  content: contentOrString,
  id,
  status,
  phase: word,
});
export const functionCall = z.object({
  type: z.string(),
  call_id: word,
  name: z.string().check(z.minLength(1, { error: 'expected a name' })),
  namespace: word,
  arguments: z.nullish(z.string()),
  id,
  status,
  caller: z.nullish(object),
});
export const customToolCall = z.object({
  type: z.string(),
  call_id: word,
  name: z.string().check(z.minLength(1, { error: 'expected a name' })),
  namespace: word,
  input: z.string(),
  id,
  status,
});
/** Listed by the base specification only [R §7 row 12]. */
export const toolUse = z.object({
  type: z.string(),
  id: z.string(),
  name: z.string().check(z.minLength(1, { error: 'expected a name' })),
  input: z.nullish(object),
});
export const callOutput = z.object({
  type: z.string(),
  call_id: word,
  output: contentOrString,
  name: word,
  namespace: word,
  id,
  status,
});
export const reasoning = z.object({
  type: z.string(),
  id,
  summary: z.nullish(z.array(object)),
  content: z.nullish(z.array(object)),
  encrypted_content: word,
  status,
});
export const textPiece = z.object({ type: z.string(), text: z.string() });
export const itemReference = z.object({ type: z.nullish(z.string()), id: z.string() });
export const compaction = z.object({ type: z.string(), id, encrypted_content: z.string() });
export const webSearchCall = z.object({ type: z.string(), id, status, action: z.nullish(object) });
export const fileSearchCall = z.object({
  type: z.string(),
  id,
  status,
  queries: z.nullish(z.array(z.string())),
  results: z.nullish(z.array(object)),
});
export const codeInterpreterCall = z.object({
  type: z.string(),
  id,
  status,
  code: word,
  container_id: word,
  outputs: z.nullish(z.array(object)),
});
export const imageGenerationCall = z.object({
  type: z.string(),
  id,
  status,
  result: word,
  revised_prompt: word,
  output_format: word,
});
export const mcpCall = z.object({
  type: z.string(),
  id,
  status,
  server_label: z.string(),
  name: z.string(),
  arguments: z.string(),
  output: word,
});
export const approvalRequest = z.object({ type: z.string(), id: z.string() });
export const approvalResponse = z.object({
  type: z.string(),
  approval_request_id: z.string(),
  approve: z.boolean(),
  id,
});
export const additionalTools = z.object({ type: z.string(), role: word, tools: z.array(object), id });
export const computerCall = z.object({
  type: z.string(),
  id,
  call_id: word,
  status,
  action: z.nullish(object),
  actions: z.nullish(z.array(object)),
  pending_safety_checks: z.nullish(z.array(object)),
});
export const computerCallOutput = z.object({
  type: z.string(),
  id,
  call_id: word,
  status,
  output: z.object({ type: word, image_url: word, file_id: word }),
  acknowledged_safety_checks: z.nullish(z.array(object)),
});
export const localShellCall = z.object({ type: z.string(), id, call_id: word, status, action: object });
export const localShellCallOutput = z.object({ type: z.string(), id, call_id: word, status, output: z.string() });
export const shellCall = z.object({
  type: z.string(),
  id,
  call_id: word,
  status,
  action: object,
  environment: z.nullish(object),
});
export const shellCallOutput = z.object({ type: z.string(), id, call_id: word, status, output: z.array(object) });
export const applyPatchCall = z.object({ type: z.string(), id, call_id: word, status, operation: object });
export const applyPatchCallOutput = z.object({ type: z.string(), id, call_id: word, status, output: word });
