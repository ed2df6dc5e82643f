import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { adviceFor } from '../../translators/advice.js';
import {
  createStreamTranslator,
  type DialectId,
  dialectIds,
  dialects,
  explainLoss,
  refusedLosses,
  translateRequest,
} from '../../translators/index.js';
import { until } from '../support/until.js';
import { type Example, examples, root, textOf } from './examples.js';
import { chip, choose, hasBrowser, paste, pick, settled, textIn, translated, useStage, when } from './stage.js';

const run = promisify(execFile);

const stage = useStage();
let page: Page;
beforeAll(async () => {
  if (hasBrowser) page = await stage.open();
});

/** What the command line prints for an example. */
async function printed({ dialect, kind, status = 400, ...rest }: Example, to: DialectId): Promise<string> {
  const text = textOf({ dialect, kind, status, ...rest });
  const model = kind === 'request' ? ['--model', dialects[to].mainline] : [];
  const args = ['translate', '--from', dialect, '--to', to, '--kind', kind, '--status', String(status), ...model, '-'];
  const child = run(process.execPath, [join(root, 'dist/src/cli.js'), ...args]);
  child.child.stdin?.end(text);
  return (await child).stdout;
}

/** A text without the times that are those of its translation. */
const timeless = (text: string): string => text.replace(/("(?:created|created_at|completed_at)": ?)\d{10}/g, '$10');

const rowsOf = (at: Page) => at.getByRole('table', { name: 'Losses by field' }).locator('tbody tr:not(.details)');
const marksIn = (at: Page, name: 'Source' | 'Translation') => at.getByRole('region', { name }).locator('.mark');
const alertIn = (at: Page, name: 'Source' | 'Translation') => at.getByRole('region', { name }).getByRole('alert');

const ASK = {
  model: 'claude-sonnet-4-5',
  max_tokens: 4096,
  thinking: { type: 'enabled', budget_tokens: 2048 },
  stop_sequences: ['END'],
  messages: [{ role: 'user', content: 'Hello' }],
};

