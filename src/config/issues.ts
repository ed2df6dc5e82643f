import type * as z from 'zod';
import { didYouMean } from '../ground/index.js';
import { formatPath, type Problem } from './problem.js';

type Issue = z.core.$ZodIssue;

/** What the schema found, as lines for people; no value of the file is repeated. */
export function describeIssues(issues: readonly Issue[], base: readonly PropertyKey[] = []): Problem[] {
  return issues.flatMap((issue) => describe(issue, [...base, ...issue.path]));
}

function describe(issue: Issue, path: readonly PropertyKey[]): Problem[] {
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({ path: formatPath([...path, key]), reason: unknownKey(key) }));
    case 'invalid_union': {
      const branch = likeliest(issue.errors);
      return branch === undefined ? [one(path, issue.message)] : describeIssues(branch, path);
    }
    case 'invalid_key':
      return [one(path, issue.issues[0]?.message ?? issue.message)];
    default:
      return [one(path, issue.message.replace(/^Invalid input: /, ''))];
  }
}

/** Of a union's branches, the one whose mistakes lie deepest: the one that was meant. */
function likeliest(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  let best: readonly Issue[] | undefined;
  let depth = -1;
  for (const branch of branches) {
    const least = Math.min(...branch.map((issue) => issue.path.length + (issue.code === 'invalid_type' ? 0 : 1)));
    if (least > depth) {
      depth = least;
      best = branch;
    }
  }
  return best;
}

function one(path: readonly PropertyKey[], reason: string): Problem {
  return { path: formatPath(path), reason };
}

const KEYS = [
  ...[
    'listen',
    'host',
    'port',
    'backends',
    'preset',
    'dialect',
    'baseUrl',
    'simulator',
    'apiKey',
    'auth',
    'version',
    'headers',
  ],
  ...['betas', 'stream', 'countTokens', 'profile', 'domain', 'timeouts', 'retries', 'models', 'backend', 'model'],
  ...[
    'connect',
    'firstByte',
    'idle',
    'total',
    'keys',
    'name',
    'key',
    'sha256',
    'losses',
    'policy',
    'allow',
    'translate',
  ],
  ...['omitMedia', 'seedUser', 'trailingState', 'cache', 'limits', 'bodyMb', 'jsonDepth', 'eventMb', 'headersSeconds'],
  ...['jsonValues', 'pathBytes', 'inflateMb', 'connections'],
  ...['bodySeconds', 'connectSeconds', 'firstByteSeconds', 'idleSeconds', 'totalSeconds', 'writeIdleSeconds'],
  ...['heartbeatSeconds', 'exchanges', 'drainSeconds', 'log', 'level', 'publicUrl', 'images', 'uploadMb', 'media'],
  ...['families', 'smallFileMb', 'fileMb', 'blobMinutes', 'blobMb', 'fetch', 'fetchMb', 'fetchSeconds'],
  ...['allowPrivate', 'videos', 'runningStatus', 'workers', 'weight', 'concurrency', 'queue', 'breaker', 'failures'],
  ...['seconds', 'requestsPerMinute', 'tokensPerMinute', 'cors', 'metrics', 'content', 'store', 'type', 'path', 'url'],
  ...['ttlDays', 'maxMb', 'entryMb', 'state', 'open', 'passthrough', 'region', 'service'],
];

function unknownKey(key: string): string {
  const known = didYouMean(key, KEYS);
  return known === undefined || known === key ? 'unknown key' : `unknown key; is \`${known}\` meant?`;
}
