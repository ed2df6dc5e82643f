import { isObject, type JsonObject } from '../../wire/json.js';
import * as s from '../../wire/schema.js';

const object = s.custom<JsonObject>((value) => isObject(value), 'expected an object');
const id = s.nullish(s.string());
const status = s.nullish(s.string());
const word = s.nullish(s.string());
/** A union would try both sides for every message; parts are checked when they are read. */
const contentOrString = s.custom<string | readonly JsonObject[]>(
  (value) => typeof value === 'string' || Array.isArray(value),
  'expected a string or a list of parts',
);

/** Content parts [R §2.5]. */
export const inputText = s.object({ type: s.string(), text: s.string(), prompt_cache_breakpoint: s.nullish(object) });
export const inputImage = s.object({
  type: s.string(),
  image_url: word,
  file_id: word,
  detail: word,
  prompt_cache_breakpoint: s.nullish(object),
});
export const inputFile = s.object({
  type: s.string(),
  file_data: word,
  file_url: word,
  file_id: word,
  filename: word,
  detail: word,
  prompt_cache_breakpoint: s.nullish(object),
});
export const inputAudio = s.object({
  type: s.string(),
  input_audio: s.object({ data: s.string(), format: s.string() }),
});
export const outputText = s.object({
  type: s.string(),
  text: s.string(),
  annotations: s.nullish(s.array(object)),
  logprobs: s.nullish(s.array(object)),
});
export const refusal = s.object({ type: s.string(), refusal: s.string() });

/** Input and output items [R §2.5, §4.2]. `id` and `status` are lenient everywhere. */
export const message = s.object({
  type: s.nullish(s.string()),
  role: s.oneOf(['user', 'assistant', 'system', 'developer'], 'expected one of assistant, system, developer, user'),
  content: contentOrString,
  id,
  status,
  phase: word,
});
export const functionCall = s.object({
  type: s.string(),
  call_id: word,
  name: s.string(s.minLength(1, 'expected a name')),
  namespace: word,
  arguments: s.nullish(s.string()),
  id,
  status,
  caller: s.nullish(object),
});
export const customToolCall = s.object({
  type: s.string(),
  call_id: word,
  name: s.string(s.minLength(1, 'expected a name')),
  namespace: word,
  input: s.string(),
  id,
  status,
});
/** Listed by the base specification only [R §7 row 12]. */
export const toolUse = s.object({
  type: s.string(),
  id: s.string(),
  name: s.string(s.minLength(1, 'expected a name')),
  input: s.nullish(object),
});
export const callOutput = s.object({
  type: s.string(),
  call_id: word,
  output: contentOrString,
  name: word,
  namespace: word,
  id,
  status,
});
export const reasoning = s.object({
  type: s.string(),
  id,
  summary: s.nullish(s.array(object)),
  content: s.nullish(s.array(object)),
  encrypted_content: word,
  status,
});
export const textPiece = s.object({ type: s.string(), text: s.string() });
export const itemReference = s.object({ type: s.nullish(s.string()), id: s.string() });
export const compaction = s.object({ type: s.string(), id, encrypted_content: s.string() });
export const webSearchCall = s.object({ type: s.string(), id, status, action: s.nullish(object) });
export const fileSearchCall = s.object({
  type: s.string(),
  id,
  status,
  queries: s.nullish(s.array(s.string())),
  results: s.nullish(s.array(object)),
});
export const codeInterpreterCall = s.object({
  type: s.string(),
  id,
  status,
  code: word,
  container_id: word,
  outputs: s.nullish(s.array(object)),
});
export const imageGenerationCall = s.object({
  type: s.string(),
  id,
  status,
  result: word,
  revised_prompt: word,
  output_format: word,
});
export const mcpCall = s.object({
  type: s.string(),
  id,
  status,
  server_label: s.string(),
  name: s.string(),
  arguments: s.string(),
  output: word,
});
export const approvalRequest = s.object({ type: s.string(), id: s.string() });
export const approvalResponse = s.object({
  type: s.string(),
  approval_request_id: s.string(),
  approve: s.boolean(),
  id,
});
export const additionalTools = s.object({ type: s.string(), role: word, tools: s.array(object), id });
export const computerCall = s.object({
  type: s.string(),
  id,
  call_id: word,
  status,
  action: s.nullish(object),
  actions: s.nullish(s.array(object)),
  pending_safety_checks: s.nullish(s.array(object)),
});
export const computerCallOutput = s.object({
  type: s.string(),
  id,
  call_id: word,
  status,
  output: s.object({ type: word, image_url: word, file_id: word }),
  acknowledged_safety_checks: s.nullish(s.array(object)),
});
export const localShellCall = s.object({ type: s.string(), id, call_id: word, status, action: object });
export const localShellCallOutput = s.object({ type: s.string(), id, call_id: word, status, output: s.string() });
export const shellCall = s.object({
  type: s.string(),
  id,
  call_id: word,
  status,
  action: object,
  environment: s.nullish(object),
});
export const shellCallOutput = s.object({ type: s.string(), id, call_id: word, status, output: s.array(object) });
export const applyPatchCall = s.object({ type: s.string(), id, call_id: word, status, operation: object });
export const applyPatchCallOutput = s.object({ type: s.string(), id, call_id: word, status, output: word });
