import type { TargetRules } from '../adapt/rules.js';
import { objectRoot } from '../schema/index.js';
import { CLIENT_TOOLS } from './computer.js';
import { MAX_STOPS } from './config-encode.js';
import { fitPart, hostedFamily, isState } from './fit.js';
import { PARAMETERS } from './names.js';

/** How this dialect wants a conversation arranged (translation.md 2.3 to 2.7). */
export const rules: TargetRules = {
  dialect: 'generateContent',
  names: {
    pattern: /^[A-Za-z_][A-Za-z0-9_.:-]{0,63}$/,
    character: /^[A-Za-z0-9_.:-]$/,
    first: /^[A-Za-z_]$/,
    limit: 64,
  },
  callIds: { pattern: /^[\s\S]+$/ },
  results: 'ownTurn',
  mergeTurns: true,
  midInstructions: 'note',
  missingResult: { text: 'Tool call was not completed.', isError: true },
  userFirst: 'beforeCalls',
  userLast: 'unlessPrefill',
  emptyUser: true,
  orphanResult: 'text',
  customTools: false,
  namespaces: false,
  toolChanges: false,
  assistantMedia: true,
  hidesMintedIds: true,
  instructionMedia: false,
  approvals: false,
  schemas: {
    wrapsArguments: ({ schema }) => objectRoot(schema, PARAMETERS).wrapped,
    wrapsAnswer: () => false,
    fillsNulls: () => false,
  },
  answersByCall: false,
  maxStops: MAX_STOPS,
  errorFinishes: ['malformed_call', 'cancelled', 'failed'],
  emptyErrorFinishes: [],
  wrapsCalls: false,
  endsInReasoning: true,
  codeLanguages: ['python'],
  hostedHistory: {
    webSearch: 'drop',
    urlFetch: 'drop',
    codeExec: 'keep',
    fileSearch: 'drop',
    mcp: 'call',
    imageGen: 'media',
    toolSearch: 'drop',
    maps: 'drop',
    advisor: 'drop',
    other: 'drop',
  },
  clientTools: CLIENT_TOOLS,
  fixedNames: [],
  fitPart,
  isState,
  hostedFamily,
};
