import type { BackendAnswer, BodySink } from '../backend/index.js';

/** An answer whose size is known as far as it matters. It can be read from its beginning. */
export interface Seen {
  readonly large: boolean;
  readonly answer: BackendAnswer;
}

/** Waits until it is known whether an answer has more than `most` bytes: its head says so, or so much has come. */
export function lookAhead(answer: BackendAnswer, most: number): Promise<Seen> {
  const announced = Number(answer.headers['content-length'] ?? Number.NaN);
  if (!Number.isNaN(announced)) return Promise.resolve({ large: announced > most, answer });
  return new Promise((resolve) => {
    const early: Uint8Array[] = [];
    let length = 0;
    let known = false;
    let last: ((sink: BodySink) => void) | undefined;
    let reader: BodySink | undefined;
    const again: BackendAnswer = {
      ...answer,
      pipe(sink) {
        reader = sink;
        for (const chunk of early.splice(0)) sink.data(chunk);
        if (last === undefined) answer.resume();
        else last(sink);
      },
    };
    const know = (large: boolean): void => {
      known = true;
      resolve({ large, answer: again });
    };
    const end = (word: (sink: BodySink) => void): void => {
      if (reader !== undefined) word(reader);
      else last = word;
      if (!known) know(false);
    };
    answer.pipe({
      data(chunk) {
        if (reader !== undefined) return reader.data(chunk);
        early.push(chunk);
        length += chunk.byteLength;
        if (known || length <= most) return;
        answer.pause();
        know(true);
      },
      end: () => end((sink) => sink.end()),
      fail: (failure) => end((sink) => sink.fail(failure)),
    });
  });
}
