import type { PlannedCall, Printing } from '../plan.js';

/** Reasoning switches of one responses answer. */
export interface ReasoningShow {
  /** Whether summary parts were asked for; without, the item is empty [R §5.3]. */
  readonly summary: boolean;
  readonly encrypted: boolean;
}

type Status = 'completed' | 'incomplete';

interface ReasoningItem {
  readonly type: 'reasoning';
  readonly id: string;
  readonly summary: readonly { readonly type: 'summary_text'; readonly text: string }[];
  readonly encrypted_content?: string;
}

/** A content part of an assistant message. */
export type MessagePart =
  | { readonly type: 'output_text'; readonly text: string; readonly annotations: []; readonly logprobs: [] }
  | { readonly type: 'refusal'; readonly refusal: string };

interface MessageItem {
  readonly type: 'message';
  readonly id: string;
  readonly status: Status;
  readonly role: 'assistant';
  readonly content: readonly MessagePart[];
}

interface FunctionCallItem {
  readonly type: 'function_call';
  readonly id: string;
  readonly status: Status;
  readonly call_id: string;
  readonly name: string;
  readonly arguments: string;
}

interface CustomCallItem {
  readonly type: 'custom_tool_call';
  readonly id: string;
  readonly status: Status;
  readonly call_id: string;
  readonly name: string;
  readonly input: string;
}

interface PictureItem {
  readonly type: 'image_generation_call';
  readonly id: string;
  readonly status: 'completed' | 'in_progress';
  readonly result: string | null;
  readonly output_format: 'png';
}

/** An output item as it is at the end of the answer [R §4.2]. */
export type OutputItem = ReasoningItem | MessageItem | FunctionCallItem | CustomCallItem | PictureItem;

/** The output items of a plan, in the order of generation. */
export function printItems(printing: Printing, show: ReasoningShow): OutputItem[] {
  const { plan, mint } = printing;
  const cut = plan.finish.kind === 'length';
  const items: OutputItem[] = [];
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

function printReasoning({ mint, state }: Printing, paragraphs: readonly string[], show: ReasoningShow): ReasoningItem {
  const id = mint('rs_');
  return {
    id,
    type: 'reasoning',
    summary: show.summary ? paragraphs.map((text) => ({ type: 'summary_text', text })) : [],
    ...(show.encrypted ? { encrypted_content: state.issue(id) } : {}),
  };
}

function printParts({ plan }: Printing): MessagePart[] {
  const parts: MessagePart[] = [];
  if (plan.text) parts.push({ type: 'output_text', text: plan.text, annotations: [], logprobs: [] });
  if (plan.finish.kind === 'refusal') parts.push({ type: 'refusal', refusal: plan.finish.text });
  return parts;
}

function printCall(call: PlannedCall, mint: Printing['mint']): FunctionCallItem | CustomCallItem {
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
