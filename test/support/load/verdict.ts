import { type Kind, refusalOf } from '../../backend/faults/told.js';
import type { Ending } from './exchange.js';
import { piecesIn, type Trouble } from './order.js';
import { isErrorBody } from './reading.js';

/** What a load may find wrong. The first two are never to be forgiven. */
export type Finding = 'false success' | 'foreign piece' | 'unexpected failure' | 'wrong answer' | 'wrong refusal';

export interface Verdict {
  readonly finding: Finding;
  readonly why: string;
}

/** Judges how an exchange ended by what was ordered; undefined = as it should. */
export function judge(ending: Ending): Verdict | undefined {
  const { errand, status, refusal, reading, left } = ending;
  const { nonce } = errand.order;
  const said = `${reading.text} ${reading.arguments} ${refusal}`;
  const foreign = piecesIn(said).find((piece) => piece.nonce !== nonce);
  if (foreign !== undefined) return { finding: 'foreign piece', why: `${foreign.nonce} in the answer to ${nonce}` };
  if (left) return undefined;
  if (errand.order.trouble === undefined) return judgeGood(ending);
  if (relaysAsIs(ending)) return undefined;
  if (succeeded(ending)) return { finding: 'false success', why: described(ending) };
  if (status >= 400) return isRefusal(ending) ? undefined : { finding: 'wrong refusal', why: described(ending) };
  // What breaks off is understood as a failure by every client; a whole message has to say that it is one.
  return reading.failures > 0 || (!ending.complete && status !== 0)
    ? undefined
    : { finding: 'wrong answer', why: described(ending) };
}

/** A relayed stream keeps its bytes, also those that are no event. */
function relaysAsIs({ errand: { client, backend, framing, order }, status }: Ending): boolean {
  return client === backend && framing !== 'plain' && order.trouble === 'garbage' && status === 200;
}

function succeeded({ status, complete, reading, error }: Ending): boolean {
  return status === 200 && reading.ends > 0 && (reading.ended || complete) && error === undefined;
}

function judgeGood(ending: Ending): Verdict | undefined {
  const { errand, status, complete, reading, error } = ending;
  const { nonce, pieces, call } = errand.order;
  const fine = status === 200 && complete && error === undefined && reading.failures === 0;
  if (!fine) return { finding: 'unexpected failure', why: described(ending) };
  const indexes = piecesIn(reading.text).map(({ index }) => index);
  const whole = indexes.length === pieces && indexes.every((index, place) => index === place);
  const [called] = piecesIn(reading.arguments);
  const callFits = call ? called?.index === pieces && called.nonce === nonce : called === undefined;
  if (whole && callFits && reading.ends === 1 && reading.ended) return undefined;
  return { finding: 'wrong answer', why: `${described(ending)}, pieces ${indexes.join(' ')}, call ${called?.index}` };
}

/** How each trouble is told before the first byte (hardening.md section 4). */
const KINDS: Record<Trouble, Kind> = {
  reset: 'upstream',
  cut: 'upstream',
  '500': 'internal',
  '429': 'rate_limit',
  '529': 'overloaded',
  hang: 'timeout',
  garbage: 'upstream',
  html: 'upstream',
};

/** Whether a refusal is one of the client's dialect, and where it is translated with the status of the trouble. */
function isRefusal({ errand, refusal, status }: Ending): boolean {
  const { client, backend, order } = errand;
  if (order.trouble !== undefined && client !== backend && status !== refusalOf(client, KINDS[order.trouble])[0])
    return false;
  try {
    return isErrorBody(errand.client, JSON.parse(refusal));
  } catch {
    return false;
  }
}

/** An exchange in one line. */
export function described({ errand, status, refusal, complete, reading, error, ms }: Ending): string {
  const { client, backend, framing, order } = errand;
  return (
    `${client} to ${backend}, ${framing}, ${order.pieces} pieces, ${order.trouble ?? 'well'}${order.call ? ', call' : ''}: ` +
    `${status} ${refusal.slice(0, 200)} complete ${complete}, ends ${reading.ends}, failures ${reading.failures}, ` +
    `error ${error}, ${Math.round(ms)} ms`
  );
}
