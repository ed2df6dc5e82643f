import type { Ask } from '../exchange/index.js';
import { Failure } from '../ground/index.js';
import { checkModelName, type JsonBody } from '../http/index.js';

/** What is asked, for dialects whose body says which model and whether to stream. */
export function askOf(json: JsonBody): Ask {
  const { value } = json;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure({ kind: 'invalid_request', message: 'the body must be a JSON object' });
  }
  const model = 'model' in value ? value.model : undefined;
  if (typeof model !== 'string') {
    throw new Failure({
      kind: 'invalid_request',
      message: model === undefined ? 'model: a model is required' : 'model: must be a string',
      path: '/model',
    });
  }
  const stream = 'stream' in value && value.stream === true;
  return { json, model: checkModelName(model, '/model'), stream, framing: 'sse' };
}
