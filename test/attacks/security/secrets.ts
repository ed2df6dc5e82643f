import { KEY, KEY_FORMS } from '../../backend/faults/canaries.js';

/** The key of a caller. */
export const CALLER_KEY = 'caller-canary-key-1f93aa';
/** A key that a caller tries in vain. */
export const WRONG_KEY = 'wrong-canary-key-77d0c1';
/** A secret among the configured headers of a backend, as `x-tenant-token`. */
export const HEADER_SECRET = 'tenant-canary-token-5e0b';
/** The key of a backend that nothing goes to but what is asked of it. */
export const OTHER_KEY = 'other-backend-canary-9a7c';
/** A variable of the environment that is nobody's business. */
export const ENVIRONMENT = 'environment-canary-4c1d';
/** What the collector of traces wants to be told. */
export const COLLECTOR_SECRET = 'collector-canary-e2b8';
/** Words of a prompt; answers to it may not be kept. */
export const PROMPT = 'prompt-canary-3f1c6d';
/** Words of a prompt whose answer is kept. */
export const KEPT_PROMPT = 'kept-prompt-canary-88e2';
/** What stands in a file that a caller sends. */
export const FILE = 'file-canary-content-d41d';

/** Headers of a caller that are between it and the gateway. */
export const PRIVATE_HEADERS: Readonly<Record<string, string>> = {
  cookie: 'session=cookie-canary-6b21',
  'proxy-authorization': 'Basic proxy-canary-0f4e',
  referer: 'https://referer-canary-2c9d.example/',
  connection: 'keep-alive, x-hop-one, x-hop-two',
  'x-hop-one': 'hop-one-canary-71aa',
  'x-hop-two': 'hop-two-canary-93be',
  'x-forwarded-for': 'forwarded-canary-5d2e',
  'x-amz-security-token': 'token-canary-84cf',
  'x-real-ip': 'address-canary-19d7',
  'x-secret': 'secret-canary-e07b',
  'x-csrf-token': 'csrf-canary-47a1',
  'openai-organization': 'organization-canary-b3',
  'openai-project': 'project-canary-c8',
  'anthropic-workspace-id': 'workspace-canary-d1',
  'x-goog-user-project': 'quota-canary-a4',
};

/** The part of a value by which it is known again. */
const markOf = (value: string): string => /[\w-]*canary[\w-]*/.exec(value)?.[0] ?? value;

/** What may leave the gateway in the credential of its own backend, and nowhere else. */
export const BACKEND_SECRETS: readonly string[] = [...KEY_FORMS, HEADER_SECRET, OTHER_KEY];
/** What never leaves the gateway again. */
export const CALLER_SECRETS: readonly string[] = [
  CALLER_KEY,
  WRONG_KEY,
  ...Object.entries(PRIVATE_HEADERS).flatMap(([name, value]) => (name === 'connection' ? [] : [markOf(value)])),
];
export const PROCESS_SECRETS: readonly string[] = [ENVIRONMENT, COLLECTOR_SECRET];

/** Every canary that no log, metric or trace may hold. */
export const ALL_SECRETS: readonly string[] = [
  ...BACKEND_SECRETS,
  ...CALLER_SECRETS,
  ...PROCESS_SECRETS,
  PROMPT,
  KEPT_PROMPT,
  FILE,
  Buffer.from(FILE).toString('base64'),
];

export const UPSTREAM_KEY = KEY;

/** Which of them a text holds, also behind the escapes of JSON. */
export function found(text: string, secrets: readonly string[]): string[] {
  const plain = text
    .replaceAll('\\/', '/')
    .replace(/\\u00([0-7][0-9a-f])/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return secrets.filter((secret) => plain.includes(secret) || text.includes(secret));
}
