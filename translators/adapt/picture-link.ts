/** A picture of an answer as a text, for clients whose answers hold none: Markdown that shows it (translation.md 5.1). */
export function pictureLink(url: string): string {
  return `![generated image](${url})`;
}

/** Whether a text is nothing but such a picture. */
export function isPictureLink(text: string): boolean {
  return /^!\[generated image\]\([^()\s]*\)$/.test(text);
}
