import type { JsonObject } from '../../../translators/canonical/node.js';
import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { ClientTool, Tool } from '../../../translators/canonical/tools.js';
import type { DialectId } from '../../../translators/index.js';
import { has } from '../dialects/index.js';
import { compareChoice } from './compare-choice.js';
import { groupOf } from './deeds.js';
import { type Diff, diffAt } from './diff.js';
import { isUnder, stable } from './json.js';
import type { Route } from './names.js';
import { compareSchemas, isWrapped } from './schemas.js';
import { declaredTools, keyOf } from './tool-keys.js';

/** What differs between the tools of two requests, and in the choice among them. */
export function compareTools(x: CanonicalRequest, y: CanonicalRequest, route: Route): Diff[] {
  const own: Route = { target: route.target };
  const diffs: Diff[] = [];
  const free = [...y.tools];
  for (const tool of declaredTools(x, route)) {
    const key = keyOf(tool, route);
    const place = placeOf(tool, key, free, own);
    const met = free[place];
    const ptr = tool.src?.ptr ?? '';
    if (met === undefined) {
      const listed = x.toolChoice?.only === undefined ? [] : ['/toolChoice'];
      const features = ['tool.hosted', 'tool.client', 'tool.opaque', 'tool.duplicate', 'toolChoice.list', 'toolChoice'];
      // The same hosted tool twice is one tool.
      const twice = tool.kind === 'hosted' && x.tools.some((other) => other !== tool && keyOf(other, route) === key);
      diffs.push(diffAt(`tool ${key ?? tool.kind} lost`, [ptr, ...listed], features, twice));
      diffs.push({ what: 'what a lost tool said', covers: (loss) => isUnder(loss.path, ptr), silent: true });
      continue;
    }
    free.splice(place, 1);
    diffs.push(...compareTool(tool, met, x, y, route));
  }
  for (const tool of free) {
    diffs.push({
      what: `a new tool ${keyOf(tool, own)}`,
      covers: ({ feature }) =>
        feature === 'tool.client' || (feature === 'modalities' && tool.kind === 'hosted' && tool.family === 'imageGen'),
    });
  }
  return [...diffs, ...compareChoice(x, y, route)];
}

/** Where a tool came out: a built-in one as one that does the same, or as the function that stands for it. */
function placeOf(tool: Tool, key: string | undefined, free: readonly Tool[], own: Route): number {
  if (tool.kind !== 'client') return key === undefined ? -1 : free.findIndex((other) => keyOf(other, own) === key);
  const group = groupOf(tool.family, tool.name);
  return free.findIndex((other) =>
    other.kind === 'client' ? groupOf(other.family, other.name) === group : 'name' in other && other.name === group,
  );
}

