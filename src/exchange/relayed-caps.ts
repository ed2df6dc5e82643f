import { dialects, type Edit, type Loss } from '../../translators/index.js';
import { isObject } from '../ground/index.js';
import type { Attempt } from './call-plan.js';
import { relayedCap } from './lessons.js';

/** What becomes of the caps of a relayed body at a model that refused larger ones. */
export interface CappedBody {
  readonly edits: Readonly<Record<string, Edit>>;
  readonly losses: readonly Loss[];
}

export const AS_IT_CAME: CappedBody = { edits: {}, losses: [] };

/** Lowers the caps of a body of the backend's own dialect to what the model generates, as far as refusals taught that. */
export function capBody(attempt: Attempt): CappedBody {
  const most = relayedCap(attempt);
  const { value } = attempt.ask.json;
  if (most === undefined || !isObject(value)) return AS_IT_CAME;
  const { caps } = dialects[attempt.backend.config.dialect].requestFields;
  const over = caps.filter((name) => Number(value[name]) > most);
  return {
    edits: Object.fromEntries(over.map((name) => [name, { json: String(most) }])),
    losses: over.map((name) => ({
      path: `/${name}`,
      feature: 'maxOutput',
      kind: 'approximated',
      detail: `the model generates ${most} tokens at most`,
    })),
  };
}
