import type { Redact } from '../../ground/index.js';
import { withoutContent } from './content-free.js';

/** What one exchange was, as bytes. */
export interface Exchanged {
  readonly dialect: string;
  /** Where the dialect has it in the URL. */
  readonly model?: string;
  readonly status: number;
  /** In USD, where it is known. */
  readonly cost?: number;
  readonly request: Buffer;
  readonly answer: Buffer;
  readonly answerType: string;
  /** Takes secrets out. */
  readonly redact: Redact;
  /** Whether what was said stays in. */
  readonly content: boolean;
}

/** The line of an exchange, with its end; undefined when the request is no JSON. Credentials and large data are taken out. */
export function lineOf({
  dialect,
  model,
  status,
  cost,
  request,
  answer,
  answerType,
  redact,
  content,
}: Exchanged): string | undefined {
  const clean = (bytes: Buffer): string =>
    redact(withoutCredentials(withoutData(bytes.toString().replace(/^\uFEFF/, ''))));
  const shown = (text: string): string => (content ? text : withoutContent(text));
  const asked = oneLine(shown(clean(request)));
  if (asked === undefined) return undefined;
  const head = JSON.stringify({ dialect, ...(model !== undefined && { model }), status, cost });
  return `{"request":${asked},${head.slice(1, -1)}${answerPart(answerType, shown(clean(answer)))}}\n`;
}

function answerPart(type: string, text: string): string {
  if (/^text\/event-stream\b/i.test(type)) return `,"stream":${JSON.stringify(text)}`;
  const body = /^application\/json\b/i.test(type) ? oneLine(text) : undefined;
  return body === undefined ? '' : `,"response":${body}`;
}

/** A JSON text without line ends; undefined when it is none. Within strings JSON has no line ends. */
function oneLine(text: string): string | undefined {
  try {
    JSON.parse(text);
    return text.replace(/[\r\n]+/g, ' ');
  } catch {
    return undefined;
  }
}

/** Text that could be base64, with slashes as JSON may write them. */
const RUN = /(?:[\w+=-]|\\?\/)+/g;

/** From how many characters on it is large, and how many stay: a multiple of four with the mark of a file type in it. */
const LARGE = 1024;
const LEFT = 64;

/** What stands in front of opaque state, which goes back to its issuer as it is. */
const STATE = /"(?:signature|thoughtSignature|thought_signature|encrypted_content|encrypted_index)"\s*:\s*"$/;
const BEFORE = 48;

/** A text with the beginning of large data in the place of the whole: still valid base64 of the same type. */
function withoutData(text: string): string {
  if (text.length < LARGE) return text;
  return text.replace(RUN, (run, at: number) => {
    if (run.length < LARGE || STATE.test(text.slice(Math.max(0, at - BEFORE), at))) return run;
    return run.replaceAll('\\/', '/').slice(0, LEFT).replaceAll('=', 'A');
  });
}

/** Members of bodies that hold somebody's credential, as those of tools on other servers. */
const CREDENTIAL =
  /("(?:(?:proxy-)?authorization|authorization_token|(?:x-)?(?:goog-)?api[-_]?key|access_token|refresh_token|client_secret|password|cookie)"\s*:\s*")(?:[^"\\]|\\.)*"/gi;

function withoutCredentials(text: string): string {
  return text.replace(CREDENTIAL, '$1***"');
}
