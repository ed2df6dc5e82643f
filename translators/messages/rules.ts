import type { JsonObject } from '../canonical/node.js';
import type { TargetRules } from '../target/target.js';
import { answerRules } from './answer/rules.js';
import { fitPart } from './content/fit.js';
import { DIALECT } from './nodes.js';
import { encodeToolSchema } from './schema/encode.js';
import { encodeStrictSchema } from './schema/strict.js';
import { hostedFamily, isHostedPair } from './tools/hosted/decode.js';
import { CALL_IDS } from './wire/index.js';

/** How this dialect wants a conversation arranged (translation.md 2.4 to 2.7, [M §3]). */
export const rules: TargetRules = {
  ...answerRules,
  dialect: DIALECT,
  names: { pattern: /^[a-zA-Z0-9_-]{1,128}$/, character: /[a-zA-Z0-9_-]/, limit: 128 },
  callIds: CALL_IDS,
  results: 'nextUserTurn',
  mergeTurns: true,
  midInstructions: 'profile',
  missingResult: { text: 'Tool call was not completed.', isError: true },
  userFirst: 'always',
  userLast: 'always',
  emptyUser: false,
  orphanResult: 'text',
  customTools: false,
  namespaces: false,
  toolChanges: false,
  assistantMedia: false,
  hidesMintedIds: false,
  instructionMedia: false,
  approvals: false,
  schemas: {
    wrapsArguments: ({ schema, strict }) => encodeToolSchema(schema, strict).wrapped,
    wrapsAnswer: ({ kind, schema }) => kind === 'enum' || encodeStrictSchema(schema, 'answer').wrapped,
    fillsNulls: () => false,
  },
  answersByCall: true,
  maxStops: Number.POSITIVE_INFINITY,
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
  isState,
  hostedFamily,
};

/** Whether nodes out of a carrier are a block, or a pair of blocks, that a service of this dialect issues (translation.md 4.2.5). */
function isState(kind: 'reasoning' | 'hosted', nodes: readonly JsonObject[]): boolean {
  const [node, result] = nodes;
  if (node === undefined) return false;
  if (kind === 'hosted') return nodes.length === 2 && isHostedPair(node, result);
  if (nodes.length > 1) return false;
  switch (node.type) {
    case 'thinking':
      // Hosts that sign nothing leave the signature out.
      return typeof node.thinking === 'string' && typeof (node.signature ?? '') === 'string';
    case 'redacted_thinking':
      return typeof node.data === 'string';
    case 'compaction':
      return typeof node.content === 'string' || typeof node.encrypted_content === 'string';
    default:
      return false;
  }
}
