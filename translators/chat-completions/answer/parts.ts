import { encodeLogprobs, pictureLink, pictureOf, reportLogprobs } from '../../adapt/index.js';
import { PARAGRAPH, reportThoughts, shownPiece, shownThoughts } from '../../answer/thoughts.js';
import { type AnswerFormat, type PartHandler, remainder, type Writing } from '../../answer/writer.js';
import type { MediaPart, Part, ReasoningPart, TextPart, TokenLogprob } from '../../canonical/content.js';
import type { Feature } from '../../canonical/loss.js';
import { ptrOf } from '../../canonical/node.js';
import { hasPhase } from '../../canonical/parts.js';
import { isObject } from '../../wire/json.js';
import { createOffsetIndex } from '../../wire/utf8.js';
import { DIALECT } from '../nodes.js';
import { reportHosted } from '../tools/hosted/encode.js';
import { call } from './calls.js';
import { hold, type MessageAnswer } from './message.js';

const reasoning: PartHandler<MessageAnswer, ReasoningPart> = {
  state: hold,
  delta(state, writing, delta) {
    const key = thoughtKey(state, writing.head);
    if (key === undefined || !shows(state, writing, delta.value)) return;
    const piece = shownPiece(writing, delta, state.thought);
    if (piece !== undefined) writeThought(state, writing, key, state.own ? delta.value : piece);
  },
  end(state, writing, part) {
    if (state.own) {
      finishOwnThought(state, writing, part);
      return;
    }
    const thoughts = writing.opened ? '' : shownThoughts(part).join(PARAGRAPH);
    if (shows(state, writing, thoughts))
      writeThought(state, writing, 'reasoning_content', state.thought ? PARAGRAPH + thoughts : thoughts);
    if (state.carriers.visible) reportThoughts(part, state.losses);
  },
};

/** A part that has no form for clients of this dialect. */
function lost(feature: Feature, detail: string): PartHandler<MessageAnswer> {
  return { state: hold, end: ({ losses }, _writing, part) => losses.add(part, feature, 'dropped', detail) };
}

const foreign = lost('part.opaque', 'only supported by its own dialect');

/** How each kind of part becomes a member of the one message (translation.md 5.1). */
export const format: AnswerFormat<MessageAnswer> = {
  dialect: DIALECT,
  kinds: {
    text: {
      state: hold,
      delta: (state, writing, { value }) => writeText(state, writing, 'content', value),
      end: finishText,
    },
    refusal: {
      state: hold,
      delta: (state, writing, { value }) => writeText(state, writing, 'refusal', value),
      end(state, writing, part) {
        if (part.text === '') return;
        writeText(state, writing, 'refusal', remainder(part.text, writing.written.read()));
        state.refused = true;
        reportPhase(state, part);
      },
    },
    reasoning,
    call,
    media: { state: hold, end: (state, _writing, part) => showMedia(state, part) },
    hostedCall: {
      state: hold,
      end(state, _writing, part) {
        // What it drew is shown in its place.
        if (part.family === 'imageGen' && !state.own) state.drawing.set(part.callId, part);
        else reportHosted(part, state.losses);
      },
    },
    hostedResult: {
      state: hold,
      end(state, _writing, part) {
        const picture = pictureOf(part);
        const asked = state.drawing.get(part.callId);
        state.drawing.delete(part.callId);
        if (picture !== undefined) showMedia(state, picture);
        else for (const lost of asked === undefined ? [part] : [asked, part]) reportHosted(lost, state.losses);
      },
    },
    compaction: lost('part.compaction', 'a summary of another service'),
    approval: lost('part.approval', 'clients of this dialect cannot be asked for consent'),
    handover: lost('part.handover', 'only supported by its own dialect'),
    textdoc: foreign,
    searchResult: foreign,
    result: foreign,
    ref: foreign,
    toolChange: foreign,
    opaque: foreign,
  },
  ending(state, writing, part) {
    // The state of a call is written next to it.
    if (part.kind !== 'call') hold(state, writing, part.state);
  },
  citation({ texts }, { ix, citation }) {
    texts.get(ix)?.citations.push(citation);
  },
  logprobs(state, { ix, tokens }) {
    if (state.texts.has(ix)) writeTokens(state, tokens, '');
  },
};

