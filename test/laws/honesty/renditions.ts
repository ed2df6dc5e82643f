import type { Loss } from '../../../translators/index.js';
import { names } from './json.js';
import { type Atom, wordsOf } from './norm.js';

/** How something looks that came out in another form than it went in: `near` are the atoms that the entry names. */
type Shows = (out: Atom, near: readonly Atom[]) => boolean;

/** The same thing at another place. */
const same: Shows = (out, near) =>
  near.some((atom) => atom.base === out.base || (out.kind === 'text' && wordsOf(out) === wordsOf(atom)));

const text =
  (test: (words: string, near: readonly Atom[]) => boolean): Shows =>
  (out, near) =>
    out.kind === 'text' && test(wordsOf(out), near);

const mentions = text((words, near) => near.some((atom) => atom.base.includes(JSON.stringify(words).slice(1, -1))));
const either =
  (...tests: readonly Shows[]): Shows =>
  (out, near) =>
    tests.some((test) => test(out, near));

const BELOW = text((words) => words === '[generated image below]');
const IN_WORDS = text((words) => words.includes('Reply with one JSON '));

/** A document told as lines of text: every line is the document's own. */
const document: Shows = text((words, near) =>
  near.some((atom) => {
    const source = atom.base + Object.values(atom.facets).join('\n');
    const quoted = JSON.stringify(words).slice(1, -1);
    return quoted
      .split('\\n')
      .every((line) => source.includes(line) || source.includes(JSON.stringify(line).slice(1, -1)));
  }),
);

/** What commands printed, and how they ended. */
function isPrinted(words: string, { kind, base }: Atom): boolean {
  const lines = words.split('\n').filter((line) => !/^\[(?:timed out|exit code -?\d+)\]$/.test(line));
  return (
    kind === 'json' &&
    base.includes('"runs"') &&
    lines.every((line) => base.includes(JSON.stringify(line).slice(1, -1)))
  );
}

/** The words in a file; of a part that is none, something that no text ends with. */
function fileWords({ kind, base }: Atom): string {
  const base64 = kind === 'media' ? /"base64":"([^"]*)"/.exec(base)?.[1] : undefined;
  return base64 === undefined ? '\0' : Buffer.from(base64, 'base64').toString();
}

/** A plain call or result that stands for nothing that was one, or a picture. */
function isTold({ kind, base, of }: Atom): boolean {
  if (kind === 'result') return !/^result of \d+$/.test(base);
  return kind === 'call' || kind === 'media' || (of !== undefined && !/^\d+$/.test(of));
}

/** By feature, the forms in which the matrix lets something come out (translation.md 2.3 to 2.6, 2.10). */
const FORMS: Readonly<Record<string, Shows>> = {
  'instruction.place': either(
    same,
    text((words, near) => near.some((atom) => words === `<system_note>${wordsOf(atom)}</system_note>`)),
  ),
  'instruction.join': text((words, near) => near.some((atom) => words.includes(wordsOf(atom)))),
  'turn.order': same,
  'text.join': text((words, near) => near.some((atom) => words.includes(wordsOf(atom)))),
  'instruction.media': same,
  'part.refusal': same,
  'part.media': either(
    same,
    BELOW,
    text((words) => /^\[\w+ omitted/.test(words)),
    text((words, near) => near.some((atom) => words.endsWith(fileWords(atom)))),
    (out, near) => (out.kind === 'textdoc' || out.kind === 'media') && near.some(({ kind }) => kind === 'media'),
  ),
  'part.document': either(same, mentions, document, (out) => out.kind === 'media'),
  'part.searchResult': either(mentions, document),
  'part.compaction': text((words) => words.startsWith('<conversation_summary>')),
  'part.toolChange': (out) => out.kind === 'toolChange',
  'hosted.call': either(
    BELOW,
    text((words) => words.startsWith('Ran code:\n')),
    (out, near) => near.some(({ kind }) => kind === 'hostedCall') && isTold(out),
  ),
  'call.family': (out) => out.kind === 'call' || out.place === 'result' || out.kind === 'result',
  'result.missing': either(
    (out) => out.kind === 'result',
    text((words) => /^(?:\[no result: the call was interrupted\]|Tool call was not completed\.)$/.test(words)),
  ),
  'result.orphan': text((words) => words.startsWith('Result of tool ')),
  'result.error': text((words) => words.startsWith('[tool error]')),
  'result.part': text((words, near) => near.some((atom) => words.includes(wordsOf(atom)))),
  'result.place': same,
  'result.json': either(
    text((words, near) => near.some(({ kind }) => kind === 'json') && words.includes('{')),
    text((words, near) => near.some((atom) => isPrinted(words, atom))),
    (out) => out.kind === 'json',
  ),
  'result.media': either(
    same,
    text((words) => words.startsWith('Media returned by ') || words.endsWith('[image below]')),
  ),
  'turn.inserted': either(
    same,
    text((words) => ['(conversation continues)', 'Continue.', 'Done.'].includes(words)),
  ),
  'turn.prefill': text((words) => words.startsWith('Continue your last message exactly')),
  'output.format': either(
    IN_WORDS,
    text((words) => words.endsWith('Answer in JSON.')),
  ),
  'output.schema': IN_WORDS,
};

/**
 * Whether `out`, which nothing that went in accounts for, is the form in which what `loss` names came out. `anywhere`: the
 * entry's path belongs to another body.
 */
export function shows(loss: Loss, out: Atom, xs: readonly Atom[], anywhere: boolean): boolean {
  const form = FORMS[loss.feature];
  if (form === undefined) return false;
  return form(
    out,
    xs.filter(({ ptr }) => anywhere || names(loss.path, ptr)),
  );
}
