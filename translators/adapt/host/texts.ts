import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import type { HostStep } from './form.js';

/** Texts of a message of the assistant that follow one another are one: clients give back a stream piece by piece. */
export function joinsTexts(list: string, type: string): HostStep {
  const isText = (part: unknown): part is JsonObject & { readonly text: string } =>
    isObject(part) && part.type === type && typeof part.text === 'string';
  return (body, { places }) =>
    places.map(body, list, (node) => {
      const { role, content } = node;
      if (role !== 'assistant' || !Array.isArray(content) || content.length < 2) return node;
      const parts: unknown[] = [];
      for (const part of content) {
        const last = parts.at(-1);
        if (isText(part) && isText(last)) parts[parts.length - 1] = { ...last, text: last.text + part.text };
        else parts.push(part);
      }
      return parts.length === content.length ? node : { ...node, content: parts };
    });
}
