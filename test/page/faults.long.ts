import { expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { chip, choose, openStage, paste, settled, useBrowser, when } from './stage.js';

/** What the page says where something of it or beside it fails. */

useBrowser();

const ASK = { model: 'sim-responses', max_tokens: 64, messages: [{ role: 'user', content: 'Hello' }] };
/** The script of the translators. */
const WORKER = /\/worker-[^/]*\.js$/;

when('the translators', () => {
  test('that fail at something say so, and go on with the next text', async () => {
    const stage = await openStage();
    const page = await stage.open();
    const worker = page.workers().find((one) => WORKER.test(one.url()));
    await worker?.evaluate("setTimeout(() => { throw new Error('a fault of theirs') })");
    const alert = page.getByRole('region', { name: 'Source' }).getByRole('alert');
    await alert.filter({ hasText: 'failed at this: ' }).waitFor();
    expect(await alert.textContent()).toContain('a fault of theirs');
    // Of what was translated before nothing is left.
    const rows = page.getByRole('group', { name: 'Rows of losses' });
    expect(await rows.textContent()).toContain('a fault of theirs');
    expect(await chip(page, 'responses').textContent()).not.toMatch(/unchanged|loss|small/);
    // Whoever asks for another target has it judged anew.
    await choose(page, 'responses');
    expect(await alert.count()).toBe(0);
    expect(await rows.getByRole('table').count()).toBe(1);
    await paste(page, JSON.stringify(ASK));
    await until(async () => (await alert.count()) === 0);
    expect(await chip(page, 'responses').textContent()).toMatch(/unchanged|loss|small/);
    await stage.close();
  });

  test('that fail in the midst of a text leave nothing of it that could be followed', async () => {
    const stage = await openStage();
    const page = await stage.open();
    const worker = page.workers().find((one) => WORKER.test(one.url()));
    await worker?.evaluate(
      "const post = self.postMessage.bind(self); self.postMessage = (told) => { if (told.type === 'rows') throw new Error('a fault of theirs'); post(told); }",
    );
    await paste(page, JSON.stringify(ASK, null, 2));
    const source = page.getByRole('region', { name: 'Source' });
    await source.getByRole('alert').filter({ hasText: 'a fault of theirs' }).waitFor();
    await source.getByText('"Hello"').click();
    await page.waitForTimeout(500);
    expect(await page.locator('.followed').count()).toBe(0);
    await stage.close();
  });

  test('that cannot be loaded say that, and are asked for again with the next text', async () => {
    const stage = await openStage();
    const page = await stage.context.newPage();
    await page.route(WORKER, (route) => route.abort());
    await page.goto(`${stage.url}/playground/`);
    const alert = page.getByRole('region', { name: 'Source' }).getByRole('alert');
    await alert.filter({ hasText: 'The translators cannot be loaded' }).waitFor();
    await settled(page);
    await page.unroute(WORKER);
    await paste(page, JSON.stringify(ASK));
    await chip(page, 'responses')
      .filter({ hasText: /unchanged|loss|small/ })
      .waitFor();
    expect(await alert.count()).toBe(0);
    await stage.close();
  });
});

when('translators that are lost', () => {
  test('are asked for again where another target is chosen', async () => {
    const stage = await openStage();
    const page = await stage.open();
    await page.route(WORKER, (route) => route.abort());
    const worker = page.workers().find((one) => WORKER.test(one.url()));
    await worker?.evaluate('setTimeout(() => { for (const end = Date.now() + 60_000; Date.now() < end; ); })');
    // The first waits for it in vain, with the second another is taken, of which there is none.
    await page.getByRole('textbox', { name: 'Input' }).focus();
    await page.keyboard.press('Space');
    await page.waitForTimeout(3000);
    await page.keyboard.press('Space');
    await page.getByRole('alert').filter({ hasText: 'The translators cannot be loaded' }).waitFor();
    await page.unroute(WORKER);
    await choose(page, 'responses');
    await chip(page, 'responses')
      .filter({ hasText: /unchanged|loss|small/ })
      .waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await stage.close();
  });
});

when('a call that was answered', () => {
  test('stays so where the gateway is lost before it tells what its backend was sent', async () => {
    const stage = await openStage({
      config: {
        backends: { responses: { dialect: 'responses', simulator: true } },
        models: { 'sim-responses': { backend: 'responses' } },
        live: { bodies: true },
      },
    });
    const page = await stage.open();
    let lost = 0;
    await page.route('**/v1/messages', (route) => {
      if (route.request().headers()['x-interlingua-explain'] === undefined) return route.continue();
      lost += 1;
      return route.abort();
    });
    await paste(page, JSON.stringify(ASK));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const panel = page.getByRole('region', { name: 'Send', exact: true });
    await panel.getByRole('button', { name: 'Send to this gateway' }).click();
    // This comes last.
    await panel.getByRole('region', { name: 'What the backend answered' }).waitFor();
    expect(lost).toBe(1);
    expect(await page.getByRole('status', { name: 'Sending' }).textContent()).toBe('status 200');
    await stage.close();
  });
});
