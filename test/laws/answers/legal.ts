import type { JsonObject as StrictObject } from '../../../src/simulator/json.js';
import { findProblems, type Shapes } from '../../../src/simulator/shape.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { DialectId } from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';

/** What no answer of a service of this dialect would say, in a body that one gave for it. */
export function answerFaults(dialect: DialectId, body: JsonObject): string[] {
  const problems = findProblems(body as StrictObject, 'answer', { shapes: SHAPES[dialect] });
  const shape = problems.map(({ kind, path, expected }) => `${kind} ${path.join('/')} ${expected.join()}`);
  return [...shape, ...RULES[dialect](body)];
}

/** Answers as [M §4], with the picture that is our extension of it (translation.md 9.27). */
const MESSAGES: Shapes = {
  answer: {
    id: 'string!',
    type: "'message'!",
    role: "'assistant'!",
    model: 'string!',
    content: 'block[]!',
    stop_reason:
      "'end_turn'|'max_tokens'|'stop_sequence'|'tool_use'|'pause_turn'|'refusal'|'model_context_window_exceeded'|'compaction'!",
    stop_sequence: 'string|null!',
    stop_details: 'details|null!',
    container: 'null!',
    diagnostics: 'null!',
    usage: 'usage!',
  },
  details: { type: "'refusal'!", category: 'string|null!', explanation: 'string|null!' },
  usage: {
    input_tokens: 'int!',
    output_tokens: 'int!',
    cache_creation_input_tokens: 'int!',
    cache_read_input_tokens: 'int!',
    cache_creation: 'creation|null!',
    output_tokens_details: 'thinking_tokens|null!',
    server_tool_use: 'server_calls|null!',
    service_tier: "'standard'|'priority'|'batch'|null!",
    inference_geo: 'null!',
    speed: 'null!',
  },
  creation: { ephemeral_5m_input_tokens: 'int!', ephemeral_1h_input_tokens: 'int!' },
  thinking_tokens: { thinking_tokens: 'int!' },
  server_calls: { web_search_requests: 'int', web_fetch_requests: 'int' },
  block: {
    $by: 'type',
    text: 'text',
    thinking: 'thinking',
    tool_use: 'tool_use',
    server_tool_use: 'server_tool_use',
    mcp_tool_use: 'mcp_tool_use',
    web_search_tool_result: 'search_result',
    web_fetch_tool_result: 'fetch_result',
    code_execution_tool_result: 'code_result',
    mcp_tool_result: 'mcp_result',
    image: 'image',
  },
  text: { type: 'string!', text: 'string!', citations: 'citation[]|null!' },
  thinking: { type: 'string!', thinking: 'string!', signature: 'string!' },
  tool_use: { type: 'string!', id: 'string!', name: 'string!', input: 'object!', caller: 'direct!' },
  direct: { type: "'direct'!" },
  server_tool_use: {
    type: 'string!',
    id: 'string!',
    name: "'web_search'|'web_fetch'|'code_execution'!",
    input: 'object!',
    caller: 'direct!',
  },
  mcp_tool_use: { type: 'string!', id: 'string!', name: 'string!', server_name: 'string!', input: 'object!' },
  search_result: { type: 'string!', tool_use_id: 'string!', content: 'search_hit[]|search_error!', caller: 'direct!' },
  search_hit: {
    type: "'web_search_result'!",
    url: 'string!',
    title: 'string!',
    encrypted_content: 'string!',
    page_age: 'string|null!',
  },
  search_error: {
    type: "'web_search_tool_result_error'!",
    error_code:
      "'invalid_tool_input'|'unavailable'|'max_uses_exceeded'|'too_many_requests'|'query_too_long'|'request_too_large'!",
  },
  fetch_result: { type: 'string!', tool_use_id: 'string!', content: 'fetch_content!', caller: 'direct!' },
  fetch_content: { $by: 'type', web_fetch_result: 'fetched', web_fetch_tool_result_error: 'fetch_error' },
  fetched: { type: 'string!', url: 'string!', retrieved_at: 'string|null!', content: 'document!' },
  document: { type: "'document'!", source: 'plain!', title: 'string|null!' },
  plain: { type: "'text'!", media_type: "'text/plain'!", data: 'string!' },
  fetch_error: {
    type: 'string!',
    error_code:
      "'invalid_tool_input'|'unavailable'|'max_uses_exceeded'|'too_many_requests'|'url_too_long'|'url_not_allowed'|'url_not_in_prior_context'|'url_not_accessible'|'unsupported_content_type'|'content_too_large'!",
  },
  code_result: { type: 'string!', tool_use_id: 'string!', content: 'code_content!' },
  code_content: { $by: 'type', code_execution_result: 'ran', code_execution_tool_result_error: 'run_error' },
  ran: { type: 'string!', stdout: 'string!', stderr: 'string!', return_code: 'int!', content: 'object[]!' },
  run_error: {
    type: 'string!',
    error_code: "'invalid_tool_input'|'unavailable'|'too_many_requests'|'execution_time_exceeded'!",
  },
  mcp_result: { type: 'string!', tool_use_id: 'string!', is_error: 'bool!', content: 'text[]!' },
  image: { type: 'string!', source: 'image_source!' },
  image_source: { $by: 'type', base64: 'inline', url: 'linked' },
  inline: { type: 'string!', media_type: 'string!', data: 'base64!' },
  linked: { type: 'string!', url: 'string!' },
  citation: {
    $by: 'type',
    web_search_result_location: 'web',
    char_location: 'in_document',
    page_location: 'in_document',
    content_block_location: 'in_document',
  },
  web: {
    type: 'string!',
    url: 'string!',
    title: 'string|null!',
    encrypted_index: 'string!',
    cited_text: 'string!',
  },
  in_document: {
    type: 'string!',
    document_index: 'int!',
    document_title: 'string|null!',
    cited_text: 'string!',
    file_id: 'null',
    start_char_index: 'int',
    end_char_index: 'int',
    start_page_number: 'int',
    end_page_number: 'int',
    start_block_index: 'int',
    end_block_index: 'int',
  },
};

