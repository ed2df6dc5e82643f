import { gatewayDialect } from '../dialects/index.js';
import type { BackendConfig } from './types.js';

/**
 * The kinds of restriction that refusals of a backend can reveal: for requests of other dialects a field that it does not take, flags of
 * its profile, and how many tokens it generates or has in all; for bodies of its own dialect the features that it does not support; and where its host
 * has several endpoints, that it is not served by one.
 */
export type RestrictionKind = 'endpoint' | 'field' | 'flags' | 'cap' | 'window' | 'unsupported';

const OF_MODELS: readonly RestrictionKind[] = ['field', 'flags', 'cap', 'window'];

/** The kinds that can be learned of a backend. The vendor's own service supports all of its dialect. */
export function learnableOf({ dialect, preset, simulator, endpoints }: BackendConfig): readonly RestrictionKind[] {
  const isVendor = simulator || preset?.name === gatewayDialect(dialect).service.preset;
  return [
    ...OF_MODELS,
    ...(isVendor ? [] : (['unsupported'] as const)),
    ...(endpoints.length > 0 ? (['endpoint'] as const) : []),
  ];
}
