import type { JsonObject } from '../../canonical/node.js';
import { nodesIn, withMember } from '../../wire/shared-copies.js';
import type { EncodedStep, HostFitting } from './form.js';

const PATH = '/tool_choice';

/** The body with these tools and this choice; undefined for a member that it is not to have. */
function withTools(body: JsonObject, tools: unknown, choice: unknown): JsonObject {
  return withMember(withMember(body, 'tools', tools), 'tool_choice', choice);
}

/**
 * For a host that does not read the choice, or not all of its forms: only the tools that it names are declared, none where no
 * call is wanted. A choice among nothing is left to the host.
 */
export const withOfferedTools: EncodedStep = (body, { form, unsupported, losses }) => {
  const { mode, refs, isList, names, bare } = form.readChoice(body.tool_choice);
  const tools = nodesIn(body.tools);
  const ignored = unsupported.has('toolChoice');
  if (tools.length === 0) return body;
  if (mode === 'none' && (ignored || unsupported.has('noneToolChoice'))) {
    losses.add(PATH, 'toolChoice', 'approximated', 'the tools are left out, because the host ignores it');
    return withTools(body, undefined, undefined);
  }
  if (refs === undefined) {
    if (ignored && mode === 'required')
      losses.add(PATH, 'toolChoice', 'approximated', 'the host may answer without a call');
    return body;
  }
  if (!ignored && !unsupported.has('namedToolChoice') && !(isList === true && unsupported.has('allowedTools')))
    return body;
  const offered = tools.filter((tool) => refs.some((ref) => names?.(ref, tool)));
  if (offered.length === 0) return body;
  losses.add(PATH, 'toolChoice', 'approximated', 'only the tools that it names are offered');
  return withTools(body, offered, bare?.());
};

/** A body that has lost some of the tools of `before`, without a choice of those, and without an empty list of tools. */
export function withLeftChoice(body: JsonObject, before: JsonObject, { form, losses }: HostFitting): JsonObject {
  if (body.tools === before.tools || !Array.isArray(body.tools)) return body;
  const { mode, refs, isList, names, stays, only } = form.readChoice(body.tool_choice);
  const left = nodesIn(body.tools);
  if (left.length === 0) {
    const forced = mode === 'required' || refs !== undefined;
    if (forced) losses.add(PATH, 'toolChoice', 'dropped', 'none of the tools is sent');
    return withTools(body, undefined, undefined);
  }
  const kept = refs?.filter((ref) => stays?.(ref, left) ?? left.some((tool) => names?.(ref, tool) === true));
  if (kept === undefined || kept.length === refs?.length) return body;
  if (isList === true) losses.add(PATH, 'toolChoice.list', 'approximated', 'a listed tool is not sent');
  else losses.add(PATH, 'toolChoice', 'dropped', 'the tool is not sent');
  return withTools(body, body.tools, kept.length === 0 ? undefined : only?.(kept));
}
