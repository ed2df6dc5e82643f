import type { DialectId, JsonObject } from '../library.js';
import { javascriptFor } from './javascript.js';
import { headersFor, type Place, placeFor, urlOf } from './place.js';
import { pythonFor } from './python.js';
import { shellWord } from './values.js';

/** What a translated request can be copied as. */
export const FORMS = ['json', 'curl', 'javascript', 'python'] as const;

export type Form = (typeof FORMS)[number];

/** A request as a target gets it. */
export interface Copied {
  readonly dialect: DialectId;
  readonly body: JsonObject;
  /** The model and the choice of a stream, which some dialects have in the URL. */
  readonly model: string;
  readonly stream: boolean;
  /** Feature names that the service wants in a header. */
  readonly betas: readonly string[];
  /** A known host or an address; absent = the vendor's own. */
  readonly host?: string;
}

/** The request as a program, a command or JSON; undefined where the host is called with something else than a key, and where the dialect has no SDK. */
export function codeFor(form: Form, copied: Copied): string | undefined {
  if (form === 'json') return `${laidOut(copied.body)}\n`;
  const place = placeFor(copied.dialect, copied.host);
  if (place === undefined) return undefined;
  switch (form) {
    case 'curl':
      return curlFor(copied, place);
    case 'javascript':
      return javascriptFor(copied, place);
    case 'python':
      return pythonFor(copied, place);
    default:
      return form satisfies never;
  }
}

function curlFor({ dialect, body, model, stream, betas }: Copied, place: Place): string {
  const { keyForm, variable } = place;
  const key = keyForm === 'bearer' ? `authorization: Bearer $${variable}` : `${keyForm}: $${variable}`;
  const words = [
    `curl${stream ? ' -N' : ''} ${shellWord(urlOf(dialect, place, model, stream))}`,
    `-H 'content-type: application/json'`,
    // The variable is for the shell.
    ...(variable === undefined ? [] : [`-H "${key}"`]),
    ...Object.entries(headersFor(dialect, betas)).map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    `-d ${shellWord(laidOut(body))}`,
  ];
  return `${words.join(' \\\n  ')}\n`;
}

const laidOut = (value: unknown): string => JSON.stringify(value, null, 2);

/** The variables that lead each vendor's SDK, and what the gateway's address ends in there. */
const VARIABLES: Readonly<Partial<Record<DialectId, readonly [root: string, key: string, end: string]>>> = {
  messages: ['ANTHROPIC_BASE_URL', 'ANTHROPIC_API_KEY', ''],
  responses: ['OPENAI_BASE_URL', 'OPENAI_API_KEY', '/v1'],
  chatCompletions: ['OPENAI_BASE_URL', 'OPENAI_API_KEY', '/v1'],
  generateContent: ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY', ''],
};

/** The two lines of a shell that point a program with the SDK of a dialect at the gateway at an address; undefined for a dialect without one. */
export function gatewayLines(dialect: DialectId, root: string): string | undefined {
  const names = VARIABLES[dialect];
  if (names === undefined) return undefined;
  const [address, key, end] = names;
  return `export ${address}=${shellWord(root.replace(/\/+$/, '') + end)}\nexport ${key}='a key of the gateway'\n`;
}
