import { INFLATION_LIMIT, type InflationBudget, peelCarrier } from '../wire/carrier.js';
import { packState } from './state.js';

/** No backend's domain: any of them may read our own summaries. */
const DOMAIN = 'summary';

/** A summary of a conversation as the ciphertext of a compaction (translation.md 8 `compact`). */
export function packSummary(text: string): string {
  return packState([{ dialect: 'none', domain: DOMAIN, kind: 'summary', payload: text }]);
}

/** The summary in a carrier; undefined when it holds none. */
export function unpackSummary(
  carrier: string,
  budget: InflationBudget = { left: INFLATION_LIMIT },
): string | undefined {
  return peelCarrier(carrier, DOMAIN, 4, { budget })?.find((entry) => entry.kind === 'summary')?.payload;
}

/** How a summary is told to a model. */
export function tellSummary(summary: string): string {
  return `<conversation_summary>\n${summary}\n</conversation_summary>`;
}
