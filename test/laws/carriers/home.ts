import type { DialectId } from '../../../translators/index.js';
import { lawTableOf } from '../dialects/index.js';
import type { Json } from './issuers.js';

/** The assistant's turns of a backend request, each as a list of nodes that can be compared. */
export function assistantTurns(dialect: DialectId, body: Json): Json[][] {
  return TURNS[dialect](body);
}

const TURNS = lawTableOf('assistantTurns');

/**
 * Nodes without what says nothing: where one unsigned text ends and the next begins, and how a message groups its texts.
 */
export function plain(nodes: readonly Json[]): Json[] {
  const out: Json[] = [];
  for (const node of nodes.filter((one) => !isShownThought(one)).flatMap(texts)) {
    const last = out.at(-1);
    if (last !== undefined && isWords(last) && isWords(node))
      out[out.length - 1] = { words: `${last.words}${node.words}` };
    else out.push(node);
  }
  return out;
}

function isWords(node: Json): boolean {
  return Object.keys(node).join() === 'words';
}

function texts(node: Json): Json[] {
  if (node.type === 'message') return (node.content as Json[]).map(({ text }) => ({ words: text }));
  if (node.type === 'text') return [{ words: node.text }];
  if (typeof node.text === 'string' && node.thoughtSignature === undefined && node.thought !== true)
    return [{ words: node.text }];
  if (node.type === 'function_call' || node.type === 'reasoning') {
    const { id: _id, status: _status, ...rest } = node;
    return [rest];
  }
  return [node];
}

/** A thought that its service did not sign: it goes back where bodies are relayed, and is of no use to anybody. */
function isShownThought(node: Json): boolean {
  return node.thought === true && node.thoughtSignature === undefined;
}
