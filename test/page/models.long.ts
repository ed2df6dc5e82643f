import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { ConfigInput } from '../../src/config/schema.js';
import { json, type Recorder, send, startRecorder, type Tree, WHOLE } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { findings, openStage, type Stage, settled, useBrowser, when } from './stage.js';

const LONG = 'a-name-of-a-model-that-is-so-long-that-no-table-was-made-for-it-and-that-has-no-place-to-break';
const MARKUP = '<img src=x onerror=alert(1)>';
const KEYS = { boss: 'a-key-of-the-operator', team: `a-key-of-a-team-01` };

useBrowser();
let service: Recorder;

beforeAll(async () => {
  service = await startRecorder();
  service.reply = (response, { body }) => {
    if (body === '') return json(response, 200, { data: [] });
    const asked: Tree = JSON.parse(body);
    if (asked.model === 'picky' && asked.temperature !== undefined)
      return json(response, 400, {
        error: { message: "Unsupported parameter: 'temperature'", type: 'invalid_request_error' },
      });
    json(response, 200, { ...WHOLE.chatCompletions('Hello'), usage: { prompt_tokens: 1000, completion_tokens: 500 } });
  };
});

afterAll(async () => {
  await service.close();
});

function configFor(more: Partial<ConfigInput> = {}): ConfigInput {
  return {
    backends: {
      chat: { dialect: 'chatCompletions', baseUrl: service.url, retries: 0 },
      gone: { dialect: 'messages', baseUrl: 'http://127.0.0.1:9', retries: 0, breaker: { failures: 1, seconds: 300 } },
    },
    models: {
      fast: [
        { backend: 'chat', model: 'quick', weight: 9, contextWindow: 128_000, prices: { input: 3, output: 15 } },
        { backend: 'gone', model: 'claude-haiku-4-5', weight: 1 },
      ],
      picky: { backend: 'chat' },
      gone: { backend: 'gone' },
      [LONG]: { backend: 'chat' },
      [`${MARKUP}*`]: { backend: 'chat' },
    },
    usage: {},
    ...more,
  };
}

const ask = ({ url }: Stage, model: string, headers = {}) =>
  send(url, '/v1/messages', {
    headers,
    body: { model, max_tokens: 100, temperature: 0.5, messages: [{ role: 'user', content: 'hello' }] },
  });

async function openIn(config: ConfigInput, more: object = {}): Promise<Stage> {
  return openStage({ config, ...more });
}

interface Held {
  /** Resolves when the page waits for an answer. */
  begun(): Promise<unknown>;
  /** Lets the answers through, and resolves when the page has read them. */
  end(): Promise<void>;
}

/** Holds back the answers to what the page asks for at an address, with a key. */
async function hold(page: Page, address: RegExp, key: string): Promise<Held> {
  let letThrough: () => void = () => undefined;
  const isLetThrough = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  let held = 0;
  let answered = 0;
  await page.route(address, async (route) => {
    if (route.request().headers().authorization !== `Bearer ${key}`) return route.fallback();
    const response = await route.fetch();
    held += 1;
    await isLetThrough;
    await route.fulfill({ response });
    answered += 1;
  });
  const begun = (): Promise<unknown> => until(() => held > 0);
  return {
    begun,
    async end() {
      await begun();
      letThrough();
      await until(() => answered === held);
      await page.unroute(address);
      // The page reads it.
      await page.waitForTimeout(300);
    },
  };
}

const rowOf = (page: Page, name: string) => page.locator('tbody', { hasText: name });

when('the view of models', () => {
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    stage = await openIn(configFor());
    for (const model of ['picky', 'picky', 'gone', LONG, `${MARKUP}x`]) await ask(stage, model);
    page = await stage.open('#models');
  });
  afterAll(() => stage.close());

  test('shows each name with its targets, what is known of them, and what is believed', async () => {
    const fast = rowOf(page, 'quick');
    expect(await fast.innerText()).toMatch(/chat quick\s+weight 9[\s\S]*128,000\s+file[\s\S]*\$3 \/ \$15\s+file/);
    expect(await rowOf(page, 'as asked').filter({ hasText: 'its breaker is open' }).count()).toBe(1);
    expect(await page.locator('tbody').first().innerText()).toContain('picky');
    expect(await page.locator('main').innerText()).toContain(MARKUP);
    expect(await page.locator('main img').count()).toBe(0);
  });

  test('is filtered by the search of the header, by keyboard', async () => {
    await page.keyboard.press('/');
    await page.keyboard.type('HAIKU');
    await until(async () => (await page.locator('tbody').count()) === 1);
    expect(await page.locator('main').innerText()).toContain('1 of 5 names');
    await page.keyboard.type(' no such thing');
    await page.getByText('No name or target has').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await until(async () => (await page.locator('tbody').count()) === 5);
  });

  test('forgets what was learned, by keyboard, and says so', async () => {
    const row = rowOf(page, 'learned of picky');
    expect(await row.locator('summary').innerText()).toBe('1 learned of picky');
    await row.locator('summary').press('Enter');
    expect(await row.innerText()).toContain('temperature');
    await row.getByRole('button', { name: 'Forget' }).press('Enter');
    await page.getByText('What was learned of picky is forgotten.').waitFor();
    await until(async () => (await page.locator('details.learned').count()) === 0);
    expect((await send(stage.url, '/learned-restrictions')).body).toEqual({ learned: [] });
  });

  test('leads to Translate with the target', async () => {
    const links = page.getByRole('link', { name: 'Try fast at gone' });
    expect(await links.getAttribute('href')).toBe(
      '#translate?dialect=messages&model=claude-haiku-4-5&host=127.0.0.1%3A9',
    );
    await links.press('Enter');
    const chip = page.getByRole('button', { pressed: true }).filter({ hasText: 'claude-haiku-4-5' });
    await chip.filter({ hasText: '127.0.0.1:9' }).waitFor();
    await page.goBack();
    await page.locator('main.models[aria-busy="false"]').waitFor();
  });

  test.each([390, 1440])(
    'has no findings of axe-core at %i px, and nothing beyond its edge, also at 200 %%',
    async (width) => {
      await page.setViewportSize({ width, height: 900 });
      for (const size of ['100%', '200%']) {
        await page.evaluate(`document.documentElement.style.fontSize = '${size}'`);
        expect([size, await findings(page)]).toEqual([size, []]);
        expect([size, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([size, true]);
      }
      await page.evaluate("document.documentElement.style.fontSize = ''");
    },
  );

  test('asks this gateway alone, and the policy has nothing to report', () => {
    expect(stage.requests.filter(({ url }) => !url.startsWith(stage.url))).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });
});

