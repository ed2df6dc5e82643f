import { packState } from '../../../translators/adapt/state.js';
import type { DialectId } from '../../../translators/index.js';
import { lawTableOf } from '../dialects/index.js';
import { saidIn } from '../said.js';
import type { Call, Move, Result, Said, Script, Setup } from './moves.js';

export type Json = Record<string, unknown>;

/** The domain of the backend that the conversation goes to. */
export const HOME = 'home';
export const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const SCHEMA = { type: 'object', properties: { path: { type: 'string' } } };

const THOUGHTS = lawTableOf('thought');

/** The carrier of a thought that a backend of `issuer` had. */
function carrier(issuer: DialectId, domain: string, text: string): string {
  const payload = JSON.stringify(THOUGHTS[issuer](text));
  return packState([{ dialect: issuer, domain, kind: 'reasoning', payload }]);
}

/** What a client of any dialect sends after the first `count` moves, in a conversation with a backend of `target`. */
export function bodyOf(script: Script, count: number, source: DialectId, target: DialectId): Json {
  return PRINTERS[source](script.setup, script.moves.slice(0, count), target);
}

const PRINTERS = lawTableOf('conversation');

/** The state of a thought as its client holds it: `bare` is what one has that was never wrapped. */
export function stateOf(
  { held, text }: Said & { readonly kind: 'thought' },
  target: DialectId,
  bare: string,
): string | undefined {
  if (held === 'none') return undefined;
  return held === 'bare' ? bare : carrier(target, held === 'home' ? HOME : 'away', text);
}

/** What may stand as an id of a call in the messages dialect. */
function legal(id: string): string {
  return id.replaceAll(/[^\w-]/g, '-');
}

export function printMessages(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  const mark = (ttl: string | undefined): Json =>
    ttl === undefined ? {} : { cache_control: { type: 'ephemeral', ttl } };
  const say = (one: Said): readonly Json[] => {
    switch (one.kind) {
      case 'text':
        return [{ type: 'text', text: one.text }];
      case 'thought':
        return [{ type: 'thinking', thinking: one.text, signature: stateOf(one, target, 'YmFyZQ==') ?? '' }];
      case 'call':
        return [{ type: 'tool_use', id: legal(one.call.id), name: one.call.name, input: one.call.args }];
      case 'hosted':
        return saidIn('messages', one.of, { id: one.id, state: 'aGl0' });
    }
  };
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL } };
  const result = ({ call, form }: Result): Json => ({
    type: 'tool_result',
    tool_use_id: legal(call.id),
    ...(form === 'failure' && { is_error: true }),
    ...(form === 'picture'
      ? { content: [{ type: 'text', text: 'Seen:' }, image] }
      : form === 'empty'
        ? {}
        : { content: `of ${form}` }),
  });
  const message = (move: Move): Json => {
    switch (move.kind) {
      case 'user':
        return {
          role: 'user',
          content: [
            ...move.texts.map((text) => ({ type: 'text', text, ...mark(move.mark) })),
            ...(move.picture ? [image] : []),
          ],
        };
      case 'assistant':
        return { role: 'assistant', content: move.said.flatMap(say) };
      case 'results':
        return {
          role: 'user',
          content: [
            ...move.results.map(result),
            ...(move.remark === undefined ? [] : [{ type: 'text', text: move.remark }]),
          ],
        };
      case 'instruction':
        return { role: 'system', content: move.text };
      case 'tools':
        return {
          role: 'system',
          content: [{ type: 'tool_addition', tool: { name: move.name, input_schema: SCHEMA } }],
        };
    }
  };
  return {
    model: 'm',
    max_tokens: 8000,
    ...(setup.system.length > 0 && {
      system: setup.system.map((text) => ({ type: 'text', text, ...mark(setup.systemMark ? '1h' : undefined) })),
    }),
    tools: setup.tools.map((name) => ({ name, description: 'd', input_schema: SCHEMA })),
    ...(setup.reasoning && { thinking: { type: 'enabled', budget_tokens: 2000 } }),
    messages: moves.map(message),
  };
}

