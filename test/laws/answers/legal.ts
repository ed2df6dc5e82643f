import { findProblems, readShapes, type JsonObject as StrictObject } from '../../../src/simulator/rules/index.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { DialectId } from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { lawTableOf } from '../dialects/index.js';

/** What no answer of a service of this dialect would say, in a body that one gave for it. */
export function answerFaults(dialect: DialectId, body: JsonObject): string[] {
  const problems = findProblems(body as StrictObject, 'Answer', { shapes: SHAPES[dialect] });
  const shape = problems.map(({ kind, path, expected }) => `${kind} ${path.join('/')} ${expected.join()}`);
  return [...shape, ...RULES[dialect](body)];
}

/** Answers as [M §4], with the picture that is our extension of it (translation.md 5.1). */
export const MESSAGES = readShapes(`
Answer: id! string, type! 'message', role! 'assistant', model! string, content! Block[],
  stop_reason! 'end_turn'|'max_tokens'|'stop_sequence'|'tool_use'|'pause_turn'|'refusal'
    |'model_context_window_exceeded'|'compaction',
  stop_sequence! string|null, stop_details! Details|null, container! null, diagnostics! null, usage! Usage
Details: type! 'refusal', category! string|null, explanation! string|null
Usage: input_tokens! int, output_tokens! int, cache_creation_input_tokens! int, cache_read_input_tokens! int,
  cache_creation! Creation|null, output_tokens_details! ThinkingTokens|null, server_tool_use! ServerCalls|null,
  service_tier! 'standard'|'priority'|'batch'|null, inference_geo! null, speed! null
Creation: ephemeral_5m_input_tokens! int, ephemeral_1h_input_tokens! int
ThinkingTokens: thinking_tokens! int
ServerCalls: web_search_requests int, web_fetch_requests int
Block by type: text Text, thinking Thinking, tool_use ToolUse, server_tool_use ServerToolUse, mcp_tool_use McpToolUse,
  web_search_tool_result SearchResult, web_fetch_tool_result FetchResult, code_execution_tool_result CodeResult,
  mcp_tool_result McpResult, image Image
Text: type! string, text! string, citations! Citation[]|null
Thinking: thinking! string, signature! string
ToolUse: id! string, name! string, input! object, caller! Direct
Direct: type! 'direct'
ServerToolUse: id! string, name! 'web_search'|'web_fetch'|'code_execution', input! object, caller! Direct
McpToolUse: id! string, name! string, server_name! string, input! object
SearchResult: tool_use_id! string, content! SearchHit[]|SearchError, caller! Direct
SearchHit: type! 'web_search_result', url! string, title! string, encrypted_content! string, page_age! string|null
SearchError: type! 'web_search_tool_result_error',
  error_code! 'invalid_tool_input'|'unavailable'|'max_uses_exceeded'|'too_many_requests'|'query_too_long'
    |'request_too_large'
FetchResult: tool_use_id! string, content! FetchContent, caller! Direct
FetchContent by type: web_fetch_result Fetched, web_fetch_tool_result_error FetchError
Fetched: url! string, retrieved_at! string|null, content! Document
Document: type! 'document', source! Plain, title! string|null
Plain: type! 'text', media_type! 'text/plain', data! string
FetchError:
  error_code! 'invalid_tool_input'|'unavailable'|'max_uses_exceeded'|'too_many_requests'|'url_too_long'
    |'url_not_allowed'|'url_not_in_prior_context'|'url_not_accessible'|'unsupported_content_type'
    |'content_too_large'
CodeResult: tool_use_id! string, content! CodeContent
CodeContent by type: code_execution_result Ran, code_execution_tool_result_error RunError
Ran: stdout! string, stderr! string, return_code! int, content! object[]
RunError: error_code! 'invalid_tool_input'|'unavailable'|'too_many_requests'|'execution_time_exceeded'
McpResult: tool_use_id! string, is_error! bool, content! Text[]
Image: source! ImageSource
ImageSource by type: base64 Inline, url Linked
Inline: media_type! string, data! base64
Linked: url! string
Citation by type: web_search_result_location Web, char_location|page_location|content_block_location InDocument
Web: url! string, title! string|null, encrypted_index! string, cited_text! string
InDocument: document_index! int, document_title! string|null, cited_text! string, file_id null, start_char_index int,
  end_char_index int, start_page_number int, end_page_number int, start_block_index int, end_block_index int
`);