when('the view of models with keys', () => {
  test('wants the key of an operator, says what is wrong with another, and keeps it nowhere', async () => {
    const keys = [
      { name: 'boss', key: KEYS.boss, operator: true },
      { name: 'team', key: KEYS.team },
    ];
    const stage = await openIn(configFor({ keys, playground: true }));
    const page = await stage.open('#models');
    await page.getByText('The gateway asks for a key.').waitFor();
    await page.getByLabel('Key of an operator').fill(KEYS.team);
    await page.keyboard.press('Enter');
    await page.getByText('does not show this to this key').waitFor();
    await page.getByLabel('Key of an operator').fill(KEYS.boss);
    await page.keyboard.press('Enter');
    await page.locator('tbody').first().waitFor();
    expect(page.url()).not.toContain(KEYS.boss);
    expect(await page.evaluate('JSON.stringify([localStorage, sessionStorage, document.cookie])')).not.toContain(
      KEYS.boss,
    );
    expect(stage.complaints).toEqual([expect.stringContaining('403')]);
    await stage.close();
  });
});

when('the view of models of two keys', () => {
  test('shows nothing of the refusal of one that comes after the other was typed', async () => {
    const keys = [
      { name: 'boss', key: KEYS.boss, operator: true },
      { name: 'team', key: KEYS.team },
    ];
    const stage = await openIn(configFor({ keys, playground: true }));
    const page = await stage.open('#models');
    const held = await hold(page, /\/models\?detail/, KEYS.team);
    const type = async (key: string): Promise<void> => {
      await page.getByLabel('Key of an operator').fill(key);
      await page.keyboard.press('Enter');
    };
    await type(KEYS.team);
    await held.begun();
    await type(KEYS.boss);
    await page.locator('tbody').first().waitFor();
    await held.end();
    expect(await page.locator('tbody').count()).toBeGreaterThan(0);
    expect(await page.getByLabel('Key of an operator').count()).toBe(0);
    await stage.close();
  });
});

when('the page of a gateway that is open to everybody', () => {
  test('asks for nothing that is shown to nobody there, and says so', async () => {
    const stage = await openIn(configFor({ open: true, playground: true }));
    const page = await stage.open();
    for (const view of ['Live', 'Models']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.getByText('This gateway has no keys').waitFor();
      expect(await page.getByLabel('Key of an operator').count()).toBe(0);
    }
    await settled(page);
    expect(stage.requests.filter(({ url }) => /\/(?:live|usage|models)\b/.test(new URL(url).pathname))).toEqual([]);
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });
});

/** From where to where the bars of the first plot reach, in hundredths from the top. */
const barsIn = async (page: Page): Promise<readonly (readonly number[])[]> =>
  page.evaluate(`[...document.querySelectorAll('section.usage figure:first-of-type path[class^="series"]')].map((path) => {
    const { y, height } = path.getBBox();
    return [Math.round(y), Math.round(y + height)];
  })`);

