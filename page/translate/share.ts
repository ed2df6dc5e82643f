import { KINDS, type Kind } from './kinds.js';
import type { DialectId } from './library.js';
import { MOST_TARGETS, type Target } from './targets/target.js';

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
  /** The targets that were chosen; absent = those that fit the source. */
  readonly targets?: readonly Target[];
  /** Which of them is shown. */
  readonly selected: number;
  /** Features that strict lets go. */
  readonly allow: readonly string[];
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

/** All before the last `@` of an address's authority, behind its scheme where it has one. */
const USER = /^(\s*(?:[a-z][\w+.-]*:)?[\\/]+)?[^\\/?#]*@/i;

/** An address without the user that it names and without what its query says. */
function withoutCredentials(host: string): string {
  const bare = host.replace(USER, `$1${REMOVED}@`).replace(/=[^&#]*/g, `=${REMOVED}`);
  return withoutKeys(bare);
}

/** The fragment of a link: the state without keys, compressed. */
export async function toFragment(state: Shared): Promise<string> {
  const { text, model, targets } = state;
  const json = JSON.stringify({
    ...state,
    text: withoutKeys(text),
    ...(model !== undefined && { model: withoutKeys(model) }),
    ...(targets && {
      targets: targets.map((one) => ({ ...one, model: withoutKeys(one.model), host: withoutCredentials(one.host) })),
    }),
  });
  const packed = await through(new TextEncoder().encode(json), new CompressionStream('deflate-raw'));
  let binary = '';
  for (const byte of packed) binary += String.fromCharCode(byte);
  return `1.${btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

/** The most that a link may unfold to, in bytes: a small one can be made of gigabytes. */
const MOST_BYTES = 16 * 1024 * 1024;

/** The state in a fragment; undefined where it is none of ours, or too long. `known` are the dialects that there are. */
export async function fromFragment(fragment: string, known: readonly DialectId[]): Promise<Shared | undefined> {
  if (!fragment.startsWith('1.')) return undefined;
  try {
    const binary = atob(fragment.slice('1.'.length).replaceAll('-', '+').replaceAll('_', '/'));
    const packed = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    const json = await through(packed, new DecompressionStream('deflate-raw'));
    return shared(JSON.parse(new TextDecoder().decode(json)), known);
  } catch {
    return undefined;
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: CompressionStream | DecompressionStream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > MOST_BYTES) {
      await reader.cancel();
      throw new RangeError('too long for a link');
    }
    chunks.push(read.value);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function shared(value: unknown, known: readonly DialectId[]): Shared | undefined {
  const fields = fieldsOf(value);
  const { text, dialect, kind, status, strict, event, model, targets, selected, allow } = fields;
  if (typeof text !== 'string') return undefined;
  const named = Array.isArray(targets) ? targets.flatMap((one: unknown) => targetIn(one, known)) : [];
  return {
    text,
    dialect: known.find((id) => id === dialect),
    kind: KINDS.find((one) => one === kind),
    status: typeof status === 'number' ? status : 400,
    strict: strict === true,
    allow: Array.isArray(allow) ? allow.filter((one) => typeof one === 'string' && FEATURE.test(one)) : [],
    selected: typeof selected === 'number' ? selected : 0,
    ...(typeof model === 'string' && { model }),
    ...(named.length > 0 && { targets: named.slice(0, MOST_TARGETS) }),
    event: typeof event === 'number' ? event : undefined,
  };
}

/** A feature, or the pattern of a family. */
const FEATURE = /^[\w.$-]{1,100}\*?$/;

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function targetIn(value: unknown, known: readonly DialectId[]): Target[] {
  const { dialect, model, host } = fieldsOf(value);
  const id = known.find((one) => one === dialect);
  const word = (text: unknown): string => (typeof text === 'string' ? text.slice(0, 200) : '');
  return id === undefined ? [] : [{ dialect: id, model: word(model), host: word(host) }];
}
