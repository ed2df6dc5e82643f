import { createHash, createHmac } from 'node:crypto';
import type { StateKeeper } from './rules/index.js';

const DIGEST_BYTES = 32;

/**
 * State that carries its own proof, so that it outlives the process and is known by every worker.
 * @param label keeps the tokens of one dialect from being valid in another
 */
export function createSignedState(label: string): StateKeeper {
  const seal = (digest: Buffer): Buffer =>
    createHmac('sha256', `interlingua simulator ${label}`).update(digest).digest();
  const digestOf = (binding: string): Buffer => createHash('sha256').update(binding).digest();
  return {
    issue(binding) {
      const digest = digestOf(binding);
      return Buffer.concat([digest, seal(digest)]).toString('base64');
    },
    check(token, binding) {
      const bytes = Buffer.from(token, 'base64');
      const digest = bytes.subarray(0, DIGEST_BYTES);
      if (bytes.length !== 2 * DIGEST_BYTES || !seal(digest).equals(bytes.subarray(DIGEST_BYTES))) return 'forged';
      return binding === undefined || digestOf(binding).equals(digest) ? 'valid' : 'altered';
    },
  };
}
