import { isObject, KINDS, type Kind } from './detect.js';
import { type DialectId, dialectIds, type JsonObject } from './library.js';

/** What a link brings back. */
export interface Shared {
  readonly text: string;
  /** Absent = as the text shows. */
  readonly dialect?: DialectId;
  readonly kind?: Kind;
  readonly status: number;
  readonly strict: boolean;
  /** The model that the URL of a request names. */
  readonly model?: string;
  /** The model that each other dialect is asked for; absent = the same. */
  readonly models?: Readonly<Partial<Record<DialectId, string>>>;
  /** Of a stream, how many events were passed. */
  readonly event?: number;
}

/** What stands where a key was. */
const REMOVED = '***';

/** Names of members and headers whose values are credentials. */
const SECRET_NAME =
  /("(?:[\w-]*(?:api[_-]?key|secret|password|authorization|credential)[\w-]*|(?:access|auth|bearer|refresh|id)[_-]?token|token)"\s*:\s*")[^"\\]*(?:\\.[^"\\]*)*"/gi;

/** Values that look like keys, by the forms in which services give them out. */
const KEY_FORMS: readonly RegExp[] = [
  /\b(?:sk|pk|rk|gsk|xai|r8|hf|ghp|gho|ghs|glpat|nvapi|fw|csk|pplx|tgp_v1)[-_][\w-]{12,}/g,
  /\bAIza[\w-]{20,}/g,
  /\bya29\.[\w.-]{10,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{12,}/g,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]*/g,
  /\bBearer [\w.~+/=-]{8,}/g,
];

/** A text without the values that look like keys. What stood in quotes still does. */
export function withoutKeys(text: string): string {
  const named = text.replace(SECRET_NAME, (_value, name: string) => `${name}${REMOVED}"`);
  return KEY_FORMS.reduce((rest, form) => rest.replace(form, REMOVED), named);
}

/** The fragment of a link: the state without keys, compressed. */
export async function toFragment(state: Shared): Promise<string> {
  const json = JSON.stringify({ ...state, text: withoutKeys(state.text) });
  const packed = await through(new TextEncoder().encode(json), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `1.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The state in a fragment; undefined where it is none of ours. */
export async function fromFragment(fragment: string): Promise<Shared | undefined> {
  if (!fragment.startsWith('1.')) return undefined;
  try {
    const binary = atob(fragment.slice('1.'.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const json = await through(packed, new DecompressionStream('deflate-raw'));
    return shared(JSON.parse(new TextDecoder().decode(json)));
  } catch {
    return undefined;
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  const passed = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(passed).arrayBuffer());
}

function shared(value: unknown): Shared | undefined {
  if (!isObject(value)) return undefined;
  const { text, dialect, kind, status, strict, event, model, models } = value;
  if (typeof text !== 'string') return undefined;
  return {
    text,
    dialect: dialectIds.find((id) => id === dialect),
    kind: KINDS.find((one) => one === kind),
    status: typeof status === 'number' ? status : 400,
    strict: strict === true,
    ...(typeof model === 'string' && { model }),
    ...(isObject(models) && { models: namesIn(models) }),
    event: typeof event === 'number' ? event : undefined,
  };
}

function namesIn(models: JsonObject): NonNullable<Shared['models']> {
  const named = dialectIds.map((id) => [id, models[id]] as const);
  return Object.fromEntries(named.filter((one): one is [DialectId, string] => typeof one[1] === 'string'));
}
