import type { PlannedCall, Printing } from '../plan.js';
import type { Server } from './server.js';

/** A completion to print. */
export interface ChatPrinting extends Printing {
  readonly server: Server;
  /** Takes note of the text of reasoning that is handed out. */
  readonly show: (reasoning: string) => void;
  /** Whether a stream ends with its usage. */
  readonly includeUsage: boolean;
}

/** One call as a message holds it [H §4.4]. */
export interface ChatCall {
  readonly id: string;
  readonly type: 'function' | 'custom';
  readonly function?: { readonly name: string; readonly arguments: string };
  readonly custom?: { readonly name: string; readonly input: string };
  readonly extra_content?: object;
}

/** The message of an answer, with its reasoning apart: the keys that show it, in the form of the whole message. */
export interface ChatMessage {
  readonly text: string;
  readonly refusal: string | null;
  readonly reasoning: string;
  readonly state: readonly object[];
  readonly calls: readonly ChatCall[];
}

/** The completion object of a plain answer [H §6.1]. */
export function printCompletion(printing: ChatPrinting): object {
  const message = messageOf(printing);
  return {
    ...headOf(printing, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: { role: 'assistant', ...printMessage(message, printing.server) },
        logprobs: null,
        finish_reason: finishOf(printing),
        ...stopOf(printing),
      },
    ],
    usage: printUsage(printing),
  };
}

/** The members that a completion and each of its chunks have. */
export function headOf({ mint, now, model }: ChatPrinting, object: string) {
  return {
    id: mint('chatcmpl-', 29),
    object,
    created: now,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  };
}

/** What the model says, in no form yet. */
export function messageOf({ plan, mint, server, state, show }: ChatPrinting): ChatMessage {
  const shown = server.reasoning === undefined ? '' : (plan.reasoning ?? []).join('\n\n');
  if (shown !== '') show(shown);
  const details = server.reasoning === 'details' && plan.reasoning !== undefined;
  return {
    text: plan.text ?? '',
    refusal: plan.finish.kind === 'refusal' ? plan.finish.text : null,
    reasoning: shown,
    state: details
      ? [
          {
            type: 'reasoning.text',
            text: shown,
            signature: state.issue(shown),
            id: null,
            format: 'anthropic-claude-v1',
            index: 0,
          },
        ]
      : [],
    calls: (plan.calls ?? []).map((call, index) => ({
      id: printId(server, call.name, index, mint),
      ...printCall(call),
      ...(server.signsCalls && index === 0
        ? { extra_content: { google: { thought_signature: state.issue(call.name) } } }
        : {}),
    })),
  };
}

function printId({ callId = 'call' }: Server, name: string, index: number, mint: Printing['mint']): string {
  switch (callId) {
    case 'call':
      return mint('call_');
    case 'nine':
      return mint('', 9);
    case 'numbered':
      return `${name}:${index}`;
    case 'empty':
      return '';
  }
}

function printCall({ name, input, cut, arguments: args }: PlannedCall): Omit<ChatCall, 'id'> {
  return input === undefined
    ? { type: 'function', function: { name, arguments: cut ?? JSON.stringify(args) } }
    : { type: 'custom', custom: { name, input } };
}

function printMessage(message: ChatMessage, server: Server): object {
  const { text, refusal, calls } = message;
  const { emptyContent = { content: null } } = server;
  const content = text === '' && (calls.length > 0 || refusal !== null) ? emptyContent : { content: text };
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: message.reasoning }] };
  const chunks = server.reasoning === 'chunks' && message.reasoning !== '';
  return {
    ...(chunks ? { content: [thinking, ...(text === '' ? [] : [{ type: 'text', text }])] } : content),
    refusal,
    ...printReasoning(message.reasoning, server),
    ...(message.state.length > 0 ? { reasoning_details: message.state } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** The members that show a text of reasoning, in a message or in a delta. */
export function printReasoning(text: string, { reasoning }: Server): object {
  if (text === '' || reasoning === undefined || reasoning === 'chunks') return {};
  return { [reasoning === 'details' ? 'reasoning' : reasoning]: text };
}

/** The word that says why the answer ended [H §6.2]. */
export function finishOf({ plan }: ChatPrinting): string {
  switch (plan.finish.kind) {
    case 'calls':
      return 'tool_calls';
    case 'length':
      return 'length';
    case 'end':
    case 'stop':
    case 'refusal':
      return 'stop';
  }
}

/** The stop sequence, where the server tells it. */
export function stopOf({ plan: { finish }, server }: ChatPrinting): object {
  return finish.kind === 'stop' && server.tellsStop ? { stop_reason: finish.sequence } : {};
}

/** Counts of tokens [H §6.3]. */
export function printUsage({ usage, server }: ChatPrinting): object {
  const { input, output, cached, cacheWritten, reasoning } = usage;
  const hidden = server.usage === 'gemini' ? reasoning : 0;
  const counts = { prompt_tokens: input, completion_tokens: output - hidden, total_tokens: input + output };
  switch (server.usage) {
    case 'gemini':
      return counts;
    case 'mistral':
      return { ...counts, num_cached_tokens: cached };
    case 'deepseek':
    case undefined:
      return {
        ...counts,
        prompt_tokens_details: {
          cached_tokens: cached,
          audio_tokens: 0,
          ...(cacheWritten > 0 ? { cache_write_tokens: cacheWritten } : {}),
        },
        completion_tokens_details: {
          reasoning_tokens: reasoning,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
        ...(server.usage === 'deepseek'
          ? { prompt_cache_hit_tokens: cached, prompt_cache_miss_tokens: input - cached }
          : {}),
      };
  }
}
