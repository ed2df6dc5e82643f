/** How the data URL of a file begins, with a whole media type. */
const FILE_DATA = /^data:[\w!#$&^.+*'`|~%-]+\/[\w!#$&^.+*'`|~%-]+;base64,/i;

/** Whether a text is the data URL of a file [R §3.23, H §3.2]. */
export function isFileData(text: string): boolean {
  return FILE_DATA.test(text);
}
