import { expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import { examples } from './examples.js';
import { findings, openStage, paste, pick, type Stage, settled, useBrowser, when } from './stage.js';

useBrowser();

const open = (width: number, scheme: 'light' | 'dark' = 'light'): Promise<Stage> => openStage({ width, scheme });

const BODY = JSON.stringify(
  {
    model: 'claude-sonnet-4-5',
    max_tokens: 4096,
    stop_sequences: ['END'],
    api_key: 'abc-secret',
    messages: [{ role: 'user', content: 'my key is sk-proj-abcdefghijklmnop1234' }],
  },
  null,
  2,
);

/** The name of what has the keyboard. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    let at = document.activeElement;
    while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
    return at?.getAttribute('aria-label') ?? at?.textContent ?? '';
  })()`);

/** Presses Tab until what has the keyboard is called `name`. */
async function tabTo(page: Page, name: RegExp, back = false): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 120; step++) {
    const now = await focused(page);
    if (name.test(now)) return;
    passed.push(now.slice(0, 30));
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab');
  }
  throw new Error(`Tab does not lead to ${name}, but to ${[...new Set(passed)].join(', ')}`);
}

when('by keyboard alone', () => {
  test('a body is pasted, a target chosen, a row opened, gone to and allowed, and the whole shared', async () => {
    const stage = await open(1440);
    const page = await stage.open();
    await page.getByRole('textbox', { name: 'Translation' }).waitFor();
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(BODY)})`);
    await tabTo(page, /^Input$/);
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+v');
    await page.waitForTimeout(100);
    await settled(page);
    await tabTo(page, /^responses/, true);
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await page.getByRole('combobox', { name: 'Dialect of the target' }).inputValue()).toBe('responses');
    await tabTo(page, /^.?stop_sequences/);
    await page.keyboard.press('Enter');
    await page.locator('tr.details').waitFor();
    await tabTo(page, /^go$/);
    await page.keyboard.press('Enter');
    await until(async () => (await focused(page)) === 'Input');
    await page.keyboard.press('Control+c');
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^"stop_sequences": /);
    await tabTo(page, /^allow /);
    await page.keyboard.press('Space');
    await settled(page);
    await until(async () => /strict;allow="[\w-]+"/.test((await page.locator('code.header').textContent()) ?? ''));
    expect(await page.getByRole('checkbox', { name: 'Strict' }).isChecked()).toBe(true);
    await tabTo(page, /^Share$/, true);
    await page.keyboard.press('Enter');
    await page.getByRole('status', { name: 'Link' }).filter({ hasText: 'copied' }).waitFor();
    const link = String(await page.evaluate('navigator.clipboard.readText()'));
    const other = await stage.open(new URL(link).hash);
    const input = other.getByRole('textbox', { name: 'Input' });
    await until(async () => /stop_sequences/.test((await input.textContent()) ?? ''));
    const shared = await input.textContent();
    expect(shared).toContain('"api_key": "***"');
    expect(shared).toContain('my key is ***');
    expect(await other.locator('code.header').textContent()).toMatch(/strict;allow=/);
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });
});

when('text at twice its size', () => {
  test.each([320, 390, 1440])('nothing is beyond the edge, and axe finds nothing: %i px', async (width) => {
    const stage = await open(width);
    const page = await stage.open();
    await page.getByRole('textbox', { name: 'Translation' }).waitFor();
    await page.evaluate("document.documentElement.style.fontSize = '200%'");
    await page.locator('tbody .field').first().click();
    const check = async (state: string): Promise<void> => {
      const beyond = await page.evaluate(
        "document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll('body *')].filter((one) => one.closest('.rows') === null && one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.localName + '.' + one.className).slice(0, 8)",
      );
      expect([state, beyond]).toEqual([state, []]);
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
    expect(await findings(page)).toEqual([]);
    for (const view of ['Live', 'Models']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.locator(`main.${view.toLowerCase()}`).waitFor();
      await check(view);
    }
    await stage.close();
  });
});

when('less motion is asked for', () => {
  test('nothing moves, neither by rules of style nor by itself', async () => {
    const stage = await open(1440);
    const page = await stage.open();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const view of ['Translate', 'Live', 'Models']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.locator(`main.${view.toLowerCase()}`).waitFor();
      // A caret that blinks is what the system asks for, and lies in the editors.
      expect(await page.evaluate('document.getAnimations().map(String)')).toEqual([]);
      const moving = await page.evaluate(
        "[...document.querySelectorAll('*')].filter((one) => { const { animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(one); return parseFloat(animationDuration) > 0 || parseFloat(transitionDuration) > 0 || scrollBehavior === 'smooth'; }).length",
      );
      expect([view, moving]).toEqual([view, 0]);
    }
    await stage.close();
  });
});

/** What would be an element, an attribute, a script, and what breaks out of either. */
const EVIL = [
  '<img src=x onerror="document.title=1">',
  '"><script>document.title=1</script>',
  "' onmouseover=document.title=1 x='",
  'javascript:document.title=1',
  '</textarea></title><svg onload=document.title=1>',
];

when('texts that would be markup', () => {
  test('stay texts in all of Translate, and ask no other place for anything', async () => {
    const stage = await open(1440);
    const page = await stage.open();
    const title = await page.title();
    const clean = async (state: string): Promise<void> => {
      const made = await page.evaluate(
        "[document, ...[...document.querySelectorAll('*')].flatMap((one) => one.shadowRoot ?? [])].flatMap((root) => [...root.querySelectorAll('img, script:not([src]), iframe, [onerror], [onload], [onmouseover], a[href^=javascript]')]).length",
      );
      expect([state, made, await page.title()]).toEqual([state, 0, title]);
    };
    for (const evil of EVIL) {
      const body = {
        model: evil,
        max_tokens: 100,
        stop_sequences: [evil],
        [evil]: { [evil]: evil },
        tools: [
          {
            name: evil,
            description: evil,
            input_schema: { type: 'object', properties: { [evil]: { pattern: evil } } },
          },
        ],
        messages: [
          { role: 'user', content: evil },
          { role: 'assistant', content: [{ type: 'tool_use', id: evil, name: evil, input: { [evil]: evil } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: evil, content: evil }] },
        ],
      };
      await paste(page, JSON.stringify(body, null, 2));
      await clean(`a request with ${evil}`);
      for (const row of await page.locator('tbody .field[aria-expanded=false]').all()) await row.click();
      for (const name of ['Model of the target', 'Host of the target']) {
        const field = page.getByRole('combobox', { name });
        await field.fill(evil);
        await field.press('Enter');
        await settled(page);
      }
      await clean(`a target called ${evil}`);
      await page.getByRole('combobox', { name: 'Host of the target' }).fill('');
      await page.getByRole('combobox', { name: 'Host of the target' }).press('Enter');
      await settled(page);
      await paste(
        page,
        `curl 'https://api.anthropic.com/v1/messages' -H 'anthropic-beta: ${evil.replaceAll("'", '')}' -d ${JSON.stringify(JSON.stringify({ model: evil.replaceAll("'", ''), max_tokens: 1, messages: [] })).replaceAll('$', '')}`,
      );
      await clean(`a command with ${evil}`);
      await paste(page, JSON.stringify({ type: 'error', error: { type: evil, message: evil } }));
      await clean(`an error with ${evil}`);
      await paste(page, `{"model": ${evil}`);
      await clean(`a fault at ${evil}`);
      await paste(
        page,
        `event: ${evil}\ndata: ${JSON.stringify({ type: evil, message: { id: evil, model: evil } })}\n\n`,
      );
      await clean(`a stream of ${evil}`);
      const line = JSON.stringify({ ...body, custom_id: evil });
      await page.locator('input[type=file]').setInputFiles({
        name: `${evil.replaceAll('/', '')}.jsonl`,
        mimeType: 'application/jsonl',
        buffer: Buffer.from(`${line}\n${line}\n{"${evil}\n`),
      });
      await page.locator('.traffic[aria-busy=false]').waitFor();
      await clean(`a file called ${evil}`);
      await page.getByRole('button', { name: 'Back to the editors' }).first().click();
      await settled(page);
    }
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('status', { name: 'Link' }).filter({ hasText: 'link' }).waitFor();
    await clean('shared');
    const origin = new URL(stage.url).origin;
    expect(stage.requests.filter(({ url, method }) => method !== 'GET' || new URL(url).origin !== origin)).toEqual([]);
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });
});