/** Answers as [R §4]; the echo of the request is the client's own. */
export const RESPONSES = readShapes(`
Answer: id! string, object! 'response', created_at! int, completed_at! int|null,
  status! 'completed'|'failed'|'cancelled'|'incomplete', background! bool, error! Failure|null,
  incomplete_details! Reason|null, instructions! any, max_output_tokens! int|null, max_tool_calls! int|null,
  model! string, output! Item[], parallel_tool_calls! bool, previous_response_id! string|null,
  prompt_cache_key! string|null, prompt_cache_retention! string|null, reasoning! object,
  safety_identifier! string|null, service_tier! 'auto'|'default'|'flex'|'priority', store! bool,
  temperature! number|null, text! object, tool_choice! any, tools! object[], top_logprobs! int|null,
  top_p! number|null, truncation! string, usage! Usage|null, user! string|null, metadata! object,
  frequency_penalty! number, presence_penalty! number, access_programs any
Failure: code! string, message! string
Reason: reason! 'max_output_tokens'|'content_filter'
Usage: input_tokens! int, input_tokens_details! InputDetails, output_tokens! int,
  output_tokens_details! OutputDetails, total_tokens! int
InputDetails: cached_tokens! int, cache_write_tokens! int
OutputDetails: reasoning_tokens! int
Item by type: message Message, reasoning Reasoning, function_call FunctionCall, custom_tool_call CustomToolCall,
  web_search_call WebSearchCall, file_search_call FileSearchCall, code_interpreter_call CodeInterpreterCall,
  image_generation_call ImageGenerationCall, mcp_call McpCall, compaction Compaction
Message: id! string, role! 'assistant', status! 'completed'|'incomplete', content! Content[]
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
Search: query! string, queries! string[], sources Source[]
Source: type! 'url', url! string
OpenPage: url string
FindInPage: url! string, pattern! string
FileSearchCall: id! string, status! 'completed'|'failed'|'incomplete', queries! string[], results! object[]|null
CodeInterpreterCall: id! string, status! 'completed'|'failed'|'incomplete', code! string, container_id! string,
  outputs! Logs[]|null
Logs: type! 'logs', logs! string
ImageGenerationCall: id! string, status! 'completed'|'failed', result! base64|null, output_format! string,
  revised_prompt string
McpCall: id! string, status! 'completed'|'failed'|'incomplete', server_label! string, name! string, arguments! string,
  output! string|null, error! object|null, approval_request_id! null
Compaction: id! string, encrypted_content! string
`);

/** Answers as [G §5]. */
export const GENERATE_CONTENT = readShapes(`
Answer: candidates Candidate[], promptFeedback Feedback, usageMetadata Usage, modelVersion! string, responseId! string
Feedback: blockReason! 'SAFETY'|'OTHER'|'BLOCKLIST'|'PROHIBITED_CONTENT'|'IMAGE_SAFETY'|'MODEL_ARMOR'|'JAILBREAK',
  blockReasonMessage string
Usage: promptTokenCount! int, cachedContentTokenCount int, candidatesTokenCount int, toolUsePromptTokenCount int,
  thoughtsTokenCount int, totalTokenCount! int
Candidate: content! Content, finishReason! 'STOP'|'MAX_TOKENS'|'SAFETY'|'OTHER', finishMessage string, index int,
  groundingMetadata Grounding, urlContextMetadata UrlContext, logprobsResult Logprobs
Content: role! 'model', parts! Part[]
Part: text string, thought bool, thoughtSignature base64, inlineData Blob, fileData File, functionCall FunctionCall,
  executableCode Code, codeExecutionResult CodeResult
Blob: mimeType! string, data! base64
File: mimeType string, fileUri! string
FunctionCall: id string, name! string, args object
Code: language! 'PYTHON'|'LANGUAGE_UNSPECIFIED', code! string
CodeResult: outcome! 'OUTCOME_OK'|'OUTCOME_FAILED'|'OUTCOME_DEADLINE_EXCEEDED', output string
Grounding: webSearchQueries string[], groundingChunks Chunk[], groundingSupports Support[]
Chunk: web Web, retrievedContext Retrieved
Web: uri! string, title string
Retrieved: uri string, title string, text string
Support: segment! Segment, groundingChunkIndices! int[]
Segment: startIndex int, endIndex! int, text! string
UrlContext: urlMetadata! Fetched[]
Fetched: retrievedUrl! string,
  urlRetrievalStatus! 'URL_RETRIEVAL_STATUS_SUCCESS'|'URL_RETRIEVAL_STATUS_ERROR'|'URL_RETRIEVAL_STATUS_PAYWALL'
    |'URL_RETRIEVAL_STATUS_UNSAFE'
Logprobs: chosenCandidates! Token[], topCandidates Tops[]
Tops: candidates! Token[]
Token: token! string, logProbability! number
`);

