import {
  createFrameCutter,
  editMembers,
  editMembersOf,
  type JsonObject,
  storedResponses,
} from '../../translators/index.js';
import type { AnswerStorage, ClientStream, Stage } from '../exchange/index.js';
import { isObject } from '../ground/index.js';
import type { AnswerSaver } from './answer-saver.js';
import { createKeptStream } from './kept-stream.js';

/** Stores an answer on its way to the client. */
export function createAnswerStorage(saver: AnswerSaver): AnswerStorage {
  return {
    body: (body) => keepBody(saver, body),
    text: (text, body) => keepText(saver, text, body),
    translated: (clientStream) => translatedStage(saver, clientStream),
    relayed: (clientStream) => relayedStage(saver, clientStream),
  };
}

/** Keeps an answer that was read; the body to send says whether it is kept. */
async function keepBody(saver: AnswerSaver, body: JsonObject): Promise<JsonObject> {
  const known = Object.entries(saver.shown ?? {}).map(([key, { json }]) => [key, JSON.parse(json)]);
  const shown = known.length === 0 ? body : { ...body, ...Object.fromEntries(known) };
  return (await saver.keep(shown)) || saver.vouched ? shown : { ...shown, store: false };
}

/** Keeps an answer of which the client would get `text`; gives what to send. */
function keepText(saver: AnswerSaver, text: string, given?: JsonObject): Promise<string | Uint8Array> {
  const { shown, vouched } = saver;
  const own = shown === undefined ? text : editMembers(text, shown);
  const body: unknown = (own === text && given) || JSON.parse(own);
  // Encoded once, for the client and for the store. Nothing else of the answer waits until it is kept.
  const bytes = Buffer.from(own);
  const keeping = isObject(body) ? saver.keep(body, bytes) : Promise.resolve(false);
  return keeping.then((kept) =>
    kept || vouched ? bytes : editMembers(bytes.toString(), { store: { json: 'false' } }),
  );
}

/**
 * Holds back the last word of an answer until it is kept. Text of ours comes in whole frames, the last of which is the
 * last word.
 */
export function translatedStage(saver: AnswerSaver, clientStream: ClientStream): Stage {
  const said = createKeptStream();
  let last = '';
  /** The same in UTF-8. */
  let lastBytes: Buffer | undefined;
  /** Where the texts of the answer differ, once the first was written; null where that is not known. */
  let changes: number | null | undefined;
  const pass = (frames: string): void => {
    const bytes = Buffer.from(frames);
    if (saver.keeps) said.add(bytes);
    clientStream.write(bytes);
  };
  return {
    write(piece) {
      const added = String(piece);
      // Comments may come before.
      if (changes === undefined && added.startsWith('event: '))
        changes = storedResponses.offsetOfChanges(added) ?? null;
      const mark = storedResponses.lastFrameAt(added);
      if (!storedResponses.isTerminal(added.slice(mark, mark + 64))) {
        pass(added);
        return;
      }
      if (mark > 0) pass(added.slice(0, mark));
      last = added.slice(mark);
      lastBytes = Buffer.from(last);
      if (saver.keeps) said.add(lastBytes);
    },
    flush: () => writeLast(clientStream, lastBytes, saver.vouched),
    async end() {
      const told = storedResponses.shownIn(last, changes ?? undefined);
      const printed = told?.place && lastBytes?.subarray(told.place.start, told.place.end);
      const keeping = told === undefined ? Promise.resolve(false) : saver.keep(told.answer, printed, said);
      return endKept(keeping, clientStream, lastBytes, saver.vouched);
    },
  };
}

/** Ends a stream with its last frame, once it is known whether its answer is kept. Nothing else of it waits for that. */
function endKept(
  keeping: Promise<boolean>,
  clientStream: ClientStream,
  last: Buffer | undefined,
  vouched: boolean,
): Promise<void> {
  return keeping.then((kept) => {
    writeLast(clientStream, last, kept || vouched);
    clientStream.end();
  });
}

function writeLast(clientStream: ClientStream, last: Buffer | undefined, kept: boolean): void {
  if (last !== undefined) clientStream.write(kept ? last : storedResponses.asNotKept(last.toString()));
}

/**
 * The same for an answer that is relayed, byte for byte but for what the backend cannot know. Bytes are looked at as
 * Latin-1, which gives every one of them back.
 */
export function relayedStage(saver: AnswerSaver, clientStream: ClientStream): Stage {
  const cutter = createFrameCutter();
  const said = createKeptStream();
  let last: string | undefined;
  let held = '';
  let settled: Promise<void> | undefined;
  /** That the backend keeps an answer which the client may come back for before its end. */
  let claimed: Promise<unknown> | undefined;

  const settle = async (frame: string): Promise<void> => {
    await claimed;
    const answer = answerOf(frame);
    const kept = answer !== undefined && (await saver.keep(answer, undefined, said));
    write((kept || saver.vouched ? frame : storedResponses.asNotKept(frame)) + held);
    held = '';
    last = undefined;
  };
  const write = (text: string): void => {
    if (text !== '') clientStream.write(Buffer.from(text, 'latin1'));
  };
  const claim = (frame: string): void => {
    const answer = answerOf(frame);
    if (answer?.background === true) claimed = saver.keep(answer);
  };
  const withAdditions = (frame: string, moment: string | undefined): string => {
    const { shown } = saver;
    if (shown === undefined || moment === undefined) return frame;
    return storedResponses.withData(frame, (json) => editMembersOf(json, 'response', shown));
  };
  return {
    write(piece) {
      let out = '';
      for (const cut of cutter.push(Buffer.from(piece).toString('latin1'))) {
        const moment = storedResponses.lifecycleOf(cut);
        const frame = withAdditions(cut, moment);
        if (!saver.relays && saver.keeps) said.add(Buffer.from(frame, 'latin1'));
        if (saver.relays && moment === 'created') claim(frame);
        if (last !== undefined) held += frame;
        else if (settled === undefined && storedResponses.isLast(moment)) {
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
      const moment = settled === undefined ? storedResponses.lifecycleOf(cutter.rest) : undefined;
      const rest = storedResponses.isLast(moment) ? withAdditions(cutter.rest, moment) : undefined;
      if (rest !== undefined) {
        said.add(Buffer.from(rest, 'latin1'));
        settled = settle(rest);
      }
      await settled;
      if (rest === undefined) write(cutter.rest);
      clientStream.end();
    },
  };
}

/** The answer that a frame in Latin-1 shows. */
function answerOf(frame: string): JsonObject | undefined {
  return storedResponses.answerIn(Buffer.from(frame, 'latin1').toString());
}
