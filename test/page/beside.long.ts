import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import { examples, root } from './examples.js';
import { choose, findings, hasBrowser, openStage, paste, pick, settled, textIn, useStage, when } from './stage.js';

/** What the page takes besides bodies, and does besides translating: pasted commands, copies, streams, Send, files of traffic. */

const run = promisify(execFile);

const stage = useStage({ width: 1440 });
const folder = mkdtempSync(join(tmpdir(), 'page-'));
let page: Page;
beforeAll(async () => {
  if (hasBrowser) page = await stage.open();
});
afterAll(() => rmSync(folder, { recursive: true }));

const ASK = { model: 'sim-responses', max_tokens: 64, top_k: 40, messages: [{ role: 'user', content: 'Hello' }] };
const MARKUP = '<img src=x onerror="document.title=1"><script>document.title=2</script>';

const status = (name: string) => page.getByRole('status', { name });
const clipboard = (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');

/** Nothing of a hostile text became an element, and the policy had nothing to refuse. */
async function expectNoMarkup(): Promise<void> {
  expect(await page.locator('img, script:not([src])').count()).toBe(0);
  expect(await page.title()).toMatch(/interlingua/);
  expect(complaints()).toEqual([]);
}

/** What the pages complained of, but for the refusal that a test asks for. */
const complaints = (): readonly string[] => stage.complaints.filter((text) => !/status of 400/.test(text));

async function dropAll(): Promise<void> {
  await paste(page, '');
}

when('what is pasted', () => {
  test('a curl command gives its body, and its betas are lost elsewhere', async () => {
    const body = JSON.stringify({ ...ASK, context_management: { edits: [] } });
    await paste(
      page,
      `curl https://api.anthropic.com/v1/messages -H 'user-agent: claude-cli/2.0 (cli)' -H 'anthropic-beta: context-management-2025-06-27' -d '${body}'`,
    );
    await until(async () => (await textIn(page, 'Input')) === body);
    expect(await status('Detected').textContent()).toBe(
      'a messages request, model sim-responses, out of a curl command, sent by Claude Code, with the beta context-management-2025-06-27',
    );
    await until(async () => (await page.getByText('anthropic-beta').count()) > 0);
  });

  test('an entry of a HAR file gives its request, and its answer when that is asked for', async () => {
    const answer = { type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: MARKUP }] };
    const har = {
      request: {
        method: 'POST',
        url: `https://a.example/v1/messages?${MARKUP}`,
        headers: [{ name: 'user-agent', value: MARKUP }],
        postData: { text: JSON.stringify(ASK) },
      },
      response: { status: 200, content: { mimeType: 'application/json', text: JSON.stringify(answer) } },
    };
    await paste(page, JSON.stringify(har));
    await until(async () => (await textIn(page, 'Input')) === JSON.stringify(ASK, null, 2));
    await page.getByRole('button', { name: 'Show its answer' }).click();
    await settled(page);
    expect(JSON.parse(await textIn(page, 'Input'))).toEqual(answer);
    await expectNoMarkup();
  });

  test('a call of Python gives its body, and says where it has none', async () => {
    await paste(page, 'client.responses.create(model="gpt-5", input="Hello")');
    await until(async () => (await textIn(page, 'Input')).includes('"input": "Hello"'));
    await paste(page, 'client.responses.create(model="gpt-5",\n  input=question())');
    await until(async () => (await page.getByRole('region', { name: 'Source' }).getByRole('alert').count()) > 0);
    expect(await page.getByRole('region', { name: 'Source' }).getByRole('alert').textContent()).toBe(
      "A call of OpenAI's SDK with something at line 2 that is no plain data: paste the body that it sends.",
    );
  });
});

