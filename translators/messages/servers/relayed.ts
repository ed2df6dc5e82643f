import { asksInWords, fitOwnBody, type HostRow, leavesOut, withPlainMedia } from '../../adapt/index.js';
import type { Dialect } from '../../dialect.js';
import { createHostRestorer } from '../restored/index.js';
import { withClientFunctions, withoutHostedTools } from '../tools/at-hosts.js';
import { ENCODED } from './encoded.js';
import { FORM } from './form.js';
import { toldPrefill, withNotes, withoutRedacted, withResultsOfText } from './history.js';
import { withBudget, withoutBudget } from './thinking.js';

/** The words for the form of an answer stand at the end of the instructions. */
const withFormInWords = asksInWords(['/output_config/format', '/output_format'], ['json_schema'], (body, words) => {
  const { system } = body;
  if (Array.isArray(system)) return { ...body, system: [...system, { type: 'text', text: words }] };
  return { ...body, system: typeof system === 'string' && system !== '' ? `${system}\n\n${words}` : words };
});

/** What bodies of the dialect need as well: a budget of thinking is read from the effort before that goes. */
const RELAYED: readonly HostRow[] = [
  leavesOut('mcp', '/mcp_servers'),
  [['hostedTools', 'mcp'], withoutHostedTools],
  [['clientTools'], withClientFunctions],
  [['documents', 'images', 'imageUrls'], withPlainMedia],
  [['resultMedia'], withResultsOfText],
  [['systemTurns'], withNotes],
  withFormInWords,
  [['redactedThinking'], withoutRedacted],
  [['adaptive'], withBudget],
  [['thinkingBudget'], withoutBudget],
  leavesOut('effort', '/output_config/effort'),
  [['prefill'], toldPrefill],
  leavesOut('containers', '/container'),
];

/** A body for a host that speaks the dialect in part (hosts.md#presets), as {@link fitOwnBody} has it. */
export const fitHost: Dialect['fitHost'] = (body, context) =>
  fitOwnBody(FORM, [...RELAYED, ...ENCODED], body, context, createHostRestorer);