export function printResponses(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  const image = { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${PIXEL}` };
  const say = (one: Said): readonly Json[] => {
    switch (one.kind) {
      case 'text':
        return [
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: one.text, annotations: [] }] },
        ];
      case 'thought': {
        const summary = one.text === '' ? [] : [{ type: 'summary_text', text: one.text }];
        return [
          { type: 'reasoning', id: 'rs_a', summary, encrypted_content: stateOf(one, target, 'YmFyZQ==') ?? null },
        ];
      }
      case 'call': {
        const { id, name, args } = one.call;
        return [{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) }];
      }
      case 'hosted':
        return saidIn('responses', one.of, { id: one.id });
    }
  };
  const result = ({ call, form }: Result): Json => ({
    type: 'function_call_output',
    call_id: call.id,
    output: form === 'picture' ? [{ type: 'input_text', text: 'Seen:' }, image] : form === 'empty' ? '' : `of ${form}`,
  });
  const text = (words: string) => ({ type: 'input_text', text: words });
  const items = (move: Move): Json[] => {
    switch (move.kind) {
      case 'user':
        return [
          { type: 'message', role: 'user', content: [...move.texts.map(text), ...(move.picture ? [image] : [])] },
        ];
      case 'assistant':
        return move.said.flatMap(say);
      case 'results':
        return [
          ...move.results.map(result),
          ...(move.remark === undefined ? [] : [{ type: 'message', role: 'user', content: [text(move.remark)] }]),
        ];
      case 'instruction':
        return [{ type: 'message', role: move.authority, content: [text(move.text)] }];
      case 'tools':
        return [
          {
            type: 'additional_tools',
            role: 'developer',
            tools: [{ type: 'function', name: move.name, parameters: SCHEMA }],
          },
        ];
    }
  };
  const [first, ...rest] = setup.system;
  return {
    model: 'm',
    ...(first !== undefined && { instructions: first }),
    tools: setup.tools.map((name) => ({ type: 'function', name, description: 'd', parameters: SCHEMA })),
    ...(setup.reasoning && { reasoning: { effort: 'low', summary: 'auto' } }),
    ...(setup.json && { text: { format: { type: 'json_object' } } }),
    input: [
      ...rest.map((words) => ({
        type: 'message',
        role: 'developer',
        content: [text(words), ...(setup.systemPicture ? [image] : [])],
      })),
      ...moves.flatMap(items),
    ],
  };
}

export function printContents(setup: Setup, moves: readonly Move[], target: DialectId): Json {
  const image = { inlineData: { mimeType: 'image/png', data: PIXEL } };
  const call = ({ id, name, args }: Call): Json => ({
    functionCall: { ...(id !== 'call:same' && { id }), name, args },
  });
  /** Here the state of a thought rides on what follows it. */
  const say = (said: readonly Said[]): Json[] => {
    const parts: Json[] = [];
    let waiting: string | undefined;
    for (const one of said) {
      if (one.kind === 'thought') {
        parts.push({ text: one.text, thought: true, ...(one.held === 'bare' && { thoughtSignature: 'YmFyZQ==' }) });
        if (one.held !== 'bare') waiting = stateOf(one, target, '') ?? waiting;
        continue;
      }
      if (one.kind === 'hosted') {
        parts.push(...saidIn('generateContent', one.of, { id: one.id }));
        continue;
      }
      const part = one.kind === 'text' ? { text: one.text } : call(one.call);
      parts.push(waiting === undefined ? part : { ...part, thoughtSignature: waiting });
      waiting = undefined;
    }
    if (waiting !== undefined) parts.push({ text: '', thoughtSignature: waiting });
    return parts;
  };
  const result = ({ call: { id, name }, form }: Result): Json => ({
    functionResponse: {
      ...(id !== 'call:same' && { id }),
      name,
      response:
        form === 'json'
          ? { found: [1, 2] }
          : form === 'failure'
            ? { error: 'no' }
            : { output: form === 'empty' ? '' : 'yes' },
      ...(form === 'picture' && { parts: [image] }),
    },
  });
  const content = (move: Move): Json[] => {
    switch (move.kind) {
      case 'user':
        return [{ role: 'user', parts: [...move.texts.map((text) => ({ text })), ...(move.picture ? [image] : [])] }];
      case 'assistant':
        return [{ role: 'model', parts: say(move.said) }];
      case 'results':
        return [
          { role: 'user', parts: move.results.map(result) },
          ...(move.remark === undefined ? [] : [{ role: 'user', parts: [{ text: move.remark }] }]),
        ];
      // There are no instructions and no tools in mid-history here.
      case 'instruction':
      case 'tools':
        return [];
    }
  };
  const fields = {
    ...(setup.reasoning && { thinkingConfig: { thinkingBudget: 2048, includeThoughts: true } }),
    ...(setup.json && { responseMimeType: 'application/json' }),
  };
  return {
    ...(setup.system.length > 0 && { systemInstruction: { parts: setup.system.map((text) => ({ text })) } }),
    tools: [
      {
        functionDeclarations: setup.tools.map((name) => ({
          name: name.replaceAll(' ', '_').slice(0, 60),
          description: 'd',
          parametersJsonSchema: SCHEMA,
        })),
      },
    ],
    ...(Object.keys(fields).length > 0 && { generationConfig: fields }),
    contents: moves.flatMap(content),
  };
}