function compareTool(a: Tool, b: Tool, x: CanonicalRequest, y: CanonicalRequest, route: Route): Diff[] {
  const { target } = route;
  const ptr = a.src?.ptr ?? '';
  const diffs: Diff[] = [];
  const add = (what: string, features: readonly string[], silent?: boolean, ptrs: readonly string[] = []): void => {
    diffs.push(diffAt(`tool ${what}`, [ptr, ...ptrs], features, silent));
  };
  if (stable(a.cache) !== stable(b.cache)) add('cache mark', ['cache.mark', 'cache.ttl', 'cache.auto']);
  if (a.kind === 'client') {
    const told = ({ family, display, environment }: ClientTool): string => stable({ family, display, environment });
    const [before, after] = [told(a), b.kind === 'client' ? told(b) : b.kind];
    if (before !== after) add(`built in ${before} -> ${after}`, ['tool.client']);
    if (b.kind === 'function') add('schema of a stand-in', ['tool.schema', 'tool.strict'], true);
    return diffs;
  }
  if (a.kind === 'hosted' && b.kind === 'hosted') {
    const cap = x.maxToolCalls === undefined ? [] : ['/maxToolCalls'];
    // Tools of a server are listed by switching off its others (translation.md 2.9).
    const chosen = x.toolChoice?.only === undefined ? [] : ['/toolChoice'];
    const list = chosen.length === 0 ? [] : ['toolChoice.list'];
    const before = stable(settingsOf(a, target));
    const after = stable(settingsOf(b, target));
    if (before !== after)
      add(`settings ${before} -> ${after}`, ['tool.hosted.settings', 'maxToolCalls', ...list], undefined, [
        ...cap,
        ...chosen,
      ]);
    if (x.maxToolCalls !== undefined) add('cap', ['maxToolCalls'], true, cap);
    add('of another service', ['tool.hosted'], true);
    return diffs;
  }
  if ((a.kind !== 'function' && a.kind !== 'custom') || (b.kind !== 'function' && b.kind !== 'custom')) return diffs;
  if (a.kind !== b.kind) {
    add(`${a.kind} -> ${b.kind}`, ['tool.custom']);
    add('schema of free text', ['tool.schema', 'tool.strict'], true);
  }
  const named = has(target, 'namespaces') ? a.name : a.namespace === undefined ? a.name : '';
  if (named !== b.name) add(`name ${a.name} -> ${b.name}`, ['tool.name', 'tool.namespace']);
  if ((a.description ?? '') !== (b.description ?? '')) {
    // Words that tell what a schema can no longer say stand in descriptions (translation.md 3).
    add('description', ['tool.custom', 'tool.examples', 'tool.namespace']);
  }
  if (a.kind !== 'function' || b.kind !== 'function') return diffs;
  const how = compareSchemas(a.schema, b.schema, 'arguments');
  const passed = [target, ...(route.via === undefined ? [] : [route.via])];
  const subset = passed.some((id) => has(id, 'schemaSubset'));
  const silent = how !== 'different' || (subset && isEmpty(a.schema) && isEmpty(b.schema));
  if (how !== 'equal' || (subset && stable(a.schema).includes('"oneOf"'))) {
    const wrapped = isWrapped(a.schema, b.schema);
    const features = wrapped ? ['schema.root'] : ['tool.schema', 'schema.root'];
    add(`schema ${how} ${stable(a.schema)} -> ${stable(b.schema)}`, features, silent);
    if (wrapped) add('schema inside an object', ['tool.schema'], true);
  }
  if (a.inputExamples !== undefined && stable(a.inputExamples) !== stable(b.inputExamples)) {
    add('examples', ['tool.examples'], a.inputExamples.length === 0);
  }
  if ((a.strict === true) !== (b.strict === true)) {
    const all = has(target, 'strictByChoice') ? declaredTools(x, route).map((tool) => tool.src?.ptr ?? '') : [];
    // A choice that holds all calls to their schemas holds those of each tool (translation.md 2.8).
    const kept = passed.some((id) => has(id, 'strictByChoice')) && y.toolChoice?.validated === true;
    add('strictness', ['tool.strict', 'toolChoice'], kept, [
      ...all,
      ...(x.toolChoice?.validated === true ? ['/toolChoice'] : []),
    ]);
  }
  return diffs;
}

function isEmpty(schema: JsonObject | undefined): boolean {
  const { properties, additionalProperties } = schema ?? {};
  return stable(properties ?? {}) === '{}' && (additionalProperties ?? false) === false;
}

/** Settings of a hosted tool without what the families' defaults say. */
function settingsOf(tool: Tool & { kind: 'hosted' }, target: DialectId): unknown {
  const { server, userLocation, ...rest } = tool.settings;
  // Coordinates stand beside the choice among the tools there (translation.md 2.8).
  const apart = has(target, 'coordinatesApart') && tool.family === 'webSearch' && userLocation?.latitude !== undefined;
  const settings = apart ? rest : { ...rest, userLocation };
  if (server === undefined) return settings;
  const headers = Object.entries(server.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'authorization');
  const bearer = Object.entries(server.headers ?? {}).find(([name]) => name.toLowerCase() === 'authorization')?.[1];
  return {
    label: server.label,
    url: server.url,
    token: server.authorization ?? bearer?.replace(/^bearer\s+/i, ''),
    headers,
    tools: server.allowedTools,
  };
}
