import { dropForeign, mintAnswerCallId, packState } from '../../adapt/index.js';
import type {
  CallPart,
  HostedCallPart,
  HostedResultPart,
  MediaPart,
  Part,
  ReasoningPart,
  RefusalPart,
  TextPart,
} from '../../canonical/content.js';
import type { StreamEvent } from '../../canonical/events.js';
import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { StateEntry } from '../../canonical/state.js';
import { createOffsetIndex, type OffsetIndex } from '../../wire/utf8.js';
import { encodeAnnotation, encodeLogprobs, isAnnotated, reportCitation, reportText } from '../content/citations.js';
import { encodeItem } from '../content/items.js';
import { isMessagePart, type MessagePart, sharesMessage } from '../content/messages.js';
import { containerId, DIALECT, FOREIGN, itemId, NATIVE } from '../nodes.js';
import { encodeFamilyCall } from '../tools/client-items.js';
import { hostedType, isShown, type OpenHosted, openHosted } from '../tools/hosted/encode.js';
import { reportHosted } from '../tools/hosted/report.js';
import { announce, encodeOpenFamilyCall, type FrameSink, type OpenCall, openCall, type Port } from './items.js';
import { type OpenMessage, openMessage } from './message.js';
import { createSerializer, type PartEvent, type Session, type Sessions } from './queue.js';
import { type OpenReasoning, openReasoning } from './reasoning.js';

/** Makes output items of canonical parts: the one mapper for streamed and whole answers (translation.md 6.7). */
export interface AnswerWriter {
  write(event: PartEvent): void;
  /** Ends everything. `cut`: the answer broke off, so what is open stays incomplete. */
  finish(cut: boolean): void;
  /** Adds the words of a refusal that stand in no part. */
  refuse(words: string): void;
  /** Whether a refusal stands in the output. */
  readonly refused: boolean;
  /** Whether a summary stands in the output. */
  readonly compacted: boolean;
  readonly items: readonly JsonObject[];
  /** Finished items as text. Empty where nobody listens. */
  readonly texts: readonly string[];
  /** The item that is open, as it stands. */
  snapshot(): JsonObject | undefined;
}

/** What a writer needs to know of the answer. */
interface AnswerWriterOptions {
  readonly responseId: string;
  /** The answer came from this dialect: ids and items are printed as they came. */
  readonly native: boolean;
  readonly losses: Losses;
  readonly frame?: FrameSink;
}

/** Says that reasoning was shown whose issuer gave no state, so that it is recognised when it comes back. */
const NO_STATE: StateEntry = { dialect: 'none', domain: 'none', kind: 'none', payload: '' };

type Open = OpenMessage | OpenReasoning | OpenCall | OpenHosted;

/** Where a text stands in the output. */
interface Place {
  readonly item: number;
  readonly content: number;
}

