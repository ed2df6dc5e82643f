import { dropForeign, pictureDetail } from '../../adapt/index.js';
import { TranslationError } from '../../canonical/errors.js';
import type { Losses } from '../../canonical/loss.js';
import { type JsonObject, ptrOf } from '../../canonical/node.js';
import type { CanonicalRequest } from '../../canonical/request.js';
import type { EncodeRequestContext } from '../../dialect.js';
import { isObject } from '../../wire/json.js';
import { senderOf } from '../../wire/member-coders.js';
import { unsentOf } from '../../wire/unsent.js';
import { DIALECT } from '../nodes.js';
import { serverFlags } from '../servers/index.js';
import { encodeForeignToolChoice } from '../tools/choice.js';
import { encodeTools } from '../tools/encode.js';
import { members, unsent } from './members.js';
import { planOutput } from './output.js';
import { encodeForeignReasoningSettings, reasons } from './reasoning.js';
import type { Settled } from './settings.js';

const send = senderOf<Settled>(members);
const rest = unsentOf(unsent);

/** What a foreign request becomes beside its model and its messages. */
export interface ForeignSettings {
  readonly members: JsonObject;
  /** Words for the end of the instructions, where a setting has no member. */
  readonly instruction?: string;
  /** Detail of pictures that say none. */
  readonly detail?: string;
}

/** The members for a foreign request at the server that the profile tells of. Throws `unsupported` for what it cannot do without. */
export function encodeForeignSettings(request: CanonicalRequest, context: EncodeRequestContext): ForeignSettings {
  const { losses, target } = context;
  rest.refuse(request, context);
  for (const node of [request.output, request.reasoning, request.toolChoice])
    if (node !== undefined) dropForeign(node, DIALECT, losses);
  const flags = serverFlags(target);
  const tools = encodeTools(request, context);
  const thinks = reasons(request, context);
  const choice = encodeForeignToolChoice(request, tools.list, thinks, context);
  const declares = choice.tools.length > 0;
  // The endpoint takes functions only from a model that does not reason [H §2.3].
  const silenced = thinks && declares && !flags.toolsWithReasoning && target.thinking.canDisable;
  if (declares && !flags.functionTools)
    throw new TranslationError('unsupported', `${request.model} takes functions by responses only`, {
      path: ptrOf(choice.tools[0]?.tool),
    });
  const stopped = silenced || choice.stopsReasoning;
  if (stopped) reportStopped(request, choice.stopsReasoning, losses);
  const wished = encodeForeignReasoningSettings(request, { stopped, tools: declares }, context);
  const reasoning = belowCap(wished, request, losses);
  const { format, instruction } = planOutput(request, declares, context);
  const detail = pictureDetail(request, losses);
  const { sampling } = target;
  const closed = sampling.includes('none') || (thinks && !stopped && sampling.includes('none-when-reasoning'));
  const out: JsonObject = {};
  if (request.maxOutput === undefined && target.defaultMaxOutput !== undefined)
    out[flags.maxTokensField] = target.defaultMaxOutput;
  send(out, request, { ...context, closed });
  if (declares) out.tools = choice.tools.map(({ node }) => node);
  Object.assign(out, tools.members, choice.members, reasoning);
  if (format !== undefined) out.response_format = format;
  rest.report(request, context);
  return { members: out, ...(instruction !== undefined && { instruction }), ...(detail !== undefined && { detail }) };
}

/** A model that is kept from reasoning, and what was asked of its reasoning elsewhere in the body. */
function reportStopped({ reasoning, toolChoice, at }: CanonicalRequest, forced: boolean, losses: Losses): void {
  const why = forced
    ? 'tools cannot be forced while the model reasons'
    : 'the server does not support reasoning together with tools';
  const path = reasoning?.src?.ptr ?? (forced ? toolChoice?.src?.ptr : undefined) ?? '';
  losses.add(path, 'reasoning.mode', 'approximated', why);
  const effort = at?.['reasoning.effort'];
  if (effort !== undefined && effort !== path && !effort.startsWith(`${path}/`))
    losses.add(effort, 'reasoning.effort', 'dropped', why);
}

/** What a budget of thinking leaves of the cap for the answer, at least (translation.md 2.12). */
const LEFT = 256;

/** A budget of thinking lies below the cap, which counts it, and has a least size of its own [M §2.7]. */
function belowCap(wished: JsonObject, { maxOutput, reasoning, at }: CanonicalRequest, losses: Losses): JsonObject {
  const { thinking, ...others } = wished;
  const budget = isObject(thinking) ? thinking.budget_tokens : undefined;
  if (typeof budget !== 'number' || maxOutput === undefined || budget < maxOutput) return wished;
  const path = at?.['reasoning.budget'] ?? ptrOf(reasoning);
  const fitting = maxOutput - LEFT;
  if (fitting >= 1024) {
    losses.add(path, 'reasoning.budget', 'approximated', `the cap leaves ${fitting} tokens for thinking`);
    return { ...others, thinking: { ...Object(thinking), budget_tokens: fitting } };
  }
  losses.add(path, 'reasoning.mode', 'approximated', 'the cap leaves no room for thinking');
  return others;
}
