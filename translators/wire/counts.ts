import { isObject } from './json.js';

/** What has prices of its own beside text. */
const OTHER_MEDIA = /audio|image|video/;

/** Whether details of token counts, by the names of what was counted, count something other than text. */
export function countsOtherMedia(details: unknown): boolean {
  if (!isObject(details)) return false;
  for (const name in details) if (OTHER_MEDIA.test(name) && Number(details[name]) > 0) return true;
  return false;
}
