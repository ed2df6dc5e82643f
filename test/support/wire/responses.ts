import { hearResponses } from './heard.js';
import {
  type Cut,
  type DialectWire,
  inOne,
  listOf,
  printNamed,
  readAnswerShapes,
  type Said,
  textOf,
  type Wire,
  without,
} from './wire.js';

/** Answers as [R §4]; the echo of the request is the client's own. */
const SHAPES = `
Answer: id! string, object! 'response', created_at? int, completed_at? int|null,
  status! 'completed'|'failed'|'cancelled'|'incomplete', background? bool, error? Failure|null,
  incomplete_details? Reason|null, instructions? any, max_output_tokens? int|null, max_tool_calls? int|null,
  model! string, output! Item[], parallel_tool_calls? bool, previous_response_id? string|null,
  prompt_cache_key? string|null, prompt_cache_retention? string|null, reasoning? object,
  safety_identifier? string|null, service_tier? 'auto'|'default'|'flex'|'priority', store? bool,
  temperature? number|null, text? object, tool_choice? any, tools? object[], top_logprobs? int|null,
  top_p? number|null, truncation? string, usage? Usage|null, user? string|null, metadata? object,
  frequency_penalty? number, presence_penalty? number, access_programs any
Failure: code! string, message! string
Reason: reason! 'max_output_tokens'|'content_filter'
Usage: input_tokens! int, input_tokens_details? InputDetails, output_tokens! int,
  output_tokens_details? OutputDetails, total_tokens! int
InputDetails: cached_tokens? int, cache_write_tokens? int
OutputDetails: reasoning_tokens! int
Item by type: message Message, reasoning Reasoning, function_call FunctionCall, custom_tool_call CustomToolCall,
  web_search_call WebSearchCall, file_search_call FileSearchCall, code_interpreter_call CodeInterpreterCall,
  image_generation_call ImageGenerationCall, mcp_call McpCall, compaction Compaction
Message: id! string, role! 'assistant', status! 'completed'|'incomplete', content! Content[], phase@heard string
Content by type: output_text OutputText, refusal Refusal
OutputText: text! string, annotations! Annotation[], logprobs! Token[]
Refusal: refusal! string
Annotation by type: url_citation UrlCitation, file_citation FileCitation
UrlCitation: url! string, title! string, start_index! int, end_index! int
FileCitation: file_id! string, filename! string, index! int
Token: token! string, logprob! number, bytes! int[], top_logprobs! Top[]
Top: token! string, logprob! number, bytes! int[]
Reasoning: id! string, summary! SummaryText[], content ReasoningText[], encrypted_content string
SummaryText: type! 'summary_text', text! string
ReasoningText: type! 'reasoning_text', text! string
FunctionCall: id! string, status! 'completed'|'incomplete', call_id! string, name! string, namespace string,
  arguments! string
CustomToolCall: id! string, status! 'completed'|'incomplete', call_id! string, name! string, namespace string,
  input! string
WebSearchCall: id! string, status! 'completed'|'failed'|'in_progress', action! Action
Action by type: search Search, open_page OpenPage, find_in_page FindInPage
Search: query! string, queries? string[], sources Source[]
Source: type! 'url', url! string
OpenPage: url string
FindInPage: url! string, pattern! string
FileSearchCall: id! string, status! 'completed'|'failed'|'incomplete', queries! string[], results! object[]|null
CodeInterpreterCall: id! string, status! 'completed'|'failed'|'incomplete', code! string, container_id! string,
  outputs! Logs[]|null
Logs: type! 'logs', logs! string
ImageGenerationCall: id! string, status! 'completed'|'failed', result! base64|null, output_format? string,
  revised_prompt string
McpCall: id! string, status? 'completed'|'failed'|'incomplete', server_label! string, name! string, arguments! string,
  output! string|null, error? object|null, approval_request_id? null
Compaction: id! string, encrypted_content! string
`;

