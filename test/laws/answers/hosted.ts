import fc from 'fast-check';
import type { HostedCallPart, HostedResultPart, Part } from '../../../translators/canonical/content.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { HostedFamily } from '../../../translators/canonical/tools.js';
import type { DialectId } from '../../../translators/index.js';
import { has, lawTableOf } from '../dialects/index.js';
import { ids, known } from '../values.js';
import { bags, entries } from './parts.js';

/** What one hosted call of a family asked and brought, as its service tells it. */
export interface Told {
  readonly family: HostedFamily;
  readonly input: JsonObject;
  readonly output: JsonObject;
  readonly isError?: boolean;
  readonly errorCode?: string;
}

const FROM = lawTableOf('hostedCalls');

const statuses = fc.constantFrom('completed', 'completed', 'failed', 'incomplete');

/**
 * A hosted call with what it brought; now and then one half only, as where an answer breaks off or goes on. Nothing where
 * answers tell no such calls.
 */
export function hostedPairs(source: DialectId): fc.Arbitrary<Part[]> {
  const calls = FROM[source];
  if (calls === undefined) return fc.constant([]);
  const isItem = has(source, 'hostedItems');
  return fc
    .record({
      told: calls,
      callId: ids,
      whole: fc.nat({ max: 9 }),
      status: isItem ? statuses : fc.constant(undefined),
      state: entries(source, 'hosted').map((entry) => [entry]),
      ext: bags(source),
    })
    .map(({ told: { family, input, output, isError, errorCode }, callId, whole, status, state, ext }) => {
      const alone = whole === 0;
      const call: HostedCallPart = known({
        kind: 'hostedCall',
        callId,
        family,
        input,
        status: alone && status !== undefined ? 'in_progress' : status,
        // One item is both halves; both keep it.
        state: alone || isItem ? state : undefined,
        ext,
      });
      if (alone) return [call];
      const orphan = whole === 1 && has(source, 'lateResults');
      const bad = isError === true || status === 'failed' ? true : undefined;
      const result: HostedResultPart = known({
        kind: 'hostedResult',
        callId,
        family,
        output,
        isError: bad,
        errorCode,
        state,
      });
      if (orphan) return [result];
      return [isItem ? (({ state: _state, ...rest }) => rest)(call) : call, result];
    });
}
