import type { Losses } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { ServerFlags } from '../../target/server-words.js';
import { isObject } from '../../wire/json.js';

const PTR = '/tool_choice';
const OFFERED = 'only the tools that it names are declared';

/**
 * For a body of this dialect that goes to a server as it is: the choice of tools in a form that the server reads [H §4.2], with the
 * tools that it is about. A list of allowed tools is refused by most servers, or read as `auto`, or switches off what finds
 * calls in the text; `noNamed` servers read any object as `auto`. Empty where nothing has to change.
 */
export function fitChoice(body: JsonObject, { toolChoice, allowedTools }: ServerFlags, losses: Losses): JsonObject {
  const { tool_choice: choice, tools } = body;
  if (!Array.isArray(tools) || tools.length === 0) return {};
  if (toolChoice === 'ignored') {
    if (choice === 'none') {
      losses.add(PTR, 'toolChoice', 'moved', 'the tools are not declared, so none can be called');
      return { tools: undefined, tool_choice: undefined };
    }
    if (choice === 'required') losses.add(PTR, 'toolChoice', 'approximated', 'the server may answer without a call');
  }
  if (!isObject(choice)) return {};
  const listed = choice.type === 'allowed_tools' && isObject(choice.allowed_tools) ? choice.allowed_tools : undefined;
  if (listed === undefined ? toolChoice === 'all' || toolChoice === 'auto' : allowedTools) return {};
  const refs: readonly unknown[] = listed === undefined ? [choice] : Array.isArray(listed.tools) ? listed.tools : [];
  const offered = tools.filter((tool) => refs.some((ref) => isObject(tool) && nameOf(ref) === nameOf(tool)));
  if (offered.length === 0) return {};
  if (toolChoice === 'ignored') losses.add(PTR, 'toolChoice', 'approximated', `${OFFERED}; the server may call none`);
  else losses.add(PTR, 'toolChoice.list', 'moved', OFFERED);
  const mode = listed === undefined ? 'required' : listed.mode;
  return { tools: offered, tool_choice: toolChoice === 'ignored' ? undefined : mode };
}

/** The name of a tool, or in a choice; no two tools have one name and are of different types. */
function nameOf(node: unknown): unknown {
  if (!isObject(node)) return undefined;
  const { function: named, custom } = node;
  return isObject(named) ? named.name : isObject(custom) ? custom.name : undefined;
}
