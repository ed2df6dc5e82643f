import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import { type Example, examples } from './examples.js';

/** The browser of this machine; undefined where there is none, which it says. */
function findBrowser(): string | undefined {
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    try {
      return execFileSync('which', [name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    } catch {
      // The next name.
    }
  }
  process.stderr.write('the page is not tested: there is no Chromium on this machine\n');
  return undefined;
}

const executablePath = findBrowser();

export const hasBrowser = executablePath !== undefined;

/** `describe` of what needs a browser: skipped where there is none. */
export const when: (what: string, tests: () => void) => void = hasBrowser ? describe : describe.skip;

let browser: Browser | undefined;

/** Starts the browser before the tests of a file, and ends it after them. What is set up with it belongs into `when`. */
export function useBrowser(): void {
  beforeAll(async () => {
    if (executablePath !== undefined) browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser?.close());
}

/** The browser of `useBrowser`. */
export function running(): Browser {
  if (browser === undefined) throw new Error('there is no browser');
  return browser;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds in a page as it is, or in a part of it: each rule with the first element that breaks it. */
export async function findings(page: Page, part?: string): Promise<readonly string[]> {
  await page.evaluate(`${AXE}; undefined`);
  const run = part === undefined ? 'axe.run()' : `axe.run(${JSON.stringify(part)})`;
  const found = await page.evaluate(
    `${run}.then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`,
  );
  return found as readonly string[];
}

/** A gateway with a browser that looks at its page. */
export interface Stage {
  readonly url: string;
  readonly context: BrowserContext;
  /** What the pages asked the network for. */
  readonly requests: readonly { readonly method: string; readonly url: string }[];
  /** What the pages complained about: errors, refused connections, reports of the policy. */
  readonly complaints: readonly string[];
  /** Opens the page; `fragment` is what follows the `#`. */
  open(fragment?: string): Promise<Page>;
  close(): Promise<void>;
}

export interface StageOptions {
  readonly config?: ConfigInput;
  readonly width?: number;
  readonly scheme?: 'light' | 'dark';
}

/** A gateway on its simulator, and one context of the browser. */
export async function openStage({ config, width, scheme }: StageOptions = {}): Promise<Stage> {
  const gateway = createGateway({ ...(config ?? SIMULATED), log: { level: 'silent' } });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const context = await running().newContext({
    viewport: { width: width ?? 1280, height: 900 },
    colorScheme: scheme ?? 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const requests: { method: string; url: string }[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push({ method: request.method(), url: request.url() }));
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.text()} ${JSON.stringify(message.location())}`);
  });
  await context.addInitScript(
    "addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))",
  );
  return {
    url,
    context,
    requests,
    complaints,
    async open(fragment = '') {
      const page = await context.newPage();
      await page.goto(`${url}/playground/${fragment}`);
      await settled(page);
      return page;
    },
    async close() {
      await context.close();
      await gateway.close();
    },
  };
}

/** A stage for all tests of a file, where there is a browser; it is open while they run. */
export function useStage(options: StageOptions = {}): Stage {
  let opened: Stage | undefined;
  const stage = (): Stage => {
    if (opened === undefined) throw new Error('the stage is open while tests run');
    return opened;
  };
  useBrowser();
  beforeAll(async () => {
    if (hasBrowser) opened = await openStage(options);
  });
  afterAll(() => opened?.close());
  return {
    get url() {
      return stage().url;
    },
    get context() {
      return stage().context;
    },
    get requests() {
      return stage().requests;
    },
    get complaints() {
      return stage().complaints;
    },
    open: (fragment) => stage().open(fragment),
    close: () => stage().close(),
  };
}

const SIMULATED: ConfigInput = {
  backends: Object.fromEntries(
    ['messages', 'responses', 'generateContent', 'chatCompletions'].map((dialect) => [
      dialect,
      { dialect, simulator: true },
    ]),
  ) as ConfigInput['backends'],
  models: {
    'sim-messages': { backend: 'messages' },
    'sim-responses': { backend: 'responses' },
    'sim-generate-content': { backend: 'generateContent' },
    'sim-chat-completions': { backend: 'chatCompletions' },
  },
};

/** Waits until the page has done what it was asked. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main[aria-busy="false"]').waitFor();
  // An answer of the worker is shown with the next frame.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** Puts a text in the place of the source, as somebody who pastes it. */
export async function paste(page: Page, text: string): Promise<void> {
  const input = page.getByRole('textbox', { name: 'Input' });
  await input.waitFor();
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  await input.focus();
  await page.keyboard.press('Control+a');
  await (text === '' ? page.keyboard.press('Delete') : page.keyboard.press('Control+v'));
  // What is typed waits for the next key.
  await page.waitForTimeout(100);
  await settled(page);
}

/** Picks an example. */
export async function pick(page: Page, example: Example): Promise<void> {
  await page.getByRole('combobox', { name: 'Example' }).selectOption(String(examples.indexOf(example)));
  await settled(page);
}

/** The chip of a target, by its dialect. */
export const chip = (page: Page, dialect: string): Locator =>
  page.getByRole('list', { name: 'Targets' }).getByRole('button', { name: new RegExp(`^${dialect}\\b`) });

/** Shows a target. */
export async function choose(page: Page, dialect: string): Promise<void> {
  await chip(page, dialect).first().click();
  await settled(page);
}

/** The whole text of an editor, of which only what is in sight is laid out. */
export async function textIn(page: Page, name: 'Input' | 'Translation'): Promise<string> {
  await page.evaluate("navigator.clipboard.writeText('')");
  await page.getByRole('textbox', { name }).focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.press('Control+c');
  return String(await page.evaluate('navigator.clipboard.readText()'));
}

/** The translation that is shown, as *Copy* gives it. */
export async function translated(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  return String(await page.evaluate('navigator.clipboard.readText()'));
}