/** A whole answer of these items [R §4.1]. */
export function response(output: readonly object[], more: object = {}): Wire {
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1_760_000_000,
    status: 'completed',
    model: 'r-real',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    output,
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    usage: {
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 2,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 5,
    },
    ...more,
  };
}

/** A message item that says a text [R §4.3]. */
function messageItem(text: string, part: object = {}, more: object = {}): Wire {
  return {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [], ...part }],
    ...more,
  };
}

/** The events of a stream that gives an answer, numbered [R §5.2]. With `queued`, it starts as a background response does. */
export function responseEvents(answer: Wire, cut: Cut = inOne, queued = false): Wire[] {
  const open = { ...answer, ...OPEN, ...('completed_at' in answer && { completed_at: null }) };
  const waiting = { ...open, status: 'queued' };
  const events: Wire[] = [
    { type: 'response.created', response: queued ? waiting : open },
    ...(queued ? [{ type: 'response.queued', response: waiting }] : []),
    { type: 'response.in_progress', response: open },
    ...listOf(answer.output).flatMap((item, index) => itemEvents(item, index, cut)),
    { type: `response.${textOf(answer.status)}`, response: answer },
  ];
  return events.map((event, sequence_number) => ({ ...event, sequence_number }));
}

const OPEN = { status: 'in_progress', error: null, incomplete_details: null, output: [], usage: null };

/** The events of one item, without their numbers [R §5.3, §5.4]. */
export function itemEvents(item: Wire, output_index: number, cut: Cut): Wire[] {
  const at = { item_id: item.id, output_index };
  const { head, between } = ITEMS[textOf(item.type)] ?? LONE;
  return [
    { type: 'response.output_item.added', output_index, item: head(item) },
    ...between(item, cut).map((event) => ({ ...event, ...at })),
    { type: 'response.output_item.done', output_index, item },
  ];
}

/** How an item comes: as it is announced, and what its own events say of it. */
interface Coming {
  head(item: Wire): Wire;
  between(item: Wire, cut: Cut): Wire[];
}

/** An item that comes and goes whole; what it does comes with its end. */
const LONE: Coming = {
  head: (item) => ('actions' in item ? begun(item, { actions: [] }) : item),
  between: () => [],
};

const begun = (item: Wire, fields: Wire = {}): Wire => ({ ...item, status: 'in_progress', ...fields });
const steps = (name: string, ...words: readonly string[]): Wire[] =>
  words.map((word) => ({ type: `response.${name}.${word}` }));

/** The deltas of one text of a node, and the event that tells it whole. */
function deltas(name: string, node: Wire, member: string, cut: Cut, more: object = {}, noted: object = {}): Wire[] {
  const text = textOf(node[member]);
  return [
    ...cut(text, member, node).map((delta) => ({ type: `response.${name}.delta`, ...more, delta, ...noted })),
    { type: `response.${name}.done`, ...more, [member]: text, ...noted },
  ];
}

/** A part of a message, or of the full text of a thought. */
function partEvents(part: Wire, content_index: number, cut: Cut): Wire[] {
  const at = { content_index };
  const member = part.type === 'refusal' ? 'refusal' : 'text';
  const name = part.type === 'refusal' ? 'refusal' : textOf(part.type);
  const empty = { ...part, [member]: '', ...('annotations' in part && { annotations: [], logprobs: [] }) };
  const tokens = 'logprobs' in part ? { logprobs: part.logprobs } : {};
  const [last, ...pieces] = deltas(name, part, member, cut, at, tokens).reverse();
  return [
    { type: 'response.content_part.added', ...at, part: empty },
    // The tokens of a text come once, with its first delta.
    ...pieces
      .reverse()
      .map((event, index) => (index === 0 || !('logprobs' in part) ? event : { ...event, logprobs: [] })),
    ...listOf(part.annotations).map((annotation, annotation_index) => ({
      type: 'response.output_text.annotation.added',
      ...at,
      annotation_index,
      annotation,
    })),
    ...(last === undefined ? [] : [last]),
    { type: 'response.content_part.done', ...at, part },
  ];
}

