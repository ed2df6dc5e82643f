import type { TokenLogprob } from '../canonical/content.js';
import type { Losses, LossSubject } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import type { CanonicalRequest } from '../canonical/request.js';
import type { Profile } from '../target/words.js';

/** Log probabilities as two dialects have them ([R §4.3 rule 4], [H §6.4]); undefined when an entry is none. */
export function decodeLogprobs(nodes: readonly unknown[]): TokenLogprob[] | undefined {
  const out: TokenLogprob[] = [];
  for (const node of nodes) {
    const token = decodeToken(node);
    if (token === undefined) return undefined;
    const alternatives: unknown = Reflect.get(Object(node), 'top_logprobs');
    const top: { token: string; logprob: number; bytes?: readonly number[] }[] = [];
    for (const alternative of Array.isArray(alternatives) ? alternatives : []) {
      const decoded = decodeToken(alternative);
      if (decoded === undefined) return undefined;
      top.push(decoded);
    }
    out.push({ ...token, top });
  }
  return out;
}

function decodeToken(node: unknown): { token: string; logprob: number; bytes?: readonly number[] } | undefined {
  if (typeof node !== 'object' || node === null || !('token' in node) || !('logprob' in node)) return undefined;
  const { token, logprob } = node;
  if (typeof token !== 'string' || typeof logprob !== 'number') return undefined;
  const bytes = 'bytes' in node && isBytes(node.bytes) ? node.bytes : undefined;
  return bytes === undefined ? { token, logprob } : { token, logprob, bytes };
}

function isBytes(value: unknown): value is readonly number[] {
  return Array.isArray(value) && value.every((byte) => typeof byte === 'number');
}

/** The same as nodes; bytes that the source did not give are the token's UTF-8 (translation.md 5.6). */
export function encodeLogprobs(tokens: readonly TokenLogprob[] | undefined): JsonObject[] {
  return (tokens ?? []).map((token) => ({ ...encodeToken(token), top_logprobs: token.top.map(encodeToken) }));
}

function encodeToken(token: { token: string; logprob: number; bytes?: readonly number[] }): JsonObject {
  const bytes = token.bytes ?? Array.from(new TextEncoder().encode(token.token));
  return { token: token.token, logprob: token.logprob, bytes };
}

/** The most candidates for each token that services return ([R §2.1], [G §2.6], [H §2.2]). */
const MAX_TOP = 20;

/** The number of candidates that is sent for one that was asked for; one that is too large is a loss. `who` returns them. */
export function topSent(top: number, who: string, request: CanonicalRequest, losses: Losses): number {
  if (top > MAX_TOP) losses.add(request, 'logprobs', 'approximated', `${who} returns at most ${MAX_TOP}`);
  return Math.min(top, MAX_TOP);
}

/** Why a target whose model takes no sampling settings gives no log probabilities, which belong to them. */
export function closedToLogprobs({ sampling }: Pick<Profile, 'sampling'>): string {
  return `the model returns no log probabilities${sampling.includes('none') ? '' : ' while it reasons'}`;
}

/** Reports bytes of tokens that the source did not give. */
export function reportLogprobs(
  tokens: readonly TokenLogprob[] | undefined,
  subject: LossSubject,
  losses: Losses,
): void {
  if (tokens?.some(({ bytes }) => bytes === undefined) === true)
    losses.add(subject, 'logprobs', 'invented', 'the bytes of tokens are computed from their text');
}
