/** Characters by which a text could change what a terminal shows beside it: controls, marks of direction, what has no width. */
const HARMFUL =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

const LONGEST = 240;

/** A text of a server as it may be printed: on one line, without what terminals obey, and not longer than `most` characters. */
export function plain(text: string, most = LONGEST): string {
  // Nothing is looked at beyond what could be shown.
  const line = text
    .slice(0, most * 4)
    .replace(HARMFUL, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const signs = [...line];
  return signs.length > most ? `${signs.slice(0, most - 1).join('')}…` : line;
}

/** Whether a name can be printed and written as it is. */
export function isPlain(name: string): boolean {
  return name !== '' && plain(name) === name;
}
