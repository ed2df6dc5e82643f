import { type DialectId, dialects, type Headers } from '../../translators/index.js';
import { gatewayDialects } from '../dialects/index.js';

/** A host may send what another dialect's service sends. */
const RELAYED = new RegExp(gatewayDialects.map(({ answerHeaders }) => answerHeaders.source).join('|'));

/**
 * Limits and hints of an answer that is relayed pass as they are, but for a delay that no client should obey (hardening.md
 * row 49), and for what is secret.
 */
export function limitHeaders(
  id: DialectId,
  received: Headers,
  isSecret: (text: string) => boolean = () => false,
): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name in received) {
    const value = received[name];
    if (value !== undefined && RELAYED.test(name) && !isSecret(`${name}: ${value}`)) kept[name] = value;
  }
  if (received['retry-after'] === undefined && received['retry-after-ms'] === undefined) return kept;
  const dialect = dialects[id];
  const now = Date.now();
  const { retryAfterMs } = dialect.decodeLimits(received, now);
  return { ...kept, ...dialect.encodeLimits({ retryAfterMs }, now) };
}
