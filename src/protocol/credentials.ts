import { KEY_FORMS } from '../dialects/index.js';
import type { ClientHeaders } from './callers.js';
import type { AuthForm } from './host.js';

/** Headers that hold nothing but a key. */
const KEY_HEADERS = KEY_FORMS.filter((form) => form !== 'bearer');

/** Every key a request holds: a bearer token, the headers of the dialects, and `key` in the query. */
export function credentials(headers: ClientHeaders, query: string): string[] {
  const found: string[] = [];
  const bearer = /^bearer +(\S+) *$/i.exec(String(headers.authorization ?? ''))?.[1];
  if (bearer !== undefined) found.push(bearer);
  for (const name of KEY_HEADERS) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') found.push(value);
  }
  if (query.includes('key=')) found.push(...new URLSearchParams(query).getAll('key').filter((key) => key !== ''));
  return found;
}

/** Parameters of a query in which clients send credentials. */
export const QUERY_CREDENTIALS: readonly string[] = ['key', 'access_token', 'api_key'];

/** A key in one of the forms that services take. */
export function credentialHeader(form: AuthForm, key: string): Record<string, string> {
  switch (form) {
    case 'bearer':
      return { authorization: `Bearer ${key}` };
    case 'x-api-key':
    case 'api-key':
    case 'x-goog-api-key':
      return { [form]: key };
    case 'client':
    case 'google':
    case 'aws':
      return {};
  }
}
