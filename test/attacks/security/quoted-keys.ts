/** Every text with the characters of the key as JSON may escape them. */
export function escaped(text: string, parts: readonly string[]): string {
  return parts.reduce((rest, part) => (part === '' ? rest : rest.replaceAll(part, spelled(part))), text);
}

function spelled(part: string): string {
  return [...part].map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
}

/** Stretches of the key of so many characters are looked for. */
const STRETCH = 8;

/** What a client could read of the key: in the text as it is, in its strings, and in texts that come in pieces. */
export function toldOf(key: string, text: string): string[] {
  const seen = [plain(text), ...joinedTexts(text).map(plain)];
  const stretches = Array.from({ length: key.length - STRETCH + 1 }, (_, at) => key.slice(at, at + STRETCH));
  return stretches.filter((stretch) => seen.some((one) => one.includes(stretch)));
}

/** A text without escapes, at every depth. */
function plain(text: string): string {
  return text.replace(/\\+u00([0-7][0-9a-f])/gi, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The strings of all events, or of the one answer, those of one path joined. */
function joinedTexts(text: string): string[] {
  const texts = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (typeof value === 'string') texts.set(path, (texts.get(path) ?? '') + value);
    else if (Array.isArray(value)) for (const item of value) visit(item, path);
    else if (typeof value === 'object' && value !== null)
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
  };
  const pieces = text.includes('data: ') ? text.split('\n').map((line) => line.replace(/^data: /, '')) : [text];
  for (const piece of pieces) {
    try {
      visit(JSON.parse(piece), '');
    } catch {
      // A line that holds no JSON.
    }
  }
  return [...texts.values()];
}
