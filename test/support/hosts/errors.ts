import type { FakeDialectName } from '../fake-backend/index.js';

/** The body by which a host refuses a request. */
type ErrorBody = (status: number, message: string) => object;

const TYPE = 'invalid_request_error';

const messagesForm: ErrorBody = (_status, message) => ({
  type: 'error',
  error: { type: TYPE, message },
  request_id: 'req_1',
});
const openForm: ErrorBody = (_status, message) => ({ error: { message, type: TYPE, param: null, code: null } });
const numbered: ErrorBody = (status, message) => ({
  error: { message, type: 'BadRequestError', param: null, code: status },
});

/** Forms of error bodies that differ from those of the dialect's vendor; the same for all dialects of the host. */
const OWN: Readonly<Record<string, ErrorBody>> = {
  llamacpp: (status, message) => ({ error: { code: status, message, type: 'exceed_context_size_error' } }),
  openrouter: (status, message) => ({ error: { code: status, message }, metadata: {} }),
  mistral: (_status, message) => ({ object: 'error', message, type: 'invalid_request', param: null, code: '1000' }),
  cerebras: (_status, message) => ({ message, type: TYPE, param: 'messages', code: 'wrong_api_format' }),
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
  if (dialect === 'generateContent')
    return (code, message) => ({ error: { code, message, status: 'INVALID_ARGUMENT' } });
  return OPEN[name] ?? openForm;
}
