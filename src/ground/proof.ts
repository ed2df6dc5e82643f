import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { plainAddress } from './addresses.js';

/**
 * How a gateway proves to a caller that it has the digest of the caller's key, before the caller tells the key. A proof holds for one
 * address: what is passed on from a gateway at another one proves nothing.
 */

/** The header with which a caller asks for proofs. */
export const CHALLENGE_HEADER = 'x-interlingua-challenge';
/** The header with the proofs, separated by commas. */
export const PROOF_HEADER = 'x-interlingua-proof';

/** One end of a connection. What is not connected has neither, and no proof. */
export interface SocketEnd {
  readonly address: string | undefined;
  readonly port: number | undefined;
}

/** Proofs are given to callers without a key: keys beyond so many get none. */
const MOST_PROOFS = 64;

/** A value for {@link CHALLENGE_HEADER}: 32 random bytes in hex digits. */
export function createChallenge(): string {
  return randomBytes(32).toString('hex');
}

/**
 * The value of {@link PROOF_HEADER} for a challenge that came in at an end of ours; undefined for what is no challenge.
 * @param digests SHA-256 of each key in hex digits
 */
export function proofsFor(
  digests: readonly string[],
  challenge: string | undefined,
  end: SocketEnd,
): string | undefined {
  if (challenge === undefined || !/^[\da-f]{64}$/.test(challenge)) return undefined;
  if (end.address === undefined || end.port === undefined || digests.length === 0) return undefined;
  const proofs = digests.slice(0, MOST_PROOFS).map((digest) => proofOf(Buffer.from(digest, 'hex'), challenge, end));
  return proofs.map((proof) => proof.toString('base64url')).join(', ');
}

/** Whether one of the proofs that came from an end of theirs answers our challenge, for this key. */
export function isProven(proofs: string, key: string, challenge: string, end: SocketEnd): boolean {
  const expected = proofOf(createHash('sha256').update(key).digest(), challenge, end);
  return proofs.split(', ').some((text) => {
    const proof = Buffer.from(text, 'base64url');
    return proof.length === expected.length && timingSafeEqual(proof, expected);
  });
}

function proofOf(digest: Buffer, challenge: string, { address, port }: SocketEnd): Buffer {
  const message = `interlingua proof 1\n${challenge}\n${plainAddress(address)}:${port}`;
  return createHmac('sha256', digest).update(message).digest();
}
