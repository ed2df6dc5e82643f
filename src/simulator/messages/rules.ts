import { type JsonObject, objectOf } from '../json.js';
import { findProblems, type Problem } from '../shape.js';
import type { StateKeeper } from '../state.js';
import type { Violation } from '../violation.js';
import {
  checkCacheMarks,
  checkContent,
  checkThinkingBlocks,
  checkTuning,
  checkVersion,
  type Generation,
} from './limit-rules.js';
import { messagesShapes } from './shapes.js';
import { checkTools } from './tool-rules.js';
import { checkPairing, checkTurnStructure } from './turn-rules.js';

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
  if (body.thread !== undefined) return [refuseThread(objectOf(body.thread))];
  const shapes = messagesShapes(reading.version, reading.beta);
  const root = reading.counting ? 'CountRequest' : 'Request';
  const problems = findProblems(body, root, { shapes, tagInPath: true });
  if (problems.length > 0) return problems.map((problem) => ({ message: describe(problem) }));
  return [
    ...checkTurnStructure(body, ['4.0', '4.5', 'any'].includes(reading.generation)),
    ...checkPairing(body),
    ...checkTools(body),
    ...checkTuning(body, reading.generation),
    ...checkThinkingBlocks(body, reading.state),
    ...checkCacheMarks(body),
    ...checkContent(body, reading.state),
    ...checkVersion(body, reading.version),
  ];
}

/** There is no server-held history; with this answer the official client sends all of it instead [M §2.1]. */
function refuseThread({ type }: JsonObject): Violation {
  const code = type === 'create' ? 'thread_unsupported_request' : 'thread_not_found';
  return { message: 'thread: threads are not supported', code };
}

function describe({ kind, path, expected }: Problem): string {
  const at = path.join('.');
  switch (kind) {
    case 'unknown':
      return `${at}: Extra inputs are not permitted`;
    case 'missing':
      return `${at}: Field required`;
    case 'value':
      return `${at}: Input should be ${expected.map((value) => `'${value}'`).join(', ')}`;
    case 'base64':
      return `${at}: Invalid base64 data`;
    case 'type':
    case 'twice':
      return `${at}: Input should be a valid ${typeWord(expected)}`;
  }
}

function typeWord(expected: readonly string[]): string {
  const [first = ''] = expected;
  if (first.endsWith('[]')) return 'list';
  const words: Readonly<Record<string, string>> = {
    string: 'string',
    int: 'integer',
    number: 'number',
    bool: 'boolean',
  };
  return words[first] ?? 'dictionary';
}