when('copies', () => {
  test.each([
    ['curl', /^curl 'https:\/\/api\.openai\.com\/v1\/responses'/],
    ['JavaScript', /^import OpenAI from 'openai';/],
    ['Python', /^from openai import OpenAI/],
    ['Two lines for this gateway', /^export ANTHROPIC_BASE_URL='http:\/\/127\.0\.0\.1:\d+'\nexport ANTHROPIC_API_KEY=/],
    ['JSON', /^\{\n {2}"model"/],
  ])('as %s', async (name, expected) => {
    await paste(page, JSON.stringify(ASK));
    await choose(page, 'responses');
    await page.getByRole('combobox', { name: 'Copy as' }).selectOption(name);
    await page.evaluate("navigator.clipboard.writeText('')");
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await until(async () => expected.test(String(await clipboard())));
  });
});

when('a stream', () => {
  test('is stepped by keyboard, with what each event became beside it', async () => {
    const example = examples.find(({ kind, dialect }) => kind === 'stream' && dialect === 'messages');
    if (example === undefined) throw new Error('no stream');
    await pick(page, example);
    await choose(page, 'chatCompletions');
    const slider = page.getByRole('slider', { name: 'Event' });
    await slider.focus();
    const all = Number(await slider.getAttribute('aria-valuemax'));
    expect(await slider.getAttribute('aria-valuenow')).toBe(String(all));
    await page.keyboard.press('Home');
    expect(await slider.getAttribute('aria-valuetext')).toBe(`0 of ${all}`);
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe(`1 of ${all}: message_start`);
    expect(await page.getByRole('list', { name: 'Event of the source' }).textContent()).toContain('message_start');
    const there = page.getByRole('list', { name: 'Events of chatCompletions' });
    // The first events may bring nothing yet.
    await until(async () => {
      await page.keyboard.press('ArrowRight');
      return (await there.textContent())?.includes('chat.completion.chunk');
    });
    await page.keyboard.press('End');
    expect(await there.textContent()).toContain('[DONE]');
    expect(await page.getByRole('region', { name: 'Stream' }).textContent()).toMatch(
      new RegExp(`${all} events, [\\d,]+ bytes, first text in event \\d+`),
    );
    // Played from its beginning to its end.
    await page.keyboard.press(' ');
    await until(async () => (await slider.getAttribute('aria-valuenow')) !== String(all));
    await until(async () => (await slider.getAttribute('aria-valuenow')) === String(all), 60_000);
    expect(await findings(page)).toEqual([]);
  });
});

when('Send', () => {
  test('shows the answer, losses, times and tokens, and what the backend was sent', async () => {
    await paste(page, JSON.stringify(ASK));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Send', exact: true });
    await panel.getByRole('button', { name: 'Send to this gateway' }).click();
    await until(async () => (await status('Sending').textContent()) === 'status 200');
    await until(async () =>
      /model/.test((await panel.getByRole('region', { name: 'What the backend was sent' }).textContent()) ?? ''),
    );
    const facts = (await panel.locator('dl').textContent()) ?? '';
    expect(facts).toContain('Backendresponses');
    expect(facts).toMatch(
      /queue [\d,]+ ms, backend [\d,]+ ms, until the head [\d,]+ ms, first byte here [\d,]+ ms, whole [\d,]+ ms/,
    );
    expect(facts).toMatch(/Tokens\d+ in, .*\d+ out/);
    expect(await panel.getByRole('list', { name: 'Losses of this call' }).textContent()).toContain(
      '/top_k was dropped',
    );
    expect(await panel.getByRole('region', { name: 'What the client gets' }).textContent()).toContain(
      '"type": "message"',
    );
    expect(await panel.getByRole('region', { name: 'What the backend was sent' }).textContent()).toContain(
      'max_output_tokens',
    );
    expect(await findings(page)).toEqual([]);
  });

  test('a stream has a tick for each event, with its time', async () => {
    await paste(
      page,
      JSON.stringify({ ...ASK, stream: true, messages: [{ role: 'user', content: `${MARKUP} simulate slow` }] }),
    );
    const panel = page.getByRole('region', { name: 'Send', exact: true });
    await panel.getByRole('button', { name: 'Send to this gateway' }).click();
    const slider = panel.getByRole('slider', { name: 'Event of the answer' });
    await slider.waitFor({ timeout: 60_000 });
    expect(Number(await slider.getAttribute('aria-valuemax'))).toBeGreaterThan(5);
    expect(await panel.textContent()).toMatch(/first text in event \d+, after \d+ ms/);
    await expectNoMarkup();
  });

  test('tells what a stream cost, and what the backend answered where that is kept', async () => {
    const prices = { input: 1, output: 10 };
    const kept = await openStage({
      config: {
        backends: { responses: { dialect: 'responses', simulator: true } },
        models: { 'sim-responses': { backend: 'responses', model: 'gpt-5', prices } },
        live: { bodies: true },
      },
    });
    const fresh = await kept.open();
    await paste(fresh, JSON.stringify({ ...ASK, stream: true }));
    await fresh.getByRole('button', { name: 'Send', exact: true }).click();
    const panel = fresh.getByRole('region', { name: 'Send', exact: true });
    await panel.getByRole('button', { name: 'Send to this gateway' }).click();
    const answered = panel.getByRole('region', { name: 'What the backend answered' });
    await answered.waitFor();
    expect(await answered.textContent()).toContain('event: response.completed');
    expect(await panel.getByRole('region', { name: 'What the client gets' }).textContent()).toContain('message_stop');
    expect(await panel.getByRole('region', { name: 'What the backend was sent' }).textContent()).toContain(
      '"stream": true',
    );
    const facts = (await panel.locator('dl').textContent()) ?? '';
    const [, input = '', output = ''] = /Tokens(\d+) in, .*?(\d+) out/.exec(facts) ?? [];
    const [, cost = ''] = /Cost\$([\d.]+)/.exec(facts) ?? [];
    // Three digits of it are shown.
    expect((Number(cost) * 1e6) / (Number(input) + 10 * Number(output))).toBeCloseTo(1, 2);
    expect(kept.complaints).toEqual([]);
    await kept.close();
  });

  test('a refusal is shown as it comes, and strict is asked for', async () => {
    await paste(page, JSON.stringify(ASK));
    await page.getByRole('checkbox', { name: 'Strict' }).check();
    const panel = page.getByRole('region', { name: 'Send', exact: true });
    await panel.getByRole('button', { name: 'Send to this gateway' }).click();
    await until(async () => (await status('Sending').textContent()) === 'status 400');
    expect(await panel.getByRole('region', { name: 'What the client gets' }).textContent()).toContain('strict');
    await page.getByRole('checkbox', { name: 'Strict' }).uncheck();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
  });
});

when('a file of traffic', () => {
  const open = (path: string): Promise<void> => page.locator('input[type="file"]').setInputFiles(path);
  const report = () => page.getByRole('region', { name: 'Report of a file' });
  const lines = (count: number, feature: object): string =>
    Array.from({ length: count }, (_, index) =>
      JSON.stringify({
        request: { ...ASK, model: `claude-${index % 3}`, ...(index % 4 === 0 ? feature : { top_k: undefined }) },
        status: 200,
      }),
    ).join('\n');

  test('has the numbers of interlingua migrate, and its three files', async () => {
    const file = join(folder, 'traffic.jsonl');
    writeFileSync(file, `${lines(200, { top_k: 4 })}\nno JSON\n`);
    await dropAll();
    await paste(page, JSON.stringify(ASK));
    await open(file);
    await report().getByRole('button', { name: 'Read for these targets' }).waitFor({ timeout: 60_000 });
    const article = report().getByRole('article', { name: 'From messages to responses' });
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      article.getByRole('button', { name: 'report.json' }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('messages-to-responses-report.json');
    const own = JSON.parse(readFileSync(await saved.path(), 'utf8'));
    const model = own.models[0].target.model;
    const words = ['migrate', '--from', 'messages', '--to', 'responses', '--model', model, '--json', file];
    const { stdout } = await run(process.execPath, [join(root, 'dist/src/cli.js'), ...words]);
    expect(own).toEqual(JSON.parse(stdout));
    expect(await article.textContent()).toContain('200 exchanges, 150 without loss, 50 with losses');
    for (const [name, start] of [
      ['report.md', '# From messages'],
      ['report.html', '<!doctype html>'],
    ] as const) {
      const [other] = await Promise.all([page.waitForEvent('download'), article.getByRole('button', { name }).click()]);
      expect(readFileSync(await other.path(), 'utf8').startsWith(start)).toBe(true);
    }
    expect(await findings(page)).toEqual([]);
  });

  test('a reading is stopped, and what was read until then is a part', async () => {
    const file = join(folder, 'long.jsonl');
    writeFileSync(file, lines(60_000, { top_k: 4 }));
    await open(file);
    await report()
      .getByText(/^[1-9][\d,]* entries, /)
      .waitFor({ timeout: 60_000 });
    await report().getByRole('button', { name: 'Stop' }).click();
    await report().getByRole('button', { name: 'Read for these targets' }).waitFor({ timeout: 60_000 });
    expect(await report().textContent()).toContain('interrupted, so that this is a part');
  });

  test('names in it never become markup', async () => {
    const file = join(folder, `${MARKUP.replaceAll('/', ':')}.har`.slice(0, 120));
    const entry = {
      request: {
        method: 'POST',
        url: 'https://a/v1/messages',
        postData: { text: JSON.stringify({ ...ASK, model: MARKUP, [MARKUP]: 1 }) },
      },
      response: { status: 200, content: {} },
    };
    writeFileSync(`${file}.har`, JSON.stringify({ log: { entries: [entry, entry] } }));
    await open(`${file}.har`);
    await report().getByRole('button', { name: 'Read for these targets' }).waitFor({ timeout: 60_000 });
    expect(await report().textContent()).toContain('onerror');
    await expectNoMarkup();
    await report().getByRole('button', { name: 'Back to the editors' }).click();
    await page.getByRole('textbox', { name: 'Input' }).waitFor();
  });

  test('a file with one body goes into the editor, dropped or chosen', async () => {
    const file = join(folder, 'body.json');
    writeFileSync(file, JSON.stringify(ASK));
    await open(file);
    await until(async () => (await textIn(page, 'Input')) === JSON.stringify(ASK));
    const other = JSON.stringify({ ...ASK, max_tokens: 7 });
    await page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File([${JSON.stringify(other)}], 'dropped.json'));
      document.querySelector('main').dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    }`);
    await until(async () => (await textIn(page, 'Input')) === other);
  });

  test('nothing was asked of another place, and nothing was complained of', () => {
    expect(stage.requests.filter(({ url }) => !url.startsWith(stage.url) && !url.startsWith('blob:'))).toEqual([]);
    expect(complaints()).toEqual([]);
  });
});
