import { packState } from '../../adapt/index.js';
import type { AnswerFormat, PartHandler } from '../../answer/writer.js';
import type { CallPart, MediaPart } from '../../canonical/content.js';
import type { Feature } from '../../canonical/loss.js';
import { encodeItem } from '../content/items.js';
import { isMessagePart } from '../content/messages.js';
import { DIALECT, NATIVE } from '../nodes.js';
import { addImage, hostedCall, hostedResult } from '../tools/hosted/encode.js';
import { call } from './calls.js';
import { addText, messageFor, text } from './message.js';
import { addCitation, addItem, addLogprobs, closeOpen, holdState, type Output, settleState } from './output.js';
import { reasoning } from './reasoning.js';

/** Items without deltas: of this dialect as they came, and another's compaction, whose state is carried. */
const whole: PartHandler<Output> = {
  end(output, _writing, part) {
    if (output.own && part.kind === 'opaque' && isMessagePart(part)) {
      messageFor(output, part).addRaw(part);
      return;
    }
    settleState(output);
    closeOpen(output);
    const item = output.own
      ? encodeItem(part, NATIVE)
      : { type: 'compaction', encrypted_content: packState(part.state ?? [], output.losses) };
    if (item !== undefined) addItem(output, item, typeof item.id === 'string' ? item.id : part.id);
  },
};

/** A part that no item shows. */
function lost(feature: Feature): PartHandler<Output> {
  return {
    begin: ({ losses }, { head }) => losses.add(head, feature, 'dropped', 'there is no item for it here'),
    end: (output, _writing, part) => holdState(output, part.state),
  };
}

/** A part that is an item of this dialect alone. */
function ownItem(feature: Feature): PartHandler<Output> {
  const foreign = lost(feature);
  return {
    begin(output, writing) {
      if (!output.own) foreign.begin?.(output, writing);
    },
    end: (output, writing, part) => (output.own ? whole : foreign).end(output, writing, part),
  };
}

const opaque = ownItem('part.opaque');

const media: PartHandler<Output, MediaPart> = {
  end(output, { head }, part) {
    const { losses } = output;
    if (part.thought === true) {
      losses.add(part, 'part.media', 'dropped', 'images within the reasoning are not sent');
      holdState(output, part.state);
    } else if (part.class !== 'image' || part.data.from !== 'base64') {
      losses.add(part, 'part.media', 'approximated', `the ${part.class} was left out`);
      const note = `[${part.class} omitted: ${part.mime ?? 'unknown type'}]`;
      addText(output, { kind: 'text', text: note, state: part.state });
    } else {
      if (part.filename !== undefined)
        losses.add(part, 'part.media.filename', 'dropped', 'a picture that was made has no name here');
      settleState(output, head.state);
      addImage(output, part.data.base64, part.mime);
    }
  },
};

/** Whether a call came from this dialect as an item of a type of its own. */
function isOwnFamily({ own }: Output, { family }: CallPart): boolean {
  return own && family !== undefined;
}

/** How each kind of part becomes output items (translation.md 6.7). */
export const format: AnswerFormat<Output> = {
  dialect: DIALECT,
  kinds: {
    text,
    refusal: text,
    reasoning,
    call: {
      ...call,
      end: (output, writing, part) => (isOwnFamily(output, writing.head) ? whole : call).end(output, writing, part),
    },
    hostedCall,
    hostedResult,
    media,
    compaction: whole,
    approval: ownItem('part.approval'),
    handover: lost('part.handover'),
    textdoc: opaque,
    searchResult: opaque,
    result: opaque,
    ref: opaque,
    toolChange: opaque,
    opaque,
  },
  citation: (output, { ix, citation }) => addCitation(output, ix, citation),
  logprobs(output, event, open) {
    if (open === undefined) addLogprobs(output, event);
  },
  abandon: (output, open) => closeOpen(output, [], open !== undefined || output.cut || output.asked !== undefined),
  awaited: ({ asked }) => asked?.callId,
};
