import type { JsonObject } from '../canonical/node.js';
import type { SafetySetting } from '../canonical/request.js';
import { check } from './check.js';
import { bagOf } from './media.js';
import { fieldNames, open } from './spelling.js';
import * as wire from './wire.js';

const SAFETY = fieldNames('category', 'threshold');

/** Reads `safetySettings`. `marks` belong to the request. */
export function decodeSafety(
  list: readonly JsonObject[],
  pointer: (index: number) => string,
  marks: string[],
): SafetySetting[] {
  return list.map((setting, index) => {
    const at = pointer(index);
    const opened = open(setting, SAFETY, at, `safetySettings.${index}.`, marks);
    const { category, threshold } = check(wire.safetySetting, opened.known, at, opened.names);
    const ext = bagOf(opened.rest);
    return { category, threshold, ...(ext !== undefined && { ext }), src: { ptr: at } };
  });
}

/** Prints one setting. */
export function encodeSafety({ category, threshold, ext }: SafetySetting): JsonObject {
  return { ...ext?.generateContent, category, threshold };
}
