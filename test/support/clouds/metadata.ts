import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from '../gateway/harness.js';
import { listen, shut } from '../sockets.js';

/** The server in a cloud machine that gives out tokens of its service account. */
export interface MetadataServer {
  /** As `GCE_METADATA_HOST` names it. */
  readonly host: string;
  /** How many tokens it gave out. */
  tokens: number;
  /** Seconds for which the next token holds. */
  seconds: number;
  /** Milliseconds that it takes for one. */
  delay: number;
  failing: boolean;
  /** The token of that number. */
  readonly tokenOf: (number: number) => string;
  close(): Promise<void>;
}

export async function startMetadataServer(
  tokenOf = (number: number): string => `ya29.token-${number}`,
): Promise<MetadataServer> {
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    const flavored = { 'metadata-flavor': 'Google' };
    if (headers['metadata-flavor'] !== 'Google') return json(response, 403, {}, flavored);
    if (!url.includes('/token')) {
      response.writeHead(200, { 'content-type': 'application/text', ...flavored });
      return response.end(url.includes('universe') ? 'googleapis.com' : 'p-1');
    }
    if (metadata.failing) return json(response, 500, { error: 'no token' }, flavored);
    metadata.tokens += 1;
    const token = metadata.tokenOf(metadata.tokens);
    const { seconds } = metadata;
    await sleep(metadata.delay);
    return json(response, 200, { access_token: token, expires_in: seconds, token_type: 'Bearer' }, flavored);
  });
  const metadata: MetadataServer = {
    host: new URL(await listen(server)).host,
    tokens: 0,
    seconds: 3600,
    delay: 0,
    failing: false,
    tokenOf,
    close: () => shut(server),
  };
  return metadata;
}
