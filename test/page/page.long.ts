import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  explainLoss,
  translateRequest,
} from '../../translators/index.js';
import { until } from '../support/until.js';
import { type Example, examples, root, textOf } from './examples.js';
import {
  findBrowser,
  openStage,
  paste,
  pick,
  SIMULATORS,
  type Stage,
  type StageOptions,
  settled,
  shown,
} from './stage.js';

const run = promisify(execFile);
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const executablePath = findBrowser();
const when = executablePath === undefined ? describe.skip : describe;

let browser: Browser | undefined;
beforeAll(async () => {
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
afterAll(() => browser?.close());

function running(): Browser {
  if (browser === undefined) throw new Error('there is no browser');
  return browser;
}

/** What the command line prints for an example. */
async function printed({ dialect, kind, status = 400, ...rest }: Example, to: DialectId): Promise<string> {
  const text = textOf({ dialect, kind, status, ...rest });
  const args = ['translate', '--from', dialect, '--to', to, '--kind', kind, '--status', String(status), '-'];
  const child = run(process.execPath, [join(root, 'dist/src/cli.js'), ...args]);
  child.child.stdin?.end(text);
  return (await child).stdout;
}

/** A text without the times that are those of its translation. */
const timeless = (text: string | null): string =>
  (text ?? '').replace(/("(?:created|created_at|completed_at)": ?)\d{10}/g, '$10');

/** Holds a translation in the page to the command line, and its losses to its marks. */
async function compare(page: Page, example: Example, to: DialectId): Promise<void> {
  const region = page.getByRole('region', { name: to, exact: true });
  const expected = await printed(example, to).catch((error: { stderr: string }) => error.stderr);
  if (await region.locator('pre').isHidden()) {
    expect(expected).toContain(await region.getByRole('alert').textContent());
    return;
  }
  expect([example.name, timeless(await shown(page, to))]).toEqual([example.name, timeless(expected)]);
  const listed = page.getByRole('table', { name: 'Losses' }).getByRole('cell', { name: to, exact: true });
  const lost = (await listed.count()) > 0;
  expect([example.name, (await region.locator('mark').count()) > 0]).toEqual([example.name, lost]);
  if (lost) expect(await page.getByRole('region', { name: 'Source' }).locator('mark').count()).toBeGreaterThan(0);
}

when('the page', () => {
  let stage: Stage;
  let page: Page;
  beforeAll(async () => {
    stage = await openStage(running());
    page = await stage.open();
  });
  afterAll(() => stage.close());

  test.each(dialectIds)(
    'ten examples or more of %s are as the command line has them',
    async (id) => {
      const own = examples.filter(({ dialect }) => dialect === id);
      expect(own.length).toBeGreaterThanOrEqual(10);
      for (const example of own) {
        await pick(page, example);
        await expect(page.getByRole('status', { name: 'Detected' }).textContent()).resolves.toBe(
          `${example.kind} in ${id}`,
        );
        const others = dialectIds.filter((other) => other !== id);
        await Promise.all(others.map((to) => compare(page, example, to)));
      }
    },
    240_000,
  );

  test('what is pasted is detected, and each loss is listed and marked on both sides', async () => {
    const body = {
      model: 'claude-sonnet-4-5',
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 2048 },
      stop_sequences: ['END'],
      messages: [{ role: 'user', content: 'Hello' }],
    };
    await paste(page, JSON.stringify(body, null, 2));
    expect(await page.getByRole('status', { name: 'Detected' }).textContent()).toBe('request in messages');
    const expected = dialectIds
      .filter((id) => id !== 'messages')
      .flatMap((to) => translateRequest({ from: 'messages', to, body }).losses.map((loss) => ({ to, loss })));
    const rows = page.getByRole('table', { name: 'Losses' }).locator('tbody').getByRole('row');
    const listed = await rows.evaluateAll((all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
    expect(listed.sort()).toEqual(
      expected.map(({ to, loss }) => [to, loss.path, loss.feature, loss.kind, explainLoss(loss)]).sort(),
    );
    const marks = await page.getByRole('region', { name: 'Source' }).locator('mark').allTextContents();
    expect(marks).toContain('"budget_tokens": 2048');
    expect(marks.some((mark) => mark.startsWith('"stop_sequences"'))).toBe(true);
    const there = page.getByRole('region', { name: 'responses', exact: true }).locator('mark');
    expect(await there.allTextContents()).toContainEqual(expect.stringContaining('"effort": "low"'));
    // What was dropped has a mark at what would hold it.
    expect(await there.first().textContent()).toBe('{');
  });

  test('the path of a loss leads into the source', async () => {
    await page
      .getByRole('row', { name: /responses.*stop_sequences/ })
      .getByRole('button')
      .press('Enter');
    const input = page.getByRole('textbox', { name: 'Input' });
    await expect(page.evaluate('document.activeElement.id')).resolves.toBe(await input.getAttribute('id'));
    const selected =
      'document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)';
    expect(await page.evaluate(selected)).toMatch(/^"stop_sequences": \[\s+"END"\s+\]$/);
  });

  test('strict shows the refusal', async () => {
    const strict = page.getByRole('checkbox', { name: 'Strict' });
    await strict.check();
    await settled(page);
    const alert = page.getByRole('region', { name: 'responses', exact: true }).getByRole('alert');
    expect(await alert.textContent()).toContain('/stop_sequences');
    await strict.uncheck();
    await settled(page);
    expect(await alert.isHidden()).toBe(true);
  });

  test.each(examples.filter(({ kind }) => kind === 'stream').map((one): [string, Example] => [one.dialect, one]))(
    'a stream of %s steps event by event',
    async (dialect, example) => {
      await pick(page, example);
      const frames = textOf(example).split(/(?<=\n\n)/);
      const slider = page.getByRole('slider', { name: 'Event' });
      expect(await slider.getAttribute('max')).toBe(String(frames.length));
      await slider.focus();
      await slider.press('Home');
      for (let passed = 0; passed < frames.length; passed++) {
        for (const to of dialectIds.filter((id) => id !== dialect)) {
          const translator = createStreamTranslator({ from: dialect as DialectId, to });
          const text = frames
            .slice(0, passed)
            .map((frame) => translator.push(frame))
            .join('');
          expect(timeless(await shown(page, to))).toBe(timeless(text));
        }
        await slider.press('ArrowRight');
        const current = page.getByRole('region', { name: 'Source' }).locator('.current').first();
        const [seen, within] = [await current.boundingBox(), await page.locator('#source-scroll').boundingBox()];
        expect(seen?.y).toBeLessThan((within?.y ?? 0) + (within?.height ?? 0));
      }
    },
  );

  test('a link brings everything back but keys', async () => {
    const text = JSON.stringify({ model: 'm', api_key: 'abc-secret', input: 'my key is sk-proj-abcdefghijklmnop1234' });
    await paste(page, text);
    await page.getByRole('combobox', { name: 'Dialect' }).selectOption('responses');
    await page.getByRole('checkbox', { name: 'Strict' }).check();
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('status', { name: 'Link' }).filter({ hasText: 'copied' }).waitFor();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    expect(page.url()).toBe(link);
    const other = await stage.open(new URL(link).hash);
    const restored = await other.getByRole('textbox', { name: 'Input' }).inputValue();
    expect(JSON.parse(restored)).toEqual({ model: 'm', api_key: '***', input: 'my key is ***' });
    expect(await other.getByRole('combobox', { name: 'Dialect' }).inputValue()).toBe('responses');
    expect(await other.getByRole('checkbox', { name: 'Strict' }).isChecked()).toBe(true);
    await other.close();
    await page.getByRole('checkbox', { name: 'Strict' }).uncheck();
    await page.getByRole('combobox', { name: 'Dialect' }).selectOption('auto');
  });

  test('text that is none says so, and marks nothing', async () => {
    await paste(page, '{"model": "m", "messages": [');
    const source = page.getByRole('region', { name: 'Source' });
    expect(await source.getByRole('alert').isVisible()).toBe(true);
    expect(await source.locator('mark').count()).toBe(0);
    await paste(page, '<mark>{}</mark>');
    expect(await source.locator('mark').count()).toBe(0);
  });

  test('a mistake in JSON is told with its place, also in a dialect that was chosen', async () => {
    const alert = page.getByRole('region', { name: 'Source' }).getByRole('alert');
    for (const dialect of ['auto', 'messages']) {
      await page.getByRole('combobox', { name: 'Dialect' }).selectOption(dialect);
      await paste(page, '{"model": "m",\n "messages": [],}');
      expect(await alert.textContent()).toContain('line 2, column 17');
      expect(await page.locator('#no-losses').isHidden()).toBe(true);
    }
    await page.getByRole('combobox', { name: 'Dialect' }).selectOption('auto');
  });

  test('a command line of curl gives its body, its dialect and the model of its URL', async () => {
    const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent';
    await paste(page, `curl ${url} -H 'x-goog-api-key: k' -d '{"contents": [{"parts": [{"text": "it'\\''s"}]}]}'`);
    expect(await page.getByRole('textbox', { name: 'Input' }).inputValue()).toBe(
      '{"contents": [{"parts": [{"text": "it\'s"}]}]}',
    );
    expect(await page.getByRole('status', { name: 'Detected' }).textContent()).toBe('request in generateContent');
    expect(await shown(page, 'responses')).toContain('"model": "gemini-2.5-flash"');
    await paste(page, 'curl https://api.openai.com/v1/responses -d @body.json');
    expect(await page.getByRole('region', { name: 'Source' }).getByRole('alert').textContent()).toContain('-d');
  });

  test('each pane has its model, which a link brings back, and what a service refuses does not cross', async () => {
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object', properties: {} } } },
    };
    await paste(page, JSON.stringify(body));
    const region = page.getByRole('region', { name: 'messages', exact: true });
    expect(await region.getByRole('alert').textContent()).toContain('The service of messages refuses this: ');
    expect(await region.locator('.meta').textContent()).toContain('refused there');
    await page.getByRole('textbox', { name: 'Model for messages' }).fill('claude-opus-4-8');
    await settled(page);
    expect(await region.getByRole('alert').isHidden()).toBe(true);
    expect(await shown(page, 'messages')).toContain('"model": "claude-opus-4-8"');
    const before = page.url();
    await page.getByRole('button', { name: 'Share' }).click();
    // An earlier link may still be told of.
    await until(async () => page.url() !== before);
    const other = await stage.open(new URL(page.url()).hash);
    const model = other.getByRole('textbox', { name: 'Model for messages' });
    // The link is unpacked when the page stands already.
    await until(async () => (await model.inputValue()) === 'claude-opus-4-8');
    await settled(other);
    expect(await shown(other, 'messages')).toBe(await shown(page, 'messages'));
    await other.close();
    await page.getByRole('textbox', { name: 'Model for messages' }).fill('');
    // Refused everywhere, and nothing of it is lost.
    await paste(page, JSON.stringify({ model: 'm', messages: 'no list' }));
    await page.getByRole('combobox', { name: 'Dialect' }).selectOption('messages');
    await settled(page);
    expect(await page.locator('#no-losses').textContent()).toBe('Nothing crosses: every target refuses this.');
    await page.getByRole('combobox', { name: 'Dialect' }).selectOption('auto');
  });

  test('a text is cut nowhere above empty space: panes of a row end together', async () => {
    const example = examples.find(({ kind, dialect }) => kind === 'request' && dialect === 'messages');
    if (example !== undefined) await pick(page, example);
    // What stands above the texts makes the panes of a row unequal.
    expect(await page.locator('#targets').getByRole('alert').filter({ visible: true }).count()).toBeGreaterThan(0);
    const gaps = await page.locator('.sides > .side:visible, .targets > .side:visible').evaluateAll((all) =>
      all.map((side) => {
        const text = side.querySelector('.scroll') ?? side.querySelector('pre');
        return Math.abs(side.getBoundingClientRect().bottom - (text?.getBoundingClientRect().bottom ?? 0));
      }),
    );
    expect(gaps).toHaveLength(4);
    expect(Math.max(...gaps)).toBeLessThan(3);
  });

  test('what is typed into a long text lays out no pane before a pause, and then the beginnings', async () => {
    const content = 'word '.repeat(60_000);
    await paste(page, JSON.stringify({ model: 'm', max_tokens: 9, messages: [{ role: 'user', content }] }));
    const watch = `globalThis.changes = 0;
      new MutationObserver((all) => { changes += all.length; }).observe(document.querySelector('.sides'), { childList: true, subtree: true });`;
    await page.evaluate(watch);
    const input = page.getByRole('textbox', { name: 'Input' });
    await input.evaluate('(field) => field.setSelectionRange(10, 10)');
    // Within one task, so that no pause falls between two keys.
    const type = `(field) => { for (let i = 0; i < 20; i++) { field.setRangeText('x', 10, 10, 'end'); field.dispatchEvent(new Event('input')); } }`;
    await input.evaluate(type);
    const typed = Number(await page.evaluate('changes'));
    await settled(page);
    // The mirror of the field alone is told, never the panes.
    expect(typed).toBeLessThanOrEqual(20);
    const told = (await shown(page, 'responses')) ?? '';
    expect(told.length).toBeLessThan(160_000);
    expect(told).toContain('more characters: Copy has all of it.');
    await page.getByRole('region', { name: 'responses', exact: true }).getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('region', { name: 'responses', exact: true }).getByText('copied').waitFor();
    const copied = JSON.parse(String(await page.evaluate('navigator.clipboard.readText()')));
    expect(copied.input[0].content[0].text).toHaveLength(content.length);
  });

  test('a kind and a status can be chosen by hand', async () => {
    await paste(page, JSON.stringify({ error: { message: 'no', type: 'x', param: null, code: null } }));
    await page.getByRole('combobox', { name: 'Dialect' }).selectOption('chatCompletions');
    await page.getByRole('spinbutton', { name: 'Status' }).fill('503');
    await settled(page);
    expect(await page.getByRole('radio', { name: 'error' }).isChecked()).toBe(true);
    expect(await shown(page, 'messages')).toContain('"type": "error"');
    await page.getByRole('radio', { name: 'request' }).check();
    await settled(page);
    expect(await page.getByRole('status', { name: 'Detected' }).textContent()).toBe('request in chatCompletions');
    await page.getByRole('combobox', { name: 'Dialect' }).selectOption('auto');
  });

  test('up to here nothing left the page, came from elsewhere, was reported or kept', async () => {
    expect(stage.requests.filter(({ method, url }) => method !== 'GET' || !url.startsWith(`${stage.url}/`))).toEqual(
      [],
    );
    expect(stage.complaints).toEqual([]);
    expect(await stage.context.cookies()).toEqual([]);
    const kept =
      '(async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length])()';
    expect(await page.evaluate(kept)).toEqual([0, 0, 0, 0]);
  });
});

when('Send', () => {
  test.each(dialectIds)('calls every backend for a client of %s', async (id) => {
    const stage = await openStage(running());
    const page = await stage.open();
    const asked = examples.find(({ dialect, name }) => dialect === id && name === 'A question');
    if (asked === undefined) throw new Error('there is no example of a question');
    await pick(page, asked);
    for (const [model, dialect] of SIMULATORS) {
      await page.getByRole('combobox', { name: 'Model' }).fill(model);
      await page.getByRole('button', { name: 'Send' }).click();
      await settled(page);
      const client = page.getByRole('region', { name: 'Client side' });
      expect(await client.textContent()).toContain('status 200');
      const backend = await page.getByRole('region', { name: 'Backend side' }).textContent();
      for (const word of [dialect, model]) expect(backend).toContain(word);
      // What it was sent stands below.
      expect(backend).toMatch(/POST \S+\s+\{/);
    }
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });

  test('uses the key that was typed, and keeps it nowhere', async () => {
    const key = 'a-long-enough-team-key';
    const config: StageOptions['config'] = {
      backends: { sim: { dialect: 'responses', simulator: true } },
      models: { fast: { backend: 'sim' } },
      keys: [{ name: 'team', key }],
    };
    const stage = await openStage(running(), { config });
    const page = await stage.open();
    // Who has no key is told no names.
    expect(await page.locator('datalist option').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Model' }).fill('fast');
    const send = async (): Promise<string | null> => {
      await page.getByRole('button', { name: 'Send' }).click();
      await settled(page);
      return page.getByRole('region', { name: 'Client side' }).textContent();
    };
    expect(await send()).toContain('status 401');
    await page.getByLabel('Key').fill(key);
    expect(await send()).toContain('status 200');
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('status', { name: 'Link' }).filter({ hasText: 'copied' }).waitFor();
    const again = await stage.open(new URL(page.url()).hash);
    expect(await again.getByLabel('Key').inputValue()).toBe('');
    expect(page.url()).not.toContain(key);
    await stage.close();
  });

  test('shows a stream as it comes', async () => {
    const stage = await openStage(running());
    const page = await stage.open();
    await paste(page, JSON.stringify({ model: 'sim-messages', stream: true, input: 'Hello' }));
    await page.getByRole('button', { name: 'Send' }).click();
    await settled(page);
    expect(await page.getByRole('region', { name: 'Client side' }).textContent()).toContain('response.completed');
    await stage.close();
  });
});

when('the page is for everybody', () => {
  const VIEWS = [
    { scheme: 'light', width: 1280 },
    { scheme: 'dark', width: 1280 },
    { scheme: 'light', width: 320 },
    { scheme: 'dark', width: 320 },
  ] as const;

  test.each(VIEWS)('axe finds nothing, and nothing is cut off: $scheme, $width px', async (view) => {
    const stage = await openStage(running(), view);
    const page = await stage.open();
    const check = async (state: string): Promise<void> => {
      await page.evaluate(`${AXE}; undefined`);
      const found = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))',
      );
      expect([state, found]).toEqual([state, []]);
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    };
    await check('an example');
    await page.getByRole('checkbox', { name: 'Strict' }).check();
    await settled(page);
    await check('refused');
    for (const kind of ['stream', 'error', 'response']) {
      const example = examples.find((one) => one.kind === kind);
      if (example !== undefined) await pick(page, example);
      await check(kind);
    }
    await paste(page, '{');
    await check('no JSON');
    await stage.close();
  });

  test('everything is reached by the keyboard, in the order of the page', async () => {
    const stage = await openStage(running());
    const page = await stage.open();
    const reached: string[] = [];
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press('Tab');
      const name = String(
        await page.evaluate(
          "(() => { const at = document.activeElement; return at === document.body ? '' : at.id || at.getAttribute('aria-label') || at.textContent || at.tagName; })()",
        ),
      );
      if (name === '') break;
      reached.push(name);
    }
    const order = [
      'example',
      'dialect',
      'strict',
      'share',
      'input',
      'Copy',
      'Translation to responses',
      'model',
      'key',
      'send',
    ];
    expect(reached.filter((name, index) => order.includes(name) && reached.indexOf(name) === index)).toEqual(order);
    expect(reached.filter((name) => name.startsWith('/')).length).toBeGreaterThan(3);
    await stage.close();
  });
});
