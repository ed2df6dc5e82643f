import { describe, expect, test } from '@jest/globals';
import { dialects } from '../translators/dialects.js';
import { type DialectId, dialectIds } from '../translators/index.js';
import { familyName } from '../translators/target/profile.js';
import { atVendor } from './support/vendors.js';

const OF_MESSAGES = dialects.messages.target;

/** The dialects of one vendor each. */
const OF_ONE_VENDOR = dialectIds.filter((dialect) => dialect !== 'chatCompletions');
const UNKNOWN_HOST = '127.0.0.1:8000';

describe('the name that is looked up', () => {
  test.each([
    ['claude-opus-5', 'claude-opus-5'],
    ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5'],
    ['claude-sonnet-4-5@20250929', 'claude-sonnet-4-5'],
    ['us.anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus-4-1-20250805-v1'],
    ['anthropic.claude-3-haiku', 'claude-3-haiku'],
    ['us-gov.anthropic.claude-3-haiku', 'claude-3-haiku'],
    ['openai.gpt-oss-120b-1:0', 'gpt-oss-120b-1'],
    ['accounts/fireworks/models/Qwen3-8B', 'qwen3-8b'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['openai/gpt-4.1:free', 'gpt-4.1'],
    ['ft:gpt-4o:org::id', 'gpt-4o'],
    ['llama3.1:8b', 'llama3.1'],
    // A vendor that serves under its own name is part of it.
    ['deepseek.v3-v1:0', 'deepseek.v3-v1'],
    ['global', 'global'],
    ['', ''],
  ])('%s', (model, name) => {
    expect(familyName(model)).toBe(name);
  });

  test('is the same for every dialect', () => {
    expect(dialects.messages.target('EU.anthropic.Claude-3-Haiku:1').maxOutput).toBe(4096);
    expect(dialects.responses.target('us.openai.GPT-4o@2024').maxOutput).toBe(16_384);
    expect(dialects.generateContent.target('google/Gemini-2.0-flash:x').maxOutput).toBe(8192);
    expect(dialects.chatCompletions.target('us.openai.GPT-4o@2024').maxOutput).toBe(16_384);
  });
});

describe('a name that no table has', () => {
  const VENDORS: Readonly<Record<string, string>> = {
    messages: 'claude-next',
    responses: 'gpt-99',
    generateContent: 'gemini-99',
  };
  const newest = (dialect: DialectId) => dialects[dialect].target('house-model', atVendor(dialect));

  test.each(OF_ONE_VENDOR)(
    '%s: is the newest model of the vendor if it is one of its names, or at its own host',
    (dialect) => {
      const { target } = dialects[dialect];
      expect(target(VENDORS[dialect] ?? '')).toEqual(newest(dialect));
      expect(target(VENDORS[dialect] ?? '', { host: UNKNOWN_HOST })).toEqual(newest(dialect));
      expect(target('house-model')).not.toEqual(newest(dialect));
      expect(target('house-model', { host: UNKNOWN_HOST })).toEqual(target('house-model'));
    },
  );

  test.each(OF_ONE_VENDOR)(
    '%s: takes sampling and schemas as they are, and no cap but the one that is demanded',
    (dialect) => {
      expect(dialects[dialect].target('house-model')).toMatchObject({
        sampling: [],
        rawSchemas: true,
        strictTools: false,
        signatures: 'advisory',
      });
      expect(dialects[dialect].target('house-model').maxOutput).toBeUndefined();
      expect(dialects[dialect].target('house-model').defaultMaxOutput).toBe(dialect === 'messages' ? 8192 : undefined);
    },
  );

  test.each([
    ['messages', 'claude-opus-5-7'],
    ['messages', 'claude-sonnet-4.9'],
    ['responses', 'gpt-6.3-sol'],
    ['responses', 'gpt-4.7'],
    ['generateContent', 'gemini-3.10-flash'],
  ] as const)('%s: %s, whose version is longer than that of a row, has none', (dialect, model) => {
    expect(dialects[dialect].target(model)).toEqual(newest(dialect));
  });

  test.each([
    ['messages', 'claude-opus-4-20250514', 'claude-opus-4'],
    ['messages', 'claude-opus-4-0', 'claude-opus-4'],
    ['messages', 'us.anthropic.claude-opus-4-1-20250805-v1:0', 'claude-opus-4-1'],
    ['responses', 'gpt-4-0613', 'gpt-4'],
    ['responses', 'gpt-4-32k', 'gpt-4'],
    ['responses', 'gpt-5-2025-08-07', 'gpt-5'],
    ['chatCompletions', 'gpt-5.2-2025-12-11', 'gpt-5.2'],
  ] as const)('%s: %s is %s, for a date or a size is no version', (dialect, model, row) => {
    expect(dialects[dialect].target(model)).toEqual(dialects[dialect].target(row));
    expect(dialects[dialect].target(model)).not.toEqual(newest(dialect));
  });

  test('open weights of a vendor are what anybody serves', () => {
    const { minOutput, urlMedia, rawSchemas, thinking } = dialects.responses.target('openai/gpt-oss-20b', {
      host: 'api.openai.com',
    });
    expect({ minOutput, urlMedia, rawSchemas }).toEqual({ minOutput: 16, urlMedia: [], rawSchemas: true });
    expect(thinking).toMatchObject({ control: 'effort', canDisable: false });
  });

  test('a host adds to it what it is known to take, and to no other', () => {
    const choice = { host: UNKNOWN_HOST, neutral: { schemaOutput: false, midSystem: true } };
    expect(OF_MESSAGES('house-model', choice)).toMatchObject(choice.neutral);
    expect(OF_MESSAGES('claude-opus-5', choice)).toEqual(OF_MESSAGES('claude-opus-5'));
    expect(OF_MESSAGES('house-model', { ...choice, midSystem: false }).midSystem).toBe(false);
    expect(dialects.chatCompletions.target('house-model', choice).schemaOutput).toBe(false);
    expect(dialects.chatCompletions.target('house-model', { ...choice, host: 'api.openai.com' }).schemaOutput).toBe(
      true,
    );
  });

  test('a name that is chosen for it decides before its own', () => {
    expect(OF_MESSAGES('house-model', 'claude-3-haiku').maxOutput).toBe(4096);
    expect(OF_MESSAGES('claude-opus-5', 'neutral')).toEqual(OF_MESSAGES('house-model'));
    expect(OF_MESSAGES('house-model', { model: 'neutral', maxOutput: 5 }).maxOutput).toBe(5);
  });
});
