import type { DialectId } from '../../../translators/index.js';
import { type Data, readData } from '../../support/frames.js';
import { content } from '../../support/wire/generate-content.js';
import { message } from '../../support/wire/messages.js';
import { response } from '../../support/wire/responses.js';
import type { Wire } from '../../support/wire/wire.js';
import { grown } from './grown.js';

/** A whole answer in which one list has `n` entries. */
export interface GrowingAnswer {
  readonly name: string;
  readonly from: DialectId;
  readonly body: (n: number) => Wire;
}

const SAID: Readonly<Record<string, (said: Data) => Wire>> = {
  messages: (blocks) => message(blocks),
  responses: (items) => response(items),
  generateContent: (candidate) => content([{ text: 'hi' }], candidate),
};

/** Every list of a whole answer that a backend makes as long as it likes. */
export const GROWING_ANSWERS: readonly GrowingAnswer[] = Object.entries<Data>(
  readData('attacks/growth/answers.yaml'),
).flatMap(([from, rows]) =>
  Object.entries<Data>(rows).map(([name, row]) => ({
    name,
    from: from as DialectId,
    body: (n: number) => SAID[from]?.(grown(row, n)) ?? {},
  })),
);