const parts = (list: unknown, cut: Cut): Wire[] => listOf(list).flatMap((part, index) => partEvents(part, index, cut));

const summaryEvents = ({ summary }: Wire, cut: Cut): Wire[] =>
  listOf(summary).flatMap((part, summary_index) => [
    { type: 'response.reasoning_summary_part.added', summary_index, part: { ...part, text: '' } },
    ...deltas('reasoning_summary_text', part, 'text', cut, { summary_index }),
    { type: 'response.reasoning_summary_part.done', summary_index, part },
  ]);

const ITEMS: Readonly<Record<string, Coming>> = {
  message: {
    head: (item) => begun(item, { content: [] }),
    between: ({ content }, cut) => parts(content, cut),
  },
  reasoning: {
    // The state at this event is not final yet [R §5.4].
    head: ({ encrypted_content: state, content: _content, ...item }) => ({
      ...item,
      summary: [],
      ...(typeof state === 'string' && { encrypted_content: state.slice(0, state.length / 2) }),
    }),
    between: (item, cut) => [...summaryEvents(item, cut), ...parts(item.content, cut)],
  },
  function_call: {
    head: (item) => begun(item, { arguments: '' }),
    between: (item, cut) =>
      deltas('function_call_arguments', item, 'arguments', cut).map((event) =>
        'arguments' in event ? { ...event, name: item.name } : event,
      ),
  },
  custom_tool_call: {
    head: (item) => begun(item, { input: '' }),
    between: (item, cut) => deltas('custom_tool_call_input', item, 'input', cut),
  },
  web_search_call: {
    head: (item) => begun(without(item, 'action')),
    between: () => steps('web_search_call', 'in_progress', 'searching', 'completed'),
  },
  file_search_call: {
    head: (item) => begun(item, { queries: [], results: null }),
    between: () => steps('file_search_call', 'in_progress', 'searching', 'completed'),
  },
  code_interpreter_call: {
    head: (item) => begun(item, { code: '', outputs: null }),
    between: (item, cut) => [
      ...steps('code_interpreter_call', 'in_progress'),
      ...deltas('code_interpreter_call_code', item, 'code', cut),
      ...steps('code_interpreter_call', 'interpreting', 'completed'),
    ],
  },
  image_generation_call: {
    head: ({ id, type }) => ({ id, type, status: 'in_progress', result: null }),
    between: () => steps('image_generation_call', 'in_progress', 'generating', 'completed'),
  },
  mcp_call: {
    head: (item) => ({ ...without(item, 'status'), arguments: '', output: null, error: null }),
    between: (item, cut) => [
      ...steps('mcp_call', 'in_progress'),
      ...deltas('mcp_call_arguments', item, 'arguments', cut),
      ...steps('mcp_call', item.status === 'failed' ? 'failed' : 'completed'),
    ],
  },
  mcp_list_tools: {
    head: (item) => ({ ...item, tools: [] }),
    between: () => steps('mcp_list_tools', 'in_progress', 'completed'),
  },
};

function itemOf(said: Said, index: number): Wire {
  switch (said.kind) {
    case 'text':
      return messageItem(said.text, {}, { id: `msg_${index + 1}` });
    case 'thought':
      return {
        type: 'reasoning',
        id: `rs_${index + 1}`,
        summary: said.text === '' ? [] : [{ type: 'summary_text', text: said.text }],
        ...(said.state !== undefined && { encrypted_content: said.state }),
      };
    case 'call':
      return {
        type: 'function_call',
        id: `fc_${index + 1}`,
        call_id: said.id,
        name: said.name,
        arguments: said.args,
        status: 'completed',
      };
  }
}

export const responsesWire: DialectWire = {
  shapes: readAnswerShapes(SHAPES),
  hear: hearResponses,
  say: (parts) => response(parts.map(itemOf)),
  events: responseEvents,
  print: printNamed,
  frames: (answer, cut) => responseEvents(answer, cut).map(printNamed),
};
