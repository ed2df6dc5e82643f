import { gatewayDialect, type KeyForm } from '../../../src/dialects/index.js';
import { isPresetName, presets } from '../../../src/presets/index.js';
import { type DialectId, dialects } from '../library.js';

/** Where a request goes, and with which credential. */
export interface Place {
  /** The root below which the dialect has its paths. */
  readonly root: string;
  /** It is the vendor's own service, which the vendor's SDK finds by itself. */
  readonly own: boolean;
  readonly keyForm: KeyForm;
  /** The variable of the environment with the key; absent = it needs none. */
  readonly variable?: string;
}

/**
 * The place of a host, a preset by its name or an address; undefined = the vendor's own service, which chatCompletions has at OpenAI.
 * undefined is given for a host that is called with something else than a key.
 */
export function placeFor(dialect: DialectId, host: string | undefined): Place | undefined {
  const own = gatewayDialect(dialect).service.preset;
  if (host !== undefined && !isPresetName(host)) {
    const root = (host.includes('://') ? host : `https://${host}`).replace(/\/+$/, '');
    return { root, own: false, keyForm: gatewayDialect(dialect).keyForm, variable: 'API_KEY' };
  }
  const name = host ?? own;
  const row = presets[name];
  const endpoint = row.endpoints[dialect];
  const root = endpoint?.root ?? endpoint?.example;
  const keyForm = endpoint?.auth ?? row.auth;
  if (root === undefined || keyForm === 'google' || keyForm === 'aws' || row.key === 'none') return undefined;
  return { root, own: name === own, keyForm, ...(row.key === 'needed' && { variable: row.variable ?? 'API_KEY' }) };
}

/**
 * The headers of a call beside its key: the version of the protocol for which bodies are made, which the newest SDKs would name
 * otherwise, and the feature names that the body needs.
 */
export function headersFor(dialect: DialectId, betas: readonly string[]): Readonly<Record<string, string>> {
  const { versionHeader, betaHeader } = gatewayDialect(dialect);
  return {
    ...(versionHeader !== undefined && { [versionHeader]: '2023-06-01' }),
    ...(betaHeader !== undefined && betas.length > 0 && { [betaHeader]: betas.join(',') }),
  };
}

/** The address of a call. */
export function urlOf(dialect: DialectId, { root }: Place, model: string, stream: boolean): string {
  return root + dialects[dialect].endpoint('create', { model, stream });
}
