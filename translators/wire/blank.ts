const SPACE = 0x20;
const DELETE = 0x7f;

/** Whether a text is empty or white space. Most texts begin with a character that shows that they are not. */
export function isBlank(text: string): boolean {
  const first = text.charCodeAt(0);
  return !(first > SPACE && first < DELETE) && text.trim() === '';
}
