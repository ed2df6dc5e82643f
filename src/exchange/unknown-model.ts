import type { Failure } from '../ground/index.js';
import type { ClientCall } from '../http/index.js';
import { mayUse, unknownModel as unknownAmong } from '../protocol/index.js';
import type { ExchangeServices } from './services.js';

/** A 404 for a name that leads nowhere, which names models that the caller may use. */
export function unknownModel(
  { catalog }: ExchangeServices,
  { key }: ClientCall,
  model: string,
  status?: number,
): Failure {
  const names = [...catalog.known()].filter((name) => mayUse(key, name));
  return unknownAmong(model, names, status);
}
