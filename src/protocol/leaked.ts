import type { CanonicalError } from '../../translators/index.js';

/** The error for a client whose answer holds a secret (configuration.md#access). */
export const LEAKED: CanonicalError & { readonly kind: 'upstream' } = {
  kind: 'upstream',
  message: 'the answer of the backend contains a secret of the gateway',
  retry: false,
};
