import type { Config } from './config.js';

/** Takes out of a text what a client must not see. */
export type Redact = (text: string) => string;

/** How many characters of a key services show at its two ends when they name a wrong one. */
const SHOWN = 8;

/**
 * A redactor for everything secret in a configuration: keys of backends, whole, in parts that services quote, in base64
 * and percent-encoded; credentials among the configured headers; hosts; and `key=` in any URL (translation.md 7.1).
 */
export function createRedactor(config: Config): Redact {
  const needles = new Set<string>();
  for (const backend of Object.values(config.backends)) {
    const configured = Object.entries(backend.headers).filter(([name]) => /auth|key|token|secret|cookie/.test(name));
    for (const value of [backend.apiKey, ...configured.map(([, text]) => text.replace(/^\w+ +/, ''))]) {
      if (value !== undefined && value.length >= SHOWN) for (const form of formsOf(value)) needles.add(form);
    }
    if (backend.baseUrl !== undefined) {
      const { host, hostname } = new URL(backend.baseUrl);
      needles.add(host);
      needles.add(hostname);
    }
  }
  const sorted = [...needles].sort((a, b) => b.length - a.length);
  const known = sorted.length === 0 ? undefined : new RegExp(sorted.map(anySpelling).join('|'), 'g');
  return (text) => {
    const clean = text.replace(/([?&](?:api_?)?key=)[^&\s"'\\]+/gi, '$1[redacted]');
    return known === undefined ? clean : clean.replace(known, '[redacted]');
  };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString('base64'),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    secret.slice(0, SHOWN),
    secret.slice(-SHOWN),
  ];
}

/** A pattern for a text as it is and as it may stand in JSON, where printers escape slashes and signs each in their own way. */
function anySpelling(text: string): string {
  return text.replace(/[^\w-]/g, (sign) => {
    const code = sign.charCodeAt(0).toString(16).padStart(4, '0');
    return `(?:\\\\?\\u${code}|\\\\u${code.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)})`;
  });
}
