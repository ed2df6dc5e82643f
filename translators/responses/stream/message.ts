import type { Citation, RefusalPart, TextPart, TokenLogprob } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { createGrowingOffsets, type GrowingOffsets } from '../../wire/utf8.js';
import { createWritten, type Written } from '../../wire/written.js';
import { encodeAnnotation } from '../content/citations.js';
import { encodeOutputPart } from '../content/encode.js';
import { encodeAssistantMessage, type MessagePart } from '../content/messages.js';
import { NATIVE, type Printer } from '../nodes.js';
import { announce, itemMembers, type OpenItem, type Port } from './items.js';

/** A message item that is being written [R §5.3 `message`]. */
export interface OpenMessage extends OpenItem {
  readonly kind: 'message';
  /** The part that opened it; others join it if they came from the same item. */
  readonly head: MessagePart;
  /** Begins a content part and gives its index. The one before, if any, is closed: citations may come until then. */
  begin(part: TextPart | RefusalPart, said?: () => string): number;
  delta(value: string): void;
  citation(citation: Citation): void;
  /** A citation for a content part that is closed already: no event tells it, but the item still shows it. */
  citeClosed(index: number, citation: Citation): void;
  /** Log probabilities of a content part that is whole. */
  addTokens(index: number, tokens: readonly TokenLogprob[]): void;
  /** The part is whole; it stays open for citations. */
  end(part: TextPart | RefusalPart): void;
  /** A content part that only this dialect knows. */
  addRaw(part: MessagePart): void;
}

interface Content {
  readonly index: number;
  readonly members: string;
  readonly type: 'text' | 'refusal';
  readonly deltaMembers: string;
  part: TextPart | RefusalPart;
  /** What its deltas said; a part that is whole holds its text itself. */
  readonly text: Written;
  /** Offsets into that text, from the first citation on. */
  offsets?: GrowingOffsets;
  citations: Citation[];
  /** How many annotations were sent. */
  sent: number;
  whole: boolean;
}