/** Answers as [R §4]; the echo of the request is the client's own. */
const RESPONSES: Shapes = {
  answer: {
    id: 'string!',
    object: "'response'!",
    created_at: 'int!',
    completed_at: 'int|null!',
    status: "'completed'|'failed'|'cancelled'|'incomplete'!",
    background: 'bool!',
    error: 'failure|null!',
    incomplete_details: 'reason|null!',
    instructions: 'any!',
    max_output_tokens: 'int|null!',
    max_tool_calls: 'int|null!',
    model: 'string!',
    output: 'item[]!',
    parallel_tool_calls: 'bool!',
    previous_response_id: 'string|null!',
    prompt_cache_key: 'string|null!',
    prompt_cache_retention: 'string|null!',
    reasoning: 'object!',
    safety_identifier: 'string|null!',
    service_tier: "'auto'|'default'|'flex'|'priority'!",
    store: 'bool!',
    temperature: 'number|null!',
    text: 'object!',
    tool_choice: 'any!',
    tools: 'object[]!',
    top_logprobs: 'int|null!',
    top_p: 'number|null!',
    truncation: 'string!',
    usage: 'usage|null!',
    user: 'string|null!',
    metadata: 'object!',
    frequency_penalty: 'number!',
    presence_penalty: 'number!',
    access_programs: 'any',
  },
  failure: { code: 'string!', message: 'string!' },
  reason: { reason: "'max_output_tokens'|'content_filter'!" },
  usage: {
    input_tokens: 'int!',
    input_tokens_details: 'input_details!',
    output_tokens: 'int!',
    output_tokens_details: 'output_details!',
    total_tokens: 'int!',
  },
  input_details: { cached_tokens: 'int!', cache_write_tokens: 'int!' },
  output_details: { reasoning_tokens: 'int!' },
  item: {
    $by: 'type',
    message: 'message',
    reasoning: 'reasoning',
    function_call: 'function_call',
    custom_tool_call: 'custom_tool_call',
    web_search_call: 'web_search_call',
    file_search_call: 'file_search_call',
    code_interpreter_call: 'code_interpreter_call',
    image_generation_call: 'image_generation_call',
    mcp_call: 'mcp_call',
    compaction: 'compaction',
  },
  message: {
    id: 'string!',
    type: 'string!',
    role: "'assistant'!",
    status: "'completed'|'incomplete'!",
    content: 'content[]!',
  },
  content: { $by: 'type', output_text: 'output_text', refusal: 'refusal' },
  output_text: { type: 'string!', text: 'string!', annotations: 'annotation[]!', logprobs: 'token[]!' },
  refusal: { type: 'string!', refusal: 'string!' },
  annotation: { $by: 'type', url_citation: 'url_citation', file_citation: 'file_citation' },
  url_citation: { type: 'string!', url: 'string!', title: 'string!', start_index: 'int!', end_index: 'int!' },
  file_citation: { type: 'string!', file_id: 'string!', filename: 'string!', index: 'int!' },
  token: { token: 'string!', logprob: 'number!', bytes: 'int[]!', top_logprobs: 'top[]!' },
  top: { token: 'string!', logprob: 'number!', bytes: 'int[]!' },
  reasoning: {
    id: 'string!',
    type: 'string!',
    summary: 'summary_text[]!',
    content: 'reasoning_text[]',
    encrypted_content: 'string',
  },
  summary_text: { type: "'summary_text'!", text: 'string!' },
  reasoning_text: { type: "'reasoning_text'!", text: 'string!' },
  function_call: {
    id: 'string!',
    type: 'string!',
    status: "'completed'|'incomplete'!",
    call_id: 'string!',
    name: 'string!',
    namespace: 'string',
    arguments: 'string!',
  },
  custom_tool_call: {
    id: 'string!',
    type: 'string!',
    status: "'completed'|'incomplete'!",
    call_id: 'string!',
    name: 'string!',
    namespace: 'string',
    input: 'string!',
  },
  web_search_call: { id: 'string!', type: 'string!', status: "'completed'|'failed'|'in_progress'!", action: 'action!' },
  action: { $by: 'type', search: 'search', open_page: 'open_page', find_in_page: 'find_in_page' },
  search: { type: 'string!', query: 'string!', queries: 'string[]!', sources: 'source[]' },
  source: { type: "'url'!", url: 'string!' },
  open_page: { type: 'string!', url: 'string' },
  find_in_page: { type: 'string!', url: 'string!', pattern: 'string!' },
  file_search_call: {
    id: 'string!',
    type: 'string!',
    status: "'completed'|'failed'|'incomplete'!",
    queries: 'string[]!',
    results: 'object[]|null!',
  },
  code_interpreter_call: {
    id: 'string!',
    type: 'string!',
    status: "'completed'|'failed'|'incomplete'!",
    code: 'string!',
    container_id: 'string!',
    outputs: 'logs[]|null!',
  },
  logs: { type: "'logs'!", logs: 'string!' },
  image_generation_call: {
    id: 'string!',
    type: 'string!',
    status: "'completed'|'failed'!",
    result: 'base64|null!',
    output_format: 'string!',
    revised_prompt: 'string',
  },
  mcp_call: {
    id: 'string!',
    type: 'string!',
    status: "'completed'|'failed'|'incomplete'!",
    server_label: 'string!',
    name: 'string!',
    arguments: 'string!',
    output: 'string|null!',
    error: 'object|null!',
    approval_request_id: 'null!',
  },
  compaction: { id: 'string!', type: 'string!', encrypted_content: 'string!' },
};

