import { findProblems, type JsonObject as StrictObject } from '../../../src/simulator/rules/index.js';
import type { JsonObject } from '../../../translators/canonical/node.js';
import type { DialectId } from '../../../translators/index.js';
import { isObject } from '../../../translators/wire/json.js';
import { WIRES } from '../../support/answers.js';
import { lawTableOf } from '../dialects/index.js';

/** What no answer of a service of this dialect would say, in a body that one gave for it. */
export function answerFaults(dialect: DialectId, body: JsonObject): string[] {
  const problems = findProblems(body as StrictObject, 'Answer', { shapes: WIRES[dialect].shapes.exact });
  const shape = problems.map(({ kind, path, expected }) => `${kind} ${path.join('/')} ${expected.join()}`);
  return [...shape, ...RULES[dialect](body)];
}

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
