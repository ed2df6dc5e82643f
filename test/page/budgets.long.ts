import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { CDPSession, Page } from 'playwright-core';
import { until } from '../support/until.js';
import { root } from './examples.js';
import { hasBrowser, paste, settled, useStage, when } from './stage.js';

/** What is held of the page's budgets: how much work is done for a key, and not how long a busy machine takes for it. */

const stage = useStage({ width: 1440 });
beforeAll(async () => {
  if (hasBrowser) await stage.context.addInitScript(WATCH);
});

/**
 * Counts what the page asks its worker, what it answers, and long tasks. Where a job is to be `followed`, strict is chosen as soon as the
 * worker says its first word of one.
 */
const WATCH = `
  globalThis.watched = { asked: [], heard: [], tasks: [], followed: false };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.tasks.push(duration);
  }).observe({ type: 'longtask' });
  globalThis.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data: { type, id } }) => {
        watched.heard.push({ type, id });
        if (type !== 'read' || !watched.followed) return;
        watched.followed = false;
        document.querySelector('.source-bar input[type=checkbox]').click();
      });
    }
    postMessage(message) {
      if (message.type === 'judge') watched.asked.push(message.id);
      super.postMessage(message);
    }
  };`;

interface Watched {
  /** The numbers of the jobs. */
  readonly asked: readonly number[];
  readonly heard: readonly { readonly type: string; readonly id?: number }[];
  /** How long tasks of more than 50 ms took, in ms. */
  readonly tasks: readonly number[];
}

const watched = async (page: Page): Promise<Watched> => (await page.evaluate('watched')) as Watched;
const forget = (page: Page, followed = false) =>
  page.evaluate(`Object.assign(watched, { asked: [], heard: [], tasks: [], followed: ${followed} })`);
const countOf = ({ heard }: Watched, type: string, id: number | undefined): number =>
  heard.filter((one) => one.type === type && one.id === id).length;

/** A request of about `size` characters, of which every so many messages lose something elsewhere. */
function requestOf(size: number, lossy: number): string {
  const messages: unknown[] = [];
  for (let length = 0, index = 0; length < size; index++) {
    const text = `${index} ${'Lorem ipsum dolor sit amet, consectetur adipiscing elit. '.repeat(6)}`;
    const block = { type: 'text', text, ...(index % lossy === 0 && { cache_control: { type: 'ephemeral' } }) };
    const message = { role: index % 2 === 0 ? 'user' : 'assistant', content: [block] };
    messages.push(message);
    length += JSON.stringify(message).length + 100;
  }
  if (messages.length % 2 === 0) messages.pop();
  const model = 'claude-sonnet-4-5';
  return JSON.stringify({ model, max_tokens: 4096, stop_sequences: ['END'], messages }, null, 2);
}

/** The processor time of the page's main thread until now, in ms. */
async function spent(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
}

/** A page with a body of `size` and the caret within its model, the body is judged and nothing is under way. */
async function pageWith(size: number, lossy = 10): Promise<{ readonly page: Page; readonly session: CDPSession }> {
  const page = await stage.open();
  await paste(page, requestOf(size, lossy));
  await until(async () => countOf(await watched(page), 'done', (await watched(page)).asked.at(-1)) > 0);
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('End');
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft');
  const session = await stage.context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.waitForTimeout(500);
  return { page, session };
}

const KEYS = 5;
/** How many targets are judged at first, and at most. */
const TARGETS = 3;
const MOST_TARGETS = 8;

/** Types keys one after the other. Gives the processor time of the main thread for one, and the long tasks. */
async function typeKeys({ page, session }: Awaited<ReturnType<typeof pageWith>>, patienceMs: number) {
  await forget(page);
  const before = await spent(session);
  for (let key = 1; key <= KEYS; key++) {
    await page.keyboard.press('x');
    await until(
      async () => (await watched(page)).heard.filter(({ type }) => type === 'done').length === key,
      patienceMs,
    );
  }
  await settled(page);
  const own = await watched(page);
  return { perKey: ((await spent(session)) - before) / KEYS, ...own };
}

