import type { Part, TextPart } from '../../../translators/canonical/content.js';
import type { CanonicalRequest, Turn } from '../../../translators/canonical/request.js';
import { phaseOf } from '../phase.js';

/** What comes out as words that stand apart from those around it (translation.md 2.4). */
const APART: ReadonlySet<Part['kind']> = new Set(['media', 'hostedCall', 'compaction']);
const STAND_IN = /^(?:\[generated image below\]$|Ran code:\n|<conversation_summary>)/;
/** Of what the service ran, that of which nothing is told. */
const UNTOLD = ['webSearch', 'urlFetch', 'fileSearch', 'toolSearch', 'maps', 'advisor', 'other'];

/**
 * The conversation as a dialect has it in which what an assistant said is one text in front of its calls: the order of
 * thoughts, texts and calls, and the borders of texts, say nothing there (translation.md 0). Neighbouring turns are one
 * message, which its thoughts lead. Refusals are words where a server has no parts for them.
 */
export function inOneMessage(request: CanonicalRequest, refusals: 'parts' | 'words'): CanonicalRequest {
  const asWords = (part: Part): Part =>
    part.kind === 'refusal' && refusals === 'words' ? { ...part, kind: 'text' } : part;
  const turns: Turn[] = [];
  let first = 0;
  for (const turn of request.turns) {
    if (turn.role !== 'assistant') {
      turns.push(turn);
      continue;
    }
    const head = turns.at(-1)?.role === 'assistant' ? turns[first] : undefined;
    if (head === undefined) first = turns.length;
    const thoughts = turn.parts.filter(isThought);
    const rest = asMessage({ ...turn, parts: turn.parts.filter((part) => !isThought(part)).map(asWords) });
    if (head === undefined) turns.push({ ...rest, parts: [...thoughts, ...rest.parts] });
    else {
      const thought = head.parts.filter(isThought);
      turns[first] = { ...head, parts: [...thought, ...thoughts, ...head.parts.slice(thought.length)] };
      turns.push(rest);
    }
  }
  return { ...request, turns };
}

function isThought({ kind }: Part): boolean {
  return kind === 'reasoning';
}

function asMessage(turn: Turn): Turn {
  const said: Part[] = [];
  const calls: Part[] = [];
  let open: TextPart | undefined;
  const answered = new Set(turn.parts.flatMap((part) => (part.kind === 'hostedResult' ? [part.callId] : [])));
  for (const part of turn.parts) {
    if (part.kind === 'text' && !STAND_IN.test(part.text)) {
      const text = open === undefined ? part : joined(open, part);
      if (open === undefined) said.push(text);
      else said[said.indexOf(open)] = text;
      open = text;
      continue;
    }
    if (part.kind === 'call') calls.push(part);
    else said.push(part);
    // A call of the service that brought nothing is not told either (translation.md 2.6).
    const isUntold = part.kind === 'hostedCall' && (UNTOLD.includes(part.family) || !answered.has(part.callId));
    if (part.kind === 'text' || part.kind === 'call' || (APART.has(part.kind) && !isUntold)) open = undefined;
  }
  return { ...turn, parts: [...said, ...calls] };
}

function joined(one: TextPart, other: TextPart): TextPart {
  if (one.text === '' && one.citations === undefined) return other;
  if (other.text === '' && other.citations === undefined) return one;
  const citations = [...(one.citations ?? []), ...(other.citations ?? [])];
  return {
    ...one,
    text: one.text + other.text,
    cache: one.cache ?? other.cache,
    phase: phaseOf(one) ?? phaseOf(other),
    state: one.state ?? other.state,
    carrier: one.carrier ?? other.carrier,
    citations: citations.length === 0 ? undefined : citations,
    src: { ptr: above(one.src?.ptr ?? '', other.src?.ptr ?? '') },
  };
}

/** What two places of a body are both below of. */
function above(one: string, other: string): string {
  const steps = one.split('/');
  const others = other.split('/');
  const apart = steps.findIndex((step, index) => step !== others[index]);
  return (apart < 0 ? steps : steps.slice(0, apart)).join('/');
}
