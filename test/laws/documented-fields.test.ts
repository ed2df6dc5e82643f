import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type DialectId, dialectIds } from '../../translators/index.js';
import { tableOf } from '../support/dialects/index.js';
import { fateOf, misplaced } from '../support/fields/fate.js';
import { FURTHER } from '../support/fields/further.js';
import { DOCUMENTED } from '../support/fields/index.js';
import { fieldsPage } from '../support/fields/page.js';
import { CROSS_PAIRS } from '../support/pairs.js';
import { SHORT } from '../support/runs.js';

const GENERATIONS = tableOf('generations');

/** Fields that vanish without a word, because with these values they say nothing to the target. */
const NEUTRAL: readonly {
  readonly from: DialectId;
  readonly fields: readonly string[];
  readonly reason: string;
}[] = [
  {
    from: 'messages',
    fields: ['request: cache_control'],
    reason: 'the others cache by themselves (translation.md 2.2)',
  },
  { from: 'messages', fields: ['tool: type'], reason: 'custom is the default' },
  {
    from: 'messages',
    fields: ['web_search_tool_result: cache_control', 'web_search_tool_result: caller'],
    reason: 'the pair is dropped as one, and reported at its call',
  },
  {
    from: 'responses',
    fields: [
      'custom_tool_call_output: id',
      'function_call: id',
      'function_call: status',
      'function_call_output: id',
      'function_call_output: status',
      'message: type',
    ],
    reason: 'ids of items and status:"completed" are on the neutral list (translation.md 0.8)',
  },
  {
    from: 'responses',
    fields: ['function_call_output: name', 'function_call_output: namespace'],
    reason: 'the call of the same id says both',
  },
  {
    from: 'responses',
    fields: ['request: store'],
    reason: 'whether the answer is kept is the affair of who serves it (translation.md 2.2)',
  },
  {
    from: 'responses',
    fields: ['request: stream_options'],
    reason: 'padding of the events of its own dialect, which nobody else writes (translation.md 0.8)',
  },
  {
    from: 'responses',
    fields: [
      'request (code_interpreter_call.outputs): include',
      'request (file_search_call.results): include',
      'request (reasoning.encrypted_content): include',
      'request (web_search_call.action.sources): include',
    ],
    reason: 'it is there without being asked for (translation.md 2.2)',
  },
  {
    from: 'responses',
    fields: ['request (choice "none"): parallel_tool_calls', 'request (function): max_tool_calls'],
    reason: 'a setting that cannot act in the request (translation.md 0.8)',
  },
  {
    from: 'responses',
    fields: ['reasoning: generate_summary', 'reasoning: summary'],
    reason: 'thoughts asked of a model that has none (translation.md 0.8)',
  },
  {
    from: 'generateContent',
    fields: ['thinkingConfig: includeThoughts', 'thinkingConfig beside a forced call: includeThoughts'],
    reason: 'thoughts asked of a model that has none (translation.md 0.8)',
  },
  {
    from: 'generateContent',
    fields: ['request: toolConfig', 'toolConfig: includeServerSideToolInvocations'],
    reason: 'the others mix hosted tools and functions, and show hosted calls, without being asked',
  },
  {
    from: 'generateContent',
    fields: ['generationConfig: logprobs'],
    reason: 'how many of what responseLogprobs asks for, which is reported',
  },
  {
    from: 'generateContent',
    fields: ['part of a user: thoughtSignature'],
    reason: 'signatures are the model’s; on words of a user the service has no use for one',
  },
  {
    from: 'generateContent',
    fields: ['functionCall: willContinue'],
    reason: 'of a call of the past all pieces are there',
  },
];

const silentFields = new Map<string, readonly string[]>();

/** The fields of a dialect that vanish without a word on their way to some model. */
function silentFieldsOf(from: DialectId, to: DialectId): readonly string[] {
  const known = silentFields.get(`${from} ${to}`);
  if (known !== undefined) return known;
  const silent = GENERATIONS[to].flatMap((model) =>
    [...DOCUMENTED[from], ...FURTHER[from]].flatMap((documented) =>
      Object.entries(documented.fields)
        .filter(([field, value]) => fateOf(from, to, documented, field, value, model) === 'silent')
        .map(([field]) => `${documented.name}: ${field}`),
    ),
  );
  const found = [...new Set(silent)];
  silentFields.set(`${from} ${to}`, found);
  return found;
}

describe('every documented field of a request', () => {
  test.each(CROSS_PAIRS)('%s to %s: crosses, is reported or is refused', (from, to) => {
    const neutral = NEUTRAL.filter((one) => one.from === from).flatMap(({ fields }) => fields);
    expect(silentFieldsOf(from, to).filter((field) => !neutral.includes(field))).toEqual([]);
  });

  test.each(CROSS_PAIRS)('%s to %s: what is lost of it is told at its own place', (from, to) => {
    const found = (SHORT ? GENERATIONS[to].slice(0, 1) : GENERATIONS[to]).flatMap((model) =>
      [...DOCUMENTED[from], ...FURTHER[from]].flatMap((documented) =>
        Object.entries(documented.fields).flatMap(([field, value]) =>
          misplaced(from, to, documented, field, value, model).map((what) => `${documented.name}: ${what} (${model})`),
        ),
      ),
    );
    expect(found).toEqual([]);
  });

  test.each(dialectIds)('%s: what is excepted does vanish somewhere', (from) => {
    const silent = dialectIds.filter((to) => to !== from).flatMap((to) => silentFieldsOf(from, to));
    const neutral = NEUTRAL.filter((one) => one.from === from).flatMap(({ fields }) => fields);
    expect(neutral.filter((field) => !silent.includes(field))).toEqual([]);
  });

  test('the page that lists them is what the translators do', () => {
    const page = join(import.meta.dirname, '..', '..', 'docs', 'fields.md');
    const text = fieldsPage();
    if (process.env.UPDATE === '1') writeFileSync(page, text);
    expect(readFileSync(page, 'utf8')).toBe(text);
  });
});
