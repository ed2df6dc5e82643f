import { dialectIds, dialects } from '../../translators/index.js';
import type { ClientCall } from '../http/index.js';
import { checkNamedModels, dataMembersOf } from '../protocol/index.js';
import type { GenerationRequest } from './attempt.js';

const DATA = dataMembersOf(dialectIds.map((id) => dialects[id]));

/** Throws the client's error when the caller's key does not permit a model that is asked for. */
export function checkModels(
  { key, dialect }: ClientCall,
  { model, json }: Pick<GenerationRequest, 'model' | 'json'>,
): void {
  // A text may be made when it is asked for.
  if (key?.models !== undefined) checkNamedModels(key, dialect, { model, text: json.text }, DATA);
}
