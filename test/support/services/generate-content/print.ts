import { bindingOf } from '../../../../src/simulator/rules/index.js';
import { textOf, type Wire } from '../../wire/wire.js';
import type { Printing, Usage } from '../plan.js';
import type { DialectStream, Frame } from '../stream.js';
import { countTokens, cutIntoDeltas } from '../tokens.js';
import { errorBody } from './errors.js';

/** A generateContent answer to print. */
export interface ContentPrinting extends Printing {
  /** Whether thought summaries are shown. */
  readonly includeThoughts: boolean;
}

/** The body of a plain answer [G §5]. */
export function printContent(printing: ContentPrinting): object {
  const { plan } = printing;
  const thoughts = printThoughts(printing);
  const calls = printCalls(printing);
  const signature = textSignature(printing);
  const text = plan.text ? [{ text: plan.text, ...signature }] : [];
  return {
    candidates: [
      {
        ...printCandidate([...thoughts, ...text, ...calls, ...printPicture(printing)]),
        ...printFinish(printing),
        index: 0,
      },
    ],
    usageMetadata: printUsage(printing.usage),
    ...printTail(printing, printing.mint('', 23)),
  };
}

/** The stream of the same answer, as server-sent events or as one JSON array [G §6]. */
export function streamContent(printing: ContentPrinting, framing: 'sse' | 'array'): DialectStream {
  const frame = framing === 'sse' ? frameEvent : createArrayFramer();
  const frames = contentFrames(printing, frame);
  return {
    frames: framing === 'sse' ? frames : closeArray(frames),
    fail(status, message) {
      const body = errorBody(status, message);
      return framing === 'sse' ? [frame(body).text] : [frame(body).text, ']'];
    },
  };
}

/** The service escapes what some readers take for the end of a line. */
function onOneLine(json: string): string {
  return json.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}

type Framer = (chunk: object, mark?: Frame['mark']) => Frame;

function frameEvent(chunk: object, mark?: Frame['mark']): Frame {
  const text = `data: ${onOneLine(JSON.stringify(chunk))}\r\n\r\n`;
  return mark ? { text, mark } : { text };
}

function createArrayFramer(): Framer {
  let open = false;
  return (chunk, mark) => {
    const text = `${open ? ',\r\n' : '['}${onOneLine(JSON.stringify(chunk, null, 2))}`;
    open = true;
    return mark ? { text, mark } : { text };
  };
}

function* closeArray(frames: Iterable<Frame>): Generator<Frame> {
  yield* frames;
  yield { text: ']' };
}

function* contentFrames(printing: ContentPrinting, frame: Framer): Generator<Frame> {
  const { usage, plan } = printing;
  const tail = printTail(printing, printing.mint('', 23));
  let visible = 0;
  const chunk = (parts: readonly Wire[], mark: Frame['mark']): Frame => {
    visible = Math.min(visible + countParts(parts), usage.output - usage.reasoning);
    const last = mark === 'end';
    const finish = last ? printFinish(printing) : {};
    const soFar = last ? usage : { ...usage, output: usage.reasoning + visible };
    return frame(
      {
        candidates: [{ ...printCandidate(parts), ...finish, index: 0 }],
        usageMetadata: printUsage(soFar),
        ...tail,
      },
      mark,
    );
  };
  for (const thought of printThoughts(printing)) yield chunk([thought], 'delta');
  for (const text of cutIntoDeltas(plan.text ?? '')) yield chunk([{ text }], 'delta');
  const calls = printCalls(printing);
  if (calls.length > 0) yield chunk(calls, 'delta');
  const picture = printPicture(printing);
  if (picture.length > 0) yield chunk(picture, 'delta');
  const nothing = plan.finish.kind === 'refusal' || (plan.finish.kind === 'length' && !plan.text);
  yield chunk(nothing ? [] : [{ text: '', ...textSignature(printing) }], 'end');
}

function countParts(parts: readonly Wire[]): number {
  return parts.reduce((sum, part) => {
    if (part.thought) return sum;
    return (
      sum +
      countTokens(textOf(part.text)) +
      (part.functionCall ? 1 + countTokens(JSON.stringify(Object(part.functionCall).args)) : 0)
    );
  }, 0);
}

/** Whole paragraphs, each with a bold heading, never token by token [G §6.2]. */
function printThoughts({ plan, includeThoughts }: ContentPrinting): Wire[] {
  if (!includeThoughts) return [];
  return (plan.reasoning ?? []).map((text) => ({ text: `${text}\n\n`, thought: true }));
}

/** Of parallel calls only the first is signed [G §4]; calls come whole, an unfinished one not at all [G §6.2]. */
function printCalls({ plan, mint, state }: ContentPrinting): Wire[] {
  const finished = (plan.calls ?? []).filter((call) => call.cut === undefined);
  return finished.map((call, index) => {
    const functionCall = { name: call.name, args: call.arguments, id: mint('', 8) };
    if (index > 0 || !plan.reasoning) return { functionCall };
    return { functionCall, thoughtSignature: state.issue(bindingOf({ functionCall })) };
  });
}

function printPicture({ plan: { picture } }: ContentPrinting): Wire[] {
  return picture === undefined ? [] : [{ inlineData: { mimeType: 'image/png', data: picture } }];
}

/** The signature of an answer without calls sits on its last text part [G §5.2]. */
function textSignature({ plan, state }: ContentPrinting): { readonly thoughtSignature?: string } {
  return plan.reasoning && !plan.calls ? { thoughtSignature: state.issue('text') } : {};
}

function printCandidate(parts: readonly Wire[]) {
  return { content: parts.length > 0 ? { parts, role: 'model' } : { role: 'model' } };
}

function printFinish({ plan }: ContentPrinting): object {
  switch (plan.finish.kind) {
    case 'end':
    case 'stop':
      return { finishReason: 'STOP' };
    case 'calls':
      return { finishReason: 'STOP', finishMessage: 'Model generated function call(s).' };
    case 'length':
      return { finishReason: 'MAX_TOKENS' };
    case 'refusal':
      return {
        content: {},
        finishReason: 'SAFETY',
        safetyRatings: [{ category: 'HARM_CATEGORY_DANGEROUS_CONTENT', probability: 'HIGH', blocked: true }],
      };
  }
}

/** Counters that are zero are left out [G §2.1]. */
function printUsage(usage: Usage) {
  const visible = usage.output - usage.reasoning;
  return {
    promptTokenCount: usage.input,
    ...(visible > 0 ? { candidatesTokenCount: visible } : {}),
    totalTokenCount: usage.input + usage.output,
    ...(usage.cached > 0 ? { cachedContentTokenCount: usage.cached } : {}),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
    ...(usage.reasoning > 0 ? { thoughtsTokenCount: usage.reasoning } : {}),
  };
}

function printTail({ model }: ContentPrinting, responseId: string) {
  return { modelVersion: model, responseId };
}
