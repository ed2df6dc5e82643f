import type { Feature, Losses } from '../canonical/loss.js';
import type { JsonObject } from '../canonical/node.js';
import { isObject } from '../wire/json.js';
import { commonKeys, lossFeature, type Members } from '../wire/members.js';
import { withMember } from '../wire/shared-copies.js';

/** A step for a feature that a host does not support: a copy of the body that shares every node but those that it changes. */
type SettingStep = (body: JsonObject, context: { readonly losses: Losses }) => JsonObject;

/**
 * A step that leaves out the value at `path` (of one or two members) where `isLacking` says that the host does not take it,
 * and the object around it where it is left empty. A null says nothing, so that no loss is told of it.
 */
export function leavesOut(
  path: `/${string}`,
  feature: Feature,
  detail: string,
  isUnsupported: (value: unknown) => boolean,
): SettingStep {
  const [, key = '', inner] = path.split('/');
  return (body, { losses }) => {
    const outer = body[key];
    const value = inner === undefined ? outer : isObject(outer) ? outer[inner] : undefined;
    if (value === undefined || !isUnsupported(value)) return body;
    if (value !== null) losses.add(path, feature, 'dropped', detail);
    return inner === undefined || !isObject(outer)
      ? withMember(body, key, undefined)
      : withoutEmpty(body, key, withMember(outer, inner, undefined));
  };
}

/** A step for hosts that refuse unknown members: of the `members` of a dialect those are left that every host knows. */
export function keepsOnly(members: Members, isSilent: (key: string) => boolean = () => false): SettingStep {
  const common = commonKeys(members);
  return (body, { losses }) => {
    const others = Object.keys(body).filter((key) => !common.has(key));
    if (others.length === 0) return body;
    for (const key of others) {
      if (body[key] === null || body[key] === undefined || isSilent(key)) continue;
      losses.add(`/${key}`, lossFeature(members, key), 'dropped', 'the host refuses unknown members');
    }
    return Object.fromEntries(Object.entries(body).filter(([key]) => common.has(key)));
  };
}

/** The body with an object under `key`, or without it where that is empty. */
export function withoutEmpty(body: JsonObject, key: string, value: JsonObject): JsonObject {
  return withMember(body, key, Object.keys(value).length === 0 ? undefined : value);
}
