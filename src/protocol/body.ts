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

const TYPE = /^(?:application\/(?:[\w.+-]+\+)?json|text\/(?:json|plain))$/;
const CHARSET = /^(?:utf-?8|us-ascii)$/;

/** Throws Failure (415) for a content type that is no JSON; bodies without one, and as plain text, are taken. */
export function checkBodyType(header: string | undefined): void {
  if (header === undefined || header === 'application/json' || header.trim() === '') return;
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  if (!TYPE.test(type.trim())) {
    throw new Failure({ kind: 'invalid_request', status: 415, message: 'the content-type must be application/json' });
  }
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim() !== 'charset' || CHARSET.test(value.trim().replaceAll('"', ''))) continue;
    throw new Failure({ kind: 'invalid_request', status: 415, message: 'the charset must be utf-8' });
  }
}

function invalid(message: string): Failure {
  return new Failure({ kind: 'invalid_request', message });
}
