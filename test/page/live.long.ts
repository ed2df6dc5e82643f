import { afterEach, expect, test } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway, type GatewayServer } from '../../src/index.js';
import { send } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { findings, running, useBrowser, when } from './stage.js';

useBrowser();

const KEYS = { operator: 'the-key-of-the-operator', plain: 'the-key-of-team-a-0001' };
const keys: ConfigInput['keys'] = [
  { name: 'operator', key: KEYS.operator, operator: true },
  { name: 'team-a', key: KEYS.plain },
];
const CONFIG: ConfigInput = {
  log: { level: 'silent' },
  backends: {
    sim: { dialect: 'messages', simulator: true },
    dead: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9', retries: 0 },
  },
  models: { 'fallback-*': [{ backend: 'dead' }, { backend: 'sim' }], '*': { backend: 'sim' } },
};

/** A gateway with a page that looks at what goes through it. */
interface Looking {
  readonly gateway: GatewayServer;
  readonly url: string;
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: readonly string[];
  /** One exchange. */
  ask(model: string, more?: { readonly key?: string; readonly agent?: string; readonly body?: object }): Promise<void>;
}

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

interface Sight {
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
  readonly fragment?: string;
}

async function look(more: Partial<ConfigInput> = {}, { width = 1280, scheme, fragment = '#live' }: Sight = {}) {
  const gateway = createGateway({ ...CONFIG, ...more });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const context = await running().newContext({
    viewport: { width, height: 900 },
    colorScheme: scheme ?? 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  open.push(
    () => gateway.close(),
    () => context.close(),
  );
  const complaints: string[] = [];
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    // What was refused, and what a closed connection leaves, is told by the browser as well.
    if (message.type() === 'error' && !/Failed to load resource|ERR_/.test(message.text()))
      complaints.push(message.text());
  });
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective))",
  );
  const page = await context.newPage();
  await page.goto(`${url}/playground/${fragment}`);
  const ask: Looking['ask'] = async (model, { key, agent = 'claude-cli/2.0 (external)', body = {} } = {}) => {
    await send(url, '/v1/chat/completions', {
      headers: { 'user-agent': agent, ...(key !== undefined && { authorization: `Bearer ${key}` }) },
      body: { model, messages: [{ role: 'user', content: 'Hello' }], ...body },
    });
  };
  return { gateway, url, context, page, complaints, ask } satisfies Looking;
}

const rows = (page: Page) => page.locator('button.opens');
const count = (page: Page, number: number) => until(async () => (await rows(page).count()) === number);
const textOf = async (page: Page, place: string): Promise<string> =>
  (await page.locator(place).allInnerTexts()).join('\n');

