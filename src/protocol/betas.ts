import { type CallerDialect, type DialectId, dialects, type Edit, type Losses } from '../../translators/index.js';
import { gatewayDialect } from '../dialects/index.js';
import type { Host } from './host.js';

/** What a relayed call keeps of the client's feature names. */
export interface KeptBetas {
  /** The header to send; undefined = none. */
  readonly header?: { readonly name: string; readonly value: string };
  /** Fields of the body that go with the names that stay behind. */
  readonly edits: Readonly<Record<string, Edit>>;
}

const NOTHING: KeptBetas = { edits: {} };

const BETA = /(?:^|&)beta=true(?:&|$)/;

/** Whether a client calls the beta of its dialect: by its header, or in the query as official clients do. */
export function asksBeta(
  dialect: DialectId,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  query: string,
): boolean {
  const name = gatewayDialect(dialect).betaHeader;
  if (name === undefined) return false;
  return String(headers[name] ?? '') !== '' || BETA.test(query);
}

/** The header that asks for the features which a translated body needs, but for those that the backend's `betas` exclude. */
export function betaHeaders(
  { dialect, betas }: Pick<Host, 'dialect' | 'betas'>,
  needed: readonly string[] = [],
): Record<string, string> {
  const name = gatewayDialect(dialect).betaHeader;
  const allowed: readonly string[] = betas === 'none' ? [] : betas === 'all' ? needed : betas;
  const kept = needed.filter((beta) => allowed.includes(beta));
  return name === undefined || kept.length === 0 ? {} : { [name]: kept.join(',') };
}

/** Sorts the feature names of a client's header by the backend's `betas` (configuration.md#rules). */
export function keepBetas(
  backend: Pick<Host, 'dialect' | 'betas'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): KeptBetas {
  const name = gatewayDialect(backend.dialect).betaHeader;
  if (name === undefined) return NOTHING;
  const given = String(headers[name] ?? '');
  if (backend.betas === 'all') return given === '' ? NOTHING : { header: { name, value: given }, edits: {} };
  const allowed: readonly string[] = backend.betas === 'none' ? [] : backend.betas;
  const words = given.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]));
  const kept = words.filter((word) => allowed.includes(word));
  const dropped = words.filter((word) => !allowed.includes(word));
  return {
    ...(kept.length > 0 && { header: { name, value: kept.join(',') } }),
    edits: fieldsOf(backend.dialect, dropped, kept),
  };
}

/** The fields that belong to a dropped name and to none that is kept. */
function fieldsOf(dialect: DialectId, dropped: readonly string[], kept: readonly string[]): Record<string, Edit> {
  const edits: Record<string, Edit> = {};
  for (const { prefix, fields } of dialects[dialect].requestFields.betas) {
    const belongs = (word: string): boolean => word.startsWith(prefix);
    if (!dropped.some(belongs) || kept.some(belongs)) continue;
    for (const field of fields) edits[field] = 'remove';
  }
  return edits;
}

/** Reports feature names that a call of another dialect cannot carry, when the body uses one of them. */
export function betaLoss(
  { id, requestFields }: Pick<CallerDialect<DialectId>, 'id' | 'requestFields'>,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Readonly<Record<string, unknown>>,
  losses: Pick<Losses, 'add'>,
): void {
  const name = gatewayDialect(id).betaHeader;
  const given = name === undefined ? '' : String(headers[name] ?? '');
  if (given === '') return;
  const words = given.split(',').map((word) => word.trim());
  const used = requestFields.betas.some(
    ({ prefix, fields }) => words.some((word) => word.startsWith(prefix)) && fields.some((field) => field in body),
  );
  if (used) losses.add(`/$headers/${name}`, 'headers.beta', 'dropped', 'names of features stay with their service');
}