when('a key that is typed', () => {
  test('into 300 kB and into 2 MB costs the page little more than into a short text', async () => {
    const small = await pageWith(3000);
    const short = await typeKeys(small, 30_000);
    await small.page.close();
    // Frames and verdicts as the budgets have them, with ten times the room.
    for (const { size, lossy, most, patienceMs, frameMs } of [
      { size: 300_000, lossy: 10, most: 3, patienceMs: 3000, frameMs: 500 },
      // The rows of these losses are the same after each key.
      { size: 300_000, lossy: 2, most: 3, patienceMs: 3000, frameMs: 500 },
      { size: 2_000_000, lossy: 10, most: 16, patienceMs: 20_000, frameMs: 1000 },
    ]) {
      const large = await pageWith(size, lossy);
      const typed = await typeKeys(large, patienceMs);
      await large.page.close();
      process.stderr.write(
        `${size}: ${typed.perKey.toFixed(0)} ms of processor time a key (short: ${short.perKey.toFixed(0)} ms), long tasks: ${typed.tasks.join(', ')}\n`,
      );
      expect(typed.perKey).toBeLessThan(most * short.perKey);
      expect(typed.tasks.filter((ms) => ms > frameMs)).toEqual([]);
      // One job for each key, each target judged once, one translation shown.
      expect(typed.asked).toHaveLength(KEYS);
      for (const id of typed.asked)
        expect([countOf(typed, 'judged', id), countOf(typed, 'shown', id)]).toEqual([TARGETS, 1]);
    }
  });

  test('takes the place of one that is under way, of which nothing more is translated', async () => {
    const { page } = await pageWith(2_000_000);
    // As many targets as there may be.
    for (let count = TARGETS; count < MOST_TARGETS; count++) {
      await page.getByRole('button', { name: 'Add a target' }).click();
      await settled(page);
    }
    await forget(page, true);
    await page.getByRole('textbox', { name: 'Input' }).focus();
    await page.keyboard.press('x');
    await until(async () => (await watched(page)).asked.length === 2);
    await settled(page);
    const seen = await watched(page);
    const [older, newer] = seen.asked;
    expect(countOf(seen, 'read', older)).toBe(1);
    expect(countOf(seen, 'judged', older)).toBeLessThan(MOST_TARGETS);
    expect([countOf(seen, 'rows', older), countOf(seen, 'done', older)]).toEqual([0, 0]);
    expect([countOf(seen, 'judged', newer), countOf(seen, 'shown', newer)]).toEqual([MOST_TARGETS, 1]);
    await page.close();
  });
});

/** Whether an address is that of the worker or of the part with CodeMirror. */
const isLate = ({ pathname }: URL): boolean =>
  /\/worker-[^/]*\.js$/.test(pathname) ||
  (/\/part-[^/]*\.js$/.test(pathname) &&
    readFileSync(join(root, 'dist/page', basename(pathname)), 'utf8').includes('cm-editor'));

/** What waits until it is opened. */
function gate() {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

when('the first paint', () => {
  test('waits neither for the translators nor for the editor', async () => {
    const page = await stage.context.newPage();
    const { open, opened } = gate();
    let asked = 0;
    await page.route(isLate, async (route) => {
      asked += 1;
      await opened;
      await route.continue();
    });
    await page.goto(`${stage.url}/playground/`, { waitUntil: 'commit' });
    await page.getByRole('heading', { name: 'interlingua' }).waitFor();
    await until(() => page.evaluate("performance.getEntriesByName('first-contentful-paint').length > 0"));
    await until(() => asked === 2);
    expect(await page.locator('.cm-editor').count()).toBe(0);
    open();
    await settled(page);
    await page.getByRole('textbox', { name: 'Input' }).waitFor();
    await page.close();
  });
});
