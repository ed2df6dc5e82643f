import { pictureOf, reportHostedCall, reportHostedResult } from '../../../adapt/index.js';
import type { HostedCallPart, HostedResultPart } from '../../../canonical/content.js';
import type { Losses } from '../../../canonical/loss.js';
import { reportLost } from '../../content/encode.js';
import { pairs } from './pairs.js';

/** How many searches and fetches an answer holds. */
export interface HostedCounts {
  readonly webSearch: number;
  readonly webFetch: number;
}

/** Reports what pairs of blocks do not hold of the hosted calls of another service. */
export interface HostedReporter {
  /** Whether the part may be written: a result without its call may not. */
  report(part: HostedCallPart | HostedResultPart): boolean;
  /** How many calls were written so far, of those that backends count. */
  readonly counts: HostedCounts;
  /** Nothing follows: calls for a picture that never came are lost. */
  end(): void;
}

/** A reporter for one answer. */
export function createHostedReporter(losses: Losses): HostedReporter {
  /** Calls for pictures, which only the picture represents. */
  let awaited: Map<string, HostedCallPart> | undefined;
  let calls: Set<string> | undefined;
  const counts = { webSearch: 0, webFetch: 0 };

  const drop = (callId: string): void => {
    const call = awaited?.get(callId);
    awaited?.delete(callId);
    if (call !== undefined) reportLost(call, losses);
  };

  return {
    report(part) {
      const pair = pairs[part.family];
      if (part.family === 'imageGen') {
        awaited ??= new Map();
        if (part.kind === 'hostedCall') awaited.set(part.callId, part);
        else if (pictureOf(part) === undefined) drop(part.callId);
        else awaited.delete(part.callId);
      } else if (part.kind === 'hostedCall') {
        calls ??= new Set();
        calls.add(part.callId);
        if (pair?.counts !== undefined) counts[pair.counts] += 1;
        if (pair === undefined) reportLost(part, losses);
        else {
          const cut = part.status === 'incomplete' ? ['the interruption of the call'] : [];
          reportHostedCall(part, [...cut, ...(pair.hiddenInput?.(part.input) ?? [])], losses);
        }
      } else if (calls?.has(part.callId) !== true) {
        losses.add(part, 'hosted.output', 'dropped', 'its call is not in the answer');
        return false;
      } else if (pair !== undefined) {
        reportHostedResult(part, pair.hiddenOutput(part), losses);
        const invented = pair.inventedOutput?.(part);
        if (invented !== undefined) losses.add(part, 'hosted.output', 'invented', invented);
      }
      return true;
    },
    counts,
    end() {
      if (awaited !== undefined) for (const callId of [...awaited.keys()]) drop(callId);
    },
  };
}