/** Answers as [G §5]. */
const GENERATE_CONTENT: Shapes = {
  answer: {
    candidates: 'candidate[]',
    promptFeedback: 'feedback',
    usageMetadata: 'usage',
    modelVersion: 'string!',
    responseId: 'string!',
  },
  feedback: {
    blockReason: "'SAFETY'|'OTHER'|'BLOCKLIST'|'PROHIBITED_CONTENT'|'IMAGE_SAFETY'|'MODEL_ARMOR'|'JAILBREAK'!",
    blockReasonMessage: 'string',
  },
  usage: {
    promptTokenCount: 'int!',
    cachedContentTokenCount: 'int',
    candidatesTokenCount: 'int',
    toolUsePromptTokenCount: 'int',
    thoughtsTokenCount: 'int',
    totalTokenCount: 'int!',
  },
  candidate: {
    content: 'content!',
    finishReason: "'STOP'|'MAX_TOKENS'|'SAFETY'|'OTHER'!",
    finishMessage: 'string',
    index: 'int',
    groundingMetadata: 'grounding',
    urlContextMetadata: 'url_context',
    logprobsResult: 'logprobs',
  },
  content: { role: "'model'!", parts: 'part[]!' },
  part: {
    text: 'string',
    thought: 'bool',
    thoughtSignature: 'base64',
    inlineData: 'blob',
    fileData: 'file',
    functionCall: 'function_call',
    executableCode: 'code',
    codeExecutionResult: 'code_result',
  },
  blob: { mimeType: 'string!', data: 'base64!' },
  file: { mimeType: 'string', fileUri: 'string!' },
  function_call: { id: 'string', name: 'string!', args: 'object' },
  code: { language: "'PYTHON'|'LANGUAGE_UNSPECIFIED'!", code: 'string!' },
  code_result: { outcome: "'OUTCOME_OK'|'OUTCOME_FAILED'|'OUTCOME_DEADLINE_EXCEEDED'!", output: 'string' },
  grounding: { webSearchQueries: 'string[]', groundingChunks: 'chunk[]', groundingSupports: 'support[]' },
  chunk: { web: 'web', retrievedContext: 'retrieved' },
  web: { uri: 'string!', title: 'string' },
  retrieved: { uri: 'string', title: 'string', text: 'string' },
  support: { segment: 'segment!', groundingChunkIndices: 'int[]!' },
  segment: { startIndex: 'int', endIndex: 'int!', text: 'string!' },
  url_context: { urlMetadata: 'fetched[]!' },
  fetched: {
    retrievedUrl: 'string!',
    urlRetrievalStatus:
      "'URL_RETRIEVAL_STATUS_SUCCESS'|'URL_RETRIEVAL_STATUS_ERROR'|'URL_RETRIEVAL_STATUS_PAYWALL'|'URL_RETRIEVAL_STATUS_UNSAFE'!",
  },
  logprobs: { chosenCandidates: 'token[]!', topCandidates: 'tops[]' },
  tops: { candidates: 'token[]!' },
  token: { token: 'string!', logProbability: 'number!' },
};

