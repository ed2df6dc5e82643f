import type { JsonObject } from '../canonical/node.js';
import { addsNulls, wrapsRoot } from '../schema/index.js';
import type { CallIdRule, NameRule, TargetRules } from '../target/target.js';
import { answerRules } from './answer/rules.js';
import { fitPart } from './content/fit.js';
import { DIALECT } from './nodes.js';
import { familyOfItem } from './tools/hosted/families.js';

/** Legal tool names [R §3.26]. */
const NAMES: NameRule = { pattern: /^[A-Za-z0-9_-]{1,64}$/, character: /^[A-Za-z0-9_-]$/, limit: 64 };

/** Legal call ids [R §3.9, §3.8]. */
const CALL_IDS: CallIdRule = { pattern: /^[A-Za-z0-9_-]{1,64}$/ };

/** How this dialect wants the conversations of others (translation.md 2.3 to 2.6). */
export const rules: TargetRules = {
  ...answerRules,
  dialect: DIALECT,
  names: NAMES,
  callIds: CALL_IDS,
  results: 'items',
  mergeTurns: false,
  midInstructions: 'keep',
  missingResult: { text: '[no result: the call was interrupted]', isError: false },
  userFirst: 'never',
  userLast: 'never',
  emptyUser: true,
  orphanResult: 'refuse',
  customTools: true,
  namespaces: true,
  toolChanges: true,
  assistantMedia: false,
  hidesMintedIds: false,
  instructionMedia: true,
  approvals: true,
  schemas: {
    wrapsArguments: ({ schema, strict }) => wrapsRoot(schema, strict === true, 'arguments'),
    wrapsAnswer: ({ kind, schema, strict }) => kind === 'enum' || wrapsRoot(schema, strict === true, 'answer'),
    fillsNulls: addsNulls,
  },
  answersByCall: false,
  maxStops: 0,
  wrapsCalls: true,
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
  fixedNames: [],
  fitPart,
  hostedFamily: ({ type }) => familyOfItem(type),
  isState: (kind, nodes) => {
    const [item] = nodes;
    if (item === undefined || nodes.length > 1 || typeof item.type !== 'string') return false;
    if (kind === 'reasoning') return item.type === 'reasoning' && isReasoning(item);
    return item.type === 'compaction' || familyOfItem(item.type) !== undefined;
  },
};

/** A reasoning item that can be sent without its id, because it holds its state. */
function isReasoning({ encrypted_content: state, summary, content }: JsonObject): boolean {
  const texts = summary === undefined || Array.isArray(summary);
  return texts && (typeof state === 'string' || Array.isArray(content));
}
