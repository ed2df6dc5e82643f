import type { DialectId } from '../library.js';
import { type Copied, SDKS } from '../sdk/index.js';
import { headersFor, type Place, placeFor, urlOf } from '../sdk/place.js';
import { shellWord } from '../sdk/values.js';
import { javascriptFor } from './javascript.js';
import { pythonFor } from './python.js';

/** What a translated request can be copied as. */
export const FORMS = ['json', 'curl', 'javascript', 'python'] as const;

export type Form = (typeof FORMS)[number];

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

/** The two lines of a shell that point a program with the SDK of a dialect at the gateway at an address; undefined for a dialect without one. */
export function gatewayLines(dialect: DialectId, root: string): string | undefined {
  const sdk = SDKS[dialect];
  if (sdk === undefined) return undefined;
  const [address, key, end] = sdk.variables;
  return `export ${address}=${shellWord(root.replace(/\/+$/, '') + end)}\nexport ${key}='a key of the gateway'\n`;
}
