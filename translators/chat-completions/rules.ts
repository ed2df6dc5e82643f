import { addsNulls, wrapsRoot } from '../schema/index.js';
import type { ServerFlags } from '../target/server-words.js';
import type { CallIdRule, TargetRules } from '../target/target.js';
import type { Profile } from '../target/words.js';
import { answerRules } from './answer/rules.js';
import { fitPart } from './content/fit.js';
import { isReasoningState } from './content/reasoning.js';
import { DIALECT } from './nodes.js';
import { serverFlags } from './servers/index.js';

/** Legal ids of calls, by what servers say of them [H §3.4]. */
const CALL_IDS: Readonly<Record<ServerFlags['idRule'], CallIdRule>> = {
  any: { pattern: /^[\s\S]+$/ },
  short: { pattern: /^[A-Za-z0-9_-]{1,40}$/ },
  nine: { pattern: /^[A-Za-z0-9]{9}$/, alphanumerics: 9 },
};

/** How this dialect wants the conversations of others, at a server of which nothing is known (translation.md 2.3 to 2.7). */
export const rules: TargetRules = {
  ...answerRules,
  dialect: DIALECT,
  names: { pattern: /^[A-Za-z0-9_-]{1,64}$/, character: /^[A-Za-z0-9_-]$/, limit: 64 },
  callIds: CALL_IDS.short,
  results: 'items',
  // Neighbours of one speaker become one message where they are written, which knows the borders of their texts.
  mergeTurns: false,
  midInstructions: 'note',
  missingResult: { text: '[no result: the call was interrupted]', isError: false },
  userFirst: 'never',
  userLast: 'always',
  emptyUser: true,
  orphanResult: 'text',
  textState: true,
  customTools: false,
  namespaces: false,
  toolChanges: false,
  assistantMedia: false,
  hidesMintedIds: false,
  instructionMedia: false,
  approvals: false,
  schemas: {
    wrapsArguments: ({ schema, strict }) => wrapsRoot(schema, strict === true, 'arguments'),
    wrapsAnswer: ({ kind, schema, strict }) => kind === 'enum' || wrapsRoot(schema, strict === true, 'answer'),
    fillsNulls: addsNulls,
  },
  answersByCall: false,
  // Servers and models differ in how many they take.
  maxStops: 0,
  wrapsCalls: true,
  endsInReasoning: true,
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
  isState: (kind, nodes) => kind === 'reasoning' && isReasoningState(nodes),
  hostedFamily: () => undefined,
};

/** The same at the server that a profile tells of. */
export function rulesFor(profile: Profile): TargetRules {
  const flags = serverFlags(profile);
  return {
    ...rules,
    callIds: CALL_IDS[flags.idRule],
    midInstructions: flags.systemMessages === 'many' ? 'keep' : 'note',
    userFirst: flags.alternation ? 'always' : 'never',
    userLast: flags.assistantLast ? 'never' : 'always',
    customTools: flags.customTools,
  };
}
