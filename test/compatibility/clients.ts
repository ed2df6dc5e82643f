import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Data, readData } from '../support/frames.js';
import { PACKAGE_ROOT } from '../support/package-root.js';

/** A client as the page names it. */
export interface Client {
  readonly title: string;
  readonly version: string;
}

/** Titles and packages by the file of versions in which they stand, and by the name in rows of a run. */
const CLIENTS: Readonly<
  Record<string, Readonly<Record<string, { readonly title: string; readonly package: string }>>>
> = readData('compatibility/clients.yaml');

/** How each language's own package client fixes the version of a package: the file, and the version in it. */
const VERSIONS: Readonly<Record<string, readonly [file: string, version: (text: string, name: string) => string]>> = {
  npm: ['package.json', (text, name) => JSON.parse(text).devDependencies[name]],
  agents: ['test/agents/package.json', (text, name) => JSON.parse(text).dependencies[name]],
  python: ['test/clients/python/requirements.txt', (text, name) => behind(text, name, String.raw`(?:\[.*?\])?==(\S+)`)],
  go: ['test/clients/go/go.mod', (text, name) => behind(text, name, String.raw` (v\S+)`)],
  java: [
    'test/clients/java/pom.xml',
    (text, name) => {
      const version = behind(text, `<artifactId>${name}`, String.raw`</artifactId>\s*<version>(.*?)</version>`);
      const [, property] = /^\$\{(.*)\}$/.exec(version) ?? [];
      return property === undefined ? version : behind(text, `<${property}>`, '(.*?)<');
    },
  ],
};

function behind(text: string, name: string, pattern: string): string {
  const escaped = name.replace(/[.$]/g, '\\$&');
  const [, version] = new RegExp(`(?<![\\w-])${escaped}${pattern}`).exec(text) ?? [];
  if (version === undefined) throw new Error(`no version of ${name}`);
  return version;
}

/** Title and version of a client, by the name that it has in rows. Throws for one that clients.yaml does not know. */
export function clientOf(language: string, name: string): Client {
  const client = CLIENTS[language]?.[name];
  const [file, version] = VERSIONS[language] ?? [];
  if (client === undefined || file === undefined || version === undefined)
    throw new Error(`test/compatibility/clients.yaml has no ${name} of ${language}`);
  return { title: client.title, version: version(readFileSync(join(PACKAGE_ROOT, file), 'utf8'), client.package) };
}

/** The titles of all clients that there are, in the order of the page. */
export const TITLES: readonly string[] = Object.values<Data>(CLIENTS).flatMap((clients) =>
  Object.values<Data>(clients).map(({ title }) => title),
);
