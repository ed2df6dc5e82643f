import { bindingOf, REDACTED_BINDING } from '../../../src/simulator/rules/index.js';
import { lawTableOf } from '../dialects/index.js';
import type { Deed } from './deeds.js';
import type { Keeper } from './keeper.js';

export type Json = Record<string, unknown>;

/** One answer of a backend. */
export interface Issued {
  /** The nodes of the answer: blocks, items, parts. */
  readonly nodes: readonly Json[];
  /** The answer's body. */
  readonly body: Json;
  /** What of it the backend wants back, as it reads it. */
  readonly wanted: readonly Json[];
}

/** What one backend says. `serial` makes ids that occur once in a conversation. */
export type Issue = (deeds: readonly Deed[], keeper: Keeper, serial: string) => Issued;

/** Two tools, so that a call can be told from another. */
export function toolOf({ path }: Deed & { readonly kind: 'call' }): string {
  return path === 'a' ? 'look' : 'peek';
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const ISSUERS = lawTableOf('issue');

export function issueMessage(given: readonly Deed[], keeper: Keeper, serial: string): Issued {
  // A model that thinks before it calls begins with that [M §3.27].
  const plain = given.some(({ kind }) => kind === 'call') && given[0]?.kind !== 'thought';
  const deeds = plain ? [{ kind: 'thought', text: 'First.', form: 'shown' } as const, ...given] : given;
  const say = (deed: Deed, index: number): Json[] => {
    const id = `${serial}_${index}`;
    switch (deed.kind) {
      case 'thought':
        return deed.form === 'shown'
          ? [{ type: 'thinking', thinking: deed.text, signature: keeper.issue(deed.text) }]
          : [{ type: 'redacted_thinking', data: keeper.issue(REDACTED_BINDING) }];
      case 'text':
        return [{ type: 'text', text: deed.text }];
      case 'call':
        return [{ type: 'tool_use', id: `toolu_${id}`, name: toolOf(deed), input: { path: deed.path } }];
      case 'hosted':
        return hostedBlocks(deed.of, id, keeper);
      case 'picture':
        return [{ type: 'text', text: 'It would be small and black.' }];
      case 'sign':
        return [];
    }
  };
  const nodes = deeds.flatMap(say);
  const body = {
    id: `msg_${serial}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: nodes,
    stop_reason: nodes.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 3, output_tokens: 2 },
  };
  return { nodes, body, wanted: nodes };
}

function hostedBlocks(of: (Deed & { readonly kind: 'hosted' })['of'], id: string, keeper: Keeper): Json[] {
  const call = { id: `srvtoolu_${id}` };
  switch (of) {
    case 'code':
      return [
        { type: 'server_tool_use', ...call, name: 'code_execution', input: { code: '1+1' } },
        {
          type: 'code_execution_tool_result',
          tool_use_id: call.id,
          content: { type: 'code_execution_result', stdout: '2', stderr: '', return_code: 0, content: [] },
        },
      ];
    case 'search': {
      const hit = {
        type: 'web_search_result',
        url: 'https://e.x/',
        title: 'E',
        encrypted_content: keeper.issue('hit'),
        page_age: null,
      };
      return [
        { type: 'server_tool_use', ...call, name: 'web_search', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: call.id, content: [hit] },
      ];
    }
    case 'server':
      return [
        { type: 'mcp_tool_use', id: `mcptoolu_${id}`, name: 'look', server_name: 's', input: { at: id } },
        {
          type: 'mcp_tool_result',
          tool_use_id: `mcptoolu_${id}`,
          is_error: false,
          content: [{ type: 'text', text: 'seen' }],
        },
      ];
  }
}

export function issueResponse(deeds: readonly Deed[], keeper: Keeper, serial: string): Issued {
  const say = (deed: Deed, index: number): Json[] => {
    const id = `${serial}_${index}`;
    switch (deed.kind) {
      case 'thought': {
        // Every thought has something behind it that it led to [R §3.4].
        const next = deeds[index + 1]?.kind;
        if (next === undefined || next === 'thought' || next === 'sign') return [];
        const summary = deed.form === 'shown' ? [{ type: 'summary_text', text: deed.text }] : [];
        return [{ id: `rs_${id}`, type: 'reasoning', summary, encrypted_content: keeper.issue(`rs_${id}`) }];
      }
      case 'text': {
        const content = [{ type: 'output_text', text: deed.text, annotations: [], logprobs: [] }];
        return [{ id: `msg_${id}`, type: 'message', role: 'assistant', status: 'completed', content }];
      }
      case 'call': {
        const args = JSON.stringify({ path: deed.path });
        return [
          {
            id: `fc_${id}`,
            type: 'function_call',
            status: 'completed',
            call_id: `call_${id}`,
            name: toolOf(deed),
            arguments: args,
          },
        ];
      }
      case 'hosted':
        return [hostedItem(deed.of, id)];
      case 'picture': {
        const made = { status: 'completed', result: PIXEL, output_format: 'png' };
        return [{ id: `ig_${id}`, type: 'image_generation_call', ...made }];
      }
      case 'sign':
        return [];
    }
  };
  const nodes = deeds.flatMap(say);
  const body = {
    id: `resp_${serial}`,
    object: 'response',
    created_at: 1_700_000_000,
    status: 'completed',
    model: 'gpt-5',
    output: nodes,
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 5,
    },
  };
  return { nodes, body, wanted: nodes.map(wantedItem) };
}

function hostedItem(of: (Deed & { readonly kind: 'hosted' })['of'], id: string): Json {
  switch (of) {
    case 'code':
      return {
        id: `ci_${id}`,
        type: 'code_interpreter_call',
        status: 'completed',
        code: '1+1',
        container_id: 'cntr_1',
        outputs: [{ type: 'logs', logs: '2' }],
      };
    case 'search':
      return {
        id: `ws_${id}`,
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'search', query: 'q', sources: [] },
      };
    case 'server':
      return {
        id: `mcp_${id}`,
        type: 'mcp_call',
        status: 'completed',
        server_label: 's',
        name: 'look',
        arguments: '{}',
        output: 'seen',
        error: null,
        approval_request_id: null,
      };
  }
}

/** An item as it is sent back: without its id where it would be looked up, and a message reduced to its words. */
function wantedItem(item: Json): Json {
  const { id: _id, status: _status, ...rest } = item;
  switch (item.type) {
    case 'reasoning':
    case 'function_call':
      return rest;
    case 'message': {
      const content = (item.content as Json[]).map(({ text }) => ({ type: 'output_text', text, annotations: [] }));
      return { type: 'message', role: 'assistant', content };
    }
    default:
      return item;
  }
}

export function issueContent(deeds: readonly Deed[], keeper: Keeper, serial: string): Issued {
  let called = false;
  const say = (deed: Deed, index: number): Json[] => {
    switch (deed.kind) {
      case 'thought':
        return [{ text: deed.text, thought: true }];
      case 'text':
        return [{ text: deed.text, ...(deed.signed && { thoughtSignature: keeper.issue('text') }) }];
      case 'call': {
        const functionCall = { id: `fc_${serial}_${index}`, name: toolOf(deed), args: { path: deed.path } };
        // The first call of a step is signed, others may be ([G §4] signature rules).
        const signed = deed.signed || !called;
        called = true;
        return [{ functionCall, ...(signed && { thoughtSignature: keeper.issue(bindingOf({ functionCall })) }) }];
      }
      case 'hosted':
        return hostedParts(deed.of, `${serial}_${index}`, keeper);
      case 'picture':
        return [{ inlineData: { mimeType: 'image/png', data: PIXEL }, thoughtSignature: keeper.issue('text') }];
      case 'sign':
        return [{ text: '', thoughtSignature: keeper.issue('text') }];
    }
  };
  const nodes = deeds.flatMap(say);
  const body = {
    candidates: [{ content: { role: 'model', parts: nodes }, finishReason: 'STOP', index: 0, ...grounding(nodes) }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
    modelVersion: 'gemini-3-pro',
    responseId: `r_${serial}`,
  };
  return { nodes, body, wanted: nodes.filter(({ thought }) => thought !== true) };
}

/** Sources for the middle of the last text: clients that are shown them get it in pieces (translation.md 5.5). */
function grounding(nodes: readonly Json[]): Json {
  const last = nodes.at(-1);
  const text = typeof last?.text === 'string' && last.thought !== true ? last.text : '';
  const words = text.split(' ');
  const cited = words[1];
  if (cited === undefined) return {};
  const startIndex = Buffer.byteLength(`${words[0]} `);
  const segment = {
    partIndex: nodes.length - 1,
    startIndex,
    endIndex: startIndex + Buffer.byteLength(cited),
    text: cited,
  };
  return {
    groundingMetadata: {
      groundingChunks: [{ web: { uri: 'https://e.x/', title: 'E' } }],
      groundingSupports: [{ segment, groundingChunkIndices: [0] }],
    },
  };
}

function hostedParts(of: (Deed & { readonly kind: 'hosted' })['of'], id: string, keeper: Keeper): Json[] {
  switch (of) {
    case 'code':
      return [
        { executableCode: { language: 'PYTHON', code: '1+1' }, thoughtSignature: keeper.issue('text') },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
      ];
    case 'search':
    case 'server':
      return [
        {
          toolCall: { id: `tc_${id}`, toolType: 'GOOGLE_SEARCH_WEB', args: { queries: ['q'] } },
          thoughtSignature: keeper.issue('text'),
        },
        { toolResponse: { id: `tc_${id}`, toolType: 'GOOGLE_SEARCH_WEB', response: {} } },
      ];
  }
}
