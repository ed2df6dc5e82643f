import { isLoopback, missingFor } from '../ground/index.js';
import { publisherIn } from '../protocol/index.js';
import { formatPath, type Problem } from './problem.js';
import type { CheckedConfig } from './schema.js';
import type { BackendConfig } from './types.js';

type Checked = CheckedConfig['backends'][string];

/** Where the service of a name in an address has its region. */
const REGIONS = /^bedrock(?:-runtime|-mantle)?(?:-fips)?\.([a-z\d-]+)\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;

/** What a backend in a cloud has beside the others, by its checked configuration and its root. */
export function cloudFields(
  { name, dialect, baseUrl = '', auth }: BackendConfig,
  checked: Checked,
  problems: Problem[],
): Pick<BackendConfig, 'publisher' | 'signing'> {
  const report = (key: string, reason: string): void =>
    void problems.push({ path: formatPath(['backends', name, key]), reason });
  const found = publisherIn(baseUrl);
  const publisher = found?.name;
  if (found !== undefined && found.dialect !== dialect) {
    report('dialect', `must be ${found.dialect} where baseUrl ends in /publishers/${publisher}`);
  }
  if (auth === 'google' || auth === 'aws') {
    const missing = missingFor(auth);
    if (missing !== undefined) report('auth', missing);
    if (checked.apiKey !== undefined) report('auth', `\`${auth}\` excludes apiKey`);
    if (checked.simulator) report('auth', 'the simulator takes no credentials of clouds');
    if (isReadable(baseUrl)) report('baseUrl', `must begin with https:// with auth: ${auth}: ${READABLE[auth]}`);
  }
  if (auth !== 'aws') {
    for (const key of ['region', 'service'] as const) {
      if (checked[key] !== undefined) report(key, 'requires auth: aws');
    }
    return publisher === undefined ? {} : { publisher };
  }
  const region = checked.region ?? regionOf(baseUrl) ?? process.env.AWS_REGION ?? process.env.AWS_DEFAULT_REGION;
  if (region === undefined) report('region', 'is required with auth: aws, since baseUrl does not contain it');
  return { signing: { region: region ?? '', service: checked.service ?? 'bedrock' } };
}

/** What who is on the way of a call could read of the credentials. */
const READABLE = {
  google: 'the token of the account would be readable on the way',
  aws: 'the session token and the signature would be readable on the way',
} as const;

/** Whether calls leave this machine without encryption. */
function isReadable(baseUrl: string): boolean {
  if (!URL.canParse(baseUrl)) return false;
  const { protocol, hostname } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
}

function regionOf(baseUrl: string): string | undefined {
  return URL.canParse(baseUrl) ? REGIONS.exec(new URL(baseUrl).hostname)?.[1] : undefined;
}
