import type { BackendAnswer, BodySink } from '../backend/index.js';

/** An answer whose size is known as far as it matters. It can be read from its beginning. */
export interface Seen {
  readonly large: boolean;
  readonly answer: BackendAnswer;
}

/** Whether an answer has more than `most` bytes: at once where its head says so, else when so much has come, or its end. */
export function lookAhead(answer: BackendAnswer, most: number): Seen | Promise<Seen> {
  const announced = Number(answer.headers['content-length'] ?? Number.NaN);
  if (!Number.isNaN(announced)) return { large: announced > most, answer };
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
