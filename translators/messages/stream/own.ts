import type { Answer, AnswerFormat, Delta, PartHandler } from '../../answer/writer.js';
import type { Part } from '../../canonical/content.js';
import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { encodeOwnCitation } from '../content/citations.js';
import { encodePart } from '../content/encode.js';
import { ownNode } from '../content/reasoning.js';
import { DIALECT, rawOf } from '../nodes.js';
import type { Frames } from './frames.js';

/** An answer of this dialect on its way. */
interface OwnAnswer extends Answer {
  readonly frames: Frames;
}

const block: PartHandler<OwnAnswer> = {
  begin: ({ frames }, { head }) => frames.open(encodePart(head, true)),
  end: ({ frames }) => frames.close(),
};

const text: PartHandler<OwnAnswer> = {
  begin({ frames }, { head }) {
    const node = encodePart(head, true);
    frames.open(Array.isArray(node.citations) ? { ...node, citations: [] } : node);
  },
  delta: deltas('text', 'text_delta', 'text'),
  end: block.end,
};

/** Writes an answer of this dialect as it came: same ids, same state, same blocks. */
export const ownFormat: AnswerFormat<OwnAnswer> = {
  dialect: DIALECT,
  kinds: {
    text,
    refusal: text,
    reasoning: {
      begin({ frames }, { head }) {
        const node = encodePart(head, true);
        frames.open(head.redacted === true ? node : { ...node, thinking: '', signature: '' });
      },
      delta: deltas('reasoning', 'thinking_delta', 'thinking'),
      end({ frames }, _writing, part) {
        const node = part.redacted === true ? undefined : ownNode(part.state);
        if (typeof node?.signature === 'string') frames.delta('signature_delta', 'signature', node.signature);
        frames.close();
      },
    },
    call: {
      begin: beginInput,
      delta: deltas('args', 'input_json_delta', 'partial_json'),
      end({ frames }, { opened }, part) {
        // A call without arguments has one empty fragment [M §5.4].
        if (!opened) frames.delta('input_json_delta', 'partial_json', textOf(part.args.value));
        frames.close();
      },
    },
    hostedCall: {
      begin: beginInput,
      end({ frames }, _writing, part) {
        frames.delta('input_json_delta', 'partial_json', JSON.stringify(rawOf(part).input ?? {}));
        frames.close();
      },
    },
    compaction: {
      begin: ({ frames }) => frames.open({ type: 'compaction', content: null }),
      end({ frames }, _writing, part) {
        frames.deltaOf({ ...ownNode(part.state), type: 'compaction_delta' });
        frames.close();
      },
    },
    hostedResult: block,
    media: block,
    textdoc: block,
    searchResult: block,
    result: block,
    ref: block,
    approval: block,
    toolChange: block,
    handover: block,
    opaque: block,
  },
  citation: ({ frames }, { citation }) =>
    frames.deltaOf({ type: 'citations_delta', citation: encodeOwnCitation(citation) }),
};

/** Passes on what one kind of delta says. */
function deltas(op: Delta['op'], type: string, key: string): PartHandler<OwnAnswer>['delta'] {
  return ({ frames }, writing, delta) => {
    writing.opened ||= delta.value !== '';
    if (delta.op === op) frames.delta(type, key, delta.value);
  };
}

/** The input of a call comes in deltas. */
function beginInput({ frames }: OwnAnswer, { head }: { readonly head: Part }): void {
  frames.open({ ...encodePart(head, true), input: {} });
}

function textOf(value: JsonObject | undefined): string {
  return isObject(value) && Object.keys(value).length > 0 ? JSON.stringify(value) : '';
}
