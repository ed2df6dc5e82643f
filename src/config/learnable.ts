import { gatewayDialect } from '../dialects/index.js';
import type { BackendConfig } from './types.js';

/**
 * What refusals of a backend may teach: of requests of other dialects that it does not take a field, flags of its profile, and how many
 * tokens it generates or has in all; of bodies of its own dialect what it lacks of that.
 */
export type LessonKind = 'field' | 'flags' | 'cap' | 'window' | 'unsupported';

const OF_MODELS: readonly LessonKind[] = ['field', 'flags', 'cap', 'window'];

/** The kinds that hold for a backend. The vendor's own service lacks nothing of its dialect. */
export function learnableOf({ dialect, preset, simulator }: BackendConfig): readonly LessonKind[] {
  const isVendor = simulator || preset?.name === gatewayDialect(dialect).service.preset;
  return isVendor ? OF_MODELS : [...OF_MODELS, 'unsupported'];
}
