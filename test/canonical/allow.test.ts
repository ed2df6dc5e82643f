import { describe, expect, test } from '@jest/globals';
import {
  type DialectId,
  type Loss,
  refusedLosses,
  TranslationError,
  translateRequest,
} from '../../translators/index.js';
import { atVendor } from '../support/vendors.js';

const loss = (feature: Loss['feature'], kind: Loss['kind'] = 'dropped', detail = ''): Loss => ({
  path: '/x',
  feature,
  kind,
  detail,
});

/** The features for which strict refuses a request. */
function refused(to: DialectId, body: unknown, allow: readonly string[] = []): string[] {
  try {
    translateRequest({ from: 'responses', to, body, profile: atVendor(to), strict: true, allow });
    return [];
  } catch (error) {
    if (error instanceof TranslationError && error.kind === 'unsupported') {
      return error.refused?.map(({ feature }) => feature) ?? [];
    }
    throw error;
  }
}

describe('hints', () => {
  test.each([
    'cache.mark',
    'user',
    'metadata',
    'tier',
    'include.detail',
    'call.id',
    'text.blank',
    'usage',
    'usage.input',
    'telemetry',
    'headers.beta',
    'thread',
    'reasoning.show',
    'ext.client_metadata',
    'ext.display',
    'ext.search_content_types',
  ] as const)('%s never refuses', (feature) => {
    expect(refusedLosses([loss(feature), loss(feature, 'approximated')])).toEqual([]);
  });

  test.each(['reasoning.text', 'reasoning.state', 'ext.displays', 'sampling.topK', 'tool.hosted'] as const)(
    '%s is none',
    (feature) => {
      expect(refusedLosses([loss(feature)])).toHaveLength(1);
    },
  );

  test('thinking of which its issuer keeps nothing is one, other thinking is none', () => {
    const thought = (encrypted_content?: string) => ({
      model: 'm',
      input: [
        { role: 'user', content: 'q' },
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'r' },
      ],
    });
    const marked = thought('ilingua1ADB7ImQiOiJub25lIiwiYiI6Im5vbmUiLCJlIjpbeyJrIjoibm9uZSIsIm4iOjB9XX3ye2AW');
    expect(refused('generateContent', marked)).toEqual([]);
    expect(refused('generateContent', thought('gAAAA'))).toEqual(['reasoning.state']);
  });

  test.each(['moved', 'invented'] as const)('what was %s never refuses', (kind) => {
    expect(refusedLosses([loss('sampling.topK', kind)])).toEqual([]);
  });
});

describe('the word agents in a list of what is allowed', () => {
  test.each([
    'ext.context_management',
    'verbosity',
    'instruction.place',
    'reasoning.budget',
    'reasoning.effort',
    'toolChoice.parallel',
  ] as const)('stands for %s', (feature) => {
    expect(refusedLosses([loss(feature)], ['agents'])).toEqual([]);
    expect(refusedLosses([loss(feature)], ['stop', 'agents'])).toEqual([]);
    expect(refusedLosses([loss(feature)])).toHaveLength(1);
  });

  test.each(['sampling.topP', 'reasoning.state', 'stop', 'tool.strict', 'part.media', 'ext.agents'] as const)(
    'does not stand for %s',
    (feature) => {
      expect(refusedLosses([loss(feature)], ['agents'])).toHaveLength(1);
    },
  );

  test('stands for thinking that a model cannot be asked for, and for none that cannot be switched off', () => {
    expect(refusedLosses([loss('reasoning.mode', 'dropped')], ['agents'])).toEqual([]);
    expect(refusedLosses([loss('reasoning.mode', 'approximated')], ['agents'])).toHaveLength(1);
  });

  test.each(['tool.custom', 'call.freeform', 'result.part'] as const)(
    'stands for %s as long as the input survives',
    (feature) => {
      expect(refusedLosses([loss(feature, 'approximated')], ['agents'])).toEqual([]);
      expect(refusedLosses([loss(feature, 'dropped')], ['agents'])).toHaveLength(1);
    },
  );

  test('stands for a schema that only became closed, and for no other change of it', () => {
    const ask = (kind: object) => ({
      model: 'm',
      input: 'q',
      max_output_tokens: 1000,
      text: {
        format: { type: 'json_schema', name: 'response', schema: { type: 'object', properties: { kind } } },
      },
    });
    expect(refused('messages', ask({ type: 'string' }))).toEqual(['output.schema']);
    expect(refused('messages', ask({ type: 'string' }), ['agents'])).toEqual([]);
    expect(refused('messages', ask({ type: 'string', pattern: '^a' }), ['agents'])).toEqual(['output.schema']);
  });

  test.each(['messages', 'generateContent'] as const)(
    'of tools that the service runs, only for the search of tools: %s',
    (to) => {
      const ask = (tool: object) => ({ model: 'm', input: 'q', max_output_tokens: 1000, tools: [tool] });
      const search = ask({ type: 'tool_search', execution: 'client', description: 'Finds tools.' });
      const files = ask({ type: 'file_search', vector_store_ids: ['vs_1'] });
      expect(refused(to, search)).toEqual(['tool.hosted']);
      expect(refused(to, search, ['agents'])).toEqual([]);
      expect(refused(to, files, ['agents'])).toEqual(['tool.hosted']);
    },
  );

  test('is no pattern: a star behind it matches nothing', () => {
    expect(refusedLosses([loss('verbosity')], ['agents*'])).toHaveLength(1);
  });
});
