import type { JsonObject, StateKeeper } from '../../src/simulator/rules/index.js';
import type { DialectId } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';
import { TRUSTING_STATE } from './fake-backend/issued-state.js';

const VIOLATIONS = tableOf('violations');

/**
 * What a backend of `dialect` would refuse in a translated request for `model`, as the words of its service. Opaque state
 * is believed unless a keeper is given that knows what was issued.
 */
export function requestFaults(
  dialect: DialectId,
  body: JsonObject,
  model: string,
  host: 'dev' | 'cloud' = 'dev',
  state: StateKeeper = TRUSTING_STATE,
): string[] {
  return VIOLATIONS[dialect](body, { model, host, state }).map((violation) => violation.message);
}
