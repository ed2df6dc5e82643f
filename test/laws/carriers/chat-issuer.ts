import type { Deed } from './deeds.js';
import { type Issued, type Json, toolOf } from './issuers.js';
import type { Keeper } from './keeper.js';

/** The members of a message in which its service shows thoughts and keeps its state [H §3.3]. */
const THOUGHTS = ['reasoning', 'reasoning_details'];

/** Its service draws nothing and runs nothing: it says so. */
function wordsOf(deed: Deed): string {
  if (deed.kind === 'text') return deed.text;
  return deed.kind === 'picture' || deed.kind === 'hosted' ? 'It cannot be done.' : '';
}

/** One answer of a host of chat completions: one message, with all thoughts in front of its words and its calls. */
export function issueChat(deeds: readonly Deed[], keeper: Keeper, serial: string): Issued {
  const thoughts = deeds.filter((deed) => deed.kind === 'thought');
  const shown = thoughts.filter(({ form }) => form === 'shown').map(({ text }) => text);
  const details = thoughts.map(({ form, text }, index): Json => {
    const place = { id: `rs_${serial}_${index}`, format: 'anthropic-claude-v1', index };
    return form === 'shown'
      ? { type: 'reasoning.text', text, signature: keeper.issue(text), ...place }
      : { type: 'reasoning.encrypted', data: keeper.issue('hidden'), ...place };
  });
  const words = deeds.map(wordsOf).join('');
  const calls = deeds.flatMap((deed, index): Json[] => {
    if (deed.kind !== 'call') return [];
    const called = { name: toolOf(deed), arguments: JSON.stringify({ path: deed.path }) };
    return [{ id: `call_${serial}_${index}`, type: 'function', function: called }];
  });
  const message: Json = {
    role: 'assistant',
    content: words === '' && calls.length > 0 ? null : words,
    refusal: null,
    ...(shown.length > 0 && { reasoning: shown.join('') }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
  const body = {
    id: `chatcmpl-${serial}`,
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'm',
    choices: [{ index: 0, message, logprobs: null, finish_reason }],
    usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
  };
  const nodes = nodesOf(message);
  return { nodes, body, wanted: nodes };
}

/** What a message of an assistant holds, as nodes that can be compared one by one. */
export function nodesOf(message: Json): Json[] {
  const thoughts = Object.entries(message).filter(([key, value]) => THOUGHTS.includes(key) && value !== '');
  const { content, tool_calls: calls } = message;
  return [
    ...(thoughts.length > 0 ? [Object.fromEntries(thoughts)] : []),
    ...(typeof content === 'string' && content !== '' ? [{ words: content }] : []),
    ...(Array.isArray(calls) ? (calls as Json[]) : []),
  ];
}
