import { execFileSync } from 'node:child_process';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ConfigInput } from '../../src/config/schema.js';
import { createGateway } from '../../src/index.js';
import { type Example, examples } from './examples.js';

/** The browser of this machine; undefined where there is none, which it says. */
export function findBrowser(): string | undefined {
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
export async function openStage(browser: Browser, { config, width, scheme }: StageOptions = {}): Promise<Stage> {
  const gateway = createGateway({ ...(config ?? SIMULATED), log: { level: 'silent' } });
  const { url } = await gateway.listen({ host: '127.0.0.1', port: 0 });
  const context = await browser.newContext({
    viewport: { width: width ?? 1280, height: 900 },
    colorScheme: scheme ?? 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const requests: { method: string; url: string }[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push({ method: request.method(), url: request.url() }));
  context.on('weberror', (error) => complaints.push(String(error.error())));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
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

/** The models of the simulator with what they speak. */
export const SIMULATORS: readonly (readonly [model: string, dialect: string])[] = [
  ['sim-messages', 'messages'],
  ['sim-responses', 'responses'],
  ['sim-generate-content', 'generateContent'],
  ['sim-chat-completions', 'chatCompletions'],
];

/** Waits until the page has done what it was asked. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main[aria-busy="false"]').waitFor();
}

/** Puts a text in the place of the input. */
export async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Input' }).fill(text);
  await settled(page);
}

/** Picks an example. */
export async function pick(page: Page, example: Example): Promise<void> {
  await page.getByRole('combobox', { name: 'Example' }).selectOption(String(examples.indexOf(example)));
  await settled(page);
}

/** The text of a translation. */
export function shown(page: Page, dialect: string): Promise<string | null> {
  return page.getByRole('region', { name: dialect, exact: true }).locator('pre').textContent();
}
