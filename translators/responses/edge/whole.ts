import type { JsonObject } from '../../canonical/node.js';
import { isObject } from '../../wire/json.js';
import { formatSse } from '../../wire/sse.js';
import { createCompletion } from '../restored/index.js';

/** Events with which an answer of a status ends [R §5.2]. */
const ENDS: Readonly<Record<string, string>> = {
  incomplete: 'response.incomplete',
  failed: 'response.failed',
  cancelled: 'response.failed',
  queued: 'response.queued',
  in_progress: 'response.in_progress',
};

/** Members that an answer has once it has ended, and that are null until then. */
const OF_THE_END = ['usage', 'incomplete_details', 'error', 'completed_at'] as const;

/** The stream in the place of a whole answer [R §5.3]: each text in one delta. */
export function wholeAsStream(answer: JsonObject): string {
  const open = OF_THE_END.filter((key) => key === 'usage' || answer[key] !== undefined).map((key) => [key, null]);
  const response = { ...answer, status: 'in_progress', output: [], ...Object.fromEntries(open) };
  const items = Array.isArray(answer.output) ? answer.output.filter(isObject) : [];
  const complete = createCompletion();
  const events = [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    ...items.flatMap(eventsOf),
    { type: ENDS[String(answer.status)] ?? 'response.completed', response: answer },
  ];
  return events
    .flatMap(complete)
    .map((event) => formatSse(String(event.type), JSON.stringify(event)))
    .join('');
}

function eventsOf(item: JsonObject, output_index: number): JsonObject[] {
  const at = { item_id: item.id ?? item.call_id, output_index };
  return [
    { type: 'response.output_item.added', output_index, item: begun(item) },
    ...deltasOf(item).map((event) => ({ ...event, ...at })),
    { type: 'response.output_item.done', output_index, item },
  ];
}

/** Members of items that deltas bring; those of lists begin empty. */
const EMPTIED = { content: [], summary: [], arguments: '', input: '' } as const;

/** An item as it begins. Only those whose text comes in deltas begin with less than they have. */
function begun(item: JsonObject): JsonObject {
  if (deltasOf(item).length === 0) return item;
  const emptied = Object.entries(EMPTIED).filter(([key]) => item[key] !== undefined);
  return { ...item, ...Object.fromEntries(emptied), ...(item.status !== undefined && { status: 'in_progress' }) };
}

function deltasOf(item: JsonObject): JsonObject[] {
  switch (item.type) {
    case 'message':
      return partsIn(item.content).flatMap(contentDeltas);
    case 'reasoning':
      return [
        ...partsIn(item.summary).map(({ text: delta }, summary_index) => ({
          type: 'response.reasoning_summary_text.delta',
          summary_index,
          delta,
        })),
        ...partsIn(item.content).map(({ text: delta }, content_index) => ({
          type: 'response.reasoning_text.delta',
          content_index,
          delta,
        })),
      ];
    case 'function_call':
      return [{ type: 'response.function_call_arguments.delta', delta: item.arguments }];
    case 'custom_tool_call':
      return [
        { type: 'response.custom_tool_call_input.delta', delta: item.input },
        { type: 'response.custom_tool_call_input.done', input: item.input },
      ];
    default:
      return [];
  }
}

function contentDeltas(part: JsonObject, content_index: number): JsonObject[] {
  if (part.type === 'refusal') return [{ type: 'response.refusal.delta', content_index, delta: part.refusal }];
  if (part.type !== 'output_text') return [];
  const { text: delta, logprobs = [], annotations } = part;
  return [
    { type: 'response.output_text.delta', content_index, delta, logprobs },
    ...partsIn(annotations).map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      content_index,
      annotation_index,
      annotation,
    })),
  ];
}

function partsIn(list: unknown): JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}
