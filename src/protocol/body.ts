import { type JsonBounds, jsonBeyond } from '../../translators/index.js';
import { Failure } from '../ground/plain/index.js';
import type { JsonText } from './operations.js';

/**
 * The JSON in the text of a body. Throws Failure (400) for what is empty, no JSON, nested too deeply or made of too many
 * values; `named` says how these bounds are changed.
 */
export function parseBody(text: string, bounds: JsonBounds, named = { depth: '', values: '' }): JsonText {
  if (text.trim() === '') throw invalid('the body is empty: a JSON object is needed');
  const beyond = jsonBeyond(text, bounds);
  if (beyond === 'depth') throw invalid(`the body is nested more than ${bounds.depth} levels deep${named.depth}`);
  if (beyond === 'values') throw invalid(`the body has more than ${bounds.values} values${named.values}`);
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    throw invalid(`the body is not valid JSON${position === undefined ? '' : `: fault at character ${position}`}`);
  }
}

function invalid(message: string): Failure {
  return new Failure({ kind: 'invalid_request', message });
}
