import type { Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { nodesIn, withMember } from '../wire/shared-copies.js';

/** A choice among the tools of a body, as steps for what a host lacks of it read and write it. */
export interface WireChoice {
  readonly mode: unknown;
  /** What names tools in it; absent where it names none. */
  readonly refs?: readonly unknown[];
  /** It is a list of allowed tools, in dialects that have such. */
  readonly isList?: boolean;
  /** Whether something in it names a tool of the body. */
  names?(ref: unknown, tool: JsonObject): boolean;
  /** Whether something in it may name one of the tools that are left; else as `names` has it. */
  stays?(ref: unknown, left: readonly JsonObject[]): boolean;
  /** The same choice without names. */
  bare?(): unknown;
  /** The same with these of its names. */
  only?(refs: readonly unknown[]): unknown;
}

/** Tools of a body and the choice among them; undefined for a member that it does not have. */
export interface ChosenTools {
  readonly tools: unknown;
  readonly choice: unknown;
}

/** Those of a body of a dialect that has both as outermost members. */
export function chosenIn({ tools, tool_choice: choice }: JsonObject): ChosenTools {
  return { tools, choice };
}

/** The body with these; the very body where it has them. */
export function withChosen(body: JsonObject, { tools, choice }: ChosenTools): JsonObject {
  return withMember(withMember(body, 'tools', tools), 'tool_choice', choice);
}

const PATH = '/tool_choice';

/**
 * Tools and choice for a host that does not read the choice, or not all of its forms: only the tools that it names are
 * declared, none where no call is wanted. What is given where the host reads it; a choice among nothing is left to the host.
 */
export function choiceAtHost(
  given: ChosenTools,
  choice: WireChoice,
  { unsupported, losses }: { readonly unsupported: ReadonlySet<string>; readonly losses: Losses },
): ChosenTools {
  const tools = nodesIn(given.tools);
  const ignored = unsupported.has('toolChoice');
  if (tools.length === 0) return given;
  if (choice.mode === 'none' && (ignored || unsupported.has('noneToolChoice'))) {
    losses.add(PATH, 'toolChoice', 'approximated', 'the tools are left out, because the host ignores it');
    return NOTHING;
  }
  if (choice.refs === undefined) {
    if (ignored && choice.mode === 'required')
      losses.add(PATH, 'toolChoice', 'approximated', 'the host may answer without a call');
    return given;
  }
  if (!ignored && !unsupported.has('namedToolChoice') && !(choice.isList === true && unsupported.has('allowedTools')))
    return given;
  const offered = tools.filter((tool) => choice.refs?.some((ref) => choice.names?.(ref, tool)));
  if (offered.length === 0) return given;
  losses.add(PATH, 'toolChoice', 'approximated', 'only the tools that it names are offered');
  return { tools: offered, choice: choice.bare?.() };
}

const NOTHING: ChosenTools = { tools: undefined, choice: undefined };

/**
 * What is left of a choice where `after` are left of the tools `before`, without an empty list of tools; what is given where
 * all are left.
 */
export function choiceOfLeft(before: unknown, given: ChosenTools, choice: WireChoice, losses: Losses): ChosenTools {
  if (given.tools === before || !Array.isArray(given.tools)) return given;
  const left = nodesIn(given.tools);
  if (left.length === 0) {
    const forced = choice.mode === 'required' || choice.refs !== undefined;
    if (forced) losses.add(PATH, 'toolChoice', 'dropped', 'none of the tools is sent');
    return NOTHING;
  }
  const refs = choice.refs?.filter(
    (ref) => choice.stays?.(ref, left) ?? left.some((tool) => choice.names?.(ref, tool) === true),
  );
  if (refs === undefined || refs.length === choice.refs?.length) return given;
  if (choice.isList === true) losses.add(PATH, 'toolChoice.list', 'approximated', 'a listed tool is not sent');
  else losses.add(PATH, 'toolChoice', 'dropped', 'the tool is not sent');
  return { tools: given.tools, choice: refs.length === 0 ? undefined : choice.only?.(refs) };
}