when('the view of exchanges', () => {
  test('says how to make a first exchange, and shows it when it was made', async () => {
    const { url, page, complaints, ask } = await look();
    await page.getByText('Make a first exchange').waitFor();
    const call = await page.getByRole('region', { name: 'A call' }).innerText();
    expect(call).toContain(`curl ${url}/v1/messages`);
    expect(call).toContain('"max_tokens"');
    await ask('any', { body: { logit_bias: { 1: 1 } } });
    await count(page, 1);
    const text = await textOf(page, 'tbody');
    for (const words of [
      'chatCompletions > messages',
      'any',
      'at sim',
      'Claude Code',
      '200',
      'end_turn',
      '1 loss, 1 small',
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/\d in\b/);
    expect(text).toMatch(/\d out\b/);
    expect(await page.getByText('Make a first exchange').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('opens a row by the keyboard to what was lost, what was tried, and the headers', async () => {
    const { page, ask } = await look();
    await ask('plain');
    await ask('fallback-1', { body: { logit_bias: { 1: 1 } } });
    await count(page, 2);
    await rows(page).first().focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate("document.activeElement === document.querySelectorAll('button.opens')[1]")).toBe(true);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    expect(await rows(page).first().getAttribute('aria-expanded')).toBe('true');
    const text = await textOf(page, '.detail');
    for (const words of [
      '/logit_bias',
      'dropped',
      'only supported by the chatCompletions dialect',
      'Request or forbid the words',
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/dead \(messages, fallback-1\) could not be reached.*the next target was asked/);
    expect(text).toContain('the backend cannot be reached');
    expect(text).toContain('x-interlingua-backend: sim');
    expect(await textOf(page, 'tbody.open')).toContain('fell back');
    await page.keyboard.press('Enter');
    expect(await page.locator('.detail').count()).toBe(0);
  });

  test('is held by a button, and shows then what came meanwhile', async () => {
    const { page, ask } = await look();
    await ask('before');
    await count(page, 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await ask('meanwhile-1');
    await ask('meanwhile-2');
    await page.getByRole('button', { name: 'Resume (2 new)' }).waitFor();
    expect(await rows(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Resume (2 new)' }).click();
    await count(page, 3);
    expect(await textOf(page, 'tbody:first-of-type')).toContain('meanwhile-2');
  });

  test('keeps its filters in the address, and takes them from there', async () => {
    const { page, ask, context, url } = await look();
    for (const model of ['alpha', 'beta', 'gamma']) await ask(model);
    await ask('bad', { body: { messages: 'none' } });
    await count(page, 4);
    await page.getByRole('textbox', { name: 'Model' }).fill('BET');
    await count(page, 1);
    expect(page.url()).toContain('#live?model=BET');
    await page.getByRole('button', { name: 'Show all' }).click();
    await count(page, 4);
    expect(await page.getByRole('textbox', { name: 'Model' }).inputValue()).toBe('');
    await page.getByLabel('status').selectOption('failed');
    await count(page, 1);
    expect(page.url()).toMatch(/#live\?status=failed$/);
    const again = await context.newPage();
    await again.goto(`${url}/playground/#live?status=ok&losses=any`);
    await until(async () => (await again.locator('main.live').innerText()).includes('shown'));
    expect(await again.getByLabel('status').inputValue()).toBe('ok');
    expect(await again.getByLabel('losses').inputValue()).toBe('any');
    const wrong = await context.newPage();
    await wrong.goto(`${url}/playground/#live?status=teapot`);
    await wrong.getByText('The filter in the address is not applied').waitFor();
    await count(wrong, 4);
  });

  test('says who may look, and shows nothing to others; the key stays in the page', async () => {
    const { page, ask, complaints } = await look({ keys });
    await ask('first', { key: KEYS.plain });
    await page.getByText('The gateway asks for a key.').waitFor();
    const field = page.getByLabel('Key of an operator');
    await field.fill(KEYS.plain);
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('does not show this to this key').waitFor();
    expect(await page.locator('main').innerText()).not.toContain('first');
    await field.fill('the-key-of-nobody-0000');
    await page.getByRole('button', { name: 'Show' }).click();
    await page.getByText('does not know this key').waitFor();
    await field.fill(KEYS.operator);
    await page.getByRole('button', { name: 'Show' }).click();
    await count(page, 1);
    expect(await textOf(page, 'tbody')).toContain('team-a');
    expect(page.url()).not.toContain('key');
    expect(await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toContain(
      'the-key-of',
    );
    expect(complaints).toEqual([]);
  });

  test('comes again after a lost connection, and shows each exchange once', async () => {
    const { gateway, page, ask } = await look();
    await ask('one');
    await count(page, 1);
    gateway.reload({ ...CONFIG });
    await page.getByText('It is tried again.').waitFor();
    await ask('two');
    await count(page, 2);
    expect(await textOf(page, '.stream')).toContain('live');
    gateway.reload({ ...CONFIG, live: false });
    await page.getByText('live: false').waitFor();
  });

  test('shows names that would be markup as what they are', async () => {
    const { page, ask, complaints } = await look();
    const names = ['<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '"><svg onload=alert(1)>'];
    for (const name of names) await ask(name, { agent: name });
    await ask('a-very-long-name-'.repeat(14));
    await count(page, 4);
    for (let index = 0; index < 4; index += 1) await rows(page).nth(index).click();
    const text = await page.locator('main').innerText();
    for (const name of names) expect(text).toContain(name);
    expect(await page.locator('main img, main script, main [onload], main [onerror]').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('opens a request in Translate where what was said is kept', async () => {
    const { page, ask } = await look({ live: { bodies: true } });
    await ask('any', { body: { messages: [{ role: 'user', content: 'A question for Translate' }] } });
    await count(page, 1);
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Show what was said' }).click();
    expect(await page.getByRole('region', { name: 'Answer', exact: true }).innerText()).toContain('chat.completion');
    await page.getByRole('button', { name: 'Open in Translate' }).click();
    await page.locator('main.translate').waitFor();
    await page.getByText('request in chatCompletions, model any').waitFor();
    expect(page.url()).not.toContain('question');
  });
});

when('the view of exchanges is for everybody', () => {
  const VIEWS = [
    { scheme: 'light', width: 1280 },
    { scheme: 'dark', width: 1280 },
    { scheme: 'light', width: 320 },
    { scheme: 'dark', width: 320 },
  ] as const;

  test.each(VIEWS)('axe finds nothing, and nothing is cut off: $scheme, $width px', async (view) => {
    const { page, ask, gateway, url } = await look({ live: { bodies: true } }, view);
    const check = async (state: string): Promise<void> => {
      expect([state, await findings(page)]).toEqual([state, []]);
      const wide =
        "[...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1).length";
      expect([state, await page.evaluate(wide)]).toEqual([state, 0]);
    };
    await page.getByText('Make a first exchange').waitFor();
    await check('empty');
    await ask('plain');
    await ask('fallback-1', { body: { logit_bias: { 1: 1 }, stream: true } });
    await ask('a-very-long-name-'.repeat(14), { agent: 'x'.repeat(250) });
    await ask('bad', { body: { messages: 'none' } });
    await count(page, 4);
    await check('rows');
    for (let index = 0; index < 4; index += 1) await rows(page).nth(index).click();
    await page.getByRole('button', { name: 'Show what was said' }).first().click();
    await page.getByRole('region', { name: 'Request' }).waitFor();
    await check('open');
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await check('text of twice the size');
    await page.evaluate("document.documentElement.style.fontSize = ''");
    gateway.reload({ ...CONFIG, live: false });
    await page.getByText('live: false').waitFor();
    await check('off');
    expect(url).not.toBe('');
  });

  test('without the right to look', async () => {
    const { page } = await look({ keys });
    await page.getByText('The gateway asks for a key.').waitFor();
    expect(await findings(page)).toEqual([]);
  });
});
