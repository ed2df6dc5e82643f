import type { ClientToolRules } from '../../adapt/index.js';

/** The computer has no words of its own here: a function stands for it, whose points count pixels. */
export const computer = {
  points: 'pixels',
  tellsDisplay: false,
  batches: () => false,
  readComputer: () => undefined,
  write: () => [],
} as const satisfies Omit<ClientToolRules, 'own'>;
