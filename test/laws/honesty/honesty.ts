import type { CanonicalRequest } from '../../../translators/canonical/request.js';
import type { Loss } from '../../../translators/index.js';
import { compareConversations } from './compare-conversation.js';
import { compareSettings } from './compare-settings.js';
import { compareTools } from './compare-tools.js';
import { takenNames } from './deeds.js';
import { idle, unnamed } from './diff.js';
import type { Route } from './names.js';
import { DOMAINS, profileOf, type Target } from './targets.js';

/** What is dishonest about `losses`, if `x` went into a target and `y` is what its service reads (translation.md 0.7). */
export function dishonesty(
  x: CanonicalRequest,
  y: CanonicalRequest,
  losses: readonly Loss[],
  target: Target,
): readonly string[] {
  const route: Route = { target: target.dialect, taken: takenNames(x) };
  const diffs = [
    ...compareSettings(x, y, route.target, profileOf(target)),
    ...compareTools(x, y, route),
    ...compareConversations(x, y, route, DOMAINS[route.target], losses),
  ];
  return [...unnamed(diffs, losses), ...idle(diffs, losses)];
}

/**
 * What neither way names, if `x` went through another dialect and came back as `y`. `there` are the entries of the first
 * way, whose paths are the places of `x`; those of the way back belong to the body in between.
 */
export function untold(
  x: CanonicalRequest,
  y: CanonicalRequest,
  there: readonly Loss[],
  back: readonly Loss[],
  home: Target,
  via: Target,
): readonly string[] {
  const route: Route = { target: home.dialect, via: via.dialect, taken: takenNames(x) };
  const passage = { dialect: via.dialect, profile: profileOf(via) };
  const settings = [...compareSettings(x, y, route.target, profileOf(home), passage), ...compareTools(x, y, route)];
  const conversation = compareConversations(x, y, route, DOMAINS[route.target], there);
  return [...unnamed(settings, [], [...there, ...back]), ...unnamed(conversation, there, back)];
}