const SHAPES: Record<DialectId, Shapes> = {
  messages: MESSAGES,
  responses: RESPONSES,
  generateContent: GENERATE_CONTENT,
};

const RULES: Record<DialectId, (body: JsonObject) => string[]> = {
  messages: messageFaults,
  responses: responseFaults,
  generateContent: generateFaults,
};

function listIn(value: unknown, key: string): JsonObject[] {
  const list: unknown = Reflect.get(Object(value), key);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function twice(values: readonly unknown[]): string[] {
  return values
    .filter((value, index) => values.indexOf(value) !== index)
    .map((value) => `${String(value)} stands twice`);
}

function messageFaults(body: JsonObject): string[] {
  const blocks = listIn(body, 'content');
  const faults = twice(blocks.flatMap(({ id }) => (id === undefined ? [] : [id])));
  blocks.forEach((block, index) => {
    if (block.type === 'text' && block.text === '') faults.push(`/content/${index} is empty`);
    if (block.tool_use_id !== undefined && !blocks.slice(0, index).some(({ id }) => id === block.tool_use_id))
      faults.push(`/content/${index} answers no call`);
  });
  if ((body.stop_reason === 'refusal') !== isObject(body.stop_details))
    faults.push('a refusal has details, and nothing else');
  return faults;
}

function responseFaults(body: JsonObject): string[] {
  const items = listIn(body, 'output');
  const faults = twice(items.map(({ id }) => id));
  for (const item of items) {
    if (item.call_id === '') faults.push(`${String(item.id)} has no call id`);
    for (const part of listIn(item, 'content')) {
      const length = typeof part.text === 'string' ? [...part.text].length : 0;
      for (const { start_index: start, end_index: end, index } of listIn(part, 'annotations')) {
        if (Number(end ?? index) > length || Number(start ?? 0) > Number(end ?? index))
          faults.push(`an annotation of ${String(item.id)} lies outside its text`);
      }
    }
  }
  const { usage } = body;
  if (isObject(usage) && usage.total_tokens !== Number(usage.input_tokens) + Number(usage.output_tokens))
    faults.push('the total is no sum');
  if ((body.status === 'failed') !== isObject(body.error)) faults.push('an error belongs to what failed');
  if ((body.status === 'incomplete') !== isObject(body.incomplete_details))
    faults.push('a reason belongs to what is cut');
  if ((body.status === 'completed') !== (body.completed_at !== null)) faults.push('only what is complete has a time');
  return faults;
}

const MEMBERS = ['text', 'inlineData', 'fileData', 'functionCall', 'executableCode', 'codeExecutionResult'];

function generateFaults(body: JsonObject): string[] {
  const faults: string[] = [];
  const [candidate] = listIn(body, 'candidates');
  if ((candidate === undefined) !== isObject(body.promptFeedback))
    faults.push('an answer, or the reason why there is none');
  const parts = listIn(candidate?.content, 'parts');
  if (candidate !== undefined && parts.length === 0) faults.push('no parts');
  for (const part of parts) {
    if (MEMBERS.filter((member) => member in part).length !== 1) faults.push('a part has one kind of data');
  }
  const bytes = Buffer.from(
    parts.map(({ text, thought }) => (typeof text === 'string' && thought !== true ? text : '')).join(''),
  );
  const chunks = listIn(candidate?.groundingMetadata, 'groundingChunks');
  for (const { segment, groundingChunkIndices: indices } of listIn(candidate?.groundingMetadata, 'groundingSupports')) {
    const { startIndex = 0, endIndex, text }: JsonObject = isObject(segment) ? segment : {};
    const words = bytes.subarray(Number(startIndex), Number(endIndex)).toString();
    if (words !== Buffer.from(String(text)).toString())
      faults.push(`a segment quotes ${JSON.stringify(text)} from ${JSON.stringify(words)}`);
    if (!Array.isArray(indices) || indices.some((index) => chunks[Number(index)] === undefined))
      faults.push('a segment names a source that is not there');
  }
  const { usageMetadata: usage } = body;
  if (isObject(usage)) {
    const sum = ['promptTokenCount', 'candidatesTokenCount', 'toolUsePromptTokenCount', 'thoughtsTokenCount']
      .map((key) => Number(usage[key] ?? 0))
      .reduce((a, b) => a + b, 0);
    if (usage.totalTokenCount !== sum) faults.push('the total is no sum');
  }
  return faults;
}
