import { type DialectId, translateRequest, translateResponse } from '../../translators/index.js';
import { atVendor } from '../support/vendors.js';

/** The last models of messages whose computer is one tool. */
const SERVED: Partial<Record<DialectId, object>> = { messages: { model: 'claude-opus-5' } };

const PNG = 'iVBORw0KGgoAAAANSUhEUgAABAAAAAMACAIAAAA=';
const SCREENSHOT = { type: 'computer_screenshot', image_url: `data:image/png;base64,${PNG}` };
const PICTURE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } };

interface Size {
  readonly width: number;
  readonly height: number;
}

function messagesTools({ width, height }: Size = { width: 1024, height: 768 }): object[] {
  return [{ type: 'computer_20250124', name: 'computer', display_width_px: width, display_height_px: height }];
}

/** Conversations in which a computer was used. */
export const computerHistory = {
  /** One call per action, each answered at once. */
  responses(...actions: object[]): object {
    const items = actions.flatMap((action, index) => {
      const call_id = `call_a${index}`;
      const call = {
        type: 'computer_call',
        id: `cu_${index}`,
        call_id,
        status: 'completed',
        pending_safety_checks: [],
      };
      return [
        { ...call, action },
        { type: 'computer_call_output', call_id, output: SCREENSHOT },
      ];
    });
    return {
      model: 'm',
      tools: [{ type: 'computer_use_preview', display_width: 1024, display_height: 768, environment: 'linux' }],
      input: [{ role: 'user', content: 'Go.' }, ...items],
    };
  },

  /** The same of the messages dialect. */
  messages(...inputs: object[]): object {
    const turns = inputs.flatMap((input, index) => [
      { role: 'assistant', content: [{ type: 'tool_use', id: `toolu_a${index}`, name: 'computer', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_a${index}`, content: [PICTURE] }] },
    ]);
    return {
      model: 'm',
      max_tokens: 100,
      tools: messagesTools(),
      messages: [{ role: 'user', content: 'Go.' }, ...turns],
    };
  },

  /** What a messages client has of one call that was split, or of one that was not. */
  split(size: Size, inputs: readonly object[]): object {
    const id = (index: number) => (inputs.length === 1 ? 'g1' : `g1_${index + 1}`);
    return {
      model: 'm',
      max_tokens: 100,
      tools: messagesTools(size),
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: inputs.map((input, index) => ({ type: 'tool_use', id: id(index), name: 'computer', input })),
        },
        {
          role: 'user',
          content: inputs.map((_input, index) => ({ type: 'tool_result', tool_use_id: id(index), content: [PICTURE] })),
        },
      ],
    };
  },

  /** The actions that a messages client gets of one function of a generateContent backend. */
  answerTo(to: 'messages', size: Size, functionCall: object): Said {
    const request = {
      model: 'm',
      max_tokens: 100,
      tools: messagesTools(size),
      messages: [{ role: 'user', content: 'Go.' }],
    };
    const candidate = {
      content: { role: 'model', parts: [{ functionCall: { id: 'g1', ...functionCall } }] },
      finishReason: 'STOP',
      index: 0,
    };
    const body = { responseId: 'r', modelVersion: 'g', candidates: [candidate] };
    const answer = translateResponse({ from: 'generateContent', to, request, body, now: 1 });
    return { actions: actionsIn(answer.body.content), losses: lossesOf(answer.losses) };
  },
};

/** What a backend reads of the actions of a conversation. */
export interface Said {
  readonly actions: readonly unknown[];
  /** Those of calls. */
  readonly losses: readonly string[];
}

/** The actions of a history as a backend reads them. */
export function saidActions(from: DialectId, to: DialectId, body: object): Said {
  const sent = translateRequest({ from, to, body, model: 'x', profile: { ...atVendor(to), ...SERVED[to] } });
  const { messages, input, contents } = sent.body;
  return { actions: actionsIn(messages ?? input ?? contents), losses: lossesOf(sent.losses) };
}

function lossesOf(losses: readonly { readonly feature: string; readonly kind: string }[]): string[] {
  return losses.filter(({ feature }) => feature === 'call.family').map(({ feature, kind }) => `${feature} ${kind}`);
}

/** Inputs, items' actions and functions, in whatever stands around them. */
function actionsIn(node: unknown): unknown[] {
  if (Array.isArray(node)) return node.flatMap(actionsIn);
  if (typeof node !== 'object' || node === null) return [];
  const fields: Record<string, unknown> = { ...node };
  if (fields.type === 'tool_use') return [fields.input];
  if (fields.type === 'computer_call') return Array.isArray(fields.actions) ? fields.actions : [fields.action];
  if (fields.type === 'function_call') return [JSON.parse(String(fields.arguments))];
  if (typeof fields.functionCall === 'object' && fields.functionCall !== null) {
    const { name, args } = { args: {}, name: '', ...fields.functionCall };
    return [{ name, args }];
  }
  return [fields.content, fields.parts].flatMap(actionsIn);
}
