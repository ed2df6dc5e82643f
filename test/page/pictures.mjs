/*
 * `npm run pictures`: the page as pictures in docs/images, at three widths in both schemes, with the simulator behind it. Look at each
 * before it is committed. `dist` must have been built; a Chromium is needed.
 */
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { createGateway } from '../../dist/src/index.js';

const images = join(dirname(fileURLToPath(import.meta.url)), '../../docs/images');
const DIALECTS = ['messages', 'responses', 'generateContent', 'chatCompletions'];

const gateway = createGateway({
  backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, simulator: true }])),
  models: Object.fromEntries(DIALECTS.map((dialect) => [`sim-${dialect}`, { backend: dialect }])),
  log: { level: 'silent' },
});
const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** What is shown of the page: the view as its address names it. */
const VIEWS = ['translate', 'live', 'models'];
const HEIGHTS = { 390: 844, 1440: 900, 1920: 1080 };

for (const colorScheme of ['light', 'dark']) {
  for (const [width, height] of Object.entries(HEIGHTS)) {
    const context = await browser.newContext({ viewport: { width: Number(width), height }, colorScheme });
    const page = await context.newPage();
    for (const view of VIEWS) {
      await page.goto(`${url}/playground/#${view}`);
      await page.locator(`main.${view}`).waitFor();
      if (view === 'translate') {
        await page.locator('main[aria-busy="false"]').waitFor();
        await page.locator('.side .cm-line .mark').first().waitFor();
      }
      // Fonts, and answers of the gateway.
      await page.waitForTimeout(500);
      await page.screenshot({ path: join(images, `page-${view}-${width}-${colorScheme}.png`) });
    }
    await context.close();
  }
}
await browser.close();
await gateway.close();
