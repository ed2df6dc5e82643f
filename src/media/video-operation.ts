import { dialects } from '../../translators/index.js';
import type { BackendAsk } from '../backend/index.js';

/** A call of a verb of a model. Throws TranslationError for a name that could leave its place in the path. */
function verbPath(model: string, verb: string): string {
  const path = dialects.generateContent.endpoint('create', { model, stream: false });
  return path.replace(/:generateContent$/, `:${verb}`);
}

/** The call that begins an operation (media.md 4.2). */
export function beginOperation(model: string, body: object): BackendAsk {
  return { method: 'POST', path: verbPath(model, 'predictLongRunning'), body: JSON.stringify(body) };
}

/** A name of an operation: a path of its own, whose first segments name its model, or its project on the cloud host. */
const NAME = /^(?:[\w.~-]+\/)+operations\/[\w.~-]+$/;

/** Whether a name is safe in a path. */
export function isOperationName(name: string): boolean {
  return NAME.test(name) && !/(?:^|\/)\.{1,2}(?:\/|$)/.test(name);
}

/** The call that asks for the status of an operation: by its name, on the cloud host by its model (media.md 4.2). */
export function pollOperation(name: string): BackendAsk {
  if (!name.startsWith('projects/')) return { method: 'GET', path: `/v1beta/${name}` };
  const model = name.slice(0, name.lastIndexOf('/operations/'));
  return {
    method: 'POST',
    path: verbPath(model, 'fetchPredictOperation'),
    body: JSON.stringify({ operationName: name }),
  };
}
