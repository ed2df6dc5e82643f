import { type DialectId, dialects, type Edit, editMembers, editMembersOf } from '../../translators/index.js';
import { type AnswerHeaders, credentialHeader } from '../backend/index.js';
import type { BackendConfig } from '../config/index.js';
import { gatewayDialect, gatewayDialects, KEY_FORMS } from '../dialects/index.js';
import { isObject } from '../ground/index.js';
import { credentials, QUERY_CREDENTIALS } from '../http/index.js';
import type { Attempt } from './call-plan.js';
import { publisherEdits } from './publisher.js';

/** The client's body with another model name and without what belongs to features that stay behind. */
export function relayedBody(
  { ask, backend, target }: Pick<Attempt, 'ask' | 'backend' | 'target'>,
  edits: Readonly<Record<string, Edit>>,
  operation: 'create' | 'count' = 'create',
): string {
  const { dialect } = backend.config;
  const { resource, repeatedIn } = dialects[dialect].requestFields.model;
  const { text, value } = ask.json;
  const renames = gatewayDialect(dialect).asksInBody
    ? target.model !== ask.model
    : isObject(value) && ['model', ...repeatedIn].some((key) => Object.hasOwn(value, key));
  const named = { model: { json: JSON.stringify(resource(target.model)) } };
  const changes = { ...edits, ...(renames && named), ...publisherEdits(backend.config, operation) };
  const own = Object.keys(changes).length === 0 ? text : editMembers(text, changes);
  return renames ? repeatedIn.reduce((edited, key) => editMembersOf(edited, key, named), own) : own;
}

/**
 * The client's own query, but for credentials and for a version that the backend has in its path, in the place of the one a
 * translated call would have.
 */
export function withQuery(path: string, query: string, { apiVersion }: BackendConfig): string {
  const [bare = path] = path.split('?');
  const left = apiVersion?.dated === false ? [...QUERY_CREDENTIALS, apiVersion.name] : QUERY_CREDENTIALS;
  const kept = query.split('&').filter((pair) => pair !== '' && !left.includes(nameOf(pair)));
  return kept.length === 0 ? bare : `${bare}?${kept.join('&').replace(/[^\x21-\x7e]/g, encodeURIComponent)}`;
}

function nameOf(pair: string): string {
  return new URLSearchParams(pair).keys().next().value ?? '';
}

/** Headers that the client's own dialect gives a meaning, with the account selectors that go with its own credentials. */
const KEPT = [...gatewayDialects.flatMap(({ versionHeader }) => versionHeader ?? []), 'idempotency-key'];
const SELECTORS = gatewayDialects.flatMap(({ accountHeaders }) => accountHeaders);
const CREDENTIALS = KEY_FORMS.map((form) => (form === 'bearer' ? 'authorization' : form));

/** The headers that go along with a client's own request. */
export function relayedHeaders(
  { call, backend }: Attempt,
  betas: { readonly name: string; readonly value: string } | undefined,
): AnswerHeaders {
  const { headers } = call.request;
  const hops = (headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((hop) => hop.trim());
  const own = backend.config.auth === 'client';
  const kept: Record<string, string | undefined> = {};
  for (const name of own ? [...KEPT, ...SELECTORS, ...CREDENTIALS] : KEPT) {
    const value = headers[name];
    if (typeof value === 'string' && !hops.includes(name)) kept[name] = value;
  }
  if (betas !== undefined && !hops.includes(betas.name)) kept[betas.name] = betas.value;
  if (own && CREDENTIALS.every((name) => kept[name] === undefined))
    return { ...kept, ...clientCredential(call, backend.config.dialect) };
  return kept;
}

/** The caller's own credential in the form of a backend's dialect. */
export function clientCredential(call: Attempt['call'], dialect: DialectId): Record<string, string> {
  const [key] = credentials(call.request.headers, call.query);
  return key === undefined || !/^[\x21-\x7e]+$/.test(key) ? {} : credentialHeader(gatewayDialect(dialect).keyForm, key);
}
