import type { DialectId } from '../../../translators/index.js';
import type { Move, Result, Said, Setup } from './moves.js';
import { type Json, PIXEL, SCHEMA, stateOf } from './wire.js';

const IMAGE = { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } };

/** What an assistant said as one message: thoughts first, then words, then calls [H §3.1]. */
function assistant(said: readonly Said[], target: DialectId): Json {
  const thoughts = said.filter((one) => one.kind === 'thought');
  const shown = thoughts.map(({ text }) => text).join('');
  const words = said.flatMap((one) => (one.kind === 'text' ? [one.text] : [])).join('');
  const details = thoughts.flatMap((one, index) => {
    const data = stateOf(one, target, 'YmFyZQ==');
    return data === undefined
      ? []
      : [{ type: 'reasoning.encrypted', id: `il_${index}`, format: 'unknown', index, data }];
  });
  const calls = said.flatMap((one) => {
    if (one.kind !== 'call') return [];
    const { id, name, args } = one.call;
    return [{ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }];
  });
  return {
    role: 'assistant',
    content: words === '' && calls.length > 0 ? null : words,
    ...(shown !== '' && { reasoning_content: shown }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function result({ call, form }: Result): Json {
  const text = { type: 'text', text: 'Seen:' };
  const content = form === 'picture' ? [text, IMAGE] : form === 'empty' ? '' : `of ${form}`;
  return { role: 'tool', tool_call_id: call.id, content };
}

/** The request of a client of chat completions in a conversation with a backend of `target`. */
export function printChat(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  const messages = (move: Move): Json[] => {
    switch (move.kind) {
      case 'user': {
        const texts = move.texts.map((text) => ({ type: 'text', text }));
        return [{ role: 'user', content: [...texts, ...(move.picture ? [IMAGE] : [])] }];
      }
      case 'assistant':
        return [assistant(move.said, target)];
      case 'results':
        return [
          ...move.results.map(result),
          ...(move.remark === undefined ? [] : [{ role: 'user', content: move.remark }]),
        ];
      case 'instruction':
        return [{ role: move.authority, content: move.text }];
      // There are no tools in mid-history here.
      case 'tools':
        return [];
    }
  };
  return {
    model: 'm',
    messages: [...setup.system.map((content) => ({ role: 'system', content })), ...moves.flatMap(messages)],
    tools: setup.tools.map((name) => ({ type: 'function', function: { name, description: 'd', parameters: SCHEMA } })),
    ...(setup.reasoning && { reasoning_effort: 'low' }),
    ...(setup.json && { response_format: { type: 'json_object' } }),
  };
}
