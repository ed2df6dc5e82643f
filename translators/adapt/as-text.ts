import type { MediaPart, Part, ResultPart, SearchResultPart, TextDocPart, TextPart } from '../canonical/content.js';
import { ptrOf } from '../canonical/node.js';
import type { EncodeRequestContext } from '../context.js';
import type { FitPart, Fitted, Speaker } from '../target/target.js';
import { fitOpaqueResult, listFitted } from './fit.js';

/** A text in the place of `part`. */
export function textFor(part: Part, text: string): TextPart {
  return { kind: 'text', text, src: { ptr: ptrOf(part) } };
}

/** A document in words, for dialects whose documents are files: its title leads, media inside stay media. */
export function documentAsText<Context extends Pick<EncodeRequestContext, 'losses'>>(
  part: TextDocPart,
  speaker: Speaker,
  context: Context,
  fitPart: (part: Part, speaker: Speaker, context: Context) => Fitted,
): readonly Part[] {
  context.losses.add(part, 'part.document', 'approximated', 'the document became text');
  const head = [part.title, part.context].filter((line) => line !== undefined && line !== '').join('\n');
  const out: Part[] = [];
  let waiting = head;
  for (const child of part.parts) {
    if (child.kind === 'media') {
      out.push(...(waiting === '' ? [] : [textFor(part, waiting)]), ...listFitted(fitPart(child, speaker, context)));
    } else if (child.text !== '') {
      out.push(textFor(part, waiting === '' ? child.text : `${waiting}\n${child.text}`));
    } else {
      continue;
    }
    waiting = '';
  }
  if (waiting !== '') out.push(textFor(part, waiting));
  const last = out.at(-1);
  if (part.cache !== undefined && last !== undefined) out[out.length - 1] = { ...last, cache: part.cache };
  return out;
}

/** A search hit in words: title, source and body, a line each. */
export function searchResultAsText(
  part: SearchResultPart,
  _speaker: Speaker,
  { losses }: Pick<EncodeRequestContext, 'losses'>,
): TextPart {
  losses.add(part, 'part.searchResult', 'approximated', 'the search result is sent as text');
  const body = part.parts.map((child) => child.text).join('\n');
  const text = [part.title, part.source, body].filter((line) => line !== '').join('\n');
  return { ...textFor(part, text), cache: part.cache };
}

type ResultContent = ResultPart['parts'][number];

/** How a dialect holds results that are words: objects as JSON text, failures stated in front. */
export interface ResultForm {
  readonly fitPart: FitPart;
  /** Media may stand inside a result; else it follows the results in a user message. */
  readonly holdsMedia: boolean;
  /** What the words of a result say where media moved out of it. */
  readonly moved?: string;
}

/** A result in words; what moved out of it comes behind it. */
export function resultAsText(
  part: ResultPart,
  speaker: Speaker,
  context: EncodeRequestContext,
  form: ResultForm,
): ResultPart | readonly Part[] {
  if (isPlainResult(part)) return part;
  const { losses } = context;
  const contents: ResultContent[] = [];
  const moved: Part[] = [];
  if (part.json !== undefined) {
    losses.add(part, 'result.json', 'moved', 'the object is sent as JSON text');
    contents.push(textFor(part, JSON.stringify(part.json)));
  }
  for (const child of part.parts) {
    for (const fitted of fitResultContent(child, speaker, context, form.fitPart)) {
      if (fitted.kind === 'text' || form.holdsMedia) {
        contents.push(fitted);
        continue;
      }
      moved.push(fitted);
      if (form.moved !== undefined) addLine(contents, textFor(child, form.moved));
    }
  }
  if (part.isError === true) {
    losses.add(part, 'result.error', 'moved', 'the failure is stated in the text');
    markFailure(contents, part);
  }
  const result: ResultPart = { ...part, parts: contents, json: undefined, isError: undefined };
  if (moved.length === 0) return result;
  losses.add(part, 'result.media', 'moved', 'the media is moved to a user message after the results');
  return [result, textFor(part, `Media returned by ${part.name ?? 'the tool'}:`), ...moved];
}

/** Most results are one text and need no change. */
function isPlainResult({ parts, json, isError }: ResultPart): boolean {
  if (json !== undefined || isError !== undefined) return false;
  return parts.every((child) => child.kind === 'text' && child.text !== '' && child.citations === undefined);
}

/** A part of a result as texts and media. */
export function fitResultContent(
  child: ResultContent,
  speaker: Speaker,
  context: EncodeRequestContext,
  fitPart: FitPart,
): readonly (TextPart | MediaPart)[] {
  if (child.kind === 'opaque') return fitOpaqueResult(child, context);
  return listFitted(fitPart(child, speaker, context)).filter((part) => part.kind === 'text' || part.kind === 'media');
}

/** Puts a text behind the others of a result: on a line of the last one. */
function addLine(contents: ResultContent[], line: TextPart): void {
  const last = contents.at(-1);
  if (last?.kind === 'text') contents[contents.length - 1] = { ...last, text: `${last.text}\n${line.text}` };
  else contents.push(line);
}

function markFailure(contents: ResultContent[], part: ResultPart): void {
  const first = contents.findIndex((child) => child.kind === 'text');
  const text = contents[first];
  if (text?.kind === 'text') contents[first] = { ...text, text: `[tool error] ${text.text}` };
  else contents.unshift(textFor(part, '[tool error]'));
}
