import { type Feature, type Loss, NO_MCP } from '../../canonical/loss.js';
import type { JsonObject } from '../../canonical/node.js';
import type { HostFeature } from '../../target/host-words.js';
import { NEAR_EFFORTS } from '../../target/unsupported.js';
import { isObject } from '../../wire/json.js';
import { commonKeys, lossFeature, type Members } from '../../wire/members.js';
import { withMember } from '../../wire/shared-copies.js';
import { isEffort, nearestEffort } from '../effort.js';
import { schemaInWords } from '../output.js';
import type { EncodedRow, EncodedStep, HostRow, HostStep } from './form.js';

/** What is told of settings that are left out, by what the host does not support. */
const LEFT_OUT = {
  mcp: ['tool.hosted', NO_MCP],
  parallelSwitch: ['toolChoice.parallel', 'the host does not support this switch'],
  effort: ['reasoning.effort', 'the host does not support this value'],
  tiers: ['tier', 'the host does not support this tier'],
  containers: ['ext.container', 'the host does not keep containers'],
  background: ['ext.background', 'the host does not support background answers'],
} as const satisfies Partial<Record<HostFeature, readonly [Feature, string]>>;

/** A member of a body, or one of an object in it. */
type SettingPath = `/${string}`;

/** The value at a path. */
function valueAt(body: JsonObject, path: SettingPath): unknown {
  const [, key = '', inner] = path.split('/');
  const outer = body[key];
  return inner === undefined ? outer : isObject(outer) ? outer[inner] : undefined;
}

/** The body with another value there; without the object around a value that is left out where nothing else is in it. */
function withValue(body: JsonObject, path: SettingPath, value: unknown): JsonObject {
  const [, key = '', inner] = path.split('/');
  const outer = body[key];
  if (inner === undefined) return withMember(body, key, value);
  if (!isObject(outer)) return body;
  const next = withMember(outer, inner, value);
  return withMember(body, key, Object.keys(next).length === 0 ? undefined : next);
}

/** What is told of a value that is written otherwise, or left out. */
type Told = readonly [feature: Feature, kind: Loss['kind'], detail: string];

/**
 * A step that writes another value at `path`, or none for undefined, where `next` gives another. A null says nothing, so that no loss
 * is told of it.
 */
export function rewrites(
  path: SettingPath,
  next: (value: unknown) => unknown,
  told: Told | ((value: unknown) => Told) | undefined = undefined,
): EncodedStep {
  return (body, { losses }) => {
    const value = valueAt(body, path);
    const written = value === undefined ? value : next(value);
    if (written === value) return body;
    const loss = typeof told === 'function' ? told(written) : told;
    if (value !== null && loss !== undefined) losses.add(path, ...loss);
    return withValue(body, path, written);
  };
}

/** The row for a setting that is left out where `isUnsupported` says that the host does not take its value. */
export function leavesOut(
  lost: keyof typeof LEFT_OUT,
  path: SettingPath,
  isUnsupported: (value: unknown) => boolean = () => true,
): EncodedRow {
  const [feature, detail] = LEFT_OUT[lost];
  return [[lost], rewrites(path, (value) => (isUnsupported(value) ? undefined : value), [feature, 'dropped', detail])];
}

/** The row for words for how hard the model thinks: the nearest of those that every host knows. */
export function nearsEffort(path: SettingPath): HostRow {
  const nearest = (wanted: unknown): unknown =>
    (isEffort(wanted) ? nearestEffort(wanted, NEAR_EFFORTS) : undefined) ?? wanted;
  const told = (effort: unknown): Told => [
    'reasoning.effort',
    'approximated',
    `the nearest effort of the host is ${String(effort)}`,
  ];
  return [['farEfforts'], rewrites(path, nearest, told)];
}

/**
 * The row for the wish that the model is not to think, which goes as it came: newer servers may know it. Thoughts are left out of the
 * answer.
 */
export function tellsThinkingOff(path: SettingPath, isOff: (body: JsonObject) => boolean): EncodedRow {
  const step: EncodedStep = (body, { losses }) => {
    if (isOff(body))
      losses.add(path, 'reasoning.mode', 'approximated', 'the host ignores it; reasoning is left out of the answer');
    return body;
  };
  return [['thinkingOff'], step];
}

/**
 * The row for the form of the answer, which is asked for in words (translation.md 2.10): the first of `paths` that has one of the dialect's
 * `forms` tells it, and none keeps it; `add` puts the words behind the instructions.
 */
export function asksInWords(
  paths: readonly SettingPath[],
  forms: readonly ('json_object' | 'json_schema')[],
  add: (body: JsonObject, words: string) => JsonObject,
): HostRow {
  const step: HostStep = (body, { losses }) => {
    const path = paths.find((one) => isObject(valueAt(body, one)));
    const format = path === undefined ? undefined : valueAt(body, path);
    if (path === undefined || !isObject(format) || !forms.some((form) => form === format.type)) return body;
    const schema = isObject(format.schema) ? format.schema : undefined;
    if (schema === undefined)
      losses.add(path, 'output.format', 'approximated', 'JSON output is requested in the instructions');
    else
      losses.add(
        path,
        'output.schema',
        'approximated',
        'the schema is part of the instructions; the answer is not validated',
      );
    const bare = paths.reduce((left, one) => withValue(left, one, undefined), body);
    return add(bare, schemaInWords(schema));
  };
  return [['outputFormat'], step];
}

/** The row for hosts that refuse unknown members: of the `members` of a dialect those are left that every host knows. */
export function keepsOnly(members: Members, isSilent: (key: string) => boolean = () => false): EncodedRow {
  const common = commonKeys(members);
  const step: EncodedStep = (body, { losses }) => {
    const others = Object.keys(body).filter((key) => !common.has(key));
    if (others.length === 0) return body;
    for (const key of others) {
      if (body[key] === null || body[key] === undefined || isSilent(key)) continue;
      losses.add(`/${key}`, lossFeature(members, key), 'dropped', 'the host refuses unknown members');
    }
    return Object.fromEntries(Object.entries(body).filter(([key]) => common.has(key)));
  };
  return [['unknownKeys'], step];
}
