import type { JsonObject } from '../../translators/index.js';
import { editMembers, editMembersOf } from '../exchange/raw-json.js';
import type { Outlet } from '../exchange/relay.js';
import { isObject } from '../json.js';
import { answerIn, createFrameCutter, isLast, isTerminal, lifecycleOf, withData } from './frames.js';
import type { Keeper } from './keeper.js';

/** Keeps an answer that was read; the body to send says whether it is kept. */
export async function keepBody(keeper: Keeper, body: JsonObject): Promise<JsonObject> {
  const known = Object.entries(keeper.shown ?? {}).map(([key, { json }]) => [key, JSON.parse(json)]);
  const shown = known.length === 0 ? body : { ...body, ...Object.fromEntries(known) };
  return (await keeper.keep(shown)) || keeper.vouched ? shown : { ...shown, store: false };
}

/** Keeps an answer that a backend of the client's dialect gave as `text`; gives the text to send. */
export async function keepText(keeper: Keeper, text: string): Promise<string> {
  const shown = keeper.shown === undefined ? text : editMembers(text, keeper.shown);
  const body: unknown = JSON.parse(shown);
  const kept = isObject(body) && (await keeper.keep(body));
  return kept || keeper.vouched ? shown : editMembers(shown, NOT_KEPT);
}

const NOT_KEPT = { store: { json: 'false' } } as const;

/** The last frame of an answer, saying that it is not kept. */
export function toldAsNotKept(frame: string): string {
  return withData(frame, (json) => editMembersOf(json, 'response', NOT_KEPT));
}

/** A stream that is longer than this, in characters, is not kept beside its answer. */
const STREAM_LIMIT = 32 * 1024 * 1024;

/** The text of a stream, as far as it is to be kept. */
interface StreamText {
  add(text: string): void;
  readonly text: string | undefined;
}

function createStreamText(): StreamText {
  let text: string | undefined = '';
  return {
    add(added) {
      if (text !== undefined) text = text.length + added.length > STREAM_LIMIT ? undefined : text + added;
    },
    get text() {
      return text;
    },
  };
}

/** Where the pieces of a streamed answer go before they reach the client. */
export interface Stage {
  write(piece: string | Uint8Array): void;
  /** The answer broke off: nothing is held back any more. */
  flush(): void;
  /** Everything was written, the last word among it. Resolves when the client has it. */
  end(): Promise<void>;
}

/** Passes everything on. */
export function directStage(outlet: Outlet): Stage {
  return {
    write: (piece) => outlet.write(piece),
    flush: () => {},
    async end() {
      outlet.end();
    },
  };
}

/**
 * Holds back the last word of an answer until it is kept. Text of ours comes in whole frames, the last of which is the
 * last word.
 */
export function translatedStage(keeper: Keeper, outlet: Outlet): Stage {
  const said = createStreamText();
  let last = '';
  return {
    write(piece) {
      const added = String(piece);
      if (keeper.keeps) said.add(added);
      // Line feeds in data are escaped: what follows one is a line of the stream.
      const mark = added.lastIndexOf('\nevent: ') + 1;
      if (isTerminal(added.slice(mark, mark + 64))) {
        last = added.slice(mark);
        if (mark > 0) outlet.write(added.slice(0, mark));
      } else outlet.write(added);
    },
    flush() {
      if (last !== '') outlet.write(keeper.vouched ? last : toldAsNotKept(last));
    },
    async end() {
      const answer = answerIn(last);
      const kept = answer !== undefined && (await keeper.keep(answer, said.text));
      if (last !== '') outlet.write(kept || keeper.vouched ? last : toldAsNotKept(last));
      outlet.end();
    },
  };
}

/**
 * The same for an answer that is relayed, byte for byte but for what the backend cannot know. Bytes are looked at as
 * Latin-1, which gives every one of them back.
 */
export function relayedStage(keeper: Keeper, outlet: Outlet): Stage {
  const cutter = createFrameCutter();
  const said = createStreamText();
  let last: string | undefined;
  let held = '';
  let settled: Promise<void> | undefined;
  /** That the backend keeps an answer which the client may come back for before its end. */
  let claimed: Promise<unknown> | undefined;

  const settle = async (frame: string): Promise<void> => {
    await claimed;
    const answer = answerOf(frame);
    const { text } = said;
    const stream = keeper.relays || text === undefined ? undefined : Buffer.from(text, 'latin1').toString();
    const kept = answer !== undefined && (await keeper.keep(answer, stream));
    write((kept || keeper.vouched ? frame : toldAsNotKept(frame)) + held);
    held = '';
    last = undefined;
  };
  const write = (text: string): void => {
    if (text !== '') outlet.write(Buffer.from(text, 'latin1'));
  };
  const claim = (frame: string): void => {
    const answer = answerOf(frame);
    if (answer?.background === true) claimed = keeper.keep(answer);
  };
  const retold = (frame: string, moment: string | undefined): string => {
    const { shown } = keeper;
    if (shown === undefined || moment === undefined) return frame;
    return withData(frame, (json) => editMembersOf(json, 'response', shown));
  };
  return {
    write(piece) {
      let out = '';
      for (const cut of cutter.push(Buffer.from(piece).toString('latin1'))) {
        const moment = lifecycleOf(cut);
        const frame = retold(cut, moment);
        if (!keeper.relays && keeper.keeps) said.add(frame);
        if (keeper.relays && moment === 'created') claim(frame);
        if (last !== undefined) held += frame;
        else if (settled === undefined && isLast(moment)) {
          last = frame;
          settled = settle(frame);
        } else out += frame;
      }
      write(out);
    },
    flush() {
      write((last ?? '') + held + cutter.rest);
    },
    async end() {
      // The last frame may lack its blank line.
      const moment = settled === undefined ? lifecycleOf(cutter.rest) : undefined;
      const rest = isLast(moment) ? retold(cutter.rest, moment) : undefined;
      if (rest !== undefined) {
        said.add(rest);
        settled = settle(rest);
      }
      await settled;
      if (rest === undefined) write(cutter.rest);
      outlet.end();
    },
  };
}

/** The answer that a frame in Latin-1 shows. */
function answerOf(frame: string): JsonObject | undefined {
  return answerIn(Buffer.from(frame, 'latin1').toString());
}
