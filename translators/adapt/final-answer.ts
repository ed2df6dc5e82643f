import type { CallPart, Part, TextPart } from '../canonical/content.js';
import type { EventSink } from '../canonical/events.js';
import { type CanonicalRequest, declaredTools } from '../canonical/request.js';
import type { CanonicalResponse, Finish } from '../canonical/response.js';
import type { TargetRules } from '../target/target.js';

/** The function whose input is the answer, for models that hold calls to a schema but not answers (translation.md 2.10, E1). */
export const FINAL_ANSWER = 'il_final_answer';

/**
 * Whether the answer to a request may come as a call of {@link FINAL_ANSWER}: it has to have a form, and there are no
 * tools next to which the hidden one would be seen or keep another from being called.
 */
export function mayAnswerByCall(request: CanonicalRequest, rules: TargetRules): boolean {
  const kind = request.output?.kind;
  return (
    rules.answersByCall &&
    (kind === 'schema' || kind === 'enum') &&
    request.source !== rules.dialect &&
    declaredTools(request).length === 0
  );
}

/** An answer whose call of the hidden function is text. */
export function callsAsText(response: CanonicalResponse): CanonicalResponse {
  if (!response.parts.some(isFinalAnswer)) return response;
  const parts = response.parts.map((part) => (isFinalAnswer(part) ? textOf(part) : part));
  const others = parts.some((part) => part.kind === 'call');
  return { ...response, parts, finish: ended(response.finish, others) };
}

/** The same for streams: a stage in front of `next`. Deltas of the arguments become deltas of the text. */
export function createCallReader(next: EventSink): EventSink {
  /** The hidden calls by `ix`, and the length of what came of each. */
  const said = new Map<number, number>();
  let others = false;
  return (event) => {
    if (event.type === 'part.start' && isFinalAnswer(event.part)) {
      said.set(event.ix, 0);
      next({ ...event, part: { kind: 'text', text: '' } });
    } else if (event.type === 'part.delta' && said.has(event.ix)) {
      said.set(event.ix, (said.get(event.ix) ?? 0) + event.value.length);
      next({ ...event, op: 'text' });
    } else if (event.type === 'part.end' && isFinalAnswer(event.part)) {
      const part = textOf(event.part);
      if (said.get(event.ix) === 0 && part.text !== '') {
        next({ type: 'part.delta', ix: event.ix, op: 'text', value: part.text });
      }
      next({ ...event, part });
    } else if (event.type === 'finish' && said.size > 0) {
      next({ ...event, finish: ended(event.finish, others) });
    } else {
      others ||= event.type === 'part.end' && event.part.kind === 'call';
      next(event);
    }
  };
}

function isFinalAnswer(part: Part): part is CallPart & { readonly name: typeof FINAL_ANSWER } {
  return part.kind === 'call' && part.name === FINAL_ANSWER;
}

function textOf({ args, src, state }: CallPart): TextPart {
  const text = args.text ?? JSON.stringify(args.value ?? {});
  return { kind: 'text', text, ...(src !== undefined && { src }), ...(state !== undefined && { state }) };
}

/** The call was the answer: where there are no others, nobody has to go on. Cut answers stay cut. */
function ended(finish: Finish, others: boolean): Finish {
  return finish.kind === 'tool_use' && !others ? { ...finish, kind: 'end' } : finish;
}