/** A writer for one answer. */
export function createAnswerWriter(options: AnswerWriterOptions): AnswerWriter {
  const { responseId, native, losses, frame } = options;
  const printer = native ? NATIVE : FOREIGN;
  const items: JsonObject[] = [];
  const texts: string[] = [];
  /** Finished items that changed since: their texts are printed anew when somebody reads them. */
  const changed = new Set<number>();
  /** Offsets into texts of finished items that are cited late, by part. */
  const offsets = new Map<number, OffsetIndex>();
  const places = new Map<number, Place>();
  /** Texts that were given whole. */
  const ended = new Set<number>();
  const lostCalls = new Set<string>();
  /** State that waits for the next carrier (translation.md 4.3). */
  let waiting: StateEntry[] = [];
  /** State of the open reasoning item. */
  let reasoningState: readonly StateEntry[] = [];
  let open: Open | undefined;
  let cited: { readonly ix: number; readonly message: OpenMessage } | undefined;
  let awaited: string | undefined;
  /** The hosted call whose item is open. */
  let asked: HostedCallPart | undefined;
  let refused = false;

  const portFor = (type: string, id?: string): Port => {
    const index = items.length;
    return { id: (native ? id : undefined) ?? itemId(type, responseId, index), index, frame };
  };

  const keep = (item: JsonObject): void => {
    const index = items.length;
    items.push(item);
    if (frame === undefined) return;
    const text = JSON.stringify(item);
    texts.push(text);
    frame('response.output_item.done', `"output_index":${index},"item":${text}`);
  };

  /** Closes what is open. The carrier of a reasoning item also takes the state of the part that comes next. */
  const closeOpen = (next: readonly StateEntry[] = [], cut = false): void => {
    const item = open;
    if (item === undefined) return;
    open = undefined;
    cited = undefined;
    awaited = undefined;
    if (item.kind === 'reasoning' && !native) item.seal({ encrypted_content: carrierOf([...reasoningState, ...next]) });
    reasoningState = [];
    keep(item.close(cut));
  };

  const addItem = (item: JsonObject, port: Port): void => {
    announce(port, { ...item, id: port.id });
    keep({ ...item, id: port.id });
  };

  /** An item that shows nothing and carries state. */
  const addState = (entries: readonly StateEntry[]): void => {
    closeOpen();
    const port = portFor('reasoning');
    announce(port, { id: port.id, type: 'reasoning', summary: [] });
    keep({ id: port.id, type: 'reasoning', summary: [], encrypted_content: packState(entries) });
  };

  /** Before a part that is no reasoning: its state joins the reasoning in front of it, or gets an item of its own. */
  const settle = (entries: readonly StateEntry[]): void => {
    if (open?.kind === 'reasoning') {
      closeOpen(native ? [] : [...waiting, ...entries]);
      waiting = [];
    } else if (!native && waiting.length + entries.length > 0) {
      const all = [...waiting, ...entries];
      waiting = [];
      addState(all);
    }
  };

  const openFor = (head: MessagePart): OpenMessage => {
    settle([]);
    if (open?.kind === 'message' && sharesMessage(open.head, head)) return open;
    closeOpen();
    const message = openMessage(portFor('message', head.id), head, printer);
    open = message;
    return message;
  };

  const beginText = (ix: number, head: TextPart | RefusalPart, said?: () => string): Session => {
    const early = head.state ?? [];
    let message: OpenMessage | undefined;
    settle(early);
    const ensure = (): OpenMessage => {
      if (message !== undefined) return message;
      message = openFor(head);
      places.set(ix, { item: items.length, content: message.begin(head, said) });
      cited = { ix, message };
      refused ||= head.kind === 'refusal';
      return message;
    };
    return {
      delta(event) {
        if (event.value !== '') ensure().delta(event.value);
      },
      state(entries) {
        if (native || early.length > 0) return;
        if (message === undefined) settle(entries);
        else waiting.push(...entries);
      },
      end(part) {
        if (part.kind !== 'text' && part.kind !== 'refusal') return;
        if (part.text === '' && !native && message === undefined) return;
        if (part.kind === 'text' && !native) reportText(part, losses);
        ensure().end(part);
        ended.add(ix);
      },
    };
  };

  const beginReasoning = (head: ReasoningPart): Session => {
    let item: OpenReasoning | undefined;
    let state = head.state ?? [];
    const ensure = (): OpenReasoning => {
      if (item !== undefined) return item;
      closeOpen();
      item = openReasoning(portFor('reasoning', head.id));
      open = item;
      return item;
    };
    return {
      delta(event) {
        if (event.op === 'reasoning' || event.op === 'raw') ensure().delta(event.op, event.value, event.sub ?? 0);
      },
      state(entries) {
        state = entries;
      },
      end(part) {
        if (part.kind !== 'reasoning') return;
        const entries = part.state ?? state;
        const shows = part.text.length > 0 || (part.raw?.length ?? 0) > 0;
        if (!shows && !native && item === undefined && entries.every((entry) => entry.kind === 'none')) return;
        const reasoning = ensure();
        reasoning.end(part);
        if (native) {
          const { id: _id, type: _type, ...fields } = encodeItem(part, NATIVE) ?? {};
          reasoning.seal(fields);
          return;
        }
        reasoningState = [...waiting, ...entries];
        waiting = [];
      },
    };
  };

  const beginCall = (ix: number, given: CallPart): Session => {
    if (given.family !== undefined) return native ? wholeItem() : familyCall(ix);
    const head =
      given.callId === '' && !native ? { ...given, callId: mintAnswerCallId(responseId, ix, given.name) } : given;
    const early = head.state ?? [];
    settle(early);
    closeOpen();
    const type = head.freeform === undefined ? 'function_call' : 'custom_tool_call';
    const item = openCall(portFor(type, head.id), head, printer);
    open = item;
    return {
      delta: (event) => item.delta(event.value),
      state(entries) {
        if (!native && early.length === 0) waiting.push(...entries);
      },
      end(part) {
        if (part.kind === 'call') item.end(part);
        closeOpen();
      },
    };
  };

  /** A call of a built-in tool of the client comes whole. */
  const familyCall = (ix: number): Session => ({
    delta: () => {},
    state: () => {},
    end(part) {
      if (part.kind !== 'call') return;
      settle(part.state ?? []);
      closeOpen();
      const callId = part.callId === '' ? mintAnswerCallId(responseId, ix, part.name) : part.callId;
      const item = encodeFamilyCall({ ...part, callId });
      if (item !== undefined) keep(encodeOpenFamilyCall(portFor(String(item.type)), item));
    },
  });

  const beginHosted = (head: HostedCallPart): Session => {
    if (!isShown(head.family)) {
      lostCalls.add(head.callId);
      return lost(head, 'hosted.call');
    }
    settle([]);
    closeOpen();
    const item = openHosted(portFor(hostedType(head.family), head.id), head, containerId(responseId));
    open = item;
    return {
      delta: (event) => item.delta(event.value),
      state: () => {},
      end(part) {
        if (part.kind !== 'hostedCall') return;
        item.endCall(part);
        asked = part;
        if (!native) reportHosted(part, losses);
        takeHostedState(item, part);
        // An item of this dialect that is not finished has no second half.
        if (native && part.state !== undefined) closeOpen();
        else awaited = part.callId;
      },
    };
  };

  const takeHostedState = (item: OpenHosted, part: HostedCallPart | HostedResultPart): void => {
    if (!native) {
      waiting.push(...(part.state ?? []));
      return;
    }
    const node = encodeItem(part, NATIVE);
    if (node !== undefined) item.seal(node);
  };

  const beginResult = (head: HostedResultPart): Session => ({
    delta: () => {},
    state: () => {},
    end(part) {
      if (part.kind !== 'hostedResult') return;
      if (open?.kind !== 'hosted' || awaited !== head.callId) {
        if (!lostCalls.has(head.callId))
          losses.add(part.src?.ptr ?? '', 'hosted.output', 'dropped', 'its call is not in the answer');
        hold(part);
        return;
      }
      open.endResult(part);
      if (!native) reportHosted(part, losses, asked);
      takeHostedState(open, part);
      closeOpen();
    },
  });

  const beginMedia = (head: MediaPart): Session => ({
    delta: () => {},
    state: () => {},
    end(part) {
      if (part.kind !== 'media') return;
      const ptr = part.src?.ptr ?? '';
      if (part.thought === true) {
        losses.add(ptr, 'part.media', 'dropped', 'pictures of the thinking are not shown');
        hold(part);
      } else if (part.class !== 'image' || part.data.from !== 'base64') {
        losses.add(ptr, 'part.media', 'approximated', `the ${part.class} was left out`);
        addText({ kind: 'text', text: `[${part.class} omitted: ${part.mime ?? 'unknown type'}]`, state: part.state });
      } else {
        if (part.filename !== undefined)
          losses.add(ptr, 'part.media.filename', 'dropped', 'a picture that was made has no name here');
        addImage(head, part.data.base64, part.mime);
      }
    },
  });

  const addImage = (head: MediaPart, base64: string, mime: string | undefined): void => {
    settle(head.state ?? []);
    closeOpen();
    const port = portFor('image_generation_call');
    const callId = port.id;
    const item = openHosted(port, { kind: 'hostedCall', callId, family: 'imageGen', input: {} }, '');
    item.endResult({ kind: 'hostedResult', callId, family: 'imageGen', output: { base64, mime } });
    keep(item.close(false));
  };

  const addText = (part: TextPart | RefusalPart): void => beginText(-1, part).end(part);

  const lost = (
    head: Part,
    feature: 'hosted.call' | 'part.opaque' | 'part.handover' | 'part.approval' | 'part.compaction',
  ): Session => {
    losses.add(head.src?.ptr ?? '', feature, 'dropped', 'there is no item for it here');
    return { delta: () => {}, state: () => {}, end: hold };
  };

  /** Lets the state of a part that shows nothing wait for the next carrier. */
  const hold = (part: Part): void => {
    if (!native) waiting.push(...(part.state ?? []));
  };

  /** Items without deltas: of this dialect as they came, and another's compaction, whose state is carried. */
  const wholeItem = (): Session => ({
    delta: () => {},
    state: () => {},
    end(part) {
      if (native && part.kind === 'opaque' && isMessagePart(part)) {
        openFor(part).addRaw(part);
        return;
      }
      settle([]);
      closeOpen();
      const item = native
        ? encodeItem(part, NATIVE)
        : { type: 'compaction', encrypted_content: packState(part.state ?? []) };
      if (item !== undefined)
        addItem(item, portFor(String(item.type), typeof item.id === 'string' ? item.id : part.id));
    },
  });

  const begin = (ix: number, head: Part, said?: () => string): Session => {
    const session = sessionFor(ix, head, said);
    if (native) return session;
    return {
      delta: session.delta,
      state: session.state,
      end(part) {
        dropForeign(part, DIALECT, losses);
        session.end(part);
      },
    };
  };

  const sessionFor = (ix: number, head: Part, said: (() => string) | undefined): Session => {
    switch (head.kind) {
      case 'text':
      case 'refusal':
        return beginText(ix, head, said);
      case 'reasoning':
        return beginReasoning(head);
      case 'call':
        return beginCall(ix, head);
      case 'hostedCall':
        return beginHosted(head);
      case 'hostedResult':
        return beginResult(head);
      case 'media':
        return beginMedia(head);
      case 'compaction':
        return wholeItem();
      case 'approval':
        return native ? wholeItem() : lost(head, 'part.approval');
      case 'handover':
        return lost(head, 'part.handover');
      default:
        return native ? wholeItem() : lost(head, 'part.opaque');
    }
  };

  /** A text that is closed cannot be cited by an event any more; the whole answer at the end still shows it. */
  const citeLate = ({ ix, citation }: Extract<StreamEvent, { type: 'part.citation' }>): void => {
    const place = places.get(ix);
    if (place !== undefined && place.item === items.length && open?.kind === 'message') {
      open.citeClosed(place.content, citation);
      return;
    }
    const content: unknown = place === undefined ? undefined : Reflect.get(Object(items[place.item]), 'content');
    const part: unknown = Array.isArray(content) ? content[place?.content ?? -1] : undefined;
    const text: unknown = Reflect.get(Object(part), 'text');
    const annotations: unknown = Reflect.get(Object(part), 'annotations');
    if (place === undefined || typeof text !== 'string' || !Array.isArray(annotations)) return;
    const known = offsets.get(ix) ?? createOffsetIndex(text, 'codePoint');
    offsets.set(ix, known);
    annotations.push(encodeAnnotation(citation, text.length, known));
    changed.add(place.item);
  };

  /** Log probabilities that come when their text is closed stand in the item alone. */
  const addTokens = ({ ix, tokens }: Extract<StreamEvent, { type: 'part.logprobs' }>): void => {
    const place = places.get(ix);
    if (native || place === undefined || !ended.has(ix)) return;
    reportText({ kind: 'text', text: '', logprobs: tokens }, losses);
    if (place.item === items.length && open?.kind === 'message') {
      open.addTokens(place.content, tokens);
      return;
    }
    const content: unknown = Reflect.get(Object(items[place.item]), 'content');
    const part: unknown = Array.isArray(content) ? content[place.content] : undefined;
    if (typeof part !== 'object' || part === null) return;
    Reflect.set(part, 'logprobs', encodeLogprobs(tokens));
    changed.add(place.item);
  };

  const sessions: Sessions = {
    begin,
    tokens: addTokens,
    citation(event) {
      if (!native && ended.has(event.ix)) reportCitation(event.citation, losses);
      if (!isAnnotated(event.citation)) return;
      if (cited?.ix === event.ix) cited.message.citation(event.citation);
      else if (!native) citeLate(event);
    },
    get awaited() {
      return awaited;
    },
    abandon(cut) {
      closeOpen([], cut || awaited !== undefined);
    },
  };
  const serializer = createSerializer(sessions);

  return {
    write: serializer.write,
    finish(cut) {
      serializer.finish(cut);
      if (waiting.length > 0) addState(waiting);
      waiting = [];
    },
    refuse(words) {
      // What waits for the result of a hosted call stands before the words of the end.
      serializer.finish(false);
      addText({ kind: 'refusal', text: words });
    },
    get compacted() {
      return items.some((item) => item.type === 'compaction');
    },
    get refused() {
      return refused;
    },
    items,
    get texts() {
      if (frame !== undefined) for (const index of changed) texts[index] = JSON.stringify(items[index]);
      changed.clear();
      return texts;
    },
    snapshot: () => open?.snapshot(),
  };
}

/** The carrier of a reasoning item. That there is no state is said only when nothing else is in it. */
function carrierOf(entries: readonly StateEntry[]): string {
  const held = entries.filter((entry) => entry.kind !== 'none');
  if (held.length > 0) return packState(held);
  return packState(entries.length > 0 ? entries : [NO_STATE]);
}
