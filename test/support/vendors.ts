import type { DialectId, ProfileChoice } from '../../translators/index.js';

/** The hosts of the dialects' vendors. Chat completions are spoken anywhere. */
const HOSTS: Readonly<Partial<Record<DialectId, string>>> = {
  messages: 'api.anthropic.com',
  responses: 'api.openai.com',
  generateContent: 'generativelanguage.googleapis.com',
};

/**
 * Any model at its vendor's own host: names that nobody knows are taken for its newest one there. Without a host, as in chat
 * completions, the name alone decides.
 */
export function atVendor(dialect: DialectId): Exclude<ProfileChoice, string> {
  return { host: HOSTS[dialect] };
}