when('a text in the source', () => {
  test('on arrival an example is translated and explained', async () => {
    const fresh = await stage.open();
    expect(await fresh.getByRole('status', { name: 'Detected' }).textContent()).toBe(
      'request in messages, model claude-sonnet-4-5',
    );
    expect(await chip(fresh, 'responses').textContent()).toMatch(/loss/);
    expect(await rowsOf(fresh).count()).toBeGreaterThan(3);
    expect(await translated(fresh)).toContain(`"model": "${dialects.responses.mainline}"`);
    await fresh.close();
  });

  test.each(dialectIds)(
    'ten examples or more of %s are as the command line has them',
    async (id) => {
      const own = examples.filter(({ dialect }) => dialect === id);
      expect(own.length).toBeGreaterThanOrEqual(10);
      for (const example of own) {
        await pick(page, example);
        expect(await page.getByRole('status', { name: 'Detected' }).textContent()).toContain(
          `${example.kind} in ${id}`,
        );
        for (const to of dialectIds.filter((other) => other !== id)) {
          await choose(page, to);
          const expected = await printed(example, to).catch((error: { stderr: string }) => error.stderr);
          const alert = alertIn(page, 'Translation');
          if (await page.getByRole('button', { name: 'Copy', exact: true }).isDisabled()) {
            expect(expected).toContain(await alert.textContent());
          } else {
            expect([example.name, timeless(await translated(page))]).toEqual([example.name, timeless(expected)]);
          }
        }
      }
    },
    400_000,
  );

  test('each loss is a sign in a row of its place and a column of its target, with its sentence and advice', async () => {
    await paste(page, JSON.stringify(ASK, null, 2));
    const targets = dialectIds.filter((id) => id !== 'messages');
    const losses = targets.map((to) => {
      const sent = translateRequest({ from: 'messages', to, body: ASK, model: dialects[to].mainline });
      return { to, losses: sent.losses };
    });
    for (const { to, losses: own } of losses) {
      const serious = refusedLosses(own).length;
      const small = own.length - serious;
      const words = [
        ...(serious > 0 ? [serious === 1 ? '1 loss' : `${serious} losses`] : []),
        ...(small > 0 ? [`${small} small`] : []),
      ];
      expect(await chip(page, to).textContent()).toContain(words.length === 0 ? 'unchanged' : words.join(', '));
    }
    const row = rowsOf(page).filter({ hasText: 'stop_sequences' });
    expect(await row.locator('td.cell').allTextContents()).toEqual(
      losses.map(({ losses: own }) => (own.some(({ feature }) => feature === 'stop') ? '-dropped' : '=')),
    );
    await row.getByRole('button', { name: /stop_sequences/ }).press('Enter');
    const details = await page.locator('tr.details').textContent();
    const lost = losses.flatMap(({ losses: own }) => own).find(({ feature }) => feature === 'stop');
    if (lost === undefined) throw new Error('nothing is lost');
    for (const text of [explainLoss(lost), adviceFor(lost)]) expect(details).toContain(text);
    await row.getByRole('button', { name: /stop_sequences/ }).press('Enter');
    // What strict would refuse is above what it lets pass.
    const small = await rowsOf(page).evaluateAll((all) =>
      all.map((one) => one.querySelector('.kind:not(.small)') === null),
    );
    expect(small).toEqual([...small].sort());
  });

  test('losses are marked at their places on both sides, and signed in the gutter', async () => {
    await choose(page, 'responses');
    const marks = await marksIn(page, 'Source').allTextContents();
    expect(marks).toContain('"budget_tokens": 2048');
    expect(marks.some((mark) => mark.startsWith('"stop_sequences"'))).toBe(true);
    await until(async () => (await marksIn(page, 'Translation').count()) > 0);
    expect((await marksIn(page, 'Translation').allTextContents()).join('')).toContain('"effort"');
    const signs = await page.getByRole('region', { name: 'Source' }).locator('.sign').allTextContents();
    expect(signs).toEqual(expect.arrayContaining(['-', '~']));
  });

  test('go leads to the place on both sides', async () => {
    await rowsOf(page).filter({ hasText: 'thinking.budget_tokens' }).getByRole('button', { name: 'go' }).click();
    const selected = page.getByRole('region', { name: 'Source' }).locator('.cm-content');
    expect(await page.evaluate('document.activeElement.shadowRoot.activeElement.ariaLabel')).toBe('Input');
    await until(
      async () => (await selected.locator('.followed').allTextContents()).join('') === '"budget_tokens": 2048',
    );
    const there = page.getByRole('region', { name: 'Translation' }).locator('.followed');
    await until(async () => (await there.allTextContents()).join('').includes('"effort"'));
  });

  test('the caret in a value lights its counterpart, both ways, and says where there is none', async () => {
    const source = page.getByRole('region', { name: 'Source' });
    const there = page.getByRole('region', { name: 'Translation' });
    await source.getByText('"Hello"').click();
    await until(async () => (await there.locator('.followed').allTextContents()).join('').includes('"Hello"'));
    await there.getByText('"Hello"').click();
    await until(async () => (await source.locator('.followed').allTextContents()).join('').includes('"Hello"'));
    await source.getByText('"END"').click();
    const nowhere = page.getByRole('status', { name: 'Followed value' });
    await until(async () => (await nowhere.textContent()) === 'Nothing of this is in the translation.');
    expect(await source.locator('.sign.nowhere').count()).toBe(1);
  });

  test('the search field of the page finds places, and Enter goes there', async () => {
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type('stop_seq');
    expect(await rowsOf(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await until(
      async () => (await page.evaluate('document.activeElement.shadowRoot?.activeElement?.ariaLabel')) === 'Input',
    );
    await page.getByRole('searchbox').fill('');
  });

  test('and what is typed after that stays where the caret is', async () => {
    const source = page.getByRole('region', { name: 'Source' });
    await source.getByText('"Hello"').click();
    await page.keyboard.press('Home');
    const before = await textIn(page, 'Input');
    await source.getByText('"Hello"').click();
    await page.keyboard.press('Home');
    for (let blank = 1; blank <= 3; blank++) {
      await page.keyboard.press('Space');
      // It is judged, and losses are found.
      await page.waitForTimeout(200);
      await settled(page);
    }
    expect(await textIn(page, 'Input')).toBe(before.replace(/^( *)(?=.*"Hello")/m, '$1   '));
    // Nor does another search take it away.
    await page.keyboard.press('/');
    const search = page.getByRole('searchbox');
    await search.focus();
    await search.pressSequentially('stop', { delay: 20 });
    expect(await page.evaluate('document.activeElement.type')).toBe('search');
    expect(await search.inputValue()).toBe('stop');
    await search.fill('');
    await paste(page, JSON.stringify(ASK, null, 2));
  });

  test('strict shows the refusal; allow lets a feature go, and tells the header for the wire', async () => {
    const strict = page.getByRole('checkbox', { name: 'Strict' });
    await choose(page, 'responses');
    await strict.check();
    await settled(page);
    expect(await chip(page, 'responses').textContent()).toContain('refused');
    expect(await alertIn(page, 'Translation').textContent()).toContain('/stop_sequences');
    for (const place of ['stop_sequences', 'thinking.budget_tokens']) {
      const field = rowsOf(page).filter({ hasText: place }).getByRole('button', { name: place });
      await field.click();
      await page
        .locator('tr.details')
        .getByRole('button', { name: /^allow/ })
        .first()
        .click();
      await settled(page);
      await field.click();
    }
    expect(await page.locator('code.header').textContent()).toMatch(
      /^x-interlingua-losses: strict;allow="(?:stop reasoning\.\w+|reasoning\.\w+ stop)"$/,
    );
    await until(async () => !(await chip(page, 'responses').textContent())?.includes('refused'));
    for (let left = 2; left > 0; left--)
      await page
        .getByRole('button', { name: /^Do not allow/ })
        .first()
        .click();
    await strict.uncheck();
    await settled(page);
  });
});

when('targets', () => {
  test('are added, changed and removed, and a link brings them back', async () => {
    await paste(page, JSON.stringify({ model: 'm', temperature: 0.5, input: 'Hello' }));
    await page.getByRole('combobox', { name: 'Dialect', exact: true }).selectOption('responses');
    await settled(page);
    await page.getByRole('button', { name: 'Add a target' }).click();
    await settled(page);
    await page.getByRole('combobox', { name: 'Dialect of the target' }).selectOption('responses');
    await page.getByRole('combobox', { name: 'Model of the target' }).fill('gpt-4o');
    await page.getByRole('combobox', { name: 'Model of the target' }).press('Enter');
    await settled(page);
    expect(await chip(page, 'responses').textContent()).toMatch(/gpt-4o/);
    expect(await translated(page)).toContain('"model": "gpt-4o"');
    // The newest models take no temperature; this one does.
    expect(await chip(page, 'responses').textContent()).toContain('unchanged');
    const count = await page.getByRole('list', { name: 'Targets' }).getByRole('button').count();
    await choose(page, 'generateContent');
    await page.getByRole('button', { name: 'Remove this target' }).click();
    await settled(page);
    expect(await page.getByRole('list', { name: 'Targets' }).getByRole('button').count()).toBe(count - 1);
    await page.getByRole('button', { name: 'Share' }).click();
    await page.getByRole('status', { name: 'Link' }).filter({ hasText: 'copied' }).waitFor();
    const other = await stage.open(new URL(page.url()).hash);
    await until(
      async () => (await other.getByRole('list', { name: 'Targets' }).textContent())?.includes('gpt-4o') === true,
    );
    expect(await other.getByRole('list', { name: 'Targets' }).getByRole('button').count()).toBe(count - 1);
    await other.close();
  });

  test('are judged at their host, and a host that is none says so', async () => {
    await choose(page, 'chatCompletions');
    const host = page.getByRole('combobox', { name: 'Host of the target' });
    await host.fill('groq');
    await host.press('Enter');
    await settled(page);
    expect(await chip(page, 'chatCompletions').textContent()).toContain('groq');
    await host.fill('nowhere');
    await host.press('Enter');
    await settled(page);
    expect(await chip(page, 'chatCompletions').textContent()).toContain('refused');
    expect(await alertIn(page, 'Translation').textContent()).toContain('neither a known host nor an address');
  });

  test('what the service of one refuses does not cross', async () => {
    const fresh = await stage.open();
    const body = {
      model: 'm',
      messages: [{ role: 'user', content: 'Hello' }],
      response_format: { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'object', properties: {} } } },
    };
    await paste(fresh, JSON.stringify(body));
    await choose(fresh, 'messages');
    const model = fresh.getByRole('combobox', { name: 'Model of the target' });
    await model.fill('');
    await model.press('Enter');
    await settled(fresh);
    expect(await alertIn(fresh, 'Translation').textContent()).toContain('The service of messages refuses this: ');
    expect(await chip(fresh, 'messages').textContent()).toContain('refused');
    await model.fill('claude-opus-4-8');
    await model.press('Enter');
    await settled(fresh);
    expect(await alertIn(fresh, 'Translation').count()).toBe(0);
    await paste(fresh, JSON.stringify({ model: 'm', messages: 'no list' }));
    await fresh.getByRole('combobox', { name: 'Dialect', exact: true }).selectOption('chatCompletions');
    await settled(fresh);
    expect(await fresh.getByRole('group', { name: 'Rows of losses' }).textContent()).toBe(
      'Nothing crosses: every target refuses this.',
    );
    await fresh.close();
  });
});

