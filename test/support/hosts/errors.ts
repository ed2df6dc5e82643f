import type { FakeDialectName } from '../fake-backend/index.js';
import { factsOf } from './facts.js';

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
/** The names that vLLM and SGLang have for their errors. */
const NAMES: Readonly<Record<number, string>> = { 404: 'NotFoundError', 429: 'RateLimitError' };
const numbered: ErrorBody = (status, message) => {
  const [, param = null] = /\(parameter=([\w.]+), value=/.exec(message) ?? [];
  return { error: { message, type: NAMES[status] ?? 'BadRequestError', param, code: status } };
};
/** vLLM's in messages: its own names and no id, and what does not validate has no outer type. */
const vllmForm: ErrorBody = (status, message) =>
  message.startsWith('1 validation error')
    ? { error: { message, type: 'Bad Request', param: null, code: status } }
    : { type: 'error', error: { type: NAMES[status] ?? 'BadRequestError', message } };
/** Ollama's in chat completions and responses. */
const ollamaForm: ErrorBody = (status, message) => ({
  error: { message, type: status === 404 ? 'api_error' : typeOf(status), param: null, code: null },
});
const LLAMA_TYPES: Readonly<Record<number, string>> = { 500: 'server_error', 503: 'unavailable_error' };
/** llama-server's, in all dialects. */
const llamaForm: ErrorBody = (code, message) => {
  const [, prompt, window] =
    /^request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/.exec(message) ?? [];
  if (prompt === undefined) return { error: { code, message, type: LLAMA_TYPES[code] ?? typeOf(code) } };
  const sizes = { n_prompt_tokens: Number(prompt), n_ctx: Number(window) };
  return { error: { code, message, type: 'exceed_context_size_error', ...sizes } };
};
const STATUSES: Readonly<Record<number, string>> = { 404: 'NOT_FOUND', 429: 'RESOURCE_EXHAUSTED' };
const googleForm: ErrorBody = (code, message) => ({
  error: { code, message, status: STATUSES[code] ?? 'INVALID_ARGUMENT' },
});

/** Forms of error bodies that differ from those of the dialect's vendor; the same for all dialects of the host. */
const OWN: Readonly<Record<string, ErrorBody>> = {
  llamacpp: llamaForm,
  openrouter: (status, message) => ({ error: { code: status, message }, metadata: {} }),
  mistral: (_status, message) => ({ object: 'error', message, type: 'invalid_request', param: null, code: '1000' }),
  cerebras: (status, message) => ({ message, type: typeOf(status), param: 'messages', code: 'wrong_api_format' }),
  xai: (_status, error) => ({ error, code: 'Client specified an invalid argument' }),
  qwen: (_status, message) => ({ code: 'InvalidParameter', message, request_id: 'r-1' }),
};

/** The same for what a host says in the dialects of chat completions and responses. */
const OPEN: Readonly<Record<string, ErrorBody>> = { vllm: numbered, sglang: numbered, ollama: ollamaForm };

/** What a host says in a dialect when it refuses a request. */
export function errorBodyOf(name: string, dialect: FakeDialectName): ErrorBody {
  const own = OWN[name];
  if (own !== undefined) return own;
  if (dialect === 'messages') return name === 'vllm' ? vllmForm : messagesForm;
  if (dialect === 'generateContent') return googleForm;
  return OPEN[name] ?? openForm;
}

const COMMON = "This model's maximum context length is 20000 tokens. Please shorten the input.";

/** The words in which a host refuses an input that is too long. */
export function tooLongAt(name: string): string {
  return factsOf(name).tooLong ?? COMMON;
}
