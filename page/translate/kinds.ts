/** What may be pasted. */
export const KINDS = ['request', 'response', 'stream', 'error'] as const;

export type Kind = (typeof KINDS)[number];
