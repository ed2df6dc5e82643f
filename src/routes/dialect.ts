import type { IncomingHttpHeaders } from 'node:http';
import type { DialectId } from '../../translators/index.js';
import { belowVersion } from './route.js';

const MESSAGES = belowVersion(String.raw`messages(?:\/.*)?`);
const RESPONSES = belowVersion(String.raw`(?:responses|conversations)(?:\/.*)?`);
const GENERATE_CONTENT = belowVersion(
  String.raw`(?:.+:[a-zA-Z]+|(?:projects|publishers|tunedModels|cachedContents|dynamic)(?:\/.*)?)`,
);
const BETA = /^\/+v1(?:beta1?|alpha)(?:\/|$)/;

/** In which dialect a caller of this path is answered, errors included (contract.md 4). */
export function dialectOf(path: string, headers: IncomingHttpHeaders): DialectId {
  if (MESSAGES.test(path)) return 'messages';
  if (RESPONSES.test(path)) return 'responses';
  if (GENERATE_CONTENT.test(path)) return 'generateContent';
  return callerDialect(path, headers);
}

/** The same for paths that several dialects have. */
export function callerDialect(path: string, headers: IncomingHttpHeaders): DialectId {
  if (headers['anthropic-version'] !== undefined) return 'messages';
  const google = headers['x-goog-api-key'] ?? headers['x-goog-api-client'];
  return BETA.test(path) || google !== undefined ? 'generateContent' : 'responses';
}
