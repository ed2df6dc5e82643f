import {
  type DialectId,
  dialects,
  type Edit,
  editMembers,
  editMembersOf,
  type Headers,
} from '../../translators/index.js';
import { gatewayDialect, gatewayDialects, KEY_FORMS } from '../dialects/index.js';
import { isObject } from '../ground/plain/index.js';
import type { Caller, ClientHeaders } from './callers.js';
import { credentialHeader, credentials, QUERY_CREDENTIALS } from './credentials.js';
import type { Host } from './host.js';
import { type JsonText, outlineOf } from './operations.js';
import { publisherEdits } from './publisher.js';

/** A client's request that is relayed: its body, the model it asks for, and the backend's name of that. */
export interface RelayedAsk {
  readonly json: JsonText;
  readonly asked: string;
  readonly model: string;
}

type Head = Pick<Caller, 'headers' | 'query'>;

/**
 * The client's body with another model name and without what belongs to features that stay behind: the bytes that arrived where
 * nothing of it changes.
 */
export function relayedBody(
  { json, asked, model }: RelayedAsk,
  host: Host,
  edits: Readonly<Record<string, Edit>>,
  operation: 'create' | 'count',
): string | Uint8Array<ArrayBuffer> {
  const { dialect } = host;
  const { arrived } = json;
  const value = outlineOf(json);
  const { resource, repeatedIn } = dialects[dialect].requestFields.model;
  const renames = gatewayDialect(dialect).asksInBody
    ? model !== asked
    : isObject(value) && ['model', ...repeatedIn].some((key) => Object.hasOwn(value, key));
  const named = { model: { json: JSON.stringify(resource(model)) } };
  const changes = { ...edits, ...(renames && named), ...publisherEdits(host, operation) };
  const edited = (text: string): string => {
    const own = editMembers(text, changes);
    return renames ? repeatedIn.reduce((rest, key) => editMembersOf(rest, key, named), own) : own;
  };
  const changed = Object.values(changes);
  if (changed.length === 0) return json.bytes ?? json.text;
  return arrived !== undefined && changed.every(isAscii) ? arrived.bytesOf(edited(arrived.latin1)) : edited(json.text);
}

function isAscii(edit: Edit): boolean {
  return edit === 'remove' || !BEYOND_ASCII.test(edit.json);
}

const BEYOND_ASCII = /[^ -~]/;

/**
 * The client's own query, but for credentials and for a version that the backend has in its path, in the place of the one a
 * translated call would have.
 */
export function relayedQuery(path: string, query: string, { apiVersion }: Pick<Host, 'apiVersion'>): string {
  const [bare = path] = path.split('?');
  if (query === '') return bare;
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
export function callerHeaders(
  { headers, query }: Head,
  { auth, dialect }: Pick<Host, 'auth' | 'dialect'>,
  betas: { readonly name: string; readonly value: string } | undefined,
): Headers {
  const hops = hopsIn(headers.connection);
  const own = auth === 'client';
  const kept: Record<string, string | undefined> = {};
  for (const name of own ? [...KEPT, ...SELECTORS, ...CREDENTIALS] : KEPT) {
    const value = headers[name];
    if (typeof value === 'string' && !hops.includes(name)) kept[name] = value;
  }
  if (betas !== undefined && !hops.includes(betas.name)) kept[betas.name] = betas.value;
  if (own && CREDENTIALS.every((name) => kept[name] === undefined))
    return { ...kept, ...callerCredential({ headers, query }, dialect) };
  return kept;
}

/** The headers that are for us alone, as the client's `connection` names them. */
function hopsIn(connection: ClientHeaders[string]): readonly string[] {
  if (connection === undefined || connection === 'keep-alive') return [];
  return String(connection)
    .toLowerCase()
    .split(',')
    .map((hop) => hop.trim());
}

/** The caller's own credential in the form of a backend's dialect. */
export function callerCredential({ headers, query }: Head, dialect: DialectId): Record<string, string> {
  const [key] = credentials(headers, query);
  return key === undefined || !/^[\x21-\x7e]+$/.test(key) ? {} : credentialHeader(gatewayDialect(dialect).keyForm, key);
}
