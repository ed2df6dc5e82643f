import type { Authority } from './authority.js';

/** What is used of the official package: application default credentials, wherever they come from. */
export interface GoogleClient {
  getRequestHeaders(): Promise<{ entries(): Iterable<[string, string]> }>;
  readonly credentials: { readonly expiry_date?: number | null };
}

const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

/** So long, in ms, before its end a token is replaced. The package renews its own no later. */
const EARLY_MS = 300_000;

/** A token that is refused younger than this, in ms, is not the fault of its age: the next would be refused too. */
const YOUNG_MS = 30_000;

interface Token {
  readonly headers: Readonly<Record<string, string>>;
  readonly made: number;
  /** In Unix ms. */
  readonly ends: number;
}

/**
 * One token for all calls until it nears its end; then one call fetches the next, and the others wait for it. When that
 * fails, the present one goes on until its end. `now` gives Unix ms.
 */
export function createGoogleAuthority(
  connect: () => Promise<GoogleClient> = connectGoogle,
  now: () => number = Date.now,
): Authority {
  let client: Promise<GoogleClient> | undefined;
  let token: Token | undefined;
  let coming: Promise<Token> | undefined;

  const fetchToken = async (): Promise<Token> => {
    client ??= connect();
    const connected = await client;
    const entries = [...(await connected.getRequestHeaders()).entries()];
    const made = now();
    const ends = connected.credentials.expiry_date ?? made + EARLY_MS;
    const headers = Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), value]));
    return { headers, made, ends };
  };
  const renew = (): Promise<Token> => {
    coming ??= fetchToken()
      .then((next) => {
        token = next;
        return next;
      })
      .catch((error: unknown) => {
        // The next attempt looks for credentials anew.
        client = undefined;
        throw error;
      })
      .finally(() => {
        coming = undefined;
      });
    return coming;
  };
  return {
    async headersFor() {
      const held = token;
      if (held !== undefined && held.ends - EARLY_MS > now()) return held.headers;
      try {
        return (await renew()).headers;
      } catch (error) {
        if (held !== undefined && held.ends > now()) return held.headers;
        throw error;
      }
    },
    refused(headers) {
      // Another call has seen it first, and there is a newer one.
      if (token?.headers !== headers) return true;
      if (now() - token.made < YOUNG_MS) return false;
      token = undefined;
      client = undefined;
      return true;
    },
  };
}

async function connectGoogle(): Promise<GoogleClient> {
  const { GoogleAuth } = await import('google-auth-library');
  return new GoogleAuth({ scopes: SCOPE, clientOptions: { eagerRefreshThresholdMillis: EARLY_MS } }).getClient();
}
