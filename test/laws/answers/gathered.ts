import type { MediaPart, TextPart } from '../../../translators/canonical/content.js';
import { has } from '../dialects/index.js';
import type { Item, Reading, Thought, View } from './norm.js';

/** The order of the members of a message [H §6.1]. */
const ORDER = ['text', 'refusal', 'media', 'call'];

/**
 * The view that a message of chat completions leaves of an answer: one thought, one text, then refusals, pictures and
 * calls; where state stood between them is not told (translation.md 5.1, 6.7).
 */
export function gathered(view: View, { client }: Reading): View {
  if (!has(client, 'oneMessage')) return view;
  const thoughts = view.tokens.filter((token) => token.type === 'thought');
  const items = view.tokens.filter((token) => token.type === 'item');
  const of = (kind: string): Item[] => items.filter((item) => item.kind === kind);
  // Sound and film are told of in a note, which is part of the text.
  const isNoted = ({ kind, facts, parts: [part] }: Item): boolean =>
    kind === 'media' && facts.class !== 'image' && !(part?.kind === 'media' && part.thought === true);
  const texts = items.filter((item) => item.kind === 'text' || isNoted(item));
  const others = items.filter(({ kind }) => !ORDER.includes(kind));
  return {
    ...view,
    tokens: [
      ...joinedThoughts(thoughts),
      ...view.tokens.filter((token) => token.type === 'state'),
      ...(texts.length > 0 ? [joinedTexts(texts)] : []),
      ...joinedRefusals(of('refusal')),
      ...ORDER.slice(2)
        .flatMap(of)
        .filter((item) => !isNoted(item)),
      ...others,
    ],
  };
}

function joinedThoughts(thoughts: readonly Thought[]): Thought[] {
  const [first] = thoughts;
  if (first === undefined) return [];
  return [{ ...first, text: thoughts.map(({ text }) => text).join('\n\n') }];
}

function joinedRefusals(items: readonly Item[]): Item[] {
  const [first] = items;
  if (first === undefined) return [];
  const text = items.map(({ facts }) => facts.text).join('');
  const phase = items.find(({ facts }) => facts.phase !== undefined)?.facts.phase;
  const parts = [{ kind: 'refusal' as const, text }];
  return [{ ...first, ptrs: items.flatMap(({ ptrs }) => ptrs), parts, facts: { text, phase } }];
}

/** The note that is read in the place of sound or film. */
function noteOf({ class: kind, mime }: MediaPart, follows: boolean): Pick<TextPart, 'text'> {
  return { text: `${follows ? '\n\n' : ''}[${kind} omitted: ${mime ?? 'unknown type'}]` };
}

/** Texts as one, the places of their citations moved behind what stands in front. */
function joinedTexts(items: readonly Item[]): Item {
  const parts: Pick<TextPart, 'text' | 'citations' | 'logprobs'>[] = [];
  for (const part of items.flatMap(({ parts: held }) => held)) {
    if (part.kind === 'text') parts.push(part);
    else if (part.kind === 'media') parts.push(noteOf(part, parts.length > 0));
  }
  let at = 0;
  const citations = parts.flatMap(({ text, citations: cited }) => {
    const [start, end] = [at, at + text.length];
    at = end;
    return (cited ?? []).map((citation) => {
      const span = citation.span ?? (parts.length > 1 ? { start: 0, end: text.length } : undefined);
      return span === undefined
        ? citation
        : { ...citation, span: { start: start + span.start, end: start + span.end } };
    });
  });
  const logprobs = parts.flatMap(({ logprobs: tokens }) => tokens ?? []);
  const text = parts.map((part) => part.text).join('');
  const tokens = items.flatMap(({ facts }) => (Array.isArray(facts.logprobs) ? facts.logprobs : []));
  const part: TextPart = {
    kind: 'text',
    text,
    ...(citations.length > 0 && { citations }),
    ...(logprobs.length > 0 && { logprobs }),
  };
  return {
    type: 'item',
    kind: 'text',
    ptrs: items.flatMap(({ ptrs }) => ptrs),
    parts: [part],
    facts: {
      text,
      phase: items.find(({ facts }) => facts.phase !== undefined)?.facts.phase,
      logprobs: tokens.length > 0 ? tokens : undefined,
    },
  };
}