/** Answers as [H §6], with the carriers of state and the pictures that are ours (translation.md 4.6, 5.1). */
export const CHAT_COMPLETIONS = readShapes(`
Answer: id! string, object! 'chat.completion', created! int, model! string, choices! Choice[], usage! Usage|null,
  service_tier string, system_fingerprint! null
Usage: prompt_tokens! int, completion_tokens! int, total_tokens! int, prompt_tokens_details! InputDetails,
  completion_tokens_details! OutputDetails
InputDetails: cached_tokens! int, cache_write_tokens int, audio_tokens! int
OutputDetails: reasoning_tokens! int, audio_tokens! int, accepted_prediction_tokens! int,
  rejected_prediction_tokens! int
Choice: index! int, message! Message, logprobs! Logprobs|null,
  finish_reason! 'stop'|'length'|'tool_calls'|'content_filter'|'function_call'
Message: role! 'assistant', content! string|null, refusal! string|null, annotations Annotation[],
  reasoning_content string, reasoning string, reasoning_details Detail[], tool_calls ToolCall[],
  function_call Called, images Image[]
Detail: type! 'reasoning.encrypted', id! string, format! 'unknown', index! int, data! string
ToolCall by type: function FunctionToolCall, custom CustomToolCall
FunctionToolCall: id! string, function! Called, extra_content ExtraContent
CustomToolCall: id! string, custom! Written, extra_content ExtraContent
Called: name! string, arguments! string
Written: name! string, input! string
ExtraContent: google! Google
Google: thought_signature! string
Annotation by type: url_citation UrlCitation
UrlCitation: url_citation! Cited
Cited: url! string, title! string, start_index! int, end_index! int
Image: type! 'image_url', image_url! ImageUrl
ImageUrl: url! string
Logprobs: content! Token[]|null, refusal! Token[]|null
Token: token! string, logprob! number, bytes! int[]|null, top_logprobs! Top[]
Top: token! string, logprob! number, bytes! int[]|null
`);

const SHAPES = lawTableOf('answerShapes');

const RULES = lawTableOf('answerRules');

function listIn(value: unknown, key: string): JsonObject[] {
  const list: unknown = Reflect.get(Object(value), key);
  return Array.isArray(list) ? list.filter(isObject) : [];
}

function twice(values: readonly unknown[]): string[] {
  return values
    .filter((value, index) => values.indexOf(value) !== index)
    .map((value) => `${String(value)} stands twice`);
}

export function messageFaults(body: JsonObject): string[] {
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

export function responseFaults(body: JsonObject): string[] {
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

export function chatFaults(body: JsonObject): string[] {
  const [choice, ...more] = listIn(body, 'choices');
  const faults = more.length > 0 ? ['more than one choice'] : [];
  const message = isObject(choice?.message) ? choice.message : {};
  const calls = listIn(message, 'tool_calls');
  const details = listIn(message, 'reasoning_details');
  faults.push(...twice(calls.map(({ id }) => id)), ...twice(details.map(({ id }) => id)));
  if (calls.some(({ id }) => !/^[A-Za-z0-9_-]{1,40}$/.test(String(id)))) faults.push('an id is not legal');
  if (details.some(({ index }, place) => index !== place)) faults.push('state is not counted from 0');
  const silent = calls.length > 0 || message.function_call !== undefined || typeof message.refusal === 'string';
  if (message.content === null && !silent && choice?.finish_reason !== 'content_filter')
    faults.push('an answer says something');
  if (choice?.finish_reason === 'tool_calls' && calls.length === 0) faults.push('an end for calls without one');
  const length = typeof message.content === 'string' ? [...message.content].length : 0;
  for (const { url_citation: cited } of listIn(message, 'annotations')) {
    const { start_index: start, end_index: end } = isObject(cited) ? cited : {};
    if (Number(end) > length || Number(start) > Number(end)) faults.push('an annotation lies outside its text');
  }
  const { usage } = body;
  if (isObject(usage) && usage.total_tokens !== Number(usage.prompt_tokens) + Number(usage.completion_tokens))
    faults.push('the total is no sum');
  return faults;
}

const MEMBERS = ['text', 'inlineData', 'fileData', 'functionCall', 'executableCode', 'codeExecutionResult'];

export function generateFaults(body: JsonObject): string[] {
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
