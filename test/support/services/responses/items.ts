import type { Wire } from '../../wire/wire.js';
import type { PlannedCall, Printing } from '../plan.js';

/** Reasoning switches of one responses answer. */
export interface ReasoningShow {
  /** Whether summary parts were asked for; without, the item is empty [R §5.3]. */
  readonly summary: boolean;
  readonly encrypted: boolean;
}

/** The output items of a plan, in the order of generation. */
export function printItems(printing: Printing, show: ReasoningShow): Wire[] {
  const { plan, mint } = printing;
  const cut = plan.finish.kind === 'length';
  const items: Wire[] = [];
  if (plan.reasoning) items.push(printReasoning(printing, plan.reasoning, show));
  if (plan.picture !== undefined) {
    const fields = { status: 'completed', result: plan.picture, output_format: 'png' } as const;
    items.push({ id: mint('ig_'), type: 'image_generation_call', ...fields });
  }
  const calls = plan.calls ?? [];
  const parts = printParts(printing);
  if (parts.length > 0) {
    const status = cut && calls.length === 0 ? 'incomplete' : 'completed';
    items.push({ id: mint('msg_'), type: 'message', status, role: 'assistant', content: parts });
  }
  for (const call of calls) items.push(printCall(call, mint));
  return items;
}

function printReasoning({ mint, state }: Printing, paragraphs: readonly string[], show: ReasoningShow): Wire {
  const id = mint('rs_');
  return {
    id,
    type: 'reasoning',
    summary: show.summary ? paragraphs.map((text) => ({ type: 'summary_text', text })) : [],
    ...(show.encrypted ? { encrypted_content: state.issue(id) } : {}),
  };
}

function printParts({ plan }: Printing): Wire[] {
  const parts: Wire[] = [];
  if (plan.text) parts.push({ type: 'output_text', text: plan.text, annotations: [], logprobs: [] });
  if (plan.finish.kind === 'refusal') parts.push({ type: 'refusal', refusal: plan.finish.text });
  return parts;
}

function printCall(call: PlannedCall, mint: Printing['mint']): Wire {
  const status = call.cut === undefined ? 'completed' : 'incomplete';
  if (call.input !== undefined) {
    const { name, input } = call;
    return { id: mint('ctc_'), type: 'custom_tool_call', status, call_id: mint('call_'), name, input };
  }
  const text = call.cut ?? JSON.stringify(call.arguments);
  return {
    id: mint('fc_'),
    type: 'function_call',
    status,
    call_id: mint('call_'),
    name: call.name,
    arguments: text,
  };
}
