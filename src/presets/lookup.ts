import { type DialectId, fitsHost } from '../../translators/index.js';
import { type CalledPreset, dialectsOf, type Endpoint } from './preset.js';
import { BARE_HOSTS, calledPresets, type PresetName, presetNames } from './table.js';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether an address is one of a preset's hosts. Ports count on this machine only. */
function standsAt({ hosts }: CalledPreset, { hostname, port }: URL): boolean {
  const name = LOOPBACK.has(hostname) ? `localhost:${port}` : hostname;
  return hosts.some((pattern) => fitsHost(pattern, name));
}

/**
 * The preset of an address, by the name of its host, and the dialect: the given one, else the one whose root the path of
 * the address ends in. undefined where nobody knows the host, or it is not known to speak the given dialect.
 */
export function lookUpHost(
  url: URL,
  dialect?: DialectId,
): { readonly name: PresetName; readonly dialect: DialectId } | undefined {
  const path = withoutVersion(pathOf(url));
  let best: { readonly name: PresetName; readonly dialect: DialectId } | undefined;
  let most = -2;
  for (const name of presetNames) {
    const preset = calledPresets[name];
    if (!standsAt(preset, url)) continue;
    for (const spoken of dialectsOf(preset)) {
      if (dialect !== undefined && dialect !== spoken) continue;
      const end = withoutVersion(endOf(preset.endpoints[spoken]));
      const length = path.endsWith(end) ? end.length : -1;
      if (length > most) {
        best = { name, dialect: spoken };
        most = length;
      }
    }
  }
  return best;
}

/**
 * The root that an address means: with the path of the preset's root where the address is of its hosts and has but the
 * beginning of that path, else as it is.
 */
export function completeRoot(preset: CalledPreset, dialect: DialectId, url: URL): URL {
  const path = pathOf(url);
  const endpoint = preset.endpoints[dialect];
  // Where a host has more roots than one, its name alone says nothing.
  if (!standsAt(preset, url) || (preset.manyRoots && (path === '' || endpoint?.root !== undefined))) return url;
  const whole = endpoint?.root === undefined ? likeExample(path, endpoint) : endOf(endpoint);
  if (!whole?.startsWith(`${path}/`)) return url;
  const completed = new URL(url);
  completed.pathname = whole;
  return completed;
}

/** A path that a customer has, with what is the same for all of them behind it; undefined where it is another than in the example. */
function likeExample(path: string, endpoint: Endpoint | undefined): string | undefined {
  const example = endpoint?.example === undefined ? [] : pathOf(new URL(endpoint.example)).split('/');
  const given = path.split('/');
  const rest = example.slice(given.length);
  const fits = given.every((part, index) => part === example[index] || isOwn(example[index]) || isVersion(part));
  return fits && rest.length > 0 && !rest.some(isOwn) ? [path, ...rest].join('/') : undefined;
}

/** What each customer has an own word for. */
function isOwn(part: string | undefined): boolean {
  return part !== undefined && /^[A-Z]{2,}$/.test(part);
}

function isVersion(part: string): boolean {
  return /^v1(?:beta1?|alpha)?$/.test(part);
}

/** Whether an address is the root of a dialect as it is, in which nothing is to be changed: a preset's, or that of a bare host. */
export function isRoot(preset: CalledPreset | undefined, dialect: DialectId, url: URL): boolean {
  if (preset === undefined)
    return pathOf(url) === '' && (BARE_HOSTS[dialect] ?? []).some((pattern) => fitsHost(pattern, url.hostname));
  const { root } = preset.endpoints[dialect] ?? {};
  return root !== undefined && standsAt(preset, url) && pathOf(new URL(root)) === pathOf(url);
}

/** The host by which the library knows a preset: that of the address if it is one of the preset's, else the usual one. */
export function hostFor(preset: CalledPreset, url: URL): string {
  if (standsAt(preset, url)) return url.host;
  return preset.hosts[0]?.replace('*', 'any') ?? url.host;
}

/** The path of an endpoint's root, or what is the same in the roots of all customers: all behind the last word in capitals. */
function endOf(endpoint: Endpoint | undefined): string {
  const address = endpoint?.root ?? endpoint?.example;
  return address === undefined ? '' : pathOf(new URL(address)).replace(/^.*[A-Z]{2}/, '');
}

function pathOf({ pathname }: URL): string {
  let end = pathname.length;
  while (pathname[end - 1] === '/') end -= 1;
  return pathname.slice(0, end);
}

function withoutVersion(path: string): string {
  return path.replace(/\/v1(?:beta1?|alpha)?$/, '');
}