when('what is read', () => {
  test.each(examples.filter(({ kind }) => kind === 'stream').map((one): [string, Example] => [one.dialect, one]))(
    'a stream of %s steps event by event',
    async (dialect, example) => {
      const fresh = await stage.open();
      await pick(fresh, example);
      const frames = textOf(example).split(/(?<=\n\n)/);
      const slider = fresh.getByRole('slider', { name: 'Event' });
      expect(await slider.getAttribute('aria-valuemax')).toBe(String(frames.length));
      const [to] = dialectIds.filter((id) => id !== dialect);
      if (to === undefined) throw new Error('there is one dialect');
      await choose(fresh, to);
      await slider.focus();
      await slider.press('Home');
      for (let passed = 0; passed < frames.length; passed++) {
        const translator = createStreamTranslator({ from: dialect as DialectId, to });
        const text = frames
          .slice(0, passed)
          .map((frame) => translator.push(frame))
          .join('');
        if (text !== '') expect(timeless(await translated(fresh))).toBe(timeless(text));
        await slider.focus();
        await slider.press('ArrowRight');
        expect(await fresh.getByRole('region', { name: 'Source' }).locator('.mark.current').count()).toBeGreaterThan(0);
      }
      await fresh.close();
    },
    120_000,
  );

  test('a fault in JSON is underlined, with line, column and what was expected, also in a dialect that was chosen', async () => {
    const fresh = await stage.open();
    for (const dialect of ['auto', 'messages']) {
      await fresh.getByRole('combobox', { name: 'Dialect', exact: true }).selectOption(dialect);
      await paste(fresh, '{"model": "m",\n "messages": [],}');
      expect(await alertIn(fresh, 'Source').textContent()).toBe('Line 2, column 17: a name in " is expected here.');
      const underlined = fresh.getByRole('region', { name: 'Source' }).locator('.mark.fault');
      expect(await underlined.allTextContents()).toEqual(['}']);
      expect(await rowsOf(fresh).count()).toBe(0);
      expect(await fresh.getByRole('group', { name: 'Rows of losses' }).textContent()).toBe('Nothing is translated.');
      expect(await chip(fresh, 'responses').textContent()).not.toMatch(/unchanged|loss/);
    }
    await fresh.close();
  });

  test('a command line of curl gives its body, its dialect and the model of its URL', async () => {
    const fresh = await stage.open();
    const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:generateContent';
    await paste(fresh, `curl ${url} -H 'x-goog-api-key: k' -d '{"contents": [{"parts": [{"text": "it'\\''s"}]}]}'`);
    await until(async () => (await textIn(fresh, 'Input')) === '{"contents": [{"parts": [{"text": "it\'s"}]}]}');
    await settled(fresh);
    expect(await fresh.getByRole('status', { name: 'Detected' }).textContent()).toContain('generateContent');
    await paste(fresh, 'curl https://api.openai.com/v1/responses -d @body.json');
    await until(async () => (await alertIn(fresh, 'Source').textContent())?.includes('sends the file body.json'));
    await fresh.close();
  });

  test('a kind and a status can be chosen by hand', async () => {
    const fresh = await stage.open();
    await paste(fresh, JSON.stringify({ error: { message: 'no', type: 'x', param: null, code: null } }));
    await fresh.getByRole('combobox', { name: 'Dialect', exact: true }).selectOption('chatCompletions');
    await fresh.getByRole('combobox', { name: 'Kind' }).selectOption('error');
    await fresh.getByRole('spinbutton', { name: 'Status' }).fill('503');
    await settled(fresh);
    await choose(fresh, 'messages');
    expect(await translated(fresh)).toContain('"type": "error"');
    expect(await fresh.getByRole('status', { name: 'Beside the body' }).textContent()).toBe('status 529');
    await fresh.close();
  });

  test('is shown in lines and again as it was pasted, and folds', async () => {
    const fresh = await stage.open();
    const body = '{"model":"m","max_tokens":12345678901234567890,"messages":[]}';
    await paste(fresh, body);
    const lines = fresh.getByRole('button', { name: 'Pretty-print' });
    await lines.click();
    await settled(fresh);
    expect(await textIn(fresh, 'Input')).toBe(
      '{\n  "model": "m",\n  "max_tokens": 12345678901234567890,\n  "messages": []\n}\n',
    );
    await fresh
      .getByRole('region', { name: 'Source' })
      .locator('.cm-foldGutter span[title="Fold line"]')
      .first()
      .click();
    expect(await fresh.getByRole('region', { name: 'Source' }).locator('.cm-foldPlaceholder').count()).toBe(1);
    await lines.click();
    await settled(fresh);
    expect(await textIn(fresh, 'Input')).toBe(body);
    await fresh.close();
  });

  test('a link brings everything back but keys', async () => {
    const fresh = await stage.open();
    await paste(
      fresh,
      JSON.stringify({ model: 'm', api_key: 'abc-secret', input: 'my key is sk-proj-abcdefghijklmnop1234' }),
    );
    await fresh.getByRole('combobox', { name: 'Dialect', exact: true }).selectOption('responses');
    await fresh.getByRole('checkbox', { name: 'Strict' }).check();
    await settled(fresh);
    await fresh.getByRole('button', { name: 'Share' }).click();
    await fresh.getByRole('status', { name: 'Link' }).filter({ hasText: 'copied' }).waitFor();
    const link = String(await fresh.evaluate('navigator.clipboard.readText()'));
    expect(fresh.url()).toBe(link);
    const other = await stage.open(new URL(link).hash);
    await until(async () => (await textIn(other, 'Input')) !== '');
    await settled(other);
    expect(JSON.parse(await textIn(other, 'Input'))).toEqual({ model: 'm', api_key: '***', input: 'my key is ***' });
    expect(await other.getByRole('combobox', { name: 'Dialect', exact: true }).inputValue()).toBe('responses');
    expect(await other.getByRole('checkbox', { name: 'Strict' }).isChecked()).toBe(true);
    await other.close();
    await fresh.close();
  });

  test('names that look like markup stay text, wherever they are shown', async () => {
    const fresh = await stage.open();
    const evil = '<img src=x onerror="document.title=1">';
    const body = { ...ASK, model: evil, [evil]: 1, messages: [{ role: 'user', content: evil, [evil]: evil }] };
    await paste(fresh, JSON.stringify(body, null, 2));
    expect(await fresh.getByRole('status', { name: 'Detected' }).textContent()).toContain('<img src=x onerror=');
    await rowsOf(fresh).filter({ hasText: '<img' }).first().getByRole('button').first().click();
    const model = fresh.getByRole('combobox', { name: 'Model of the target' });
    for (const name of ['Model of the target', 'Host of the target']) {
      await fresh.getByRole('combobox', { name }).fill(evil);
      await fresh.getByRole('combobox', { name }).press('Enter');
      await settled(fresh);
    }
    expect(await model.inputValue()).toBe(evil);
    await fresh.getByRole('searchbox').fill(evil);
    const made = await fresh.evaluate(
      "[document, ...[...document.querySelectorAll('*')].flatMap((one) => one.shadowRoot ?? [])].flatMap((root) => [...root.querySelectorAll('img, script:not([src])')]).length",
    );
    expect(made).toBe(0);
    await fresh.getByRole('button', { name: 'Share' }).click();
    await fresh.close();
  });
});

when('the work is done', () => {
  test('what is typed over a text takes its place', async () => {
    await paste(page, '{"model": "a"}');
    await page.getByRole('textbox', { name: 'Input' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.type('{"b": 1}');
    await settled(page);
    expect(await textIn(page, 'Input')).toBe('{"b": 1}');
    await until(async () => {
      await page.keyboard.press('Control+z');
      return (await textIn(page, 'Input')) === '{"model": "a"}';
    });
  });

  test('up to here nothing left the page, came from elsewhere, was reported or kept', async () => {
    const others = stage.requests.filter(({ method, url }) => method !== 'GET' || !url.startsWith(`${stage.url}/`));
    expect(others).toEqual([]);
    expect(stage.complaints).toEqual([]);
    expect(await stage.context.cookies()).toEqual([]);
    const kept =
      '(async () => [localStorage.length, sessionStorage.length, (await indexedDB.databases()).length, (await caches.keys()).length])()';
    expect(await page.evaluate(kept)).toEqual([0, 0, 0, 0]);
  });
});
