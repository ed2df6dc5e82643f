import type { BackendConfig } from '../../config/index.js';
import { gatewayDialect } from '../../dialects/index.js';
import { lookUpHost, presets } from '../../presets/index.js';

/** `gen_ai.provider.name` of a backend: what its preset says, else what its host does, else the vendor of its dialect. */
export function providerName({
  preset,
  baseUrl,
  dialect,
}: Pick<BackendConfig, 'preset' | 'baseUrl' | 'dialect'>): string {
  const name = preset?.name ?? (baseUrl === undefined ? undefined : lookUpHost(new URL(baseUrl))?.name);
  return name === undefined ? gatewayDialect(dialect).service.provider : (presets[name].provider ?? name);
}
