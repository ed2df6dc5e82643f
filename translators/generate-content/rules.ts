import type { JsonObject } from '../canonical/node.js';
import type { HostedFamily } from '../canonical/tools.js';
import { objectRoot } from '../schema/index.js';
import type { TargetRules } from '../target/target.js';
import { isObject } from '../wire/json.js';
import { answerRules } from './answer/rules.js';
import { fitPart } from './content/fit.js';
import { DIALECT } from './nodes.js';
import { MAX_STOPS } from './request/settings.js';
import { PARAMETERS } from './tools/decode.js';
import { familyOf } from './tools/hosted/families.js';

/** How this dialect wants a conversation arranged (translation.md 2.3 to 2.7). */
export const rules: TargetRules = {
  ...answerRules,
  dialect: DIALECT,
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
  fixedNames: [],
  fitPart,
  isState,
  hostedFamily,
};

/** Whether nodes out of a carrier are parts that this service issues (translation.md 4.2.5). */
function isState(kind: 'reasoning' | 'hosted', nodes: readonly JsonObject[]): boolean {
  const [node, result] = nodes;
  if (node === undefined || nodes.length > 2) return false;
  if (kind === 'reasoning') {
    const signed = typeof node.thoughtSignature === 'string' || typeof node.thought_signature === 'string';
    return result === undefined && node.thought === true && typeof node.text === 'string' && signed;
  }
  const [call, answer] = [memberOf(node), result && memberOf(result)];
  switch (call) {
    case 'executableCode':
      return answer === undefined || answer === 'codeExecutionResult';
    case 'toolCall':
      return answer === undefined || answer === 'toolResponse';
    case 'codeExecutionResult':
    case 'toolResponse':
      return result === undefined;
    case 'functionCall':
      return answer === 'functionResponse';
    default:
      return false;
  }
}

/** What a hosted part is of. */
function hostedFamily(node: JsonObject): HostedFamily | undefined {
  switch (memberOf(node)) {
    case 'executableCode':
    case 'codeExecutionResult':
      return 'codeExec';
    case 'functionCall':
      return 'mcp';
    case 'toolCall':
      return isObject(node.toolCall) ? familyOf(node.toolCall.toolType) : undefined;
    default:
      return undefined;
  }
}

const HOSTED_MEMBERS: ReadonlySet<string> = new Set([
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
  'functionCall',
  'functionResponse',
]);

/** The one hosted member of a part, in the spelling of the service; undefined when it has none or several. */
function memberOf(node: JsonObject): string | undefined {
  const found: string[] = [];
  for (const key in node) {
    const member = key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    if (HOSTED_MEMBERS.has(member) && isObject(node[key])) found.push(member);
  }
  return found.length === 1 ? found[0] : undefined;
}
