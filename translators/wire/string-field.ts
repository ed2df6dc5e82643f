/** Reads the text of one member of an object whose JSON arrives in pieces. */
export interface StringField {
  /** What the next piece of JSON adds to the text; '' where it adds nothing. */
  push(json: string): string;
}

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/**
 * A reader of the member `key`, which has to be the first and a string, as in `{"input":"…"}`. Of anything else it
 * reads nothing. Linear in the pieces.
 */
export function createStringField(key: string): StringField {
  const head = `{${JSON.stringify(key)}:"`;
  let seen = 0;
  let state: 'head' | 'text' | 'over' = 'head';
  /** The beginning of an escape that is not whole. */
  let open = '';

  /** Reads the head, in which white space counts for nothing; gives the index of the first character behind it. */
  const readHead = (json: string): number => {
    for (let at = 0; at < json.length; at += 1) {
      const character = json[at] ?? '';
      const inKey = seen > 1 && seen < head.length - 2;
      if (!inKey && /\s/.test(character)) continue;
      if (character !== head[seen]) {
        state = 'over';
        return json.length;
      }
      seen += 1;
      if (seen === head.length) {
        state = 'text';
        return at + 1;
      }
    }
    return json.length;
  };

  const readText = (json: string): string => {
    let out = '';
    let from = 0;
    const special = /["\\]/g;
    for (let found = special.exec(json); found !== null; found = special.exec(json)) {
      out += json.slice(from, found.index);
      if (found[0] === '"') {
        state = 'over';
        return out;
      }
      const length = json[found.index + 1] === 'u' ? 6 : 2;
      const sequence = json.slice(found.index, found.index + length);
      if (sequence.length < length) {
        open = sequence;
        return out;
      }
      const letter = sequence[1] ?? '';
      out += letter === 'u' ? String.fromCharCode(Number.parseInt(sequence.slice(2), 16)) : (ESCAPES[letter] ?? letter);
      from = found.index + length;
      special.lastIndex = from;
    }
    return out + json.slice(from);
  };

  return {
    push(json) {
      const from = state === 'head' ? readHead(json) : 0;
      if (state !== 'text') return '';
      const text = open + json.slice(from);
      open = '';
      return readText(text);
    },
  };
}
