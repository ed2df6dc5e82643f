import type { JsonObject } from '../../../translators/index.js';
import { type Ask, BEGUN, CAP, type Choice, PICTURE, SCHEMA, TOOLS } from '../asks.js';
import { documentBase64 } from '../document.js';
import { countOf, errorIn, objectOf, objectsIn, type ParsedAnswer, type ParsedStream, textOf } from '../parsed.js';
import type { Speech } from './speech.js';

const TOOL_LIST = [{ functionDeclarations: TOOLS.map((name) => ({ name, description: `Tells the ${name}.` })) }];

function choiceOf(choice: Choice): JsonObject {
  const one = typeof choice === 'string' ? undefined : 'only' in choice ? choice.only : choice.among;
  if (one !== undefined) return { mode: 'ANY', allowedFunctionNames: [one] };
  return { mode: choice === 'required' ? 'ANY' : choice === 'none' ? 'NONE' : 'AUTO' };
}

function contentsOf({ prompt, picture, document, history }: Ask): unknown {
  const inline = (mimeType: string, data: string): JsonObject => ({ inlineData: { mimeType, data } });
  const user = (...parts: readonly JsonObject[]): JsonObject => ({ role: 'user', parts });
  if (picture) return [user({ text: prompt }, inline('image/png', PICTURE))];
  if (document) return [user({ text: prompt }, inline('application/pdf', documentBase64()))];
  if (history === 'begun') return [user({ text: prompt }), { role: 'model', parts: [{ text: BEGUN }] }];
  if (history === undefined) return [user({ text: prompt })];
  return [
    user({ text: prompt }),
    { role: 'model', parts: [{ functionCall: { name: 'time', args: {} } }] },
    user({ functionResponse: { name: 'time', response: { output: 'noon' } } }),
  ];
}

function read(body: unknown): ParsedAnswer | undefined {
  const { candidates, usageMetadata } = objectOf(body);
  if (!Array.isArray(candidates)) return undefined;
  return joined([objectOf(body)], objectsIn(candidates).length, usageMetadata);
}

function joined(answers: readonly ReturnType<typeof objectOf>[], choices: number, usage: unknown): ParsedAnswer {
  const firsts = answers.flatMap(({ candidates }) => objectsIn(candidates).slice(0, 1));
  const parts = firsts.flatMap(({ content }) => objectsIn(objectOf(content).parts));
  const figures = objectOf(usage);
  const input = countOf(figures.promptTokenCount);
  const made = countOf(figures.candidatesTokenCount);
  const thought = countOf(figures.thoughtsTokenCount) ?? 0;
  const cached = countOf(figures.cachedContentTokenCount);
  const thoughts = parts.map((part) => (part.thought === true ? textOf(part.text) : '')).join('');
  return {
    text: parts.map((part) => (part.thought === true ? '' : textOf(part.text))).join(''),
    thoughts,
    ...((thoughts !== '' || thought > 0) && { field: 'thought' }),
    calls: parts.flatMap(({ functionCall }) =>
      functionCall === undefined ? [] : [{ name: textOf(objectOf(functionCall).name), type: 'functionCall' }],
    ),
    isCut: firsts.some(({ finishReason }) => finishReason === 'MAX_TOKENS'),
    choices,
    logprobs: false,
    ...(input !== undefined && { input }),
    ...(made !== undefined && { output: made + thought }),
    ...(cached !== undefined && { cached }),
    isBare: false,
  };
}

function fold(events: readonly unknown[]): ParsedStream {
  const answers = events.map(objectOf).filter(({ candidates }) => Array.isArray(candidates));
  const usage = answers.findLast(({ usageMetadata }) => usageMetadata !== undefined)?.usageMetadata;
  const error = errorIn(events[0]);
  return {
    ...(answers.length > 0 && { parsed: joined(answers, 1, usage) }),
    isWhole: answers.some(({ candidates }) =>
      objectsIn(candidates).some(({ finishReason }) => textOf(finishReason) !== ''),
    ),
    ...(error !== undefined && { error }),
    isOdd: false,
  };
}

const config = (settings: JsonObject): JsonObject => ({ generationConfig: settings });
const thinking = (thinkingBudget: number) => ({
  body: config({ thinkingConfig: { thinkingBudget, includeThoughts: true } }),
  names: ['thinking', 'thinkingBudget', 'thinkingConfig', 'thinking_config'],
});

export const generateContent: Speech = {
  dialect: 'generateContent',
  body(ask) {
    const { cap = CAP, tools, choice, schema } = ask;
    return {
      contents: contentsOf(ask),
      generationConfig: {
        maxOutputTokens: cap,
        temperature: 0,
        ...(schema && { responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
      },
      ...(tools && { tools: TOOL_LIST }),
      ...(choice !== undefined && { toolConfig: { functionCallingConfig: choiceOf(choice) } }),
    };
  },
  read,
  fold,
  on: [{ title: 'thinkingBudget', extra: thinking(512) }],
  off: [{ title: 'thinkingBudget', extra: thinking(0) }],
  budget: thinking(512),
  stop: (text) => ({ body: config({ stopSequences: [text] }), names: ['stopSequences', 'stop_sequences'] }),
  seed: { body: config({ seed: 7 }), names: ['seed'] },
  choices: {
    body: config({ candidateCount: 2, temperature: 1 }),
    names: ['candidateCount', 'candidate_count', 'candidates'],
  },
  count: {
    body: () => ({ contents: [{ role: 'user', parts: [{ text: 'Say hello.' }] }] }),
    read: (body) => countOf(objectOf(body).totalTokens),
  },
  isError(body) {
    const { message, status } = objectOf(objectOf(body).error);
    return typeof message === 'string' && typeof status === 'string';
  },
};
