import { encodeCarrier, INFLATION_LIMIT, type InflationBudget, peelCarrier } from '../wire/carrier.js';

/** No backend's domain: any of them may read our own summaries. */
const DOMAIN = 'summary';

/**
 * A summary of a conversation as the ciphertext of a compaction (translation.md 8 `compact`); undefined when it is longer
 * than a carrier holds (16 MiB).
 */
export function packSummary(text: string): string | undefined {
  const entry = { dialect: 'none', domain: DOMAIN, kind: 'summary', payload: text } as const;
  let held = true;
  const carrier = encodeCarrier(entry.dialect, entry.domain, [entry], () => {
    held = false;
  });
  return held ? carrier : undefined;
}

/** The summary in a carrier; undefined when it holds none. */
export function unpackSummary(
  carrier: string,
  budget: InflationBudget = { left: INFLATION_LIMIT },
): string | undefined {
  return peelCarrier(carrier, DOMAIN, 4, { budget })?.find((entry) => entry.kind === 'summary')?.payload;
}

/** A summary as a model reads it. */
export function renderSummary(summary: string): string {
  return `<conversation_summary>\n${summary}\n</conversation_summary>`;
}
