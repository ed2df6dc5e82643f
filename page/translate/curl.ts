import { type DialectId, dialectIds, dialects } from './library.js';

/** What a command line of curl sends. */
export interface Curl {
  readonly body: string;
  /** Whose endpoint it calls, where that is known. */
  readonly dialect?: DialectId;
  /** The model, where the URL names it. */
  readonly model?: string;
}

/** Options that are followed by what is sent. */
const DATA = /^(?:-d|--data|--data-raw|--data-binary|--data-ascii|--json)$/;

/** Whether a text is a command line of curl. */
export const isCurl = (text: string): boolean => /^\s*(?:\$ )?curl\s/.test(text);

/** Reads a command line of curl; undefined where a text is none, or sends no JSON that stands in it. */
export function readCurl(text: string): Curl | undefined {
  if (!isCurl(text)) return undefined;
  const words = wordsOf(text);
  const bodies = words.flatMap((word, index) => {
    const [, inline] = /^(?:--(?:data(?:-raw|-binary|-ascii)?|json)=|-d(?=.))([\s\S]*)$/.exec(word) ?? [];
    return inline ?? (DATA.test(word) ? (words[index + 1] ?? []) : []);
  });
  const body = bodies.join('&');
  if (!/^\s*[[{]/.test(body)) return undefined;
  const url = words.find((word) => /^https?:\/\//.test(word)) ?? '';
  return { body, ...calledBy(url) };
}

/** The words of a command line as a shell reads them: quotes, `$'…'`, backslashes, lines that go on. None while a quote is open. */
function wordsOf(command: string): string[] {
  const text = command.replace(/\\\r?\n/g, ' ');
  const words: string[] = [];
  const word = /(?:\$'(?:[^'\\]|\\[\s\S])*'|'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]|[^\s'"\\])+/g;
  const piece = /\$'((?:[^'\\]|\\[\s\S])*)'|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\])/g;
  if (/\S/.test(text.replace(word, ''))) return [];
  for (const [found] of text.matchAll(word)) {
    let said = '';
    for (const [, ansi, single, double, escaped, plain] of found.matchAll(piece))
      said +=
        ansi?.replace(ESCAPE, unescaped) ?? single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? plain ?? '';
    words.push(said);
  }
  return words;
}

/** An escape within `$'…'`: browsers copy requests with `\u0021` for an exclamation mark. */
const ESCAPE = /\\(?:u([\da-fA-F]{1,4})|x([\da-fA-F]{1,2})|([\s\S]))/g;

const SIGNS: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r' };

function unescaped(_: string, unicode?: string, byte?: string, sign = ''): string {
  const code = unicode ?? byte;
  return code === undefined ? (SIGNS[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16));
}

const MODEL = 'MODEL';

/** Whose endpoint a URL calls. */
function calledBy(url: string): Pick<Curl, 'dialect' | 'model'> {
  const [path = ''] = url.split(/[?#]/);
  for (const dialect of dialectIds) {
    for (const stream of [false, true]) {
      const [own = ''] = dialects[dialect].endpoint('create', { model: MODEL, stream }).split('?');
      const pattern = new RegExp(`${own.replace(/^\/v\d\w*/, '').replace(MODEL, '([^/:]+)')}/?$`);
      const [match, model] = pattern.exec(path) ?? [];
      if (match !== undefined) return model === undefined ? { dialect } : { dialect, model: model };
    }
  }
  return {};
}
