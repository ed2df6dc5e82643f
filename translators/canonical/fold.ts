import type { Citation, Part, TextPart } from './content.js';
import type { CanonicalError } from './errors.js';
import type { EventSink, StreamEvent } from './events.js';
import type { CanonicalResponse, Finish, Usage } from './response.js';

/** Collects the events of one stream into the answer that they make. */
export interface Fold {
  readonly sink: EventSink;
  /** The answer, once `end` came. */
  readonly response: CanonicalResponse | undefined;
  /** The failure, once `error` came. */
  readonly error: CanonicalError | undefined;
}

/** A fold for a stream of dialect `source`. */
export function createFold(source: string): Fold {
  const parts: (Part | undefined)[] = [];
  const late: { readonly ix: number; readonly citation: Citation }[] = [];
  let start: Extract<StreamEvent, { type: 'start' }> | undefined;
  let usage: Usage | undefined;
  let finish: Finish | undefined;

  const finished = (end: Extract<StreamEvent, { type: 'end' }>): CanonicalResponse | undefined => {
    if (finish === undefined) return undefined;
    const ext = end.ext ?? start?.ext;
    return {
      source,
      id: start?.id ?? '',
      model: start?.model ?? '',
      ...(start?.createdAt !== undefined && { createdAt: start.createdAt }),
      parts: withLateCitations(parts, late),
      finish,
      ...(usage !== undefined && { usage }),
      ...(end.tier !== undefined && { tier: end.tier }),
      ...(end.extraCandidates !== undefined && { extraCandidates: end.extraCandidates }),
      ...(ext !== undefined && { ext }),
    };
  };

  const sink: EventSink = (event) => {
    switch (event.type) {
      case 'start':
        start = event;
        usage = mergeUsage(usage, event.usage);
        return;
      case 'part.end':
        parts[event.ix] = event.part;
        return;
      case 'part.citation':
        if (parts[event.ix] !== undefined) late.push({ ix: event.ix, citation: event.citation });
        return;
      case 'part.logprobs': {
        const part = parts[event.ix];
        if (part?.kind === 'text' && part.logprobs === undefined) parts[event.ix] = { ...part, logprobs: event.tokens };
        return;
      }
      case 'usage':
        usage = mergeUsage(usage, event.usage);
        return;
      case 'finish':
        finish = event.finish;
        return;
      case 'end':
        fold.response = finished(event);
        return;
      case 'error':
        fold.error = event.error;
        return;
      default:
        return;
    }
  };
  const fold: { -readonly [Key in keyof Fold]: Fold[Key] } = { sink, response: undefined, error: undefined };
  return fold;
}

/** Per field the last value that is known counts; nothing is added (translation.md 5.3). */
export function mergeUsage(earlier: Usage | undefined, later: Usage | undefined): Usage | undefined {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  let merged = later;
  // Most often the later counts are all that there are.
  for (const name in earlier) {
    const key = name as keyof Usage;
    if (later[key] === undefined && earlier[key] !== undefined) merged = { ...merged, [key]: earlier[key] };
  }
  return merged;
}

/** Token counts of several hops of one answer (translation.md 5.2 `pause`). */
export function addUsage(first: Usage | undefined, second: Usage | undefined): Usage | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const sum = (a: number | undefined, b: number | undefined): number | undefined =>
    a === undefined ? b : b === undefined ? a : a + b;
  return {
    input: sum(first.input, second.input),
    cacheRead: sum(first.cacheRead, second.cacheRead),
    cacheWrite: sum(first.cacheWrite, second.cacheWrite),
    cacheWrite1h: sum(first.cacheWrite1h, second.cacheWrite1h),
    toolInput: sum(first.toolInput, second.toolInput),
    output: sum(first.output, second.output),
    reasoning: sum(first.reasoning, second.reasoning),
    ...((first.apart ?? second.apart) && { apart: true }),
    ...((first.fees ?? second.fees) && { fees: true }),
    several: true,
    hosted: {
      webSearch: sum(first.hosted?.webSearch, second.hosted?.webSearch),
      webFetch: sum(first.hosted?.webFetch, second.hosted?.webFetch),
      codeExec: sum(first.hosted?.codeExec, second.hosted?.codeExec),
    },
  };
}

function withLateCitations(
  parts: readonly (Part | undefined)[],
  late: readonly { readonly ix: number; readonly citation: Citation }[],
): Part[] {
  const out: Part[] = [];
  parts.forEach((part, ix) => {
    if (part === undefined) return;
    const added = part.kind === 'text' ? late.filter((entry) => entry.ix === ix).map((entry) => entry.citation) : [];
    out.push(added.length === 0 ? part : withCitations(part as TextPart, added));
  });
  return out;
}

function withCitations(part: TextPart, added: readonly Citation[]): TextPart {
  return { ...part, citations: [...(part.citations ?? []), ...added] };
}
