import { describe, expect, test } from '@jest/globals';
import { type Bill, createPromptCache, type PromptCache } from './fake-backend/prompt-cache/index.js';

const MARK = { cache_control: { type: 'ephemeral' } };

/** A text of so many tokens: four bytes each. */
const tokens = (count: number, letter: string): string => letter.repeat(count * 4);

function bill(cache: PromptCache, body: object, path = '/'): Bill {
  return cache.bill({ method: 'POST', path, headers: {}, raw: '', body });
}

describe('the cache of the messages service', () => {
  const system = [{ type: 'text', text: tokens(2000, 's'), ...MARK }];
  const say = (text: string, mark = {}): object => ({ role: 'user', content: [{ type: 'text', text, ...mark }] });
  const ask = (...messages: object[]) => ({ model: 'claude-sonnet-4-5', system, messages });

  test('is written at marks only, and read there by a longer prompt', () => {
    const cache = createPromptCache('messages');
    const first = bill(cache, ask(say('one', MARK), say(tokens(500, 'x'))));
    expect(first.cached).toBe(0);
    expect(first.cacheWritten).toBeGreaterThan(2000);
    expect(first.input - first.cacheWritten).toBeGreaterThanOrEqual(500);
    const second = bill(cache, ask(say('one'), say(tokens(500, 'x'), MARK)));
    // The place of the mark of the first request is one block before that of this one.
    expect(second.cached).toBe(first.cacheWritten);
    expect(second.cached + second.cacheWritten).toBe(second.input);
    expect(cache.bills).toEqual([first, second]);
  });

  test('is not used without marks', () => {
    const cache = createPromptCache('messages');
    const body = { ...ask(say('one')), system: tokens(2000, 's') };
    expect([bill(cache, body), bill(cache, body)]).toMatchObject([
      { cached: 0, cacheWritten: 0 },
      { cached: 0, cacheWritten: 0 },
    ]);
  });

  test('reads a text and a block of it as the same, and marks as nothing', () => {
    const cache = createPromptCache('messages');
    const { cacheWritten } = bill(cache, ask({ role: 'user', content: 'one' }, say('two', MARK)));
    expect(bill(cache, ask(say('one', MARK), say('two', MARK))).cached).toBe(cacheWritten);
  });

  test('does not read the line that an agent sends for the accounts', () => {
    const cache = createPromptCache('messages');
    const line = (hash: string) => ({ type: 'text', text: `x-anthropic-billing-header: cc_version=2; cch=${hash};` });
    const { cacheWritten } = bill(cache, { ...ask(say('one', MARK)), system: [line('0a1b2'), ...system] });
    expect(bill(cache, { ...ask(say('one', MARK)), system: [line('3c4d5'), ...system] }).cached).toBe(cacheWritten);
  });

  test('misses what is written in another order of keys, and keeps what stands before it', () => {
    const cache = createPromptCache('messages');
    bill(cache, ask(say('one', MARK)));
    const turned = { role: 'user', content: [{ text: 'one', type: 'text', ...MARK }] };
    const { cached, cacheWritten } = bill(cache, ask(turned));
    expect(cached).toBeGreaterThan(2000);
    expect(cacheWritten).toBeGreaterThan(0);
  });

  test('keeps only tools and system where thinking or the choice of tools changes', () => {
    const cache = createPromptCache('messages');
    const { cacheWritten } = bill(cache, ask(say(tokens(500, 'x'), MARK)));
    const { cached } = bill(cache, { ...ask(say(tokens(500, 'x'), MARK)), tool_choice: { type: 'any' } });
    expect(cached).toBeGreaterThan(2000);
    expect(cached).toBeLessThanOrEqual(cacheWritten - 500);
  });

  test.each([
    { between: 20, found: true },
    { between: 21, found: false },
  ])('finds an earlier mark $between blocks before its own: $found', ({ between, found }) => {
    const cache = createPromptCache('messages');
    const marked = { model: 'claude-sonnet-4-5', messages: [say(tokens(3000, 'x'), MARK)] };
    const { cacheWritten } = bill(cache, marked);
    const more = Array.from({ length: between }, (_, index) => say(`${index}`, index === between - 1 ? MARK : {}));
    const grown = { ...marked, messages: [say(tokens(3000, 'x')), ...more] };
    expect(bill(cache, grown).cached).toBe(found ? cacheWritten : 0);
  });

  test.each([
    ['claude-sonnet-4-5', 1024],
    ['claude-haiku-4-5', 4096],
    ['claude-opus-4-7', 2048],
    ['claude-opus-5', 512],
  ])('of %s holds prefixes from %i tokens', (model, least) => {
    const written = (count: number): number => {
      const messages = [say(tokens(count, 'x'), MARK)];
      return bill(createPromptCache('messages'), { model, messages }).cacheWritten;
    };
    expect(written(least - 100)).toBe(0);
    expect(written(least)).toBeGreaterThanOrEqual(least);
  });

  test('places a mark by itself where the request has one at its top', () => {
    const cache = createPromptCache('messages');
    const messages = [say(tokens(1500, 'x')), { role: 'assistant', content: [{ type: 'thinking', thinking: 'no' }] }];
    const { input, cacheWritten } = bill(cache, { model: 'claude-sonnet-4-5', ...MARK, messages });
    expect(cacheWritten).toBeGreaterThanOrEqual(1500);
    expect(cacheWritten).toBeLessThan(input);
  });

  test('counts the mark inside a result', () => {
    const result = {
      type: 'tool_result',
      tool_use_id: 't',
      content: [{ type: 'text', text: tokens(1500, 'x'), ...MARK }],
    };
    const messages = [{ role: 'user', content: [result] }];
    const { input, cacheWritten } = bill(createPromptCache('messages'), { model: 'claude-sonnet-4-5', messages });
    expect(cacheWritten).toBe(input);
  });
});

