import { createHash, createHmac } from 'node:crypto';

/** A request as a service got it. */
export interface SignedRequest {
  readonly method: string;
  /** With its query, as it stood on the wire. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string | Buffer;
}

export interface KeyPair {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Checks a signature as the service's documentation describes it ("Signature Version 4 signing process"), without the
 * package that signs. Gives what is wrong, or undefined.
 */
export function faultOfSignature(
  { method, path, headers, body }: SignedRequest,
  keys: KeyPair,
  scope: { readonly region: string; readonly service: string },
): string | undefined {
  const given = /^AWS4-HMAC-SHA256 Credential=([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(
    headers.authorization ?? '',
  );
  const [, credential = '', names = '', signature] = given ?? [];
  const time = headers['x-amz-date'] ?? '';
  const day = time.slice(0, 8);
  const place = `${day}/${scope.region}/${scope.service}/aws4_request`;
  if (signature === undefined) return 'Missing Authentication Token';
  if (credential !== `${keys.accessKeyId}/${place}`) return `Credential should be scoped to ${place}`;
  if (headers['x-amz-security-token'] !== keys.sessionToken) return 'The security token is invalid';
  const signed = names.split(';');
  const needed = ['host', 'x-amz-date', ...(keys.sessionToken === undefined ? [] : ['x-amz-security-token'])];
  if (needed.some((name) => !signed.includes(name))) return `${needed.join()} must be signed`;
  const [bare = '', query = ''] = path.split('?');
  const pairs = [...new URLSearchParams(query.replaceAll('+', '%2B'))].map(
    ([name, value]) => `${escaped(name)}=${escaped(value)}`,
  );
  const canonical = [
    method,
    bare.split('/').map(escaped).join('/'),
    pairs.sort().join('&'),
    ...signed.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names,
    sha256(body),
  ].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, place, sha256(canonical)].join('\n');
  const key = ['aws4_request', scope.service, scope.region, day].reduceRight<string | Buffer>(
    (last, part) => hmac(last, part),
    `AWS4${keys.secretAccessKey}`,
  );
  return hmac(key, text).toString('hex') === signature ? undefined : 'The request signature does not match';
}
