import { mapNodes, nodesIn, withMember } from '../../wire/shared-copies.js';
import type { EncodedStep } from './form.js';

/** Texts of a message of the assistant that follow one another are one: clients give back a stream piece by piece. */
export const joinsTexts =
  (list: string): EncodedStep =>
  (body, { places }) =>
    places.map(body, list, (node) => {
      if (node.role !== 'assistant') return node;
      const parts = nodesIn(node.content);
      let before = '';
      const joined = mapNodes(node.content, (part, index) => {
        if (typeof part.text !== 'string') return part;
        const text = before + part.text;
        const next = parts[index + 1];
        const isLast = next?.type !== part.type || typeof next?.text !== 'string';
        before = isLast ? '' : text;
        return isLast ? withMember(part, 'text', text) : [];
      });
      return withMember(node, 'content', joined);
    });