function writeText(state: MessageAnswer, writing: Writing, key: 'content' | 'refusal', value: string): void {
  if (value === '') return;
  if (!writing.opened && key === 'content' && state.calls > 0 && !state.own && !state.moved) {
    state.moved = true;
    state.losses.add(writing.head, 'turn.order', 'approximated', 'text after a call appears before it');
  }
  writing.opened = true;
  writing.written.add(value);
  state.sink.text(key, value);
}

/** Whether words of a thought are shown; those that this client does not see are reported. */
function shows({ own, carriers }: MessageAnswer, { head }: Writing, words: string): boolean {
  if (words === '') return false;
  if (!own && !carriers.visible) carriers.omit(ptrOf(head));
  return own || carriers.visible;
}

function writeThought(state: MessageAnswer, writing: Writing, key: string, piece: string): void {
  writing.opened = true;
  state.thought = true;
  state.sink.text(key, piece);
}

/** The key under which words of a thought stream: for an own one that of its server, where it is a text. */
function thoughtKey({ own }: MessageAnswer, { src }: Part): string | undefined {
  if (!own) return 'reasoning_content';
  const key = isObject(src?.raw) ? src.raw.key : undefined;
  return typeof key === 'string' && key.startsWith('reasoning') && key !== 'reasoning_details' ? key : undefined;
}

function finishText(state: MessageAnswer, writing: Writing, part: TextPart): void {
  writeText(state, writing, 'content', remainder(part.text, writing.written.read()));
  if (part.text === '') return;
  state.said = true;
  state.texts.set(writing.ix, { part, base: state.length, citations: [...(part.citations ?? [])] });
  state.length += createOffsetIndex(part.text, 'codePoint').fromUtf16(part.text.length);
  if (part.logprobs !== undefined) writeTokens(state, part.logprobs, ptrOf(part));
  reportPhase(state, part);
}

function reportPhase(state: MessageAnswer, part: Part): void {
  if (!state.own && hasPhase(part)) state.losses.add(part, 'part.phase', 'dropped', 'text has no phase in the target');
}

/** The probabilities of the tokens of a text, which its part knows by now. */
function writeTokens(state: MessageAnswer, tokens: readonly TokenLogprob[], ptr: string): void {
  if (!state.own) reportLogprobs(tokens, ptr, state.losses);
  state.sink.tokens('content', encodeLogprobs(tokens));
}

/** The keys of a thought as its server had them, but for the one that was written while it came. */
function finishOwnThought(state: MessageAnswer, writing: Writing, { src }: ReasoningPart): void {
  if (!isObject(src?.raw)) return;
  const { inline, key: _key, ...keys } = src.raw;
  if (typeof inline === 'string') state.sink.text('content', inline);
  const written = writing.opened ? thoughtKey(state, writing.head) : undefined;
  if (written !== undefined) delete keys[written];
  if (Object.keys(keys).length > 0) state.sink.put(keys);
}

/** Pictures are shown: by a link where the host keeps them, else in the form of a router [H §3.3]. Other media is named. */
function showMedia(state: MessageAnswer, part: MediaPart): void {
  const { context } = state;
  const { losses } = context;
  const { data, mime } = part;
  if (state.own && part.class === 'audio') {
    const raw = isObject(part.src?.raw) ? part.src.raw : {};
    const sound = data.from === 'base64' ? { data: data.base64 } : {};
    state.sink.put({ audio: { ...raw, ...sound, ...(part.context !== undefined && { transcript: part.context }) } });
  } else if (part.thought === true) {
    losses.add(part, 'part.media', 'dropped', 'images within the reasoning are not sent');
  } else if (part.class !== 'image' || data.from === 'file') {
    losses.add(part, 'part.media', 'approximated', `the ${part.class} was left out`);
    addNote(state, `[${part.class} omitted: ${mime ?? 'unknown type'}]`);
  } else {
    const type = mime ?? 'image/png';
    const kept = data.from === 'base64' && !state.own ? context.keepPicture?.(type, data.base64) : undefined;
    if (kept !== undefined) addNote(state, pictureLink(kept));
    else {
      const url = data.from === 'base64' ? `data:${type};base64,${data.base64}` : data.url;
      state.pictures.push({ type: 'image_url', image_url: { url } });
      state.said = true;
    }
    if (!state.own) losses.add(part, 'part.media', 'approximated', 'few clients read images in an answer');
  }
}

/** Text that no part of the answer is. */
function addNote(state: MessageAnswer, text: string): void {
  state.sink.text('content', state.length > 0 ? PARAGRAPH + text : text);
  state.length += text.length + (state.length > 0 ? PARAGRAPH.length : 0);
  state.said = true;
}
