import type { CallPart, MediaPart, OpaquePart, Part, PartKind, TextPart } from '../canonical/content.js';
import { TranslationError } from '../canonical/errors.js';
import type { Feature } from '../canonical/loss.js';
import { ptrOf } from '../canonical/node.js';
import { plainCall } from '../canonical/parts.js';
import type { EncodeRequestContext, FitPart, Fitted, Speaker } from '../target/target.js';
import { base64ToUtf8 } from '../wire/base64.js';
import { changedNumber } from '../wire/json-numbers.js';
import { parseArguments, rawArguments } from './arguments.js';
import { truePicture } from './pictures.js';

type FitOf<Kind extends PartKind> = (
  part: Extract<Part, { readonly kind: Kind }>,
  speaker: Speaker,
  context: EncodeRequestContext,
) => Fitted;

/** What a dialect makes of each kind of part of another dialect (translation.md 2.5, 2.6). */
export type FitTable = { readonly [Kind in PartKind]: FitOf<Kind> };

/** The function that applies `table`. */
export function createFit(table: FitTable): FitPart {
  // The compiler does not see that the kind picks the rule of the part's own type.
  const rules = table as Readonly<Record<PartKind, FitPart>>;
  return (part, speaker, context) => rules[part.kind](part, speaker, context);
}

/** The rule for parts that the dialect has as they are. */
export function keepPart(part: Part): Part {
  return part;
}

/** The rule for parts of which nothing remains and whose loss is reported elsewhere. */
export function dropPart(): undefined {
  return undefined;
}

/** The rule for parts of which nothing remains. */
export function dropWith(feature: Feature, detail: string): FitPart {
  return (part, _speaker, { losses }) => {
    losses.add(part, feature, 'dropped', detail);
    return undefined;
  };
}

/** What a part became, as a list. */
export function listFitted(fitted: Fitted): readonly Part[] {
  if (fitted === undefined) return [];
  return 'kind' in fitted ? [fitted] : fitted;
}

/** Adds what a part became to a list. */
export function addFitted(out: Part[], fitted: Fitted): void {
  if (fitted === undefined) return;
  if ('kind' in fitted) out.push(fitted);
  else out.push(...fitted);
}

/**
 * What `become` makes of each part, in one list: the very list where every part stays, and where some are replaced one by one a
 * copy of just its length, since a list that grows takes room for 16 more.
 */
export function fitEach<P extends Part>(
  parts: readonly P[],
  become: (part: P, index: number) => Fitted,
): readonly Part[] {
  let out: Part[] | undefined;
  for (let index = 0; index < parts.length; index += 1) {
    const part = parts[index];
    const fitted = part && become(part, index);
    if (fitted === part) continue;
    if (fitted === undefined || !('kind' in fitted)) return fitRest(parts, out ?? parts, index, fitted, become);
    out ??= parts.slice();
    out[index] = fitted;
  }
  return out ?? parts;
}

/** The same from the first part on that became none or several. */
function fitRest<P extends Part>(
  parts: readonly P[],
  before: readonly Part[],
  index: number,
  fitted: Fitted,
  become: (part: P, index: number) => Fitted,
): readonly Part[] {
  const out = before.slice(0, index);
  addFitted(out, fitted);
  for (let at = index + 1; at < parts.length; at += 1) {
    const part = parts[at];
    if (part !== undefined) addFitted(out, become(part, at));
  }
  return out;
}

/**
 * The rule for calls of dialects whose arguments are an object: free text becomes `{input}`, a text that is no object
 * stays whole under one key, and a call that was cut is left out.
 */
export function fitCall(
  part: CallPart,
  _speaker: Speaker,
  { losses, maxEventDepth }: EncodeRequestContext,
): CallPart | undefined {
  if (part.truncated === true) {
    losses.add(part, 'call.truncated', 'dropped', 'the call was cut before its arguments were whole');
    return undefined;
  }
  if (part.freeform !== undefined) {
    losses.add(part, 'call.freeform', 'approximated', 'the free text travels in a property called input');
    return plainCall(part, { value: { input: part.freeform } });
  }
  const { text } = part.args;
  if (text === undefined) return part;
  const value = parseArguments(text, maxEventDepth);
  const change =
    value === undefined ? 'the arguments are not a JSON object; sent as text under one key' : changedNumber(text);
  if (change !== undefined) losses.add(part, 'call.args', 'approximated', change);
  return plainCall(part, { value: value ?? rawArguments(text) });
}

/** Media by URL with the bytes that the host fetched for it, called what they are. */
export function inlineFetched(
  part: MediaPart,
  { mime, base64 }: { readonly mime: string; readonly base64: string },
  { losses }: Pick<EncodeRequestContext, 'losses'>,
): MediaPart {
  losses.add(part, 'part.media', 'moved', 'the file was fetched and sent inline');
  return truePicture({ ...part, mime, data: { from: 'base64', base64 } });
}

/** Refuses a part that has no form in the target. */
export function refusePart(part: Part, message: string): never {
  throw new TranslationError('unsupported', message, { path: ptrOf(part) });
}

/** Media without a form in the target: refused for that reason, or replaced by a note where the host omits media. */
export function omitMedia(
  part: MediaPart,
  reason: string,
  { losses, omitMedia }: Pick<EncodeRequestContext, 'losses' | 'omitMedia'>,
): TextPart {
  if (omitMedia !== true) refusePart(part, `media cannot be sent: ${reason}`);
  losses.add(part, 'part.media', 'approximated', `${reason}; a note replaces it`);
  return { kind: 'text', text: `[${part.class} omitted: ${part.mime ?? 'unknown type'}]`, src: part.src };
}

/**
 * A media part for a host of its own dialect that may lack its kind: the very part where the host takes it. A text file is
 * given in words, a picture by URL with the bytes that were fetched for it.
 */
export function fitHostMedia(
  part: MediaPart,
  context: Pick<EncodeRequestContext, 'losses' | 'omitMedia' | 'media'>,
  unsupported: ReadonlySet<string>,
): MediaPart | TextPart {
  const { data } = part;
  const marked = (text: TextPart): TextPart => (part.cache === undefined ? text : { ...text, cache: part.cache });
  if (part.class === 'image') {
    if (unsupported.has('images')) return marked(omitMedia(part, 'the host does not accept images', context));
    if (!unsupported.has('imageUrls') || data.from !== 'url') return part;
    const fetched = context.media?.get(data.url);
    if (fetched !== undefined) return inlineFetched(part, { ...fetched, mime: part.mime ?? fetched.mime }, context);
    return marked(omitMedia(part, 'the host does not fetch it and it was not fetched for it', context));
  }
  if (!unsupported.has('documents') || part.class === 'audio' || part.class === 'video') return part;
  const text = data.from === 'base64' && part.mime !== 'application/pdf' ? base64ToUtf8(data.base64) : undefined;
  if (text === undefined) return marked(omitMedia(part, 'the host does not accept documents', context));
  context.losses.add(part, 'part.media', 'approximated', 'the file is given as text');
  const name = part.title ?? part.filename;
  return marked({ kind: 'text', text: name === undefined ? text : `${name}\n${text}`, src: part.src });
}

/** A part of a result that only another dialect knows: in words where it has some, else left out. */
export function fitOpaqueResult(part: OpaquePart, { losses }: EncodeRequestContext): readonly TextPart[] {
  const { type, dialect, words, src } = part;
  const what = `a ${type} part of the ${dialect} dialect`;
  losses.add(part, 'result.part', words === undefined ? 'dropped' : 'approximated', what);
  return words === undefined ? [] : [{ kind: 'text', text: words, src }];
}
