import type { DialectId } from '../../translators/index.js';
import { tableOf } from './dialects/index.js';

/** A conversation of so many turns and about so many bytes of text, as a request of each dialect. */
export function longConversation(dialect: DialectId, model: string, turns: number, bytes: number): object {
  const text = 'Lorem "ipsum" dolör 🙂 sit amet,\n'.repeat(Math.ceil(bytes / turns / 36));
  const each: Each = (turn) => Array.from({ length: turns }, (_, index) => turn(index)).flat();
  return LONG_CONVERSATIONS[dialect](model, text, each);
}

/** One or more objects for each turn. */
export type Each = (turn: (index: number) => object[]) => object[];

const LONG_CONVERSATIONS = tableOf('longConversation');
