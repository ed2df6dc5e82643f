import type { DialectId } from '../../translators/index.js';
import { requestTo } from './requests.js';
import type { Turn } from './wire/requests.js';
import { call, text } from './wire/wire.js';

/** A conversation of so many turns and about so many bytes of text, as a request of each dialect. */
export function longConversation(dialect: DialectId, model: string, turns: number, bytes: number): object {
  const words = 'Lorem "ipsum" dolör 🙂 sit amet,\n'.repeat(Math.ceil(bytes / turns / 36));
  const name = 'look';
  const turnOf = (index: number): Turn => {
    switch (index % 4) {
      case 0:
        return words;
      case 1:
        return { says: [text(words), call(`call_${index}`, name, `{"path":"file ${index}","depth":3}`)] };
      case 2:
        return { result: words, id: `call_${index - 1}`, name };
      default:
        return { says: [text(words)] };
    }
  };
  return requestTo(dialect, {
    model,
    cap: 100,
    turns: Array.from({ length: turns }, (_, index) => turnOf(index)),
    tools: [{ name, schema: { type: 'object', properties: { path: { type: 'string' } } } }],
  }).body;
}