when('the plots of usage', () => {
  let stage: Stage;
  let page: Page;

  beforeAll(async () => {
    const keys = [
      { name: 'boss', key: KEYS.boss, operator: true },
      { name: MARKUP.replace(/[^\w]/g, '-'), key: KEYS.team },
    ];
    stage = await openIn(configFor({ keys, playground: true }));
    const headers = { authorization: `Bearer ${KEYS.team}` };
    for (const model of ['fast', 'picky', `${MARKUP}x`, `${MARKUP}x`, LONG]) await ask(stage, model, headers);
    page = await stage.open('#models');
    await page.getByLabel('Key of an operator').fill(KEYS.boss);
    await page.keyboard.press('Enter');
    await page.locator('tbody').first().waitFor();
    await page.getByRole('link', { name: 'Live' }).click();
    await page.locator('section.usage table').waitFor();
  });
  afterAll(() => stage.close());

  test('show requests, errors, tokens and cost of the day, by model', async () => {
    const usage = page.locator('section.usage');
    expect(await usage.locator('header').innerText()).toMatch(/^Since .*\d\d:00: 5 requests, 0 errors/);
    expect(await usage.locator('.plot svg').count()).toBe(4);
    expect(await usage.locator('tbody tr').first().innerText()).toContain(`${MARKUP}x`);
    expect(await usage.locator('img').count()).toBe(0);
    // The bars of an hour stand on each other: the sum of all reaches from the bottom to 5 of the scale.
    expect(await barsIn(page)).toEqual([
      [60, 100],
      [40, 60],
      [20, 40],
      [0, 20],
    ]);
  });

  test('and of the last hour, by minutes', async () => {
    const usage = page.locator('section.usage');
    await usage.getByRole('button', { name: 'hour' }).press('Enter');
    await usage.getByText('Since the start at').waitFor();
    expect(await usage.locator('header').innerText()).toMatch(/^Since the start at .*\d\d:\d\d: 5 requests, 0 errors/);
    expect(await usage.locator('.plot svg').first().getAttribute('viewBox')).toBe('0 0 60 100');
    // All of it was within the last minutes, of which one may have more than another.
    const bars = await usage
      .locator('figure:first-of-type path[class^="series"]')
      .evaluateAll((all) =>
        all.flatMap((one) => [...(one.getAttribute('d') ?? '').matchAll(/M([\d.]+) [\d.]+h[\d.]+v([\d.]+)/g)]),
      );
    const top = Number(await usage.locator('figure:first-of-type .scale span').first().textContent());
    const requests = bars.reduce((sum, [, , height]) => sum + (Number(height) / 100) * top, 0);
    expect(requests).toBeCloseTo(5);
    for (const [, at] of bars) expect(Number(at)).toBeGreaterThan(40);
  });

  test('are told as what they are while those of another choice are waited for', async () => {
    const usage = page.locator('section.usage');
    const head = usage.locator('header p');
    const held = await hold(page, /\/usage\?by=hour,key/, KEYS.boss);
    await usage.getByRole('button', { name: 'day' }).press('Enter');
    await usage.getByText(/^Since (?!the start)/).waitFor();
    await usage.getByRole('button', { name: 'key' }).press('Enter');
    await held.begun();
    expect(await usage.getByRole('columnheader', { name: 'Model' }).count()).toBe(1);
    await usage.getByRole('button', { name: 'hour' }).press('Enter');
    await usage.getByRole('columnheader', { name: 'Key' }).waitFor();
    const minutes = await head.innerText();
    expect(minutes).toContain('Since the start at');
    // What comes too late is not shown.
    await held.end();
    expect(await head.innerText()).toBe(minutes);
    const heldMinutes = await hold(page, /\/usage\?by=minute,model/, KEYS.boss);
    await usage.getByRole('button', { name: 'day' }).press('Enter');
    await usage.getByRole('button', { name: 'model' }).press('Enter');
    await usage.getByRole('columnheader', { name: 'Model' }).waitFor();
    expect(await head.innerText()).not.toContain('the start');
    await usage.getByRole('button', { name: 'hour' }).press('Enter');
    await heldMinutes.begun();
    expect(await head.innerText()).not.toContain('the start');
    await heldMinutes.end();
    expect(await head.innerText()).toBe(minutes);
    await usage.getByRole('button', { name: 'day' }).press('Enter');
    await usage.getByText(/^Since (?!the start)/).waitFor();
  });

  test('have the hours of the gateway, whatever the clock of the browser says', async () => {
    const other = await stage.context.newPage();
    await other.clock.setFixedTime(Date.now() - 3 * 86_400_000);
    await other.goto(`${stage.url}/playground/#live`);
    await other.getByLabel('Key of an operator').fill(KEYS.boss);
    await other.keyboard.press('Enter');
    const head = other.locator('section.usage header p');
    await head.waitFor();
    expect(await head.innerText()).toMatch(/^Since .*\d\d:00: 5 requests, 0 errors/);
    await other.close();
  });

  test('by key, and of the week', async () => {
    const usage = page.locator('section.usage');
    await usage.getByRole('button', { name: 'key' }).press('Enter');
    await usage.getByRole('columnheader', { name: 'Key' }).waitFor();
    await until(async () => (await usage.locator('tbody tr').count()) === 1);
    await usage.getByRole('button', { name: 'week' }).press('Enter');
    await until(
      async () => (await usage.getByRole('button', { name: 'week' }).getAttribute('aria-pressed')) === 'true',
    );
    await settled(page);
  });

  test('have no findings of axe-core', async () => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await findings(page, 'section.usage')).toEqual([]);
    }
    // Without a key the page did not ask.
    expect(stage.complaints).toEqual([]);
  });
});
