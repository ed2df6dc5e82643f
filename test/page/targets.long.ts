import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { json, type Recorder, startRecorder } from '../support/gateway/harness.js';
import { until } from '../support/until.js';
import { examples } from './examples.js';
import { chip, hasBrowser, openStage, pick, type Stage, settled, useBrowser, when } from './stage.js';

useBrowser();
let service: Recorder;
beforeAll(async () => {
  if (!hasBrowser) return;
  service = await startRecorder();
  service.reply = (response) => json(response, 200, { data: [] });
});
afterAll(async () => {
  await service?.close();
});

const KEYS = { operator: 'a-key-of-the-operator', team: 'a-key-of-a-team-01' };

/** A gateway with four models at one host, one of another, and one of a simulator. */
async function open(keys: boolean): Promise<Stage> {
  return openStage({
    width: 1440,
    config: {
      backends: {
        own: { dialect: 'chatCompletions', baseUrl: `${service.url}/v1`, retries: 0 },
        sim: { dialect: 'messages', simulator: true },
      },
      models: {
        first: { backend: 'own', model: 'llama-first' },
        second: { backend: 'own', model: 'llama-second' },
        third: { backend: 'own', model: 'llama-third' },
        fourth: { backend: 'own', model: 'llama-fourth' },
        'any-*': { backend: 'own' },
        sim: { backend: 'sim' },
      },
      ...(keys && {
        playground: true,
        keys: [
          { name: 'operator', key: KEYS.operator, operator: true },
          { name: 'team', key: KEYS.team },
        ],
      }),
    },
  });
}

const chips = async (page: Page): Promise<readonly string[]> =>
  page.getByRole('list', { name: 'Targets' }).getByRole('button').allTextContents();

when("the gateway's own models", () => {
  test('are judged beside the usual targets, three at most, and the others are chosen from the list', async () => {
    const stage = await open(false);
    const page = await stage.open();
    await until(async () => (await chips(page)).length === 6);
    await settled(page);
    const own = (await chips(page)).slice(3);
    const host = new URL(service.url).host;
    expect(own.map((text) => /llama-\w+ at \S+/.exec(text)?.[0])).toEqual(
      ['first', 'second', 'third'].map((name) => `llama-${name} at ${host}`),
    );
    for (const text of own) expect(text).toMatch(/unchanged|loss|small|refused/);
    await chip(page, 'chatCompletions').first().click();
    await settled(page);
    const model = page.getByRole('combobox', { name: 'Model of the target' });
    const offered = await page.evaluate(
      "[...document.querySelectorAll('#target-models option')].map(({ value }) => value)",
    );
    expect((offered as string[]).slice(0, 4)).toEqual(
      ['first', 'second', 'third', 'fourth'].map((name) => `llama-${name}`),
    );
    await model.fill('llama-fourth');
    await model.press('Enter');
    await settled(page);
    expect((await chips(page)).some((text) => text.includes(`llama-fourth at ${host}`))).toBe(true);
    expect(service.seen.filter(({ method }) => method === 'POST')).toEqual([]);
    expect(stage.complaints).toEqual([]);
    await stage.close();
  });

  test('are those of another source too, and none where the gateway does not show them', async () => {
    const stage = await open(true);
    const page = await stage.open();
    await settled(page);
    const [example] = examples.filter(({ dialect, kind }) => dialect === 'responses' && kind === 'request');
    if (example === undefined) throw new Error('there is no example');
    await pick(page, example);
    expect(await chips(page)).toHaveLength(3);
    // Nothing was asked for that only a key would be told.
    await page
      .getByRole('status', { name: 'Gateway' })
      .filter({ hasText: /interlingua \d/ })
      .waitFor();
    await settled(page);
    expect(stage.complaints).toEqual([]);
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    const field = page.getByLabel(/key/i).first();
    await field.fill(KEYS.operator);
    await field.press('Enter');
    await page.locator('main.models table').waitFor();
    await page.getByRole('link', { name: 'Translate', exact: true }).click();
    await until(async () => (await chips(page)).length === 6);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const typed = page.getByRole('region', { name: 'Send', exact: true }).getByLabel('Key');
    for (const less of [KEYS.team, '']) {
      await typed.fill(KEYS.operator);
      await until(async () => (await chips(page)).length === 6);
      await typed.fill(less);
      await until(async () => (await chips(page)).length === 3);
    }
    await stage.close();
  });
});
