import { createHash, createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import type { SigningConfig } from '../../config/index.js';
import type { BackendRequest } from '../transport.js';
import type { Authority } from './authority.js';

/** A key of a cloud account; with a session token it ends at some time. */
export interface Identity {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

/** Headers of a request that are signed beside those of the signature itself: proxies may change the others. */
const SIGNED = new Set(['content-type', 'host']);

const HASH_HEADER = 'x-amz-content-sha256';

/**
 * Signature Version 4 with the credentials that the official package finds: environment, profile, role, instance. It keeps
 * them until they near their end. `now` gives the time of the signature.
 */
export function createAwsAuthority(
  origin: string,
  { region, service }: SigningConfig,
  identify: () => Promise<Identity> = identifyAws(region),
  now: () => Date = () => new Date(),
): Authority {
  const { host, hostname, protocol } = new URL(origin);
  return {
    async headersFor(request) {
      const credentials = await identify();
      const { SignatureV4 } = await import('@smithy/signature-v4');
      const signer = new SignatureV4({ region, service, credentials, sha256: Sha256, applyChecksum: false });
      const { method, path } = request;
      const [bare = '', query = ''] = path.split('?');
      const body = bytesOf(request);
      const given = Object.entries({ ...request.headers, host }).filter(([name]) => SIGNED.has(name));
      const headers = Object.fromEntries(given);
      // A stream goes out as it is read: nobody knows its hash before.
      if (body === undefined) headers[HASH_HEADER] = 'UNSIGNED-PAYLOAD';
      const signed = await signer.sign(
        { method, protocol, hostname, path: bare, query: queryOf(query), headers, body },
        { signingDate: now() },
      );
      const added = Object.entries(signed.headers).filter(([name]) => /^(?:authorization|x-amz-)/.test(name));
      return Object.fromEntries(added);
    },
    refused: () => false,
  };
}

function identifyAws(region: string): () => Promise<Identity> {
  let chain: Promise<() => Promise<Identity>> | undefined;
  return async () => {
    chain ??= import('@aws-sdk/credential-providers').then(({ fromNodeProviderChain }) =>
      fromNodeProviderChain({ clientConfig: { region } }),
    );
    return (await chain)();
  };
}

/** The whole of a body; undefined for a stream. */
function bytesOf({ body = '' }: BackendRequest): string | Uint8Array | undefined {
  if (body instanceof Readable) return undefined;
  return typeof body === 'string' || body instanceof Uint8Array ? body : Buffer.concat(body);
}

/** Each name with its values, which the signature sorts. */
function queryOf(query: string): Record<string, string[]> {
  const values: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query.replaceAll('+', '%2B'))) {
    values[name] = [...(values[name] ?? []), value];
  }
  return values;
}

/** The hash of the package's choice is made of two more packages; Node has it. */
class Sha256 {
  readonly #hash: ReturnType<typeof createHash> | ReturnType<typeof createHmac>;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash = secret === undefined ? createHash('sha256') : createHmac('sha256', bytesIn(secret));
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.#hash.digest());
  }

  reset(): void {
    throw new Error('a hash is made once');
  }
}

function bytesIn(data: string | ArrayBuffer | ArrayBufferView): string | Uint8Array {
  if (typeof data === 'string') return data;
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
