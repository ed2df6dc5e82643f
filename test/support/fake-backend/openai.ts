import { mintId } from './dialect.js';

/** The headers of an answer of OpenAI's service, whatever the dialect. */
export function openaiHeaders(): Record<string, string> {
  return {
    'content-type': 'application/json',
    'x-request-id': mintId('req_', 32),
    'openai-version': '2020-10-01',
    'openai-processing-ms': '12',
    'x-ratelimit-limit-requests': '10000',
    'x-ratelimit-remaining-requests': '9998',
    'x-ratelimit-reset-requests': '60ms',
    'x-ratelimit-limit-tokens': '200000',
    'x-ratelimit-remaining-tokens': '199000',
    'x-ratelimit-reset-tokens': '1m30.5s',
  };
}

/** The entry of a model in its list. */
export function openaiModel(id: string): object {
  return { id, object: 'model', created: 1767225600, owned_by: 'fake' };
}
