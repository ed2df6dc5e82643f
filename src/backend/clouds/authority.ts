import { Readable } from 'node:stream';
import { CredentialError, errorMessage } from '../../ground/index.js';
import type { BackendRequest, Transport, TransportCall } from '../transport.js';

/** Where the credentials of calls come from when they have to be fetched or made for each of them. */
export interface Authority {
  /** The headers that let a request in. */
  headersFor(request: BackendRequest): Promise<Readonly<Record<string, string>>>;
  /** The service did not accept these headers: tells whether others are to be had. */
  refused(headers: Readonly<Record<string, string>>): boolean;
}

/** What a request with such headers tells about the gateway, which nobody else may see. */
function tokenIn(headers: Readonly<Record<string, string>>): string | undefined {
  return headers['x-amz-security-token'] ?? /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1];
}

/**
 * Adds credentials to each request, and tells `learn` the tokens among them. The time to get them counts as time to connect, and without them nothing is sent. A
 * call that is answered 401 is made once more where the authority has other ones.
 */
export function authorized(transport: Transport, authority: Authority, learn: (secret: string) => void): Transport {
  return {
    send(request, sink) {
      let running: TransportCall | undefined;
      let over = false;
      const fail = (thrown: unknown): void => {
        if (over) return;
        over = true;
        sink.error(new CredentialError(errorMessage(thrown), { cause: thrown }));
      };
      const send = async (mayRepeat: boolean): Promise<void> => {
        const headers = await authority.headersFor(request);
        if (over) return;
        const token = tokenIn(headers);
        if (token !== undefined) learn(token);
        running = transport.send(
          { ...request, headers: { ...request.headers, ...headers } },
          {
            connected: () => sink.connected(),
            head(status, received) {
              if (status !== 401 || !mayRepeat || !authority.refused(headers)) return sink.head(status, received);
              running?.abort();
              send(false).catch(fail);
            },
            data: (chunk) => sink.data(chunk),
            end: () => sink.end(),
            error: (error) => sink.error(error),
          },
        );
      };
      send(!(request.body instanceof Readable)).catch(fail);
      return {
        pause: () => running?.pause(),
        resume: () => running?.resume(),
        abort() {
          over = true;
          running?.abort();
        },
      };
    },
    close: () => transport.close(),
  };
}
