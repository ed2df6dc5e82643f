import type { TargetRules } from '../adapt/rules.js';
import type { JsonObject } from '../canonical/node.js';
import { messagesToolSchema, toStrictMessages } from '../schema/index.js';
import { fitPart } from './fit.js';
import { isHostedNode } from './hosted.js';

/** How this dialect wants a conversation arranged (translation.md 2.4 to 2.7, [M §3]). */
export const RULES: TargetRules = {
  dialect: 'messages',
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, character: /[a-zA-Z0-9_-]/, limit: 128 },
  callIds: { pattern: /^[a-zA-Z0-9_-]+$/ },
  results: 'nextUserTurn',
  mergeTurns: true,
  midInstructions: 'profile',
  missingResult: { text: 'Tool call was not completed.', isError: true },
  userFirst: 'always',
  userLast: 'always',
  orphanResult: 'text',
  customTools: false,
  namespaces: false,
  toolChanges: false,
  assistantMedia: false,
  hidesMintedIds: false,
  instructionMedia: false,
  approvals: false,
  schemas: {
    wrapsArguments: ({ schema, strict }) => (strict ? toStrictMessages(schema) : messagesToolSchema(schema)).wrapped,
    wrapsAnswer: ({ kind, schema }) => kind === 'enum' || toStrictMessages(schema, 'answer').wrapped,
    fillsNulls: () => false,
  },
  maxStops: Number.POSITIVE_INFINITY,
  errorFinishes: ['malformed_call', 'no_image', 'cancelled', 'failed', 'other'],
  wrapsCalls: false,
  endsInReasoning: false,
  codeLanguages: [],
  hostedHistory: {
    webSearch: 'drop',
    urlFetch: 'drop',
    codeExec: 'text',
    fileSearch: 'drop',
    mcp: 'call',
    imageGen: 'media',
    toolSearch: 'drop',
    maps: 'drop',
    advisor: 'drop',
    other: 'drop',
  },
  // Of the names the service fixes for its own tools, those that a foreign request can make us declare.
  fixedNames: ['web_search', 'web_fetch', 'code_execution'],
  fitPart,
  isStateNode,
};

/** Whether a node out of a carrier is one that a service of this dialect issues (translation.md 4.2.5). */
export function isStateNode(kind: 'reasoning' | 'hosted', node: JsonObject): boolean {
  if (kind === 'hosted') return isHostedNode(node);
  switch (node.type) {
    case 'thinking':
      return typeof node.thinking === 'string' && typeof node.signature === 'string';
    case 'redacted_thinking':
      return typeof node.data === 'string';
    case 'compaction':
      return true;
    default:
      return false;
  }
}
