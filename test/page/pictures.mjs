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
/** USD for a million tokens. */
const PRICES = { input: 3, output: 15 };
const CLIENTS = ['claude-cli/2.1.0 (external, cli)', 'OpenAI/JS 7.55.0', 'curl/8.5.0'];

const gateway = createGateway({
  backends: Object.fromEntries(DIALECTS.map((dialect) => [dialect, { dialect, simulator: true }])),
  models: Object.fromEntries(DIALECTS.map((dialect) => [`sim-${dialect}`, { backend: dialect, prices: PRICES }])),
  usage: {},
  log: { level: 'silent' },
});
const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });

// Exchanges for Live: all models, whole and streamed, with a loss or none, and a model that is not there.
const MODELS = [...DIALECTS.map((dialect) => `sim-${dialect}`), 'sim-message'];
for (let index = 0; index < 30; index += 1) {
  const model = MODELS[index % MODELS.length];
  const body = { model, max_tokens: 200, stream: index % 2 === 0, ...(index % 3 === 0 && { top_k: 5 }) };
  const answer = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': CLIENTS[index % CLIENTS.length] },
    body: JSON.stringify({ ...body, messages: [{ role: 'user', content: 'Shall I take an umbrella to Oslo?' }] }),
  });
  await answer.text();
}

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
