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
  let head: number | undefined;
  for (const turn of request.turns) {
    if (turn.role !== 'assistant') {
      turns.push(turn);
      head = undefined;
      continue;
    }
    for (const [parts, isEnded] of stretchesOf(turn)) {
      const thoughts = parts.filter(isThought);
      const rest = asMessage({ ...turn, parts: parts.filter((part) => !isThought(part)).map(asWords) });
      const before = head === undefined ? undefined : turns[head];
      if (head === undefined || before === undefined) {
        head = turns.length;
        turns.push({ ...rest, parts: [...thoughts, ...rest.parts] });
      } else {
        const thought = before.parts.filter(isThought);
        turns[head] = { ...before, parts: [...thought, ...thoughts, ...before.parts.slice(thought.length)] };
        const { parts: said = [], ...last } = turns.pop() ?? turn;
        turns.push({ ...last, parts: said.filter((part) => !isCall(part)) });
        turns.push({
          ...rest,
          parts: [...rest.parts.filter((part) => !isCall(part)), ...[...said, ...rest.parts].filter(isCall)],
        });
      }
      if (isEnded) head = undefined;
    }
  }
  return { ...request, turns };
}

/**
 * An assistant's turn in the messages that it becomes: a call of a service that is told as the client's ends one with its
 * result, unless the client's own are open in it (translation.md 2.6).
 */
function stretchesOf({ parts }: Turn): readonly (readonly [parts: readonly Part[], isEnded: boolean])[] {
  const answered = new Set(parts.flatMap((part) => (part.kind === 'hostedResult' ? [part.callId] : [])));
  const stretches: [Part[], boolean][] = [[[], false]];
  for (const part of parts) {
    let last = stretches.at(-1);
    if (last === undefined || (last[1] && part.kind !== 'hostedResult')) {
      last = [[], false];
      stretches.push(last);
    }
    last[0].push(part);
    if (part.kind === 'hostedCall' && part.family === 'mcp' && answered.has(part.callId))
      last[1] = !last[0].some(({ kind }) => kind === 'call');
  }
  return stretches;
}

function isThought({ kind }: Part): boolean {
  return kind === 'reasoning';
}

function isCall({ kind }: Part): boolean {
  return kind === 'call';
}

function asMessage(turn: Turn): Turn {
  const said: Part[] = [];
  const calls: Part[] = [];
  let open: TextPart | undefined;
  const answered = new Set(turn.parts.flatMap((part) => (part.kind === 'hostedResult' ? [part.callId] : [])));
  for (const part of turn.parts) {
    if (saysNothing(part)) {
      said.push(part);
      continue;
    }
    if (part.kind === 'text' && !STAND_IN.test(part.text)) {
      const text = open === undefined ? part : joined(open, part);
      if (open === undefined) said.push(text);
      else said[said.indexOf(open)] = text;
      open = text;
      continue;
    }
    if (part.kind === 'call') calls.push(part);
    else said.push(part);
    // A call of the service that brought nothing is left out, as one that was cut is: what stood around them stands together (translation.md 2.6).
    const isLeftOut =
      (part.kind === 'hostedCall' && (UNTOLD.includes(part.family) || !answered.has(part.callId))) ||
      (part.kind === 'call' && part.truncated === true);
    if (part.kind === 'text' || ((part.kind === 'call' || APART.has(part.kind)) && !isLeftOut)) open = undefined;
  }
  return { ...turn, parts: [...said, ...calls] };
}

/** An empty text between others moves none of them. */
function saysNothing(part: Part): boolean {
  return part.kind === 'text' && part.text === '' && (part.citations ?? part.state ?? part.carrier) === undefined;
}

function joined(one: TextPart, other: TextPart): TextPart {
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
