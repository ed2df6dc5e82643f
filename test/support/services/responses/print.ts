import { isObject, type JsonObject, objectOf, objectsOf } from '../../../../src/simulator/rules/index.js';
import type { Wire } from '../../wire/wire.js';
import type { Printing, Usage } from '../plan.js';
import { printItems, type ReasoningShow } from './items.js';

/** A response to print; `request` is echoed in it. */
export interface ResponsePrinting extends Printing {
  readonly request: JsonObject;
  readonly show: ReasoningShow;
}

/** The response object before generation: no output, no usage. */
export interface OpenResponse {
  readonly id: string;
  readonly [key: string]: unknown;
}

/** The response object of a plain answer [R §4.1]. */
export function printResponse(printing: ResponsePrinting): OpenResponse {
  return closeResponse(printing, openResponse(printing), printItems(printing, printing.show));
}

/** The state of the response while it is generated. */
export function openResponse(printing: ResponsePrinting, status = 'in_progress'): OpenResponse {
  return {
    id: printing.mint('resp_', 48),
    object: 'response',
    created_at: printing.now,
    completed_at: null,
    status,
    background: printing.request.background === true,
    error: null,
    incomplete_details: null,
    ...printEcho(printing.request),
    model: printing.model,
    output: [],
    service_tier: 'auto',
    usage: null,
  };
}

/** The same response at its end [R §4.5]. */
export function closeResponse(printing: ResponsePrinting, open: OpenResponse, output: readonly Wire[]): OpenResponse {
  const cut = printing.plan.finish.kind === 'length';
  return {
    ...open,
    completed_at: cut ? null : printing.now,
    status: cut ? 'incomplete' : 'completed',
    incomplete_details: cut ? { reason: 'max_output_tokens' } : null,
    output,
    service_tier: 'default',
    usage: printUsage(printing.usage),
  };
}

function printUsage(usage: Usage) {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.cacheWritten },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}

/** Fields that repeat the request, with the service's defaults where it said nothing [R §2.1, §4.1]. */
function printEcho(request: JsonObject) {
  const reasoning = objectOf(request.reasoning);
  const text = objectOf(request.text);
  return {
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    prompt_cache_retention: request.prompt_cache_retention ?? null,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    safety_identifier: request.safety_identifier ?? null,
    store: request.store ?? true,
    temperature: request.temperature ?? 1,
    text: { format: printFormat(text.format), verbosity: text.verbosity ?? 'medium' },
    tool_choice: request.tool_choice ?? 'auto',
    tools: objectsOf(request.tools).map(printTool),
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? 'disabled',
    user: request.user ?? null,
    metadata: request.metadata ?? {},
    frequency_penalty: 0,
    presence_penalty: 0,
  };
}

function printFormat(format: unknown): unknown {
  if (!isObject(format)) return { type: 'text' };
  return format.type === 'json_schema' ? { description: null, strict: false, ...format } : format;
}

function printTool(tool: JsonObject): JsonObject {
  if (tool.type !== 'function') return tool;
  return { description: null, ...tool, strict: tool.strict ?? false };
}
