import type { FakeDialectName } from '../fake-backend/index.js';

/** The body by which a host refuses a request. */
type ErrorBody = (status: number, message: string) => object;

const TYPES: Readonly<Record<number, string>> = { 404: 'not_found_error', 429: 'rate_limit_error' };
const typeOf = (status: number): string => TYPES[status] ?? 'invalid_request_error';

const messagesForm: ErrorBody = (status, message) => ({
  type: 'error',
  error: { type: typeOf(status), message },
  request_id: 'req_1',
});
const openForm: ErrorBody = (status, message) => ({
  error: { message, type: typeOf(status), param: null, code: null },
});
const numbered: ErrorBody = (status, message) => ({
  error: { message, type: 'BadRequestError', param: null, code: status },
});
const STATUSES: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' };
const googleForm: ErrorBody = (code, message) => ({
  error: { code, message, status: STATUSES[code] ?? 'INVALID_ARGUMENT' },
});

/** Forms of error bodies that differ from those of the dialect's vendor; the same for all dialects of the host. */
const OWN: Readonly<Record<string, ErrorBody>> = {
  llamacpp: (code, message) => ({
    error: { code, message, type: code === 400 ? 'exceed_context_size_error' : typeOf(code) },
  }),
  openrouter: (status, message) => ({ error: { code: status, message }, metadata: {} }),
  mistral: (_status, message) => ({ object: 'error', message, type: 'invalid_request', param: null, code: '1000' }),
  cerebras: (status, message) => ({ message, type: typeOf(status), param: 'messages', code: 'wrong_api_format' }),
  xai: (_status, error) => ({ error, code: 'Client specified an invalid argument' }),
  qwen: (_status, message) => ({ code: 'InvalidParameter', message, request_id: 'r-1' }),
};

/** The same for what a host says in the dialects of chat completions and responses. */
const OPEN: Readonly<Record<string, ErrorBody>> = { vllm: numbered, sglang: numbered };

/** What a host says in a dialect when it refuses a request. */
export function errorBodyOf(name: string, dialect: FakeDialectName): ErrorBody {
  const own = OWN[name];
  if (own !== undefined) return own;
  if (dialect === 'messages') return messagesForm;
  if (dialect === 'generateContent') return googleForm;
  return OPEN[name] ?? openForm;
}

/** How hosts say that an input is too long; the others as {@link COMMON}. */
const TOO_LONG: Readonly<Record<string, string>> = {
  anthropic: 'prompt is too long: 25000 tokens > 20000 maximum',
  openai: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  gemini: 'The input token count (25000) exceeds the maximum number of tokens allowed (20000).',
  azure: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
  foundry: 'prompt is too long: 25000 tokens > 20000 maximum',
  bedrock: 'Input is too long for requested model.',
  vertex: 'The input token count (25000) exceeds the maximum number of tokens allowed (20000).',
  'vertex-anthropic': 'prompt is too long: 25000 tokens > 20000 maximum',
  ollama: 'prompt too long; exceeded max context length by 5000 tokens',
  sglang: "The input (25000 tokens) is longer than the model's context length (20000 tokens).",
  llamacpp: 'the request exceeds the available context size, try increasing it',
  lmstudio: 'The number of tokens to keep from the initial prompt is greater than the context length.',
  groq: 'Please reduce the length of the messages or completion.',
  cerebras: 'Please reduce the length of the messages or completion.',
  mistral: 'Prompt contains 25000 tokens, too large for model with 20000 maximum context length',
  fireworks: 'The prompt is too long: 25000, model maximum context length: 20000',
  xai: "This model's maximum prompt length is 20000 but the request contains 25000 tokens.",
  moonshot: 'Invalid request: Your request exceeded model token limit: 20000',
  zai: 'Prompt exceeds max length',
  minimax: 'invalid params, context window exceeds limit (2013)',
  qwen: 'Range of input length should be [1, 20000]',
};
const COMMON = "This model's maximum context length is 20000 tokens. Please shorten the input.";

/** The words in which a host refuses an input that is too long. */
export function tooLongAt(name: string): string {
  return TOO_LONG[name] ?? COMMON;
}
