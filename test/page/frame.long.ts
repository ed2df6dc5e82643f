import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { examples, root } from './examples.js';
import { chip, findings, openStage, paste, pick, running, settled, useBrowser, when } from './stage.js';

const run = promisify(execFile);

useBrowser();

/** How the losses and the bars of both sides are laid out: heights in px. */
interface Layout {
  readonly fits: boolean;
  readonly rows: readonly number[];
  readonly bars: readonly number[];
}

const LAYOUT = `(() => {
  const heights = (selector) => [...document.querySelectorAll(selector)].map((one) => one.offsetHeight);
  const { scrollWidth, clientWidth } = document.querySelector('.losses .rows');
  return { fits: scrollWidth <= clientWidth, rows: heights('.losses tbody tr:not(.details)'), bars: heights('.side .bar') };
})()`;

when('the page is for everybody', () => {
  const VIEWS = [
    { scheme: 'light', width: 1440 },
    { scheme: 'dark', width: 1920 },
    { scheme: 'light', width: 390 },
    { scheme: 'dark', width: 320 },
  ] as const;

  test.each(VIEWS)('axe finds nothing in Translate, and nothing is cut off: $scheme, $width px', async (view) => {
    const stage = await openStage(view);
    const page = await stage.open();
    const check = async (state: string): Promise<void> => {
      expect([state, await findings(page)]).toEqual([state, []]);
      expect([state, await page.evaluate('document.documentElement.scrollWidth <= innerWidth')]).toEqual([state, true]);
    };
    await page.getByRole('textbox', { name: 'Translation' }).waitFor();
    await check('an example');
    await page.locator('tbody .field').first().click();
    await check('an open row');
    await page.getByRole('checkbox', { name: 'Strict' }).check();
    await settled(page);
    await check('refused');
    for (const kind of ['stream', 'error', 'response']) {
      const example = examples.find((one) => one.kind === kind);
      if (example === undefined) throw new Error(`there is no example of a ${kind}`);
      await pick(page, example);
      await check(kind);
    }
    await paste(page, '{');
    await check('no JSON');
    await stage.close();
  });

  test('the dot in the header says on hover for how long the gateway is up', async () => {
    const stage = await openStage();
    const page = await stage.open();
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const title = new RegExp(
      `^interlingua ${version.replaceAll('.', '\\.')}, up for \\d+ min, since \\d+ \\w+, \\d\\d:\\d\\d$`,
    );
    await until(async () =>
      title.test((await page.getByRole('status', { name: 'Gateway' }).getAttribute('title')) ?? ''),
    );
    await stage.close();
  });

  test.each([
    [1440, 1, 'wide'],
    [1800, 1, 'narrow'],
    [1920, 1, 'narrow'],
    [1920, 8, 'narrow many'],
    [390, 1, 'narrow many'],
    [390, 8, 'narrow many'],
  ])(
    'at %i px, with %i targets or the first ones, losses have room and the bar of the target is one line',
    async (width, count, how) => {
      const stage = await openStage({ width });
      const page = await stage.open();
      const add = page.getByRole('button', { name: 'Add a target' });
      while ((await page.getByRole('list', { name: 'Targets' }).getByRole('listitem').count()) < count)
        await add.click();
      await settled(page);
      const table = page.getByRole('table', { name: 'Losses by field' });
      expect(await table.getAttribute('class')).toBe(how);
      await table.locator('.field').first().click();
      const { fits, rows, bars } = await page.evaluate<Layout>(LAYOUT);
      expect(fits).toBe(true);
      // A row has its words and no room for nothing: at most five lines.
      expect(Math.max(...rows)).toBeLessThan(110);
      if (width >= 1440) expect(Math.max(...bars)).toBeLessThan(48);
      await stage.close();
    },
  );

  test('views are led to by the address, and the losses are in sight at 1440 x 900', async () => {
    const stage = await openStage({ width: 1440 });
    const page = await stage.open();
    const box = await page.locator('tbody tr').nth(3).boundingBox();
    expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    for (const view of ['Live', 'Models', 'Translate']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.locator(`main.${view.toLowerCase()}`).waitFor();
      expect(page.url()).toContain(`#${view.toLowerCase()}`);
    }
    await stage.close();
  });
});

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

when('the page by itself', () => {
  test('translates from a folder of a server of files, and asks nothing else', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'page-'));
    await run(process.execPath, [join(root, 'page/standalone.mjs'), folder]);
    const server = createServer(({ url = '' }, response) => {
      const name = url.replace('/some/where/', '') || 'index.html';
      try {
        const bytes = readFileSync(join(folder, name));
        response.writeHead(200, { 'content-type': TYPES[extname(name)] ?? 'text/plain' }).end(bytes);
      } catch {
        response.writeHead(404).end();
      }
    }).listen(0, '127.0.0.1');
    await until(() => server.listening);
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/where/`;
    const context = await running().newContext();
    const page = await context.newPage();
    const asked: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(address);
    await settled(page);
    expect(await chip(page, 'responses').textContent()).toMatch(/loss/);
    expect(await page.getByRole('status', { name: 'Gateway' }).textContent()).toContain('no gateway here');
    expect(asked.filter((url) => !url.startsWith(address))).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
    server.close();
    rmSync(folder, { recursive: true });
  });
});
