import { type DialectId, isCounted, type Loss } from '../../translators/index.js';

/** Which backend answered, and which model; '' = none is known. */
export function backendHeaders(backend: string, dialect: DialectId, model: string): Record<string, string> {
  return {
    'x-interlingua-backend': backend,
    'x-interlingua-dialect': dialect,
    ...(model !== '' && { 'x-interlingua-model': printable(model) }),
  };
}

/**
 * How many losses there were and which: `N;minor=M`, N being those that strict would count and M the others. Figures about
 * the answer that have no place in the client's dialect are named and count as neither (http.md#losses).
 */
export function lossHeaders(losses: readonly Loss[]): Record<string, string> {
  let counted = 0;
  let minor = 0;
  for (const loss of losses) {
    if (isCounted(loss)) counted += 1;
    else if (loss.feature !== 'telemetry') minor += 1;
  }
  const count = { 'x-interlingua-losses': `${counted};minor=${minor}` };
  return losses.length === 0 ? count : { ...count, 'x-interlingua-loss': formatLosses(losses) };
}

/** The same for what was relayed: where nothing of it was rewritten there is nothing to count. */
export function relayedLossHeaders(losses: readonly Loss[]): Record<string, string> {
  return losses.length === 0 ? { 'x-interlingua-losses': '0' } : lossHeaders(losses);
}

/** Longest value of `x-interlingua-loss` before the token `more`, in bytes. */
const LOSS_LIMIT = 4096;

/**
 * Losses as an RFC 8941 list: `sampling.topK;kind=dropped;path="/top_k"`. Entries that differ only in their path are
 * one entry, with the first path and their number.
 */
export function formatLosses(losses: readonly Loss[]): string {
  const groups = new Map<string, { readonly loss: Loss; n: number }>();
  for (const loss of losses) {
    const key = `${loss.kind} ${loss.feature}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { loss, n: 1 });
    else group.n += 1;
  }
  const room = LOSS_LIMIT - ', more'.length;
  let text = '';
  for (const { loss, n } of groups.values()) {
    const entry = `${token(loss.feature)};kind=${loss.kind};path="${quoted(loss.path)}"${n > 1 ? `;n=${n}` : ''}`;
    const next = text === '' ? entry : `${text}, ${entry}`;
    if (next.length > room) return text === '' ? 'more' : `${text}, more`;
    text = next;
  }
  return text;
}

/** Characters of an RFC 8941 token but `%`, which marks the others. */
function token(feature: string): string {
  return feature.replace(/[^!#$&'*+\-.^_`|~0-9A-Za-z:/]+/g, percentEncode);
}

/** A path as a string of RFC 8941. Its own percent signs are encoded too, so that decoding gives the path back. */
function quoted(path: string): string {
  return printable(path.replaceAll('%', '%25')).replace(/["\\]/g, '\\$&');
}

/** Text as printable ASCII; everything else, and half a surrogate pair, percent-encoded. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]+/g, percentEncode);
}

/** Unlike encodeURIComponent takes half a surrogate pair, as U+FFFD. */
function percentEncode(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');
}
