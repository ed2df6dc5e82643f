import { calledBy } from '../../../src/migrate/plain/index.js';
import type { Call } from './call.js';
import { wordsOf } from './words.js';

/** Options that are followed by what is sent. */
const DATA = /^(?:-d|--data|--data-raw|--data-binary|--data-ascii|--json)$/;
const HEADER = /^(?:-H|--header)$/;
const AGENT = /^(?:-A|--user-agent)$/;

/** The same in one word with what belongs to it. */
const JOINED = /^(?:(--(?:data(?:-raw|-binary|-ascii)?|json|header|user-agent|url))=|(-[dHA])(?=.))([\s\S]*)$/;

/** Reads a command line of curl. Where it sends nothing, the text of the call is empty; undefined while a quote is open. */
export function readCurl(text: string): Call | undefined {
  const words = wordsOf(text.replace(/^\s*[$>%#] /, ''));
  if (words === undefined) return undefined;
  const bodies: string[] = [];
  const headers = new Map<string, string>();
  let url = '';
  const take = (option: string, value: string): void => {
    if (DATA.test(option)) bodies.push(value);
    else if (HEADER.test(option)) addHeader(headers, value);
    else if (AGENT.test(option)) headers.set('user-agent', value);
    else if (option === '--url') url = value;
  };
  words.forEach((word, index) => {
    const [, long, short, value] = JOINED.exec(word) ?? [];
    if (value !== undefined) take(long ?? short ?? '', value);
    else if (word.startsWith('-')) take(word, words[index + 1] ?? '');
    // Addresses without a scheme are known by their path.
    else if (index > 0 && url === '' && isAddress(word, words[index - 1] ?? '')) url = word;
  });
  const called = url === '' ? undefined : calledBy(url);
  return { text: bodies.join('&'), headers, ...(called && { dialect: called.from, ...called }) };
}

function isAddress(word: string, before: string): boolean {
  if (/^https?:\/\//.test(word)) return true;
  return !before.startsWith('-') && /^[\w.-]+(?::\d+)?\/\S*$/.test(word);
}

function addHeader(headers: Map<string, string>, line: string): void {
  const at = line.indexOf(':');
  if (at > 0) headers.set(line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim());
}