/** Opens a message and announces it. Native parts are printed as they came, others with every key of a fresh answer. */
export function openMessage(port: Port, head: MessagePart, printer: Printer): OpenMessage {
  const done: MessagePart[] = [];
  /** Citations of content parts that were closed before, by index. */
  const late = new Map<number, Citation[]>();
  let content: Content | undefined;
  const envelope = (status: string, parts: readonly JsonObject[]): JsonObject => ({
    id: port.id,
    type: 'message',
    status,
    role: 'assistant',
    content: parts,
    ...(head.phase !== undefined && { phase: head.phase }),
  });
  const print = (part: MessagePart): JsonObject => encodeContent(part, printer);
  const closed = (): MessagePart[] =>
    late.size === 0
      ? done
      : done.map((part, index) => {
          const added = late.get(index);
          return part.kind !== 'text' || added === undefined
            ? part
            : { ...part, citations: [...(part.citations ?? []), ...added] };
        });

  const begin = (part: TextPart | RefusalPart, said?: () => string): number => {
    closeContent();
    const index = done.length;
    const members = `${itemMembers(port)},"content_index":${index}`;
    const type = part.kind;
    content = {
      index,
      members,
      type,
      deltaMembers: `${members},"delta":`,
      part,
      text: createWritten(said),
      citations: [],
      sent: 0,
      whole: false,
    };
    const empty = type === 'text' ? EMPTY_TEXT : EMPTY_REFUSAL;
    port.frame?.('response.content_part.added', `${members},"part":${empty}`);
    return index;
  };

  const delta = (value: string): void => {
    if (content === undefined || value === '') return;
    content.text.add(value);
    content.offsets?.add(value);
    if (port.frame === undefined) return;
    const printed = content.deltaMembers + JSON.stringify(value);
    if (content.type === 'text') port.frame('response.output_text.delta', `${printed},"logprobs":[]`);
    else port.frame('response.refusal.delta', printed);
  };

  const annotate = (open: Content, annotation: JsonObject): void => {
    const members = `${open.members},"annotation_index":${open.sent},"annotation":${JSON.stringify(annotation)}`;
    port.frame?.('response.output_text.annotation.added', members);
    open.sent += 1;
  };

  /** Citations inside the text go out as soon as their text did. */
  const citation = (cited: Citation): void => {
    if (content === undefined || content.type !== 'text') return;
    content.citations.push(cited);
    if (content.whole || content.citations.length !== content.sent + 1) return;
    if (cited.span === undefined || cited.span.end > content.text.length) return;
    if (content.offsets === undefined) {
      content.offsets = createGrowingOffsets('codePoint');
      content.offsets.add(content.text.read());
    }
    annotate(content, encodeAnnotation(cited, content.text.length, content.offsets));
  };

  const end = (part: TextPart | RefusalPart): void => {
    if (content === undefined) return;
    const written = content.text.read();
    if (part.text.startsWith(written)) delta(part.text.slice(written.length));
    content = { ...content, part, text: createWritten(), whole: true, citations: [] };
  };

  const finishedPart = (open: Content): TextPart | RefusalPart => {
    const part = open.whole ? open.part : { ...open.part, text: open.text.read() };
    if (part.kind !== 'text' || open.citations.length === 0) return part;
    return { ...part, citations: open.whole ? [...(part.citations ?? []), ...open.citations] : open.citations };
  };

  const closeContent = (): void => {
    const open = content;
    if (open === undefined) return;
    content = undefined;
    const part = finishedPart(open);
    const printed = print(part);
    done.push(part);
    if (port.frame === undefined) return;
    if (part.kind === 'text') {
      const annotations = Array.isArray(printed.annotations) ? printed.annotations : [];
      for (let index = open.sent; index < annotations.length; index += 1) annotate(open, annotations[index]);
      const logprobs = JSON.stringify(printed.logprobs ?? []);
      port.frame(
        'response.output_text.done',
        `${open.members},"text":${JSON.stringify(part.text)},"logprobs":${logprobs}`,
      );
    } else {
      port.frame('response.refusal.done', `${open.members},"refusal":${JSON.stringify(part.text)}`);
    }
    port.frame('response.content_part.done', `${open.members},"part":${JSON.stringify(printed)}`);
  };

  announce(port, envelope('in_progress', []));
  return {
    kind: 'message',
    head,
    begin,
    delta,
    citation,
    citeClosed(index, cited) {
      const list = late.get(index);
      if (list === undefined) late.set(index, [cited]);
      else list.push(cited);
    },
    addTokens(index, tokens) {
      const part = content?.index === index ? content.part : done[index];
      if (part?.kind !== 'text') return;
      if (content?.index === index) content.part = { ...part, logprobs: tokens };
      else done[index] = { ...part, logprobs: tokens };
    },
    end,
    addRaw(part) {
      closeContent();
      const members = `${itemMembers(port)},"content_index":${done.length},"part":${JSON.stringify(print(part))}`;
      done.push(part);
      port.frame?.('response.content_part.added', members);
      port.frame?.('response.content_part.done', members);
    },
    snapshot() {
      const parts = content === undefined ? closed() : [...closed(), finishedPart(content)];
      return envelope('in_progress', parts.map(print));
    },
    close(cut) {
      closeContent();
      if (printer.native && !cut) return { ...encodeAssistantMessage(closed(), NATIVE), id: port.id };
      return envelope(cut ? 'incomplete' : 'completed', closed().map(print));
    },
  };
}

const EMPTY_TEXT = '{"type":"output_text","text":"","annotations":[],"logprobs":[]}';
const EMPTY_REFUSAL = '{"type":"refusal","refusal":""}';

/** A content part of an answer: fresh ones always have both lists [R §4.3 rule 1]. */
function encodeContent(part: MessagePart, printer: Printer): JsonObject {
  const printed = encodeOutputPart(part, printer);
  if (!printer.native && part.kind === 'text' && printed.logprobs === undefined) printed.logprobs = [];
  return printed;
}