describe.each(['responses', 'chatCompletions'] as const)('the cache of the %s service', (dialect) => {
  const list = dialect === 'responses' ? 'input' : 'messages';
  const ask = (texts: readonly string[], more = {}) => ({
    model: 'gpt-5',
    [list]: texts.map((content) => ({ role: 'user', content })),
    ...more,
  });

  test('reads the prefix of an earlier prompt in steps of 128 tokens, from 1,024 on', () => {
    const cache = createPromptCache(dialect);
    const opening = tokens(1500, 'x');
    const { input } = bill(cache, ask([opening]));
    const { cached } = bill(cache, ask([opening, 'more']));
    expect(cached).toBe(Math.floor(input / 128) * 128);
    const small = createPromptCache(dialect);
    bill(small, ask([tokens(900, 'x')]));
    expect(bill(small, ask([tokens(900, 'x'), 'more'])).cached).toBe(0);
  });

  test('is one for each key', () => {
    const cache = createPromptCache(dialect);
    const opening = tokens(1500, 'x');
    bill(cache, ask([opening], { prompt_cache_key: 'one' }));
    expect(bill(cache, ask([opening], { prompt_cache_key: 'two' })).cached).toBe(0);
    expect(bill(cache, ask([opening], { prompt_cache_key: 'one' })).cached).toBeGreaterThan(1024);
  });

  test('reads up to what changed, and nothing where the beginning changed', () => {
    const cache = createPromptCache(dialect);
    bill(cache, ask([tokens(1200, 'x'), tokens(1000, 'y')]));
    expect(bill(cache, ask([tokens(1200, 'x'), tokens(1000, 'z')])).cached).toBe(1152);
    expect(bill(cache, ask([tokens(1200, 'w'), tokens(1000, 'y')])).cached).toBe(0);
  });
});

describe('the cache of the responses service, from 5.6 on', () => {
  const ask = (...texts: (string | object)[]) => ({
    model: 'gpt-5.6',
    input: texts.map((text) => ({
      role: 'user',
      content: [typeof text === 'string' ? { type: 'input_text', text } : text],
    })),
  });
  const long = tokens(1500, 'x');

  test('is written at the end of a prompt, and read there by a longer one', () => {
    const cache = createPromptCache('responses');
    const first = bill(cache, ask(long));
    expect(first).toMatchObject({ cached: 0, cacheWritten: first.input });
    const second = bill(cache, ask(long, 'more'));
    expect(second).toMatchObject({ cached: first.input, cacheWritten: second.input - first.input });
  });

  test('knows no shorter prefix than up to a breakpoint', () => {
    const cache = createPromptCache('responses');
    bill(cache, ask(long, 'one'));
    expect(bill(cache, ask(long, 'two')).cached).toBe(0);
  });

  test('is written at the breakpoints of the client too, which are no content', () => {
    const cache = createPromptCache('responses');
    const marked = { type: 'input_text', text: long, prompt_cache_breakpoint: { mode: 'explicit' } };
    bill(cache, { ...ask(marked, 'one'), prompt_cache_options: { mode: 'explicit' } });
    expect(bill(cache, ask(long, 'two')).cached).toBeGreaterThanOrEqual(1500);
  });
});

describe('the cache of the generateContent service', () => {
  test.each([
    ['gemini-2.5-pro', 2048],
    ['gemini-3-pro', 4096],
  ])('of %s reads prefixes from %i tokens', (model, least) => {
    const cached = (count: number): number => {
      const cache = createPromptCache('generateContent');
      const first = { role: 'user', parts: [{ text: tokens(count, 'x') }] };
      const path = `/v1beta/models/${model}:generateContent`;
      bill(cache, { contents: [first] }, path);
      return bill(cache, { contents: [first, { role: 'user', parts: [{ text: 'more' }] }] }, path).cached;
    };
    expect(cached(least - 100)).toBe(0);
    expect(cached(least)).toBeGreaterThanOrEqual(least);
  });
});
