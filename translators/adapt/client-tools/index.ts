import { type CanonicalRequest, declaredTools } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../context.js';
import type { TargetRules } from '../../target/target.js';
import type { Contents } from '../contents.js';
import { assignCallIds } from '../ids.js';
import { renderHistory } from './history.js';
import { chooseClientTools, substituteClientTools } from './substitute.js';

export { type ClientToolAnswers, createClientToolAnswers } from './answers.js';
export { DEFAULT_DISPLAY, declaredDisplay } from './display.js';
export { takenNames } from './substitute.js';
export { substituteFor } from './substitute-tools.js';

/**
 * A request without built-in tools that the target does not know: every such tool, its calls and their results are as
 * the target has them (translation.md 2.6, 2.8, 2.8.1). The same request when it has none.
 */
export function adaptClientTools(
  request: CanonicalRequest,
  contents: Contents,
  rules: TargetRules,
  context: EncodeRequestContext,
): CanonicalRequest {
  if (!hasClientTools(request, contents)) return request;
  const ids = assignCallIds(request, rules.callIds, context.losses);
  const named = { ...request, turns: request.turns.map((turn) => ({ ...turn, parts: ids.apply(turn.parts) })) };
  const turns = renderHistory(named, rules, context).map((turn) => ({
    ...turn,
    parts: turn.parts.map((part) =>
      part.kind === 'toolChange' && part.added.some(({ kind }) => kind === 'client')
        ? { ...part, added: substituteClientTools(part.added, rules, context) }
        : part,
    ),
  }));
  const tools = substituteClientTools(request.tools, rules, context);
  return { ...request, turns, tools, toolChoice: chooseClientTools(request.toolChoice, tools, rules) };
}

function hasClientTools(request: CanonicalRequest, { clientCalls, toolChanges }: Contents): boolean {
  const declared = toolChanges ? declaredTools(request) : request.tools;
  return clientCalls || declared.some(({ kind }) => kind === 'client');
}
