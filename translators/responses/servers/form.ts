import type { HostForm } from '../../adapt/index.js';
import type { JsonObject } from '../../canonical/node.js';
import { mapNodes, withMember } from '../../wire/shared-copies.js';
import { decodeContentPart } from '../content/decode.js';
import { encodeInputPart } from '../content/encode.js';
import { CLIENT, NATIVE } from '../nodes.js';
import { hostFamilyOfItem, hostFamilyOfTool } from '../tools/at-hosts.js';
import { readChoice } from '../tools/choice.js';

/** How bodies of this dialect hold what hosts may not support. */
export const FORM: HostForm = {
  history: 'input',
  mark: 'prompt_cache_breakpoint',
  readChoice,
  familyOfTool: hostFamilyOfTool,
  familyOfCall: hostFamilyOfItem,
  mapCalls: (body, { places }, change) => places.map(body, 'input', change),
  mapParts: (body, { places }, change) =>
    places.map(body, 'input', (item, path) => {
      const key = Array.isArray(item.output) ? 'output' : 'content';
      const parts = mapNodes(item[key], (part, index) => change(part, `${path}/${key}/${index}`));
      return withMember(item, key, parts);
    }),
  readMedia(node, path) {
    const part = isMedia(node) ? decodeContentPart(node, path, CLIENT) : undefined;
    return part?.kind === 'media' ? part : undefined;
  },
  writePart: (part) => encodeInputPart(part, NATIVE),
};

export function isMedia({ type }: JsonObject): boolean {
  return type === 'input_image' || type === 'input_file';
}
