import { type JsonObject, objectOf } from '../json.js';
import { findProblems, type Problem } from '../shape.js';
import type { StateKeeper } from '../state.js';
import type { Violation } from '../violation.js';
import { readConversation } from './blocks.js';
import {
  checkCacheMarks,
  checkContent,
  checkSettings,
  checkThinkingBlocks,
  checkVersion,
  type Generation,
} from './limit-rules.js';
import { messagesShapes } from './shapes.js';
import { checkTools } from './tool-rules.js';
import { checkPairing, checkTurns } from './turn-rules.js';

/** What the rules depend on besides the body. */
export interface MessagesReading {
  readonly version: string;
  /** A beta header or `?beta=true` came with the request. */
  readonly beta: boolean;
  readonly generation: Generation;
  readonly state: StateKeeper;
  readonly counting?: boolean;
}

/** What the service would refuse a create request for [M §3], the first finding first. */
export function checkMessages(body: JsonObject, reading: MessagesReading): Violation[] {
  const { version, beta, generation, state, counting } = reading;
  if (body.thread !== undefined) return [refuseThread(objectOf(body.thread))];
  const shapes = messagesShapes(version, beta);
  const problems = findProblems(body, counting ? 'CountRequest' : 'Request', { shapes, tagInPath: true });
  if (problems.length > 0) return problems.map((problem) => ({ message: describe(problem) }));
  const conversation = readConversation(body);
  return [
    ...checkTurns(conversation, ['4.0', '4.5', 'any'].includes(generation)),
    ...checkPairing(conversation),
    ...checkTools(conversation),
    ...checkSettings(conversation, generation),
    ...checkThinkingBlocks(conversation, state),
    ...checkCacheMarks(conversation),
    ...checkContent(conversation),
    ...checkVersion(conversation, version),
  ];
}

/** There is no server-held history; with this answer the official client sends all of it instead [M §2.1]. */
function refuseThread({ type }: JsonObject): Violation {
  const code = type === 'create' ? 'thread_unsupported_request' : 'thread_not_found';
  return { message: 'thread: threads are not supported', code };
}

/** What the service calls types; shapes are dictionaries. */
const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'string',
  int: 'integer',
  number: 'number',
  bool: 'boolean',
};

function describe({ kind, path, expected, bounds: [low, high] = [-Infinity, Infinity], value }: Problem): string {
  const at = path.join('.');
  const [type = ''] = expected;
  switch (kind) {
    case 'unknown':
      return `${at}: Extra inputs are not permitted`;
    case 'missing':
      return `${at}: Field required`;
    case 'value':
      return `${at}: Input should be ${expected.map((word) => `'${word}'`).join(', ')}`;
    case 'base64':
      return `${at}: Invalid base64 data`;
    case 'range':
      return high < Infinity
        ? `${at}: range: ${low}..${high}`
        : `${at}: Input should be greater than or equal to ${low}`;
    case 'length': {
      if (Array.isArray(value)) return `${at}: List should have at most ${high} items`;
      const short = String(value).length < low;
      return `${at}: String should have at ${short ? `least ${low} character` : `most ${high} characters`}`;
    }
    case 'type':
    case 'twice':
      return `${at}: Input should be a valid ${type.endsWith('[]') ? 'list' : (TYPE_WORDS[type] ?? 'dictionary')}`;
  }
}
