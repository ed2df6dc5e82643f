import { errorBody as openaiError } from '../responses/errors.js';
import type { Server } from './server.js';

/** What an error says besides its message. */
export interface ErrorDetail {
  readonly type?: string;
  readonly code?: string;
  readonly param?: string;
}

/** An error body in one of the shapes of [H §9.1]; OpenAI's has all four keys always, and 404 for an unknown model. */
export function errorBody(status: number, message: string, detail: ErrorDetail = {}, shape?: Server['errors']): object {
  const { error } = openaiError(status, message, detail);
  switch (shape) {
    case undefined:
      return { error };
    case 'flat':
      return { object: 'error', message, type: error.type, param: error.param, code: error.code };
    case 'array':
      return [{ error: { code: status, message, status: STATUS_WORDS[status] ?? 'UNKNOWN' } }];
    case 'numeric': {
      const raw = JSON.stringify({ error });
      return {
        error: { message: 'Provider returned error', code: status, metadata: { provider_name: 'Fake', raw } },
        user_id: 'user_1',
      };
    }
  }
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
};
