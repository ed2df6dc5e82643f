import type { HostFeature } from './host-words.js';
import type { Profile, ThinkingProfile } from './words.js';

/** Words for tools that a host may not support, by the features that stand for them. */
const TYPED: Readonly<Partial<Record<HostFeature, (family: string) => boolean>>> = {
  hostedTools: (family) => family !== 'mcp',
  mcp: (family) => family === 'mcp',
  clientTools: (family) => family === 'computer' || family === 'bash',
  codexItems: (family) => family === 'computer',
};

/** Efforts that every host knows which knows any. */
export const NEAR_EFFORTS = ['low', 'medium', 'high'] as const;
const NEAR: ReadonlySet<string> = new Set(NEAR_EFFORTS);

/**
 * A profile at a host without these features, for requests of other dialects: what no flag says is in its `unsupported`. Without an
 * effort nothing says how hard a model thinks; one that sizes its thinking itself thinks within a budget, and one that does
 * that by an effort.
 */
export function withoutUnsupported(profile: Profile, unsupported: readonly HostFeature[]): Profile {
  if (unsupported.length === 0) return profile;
  const has = (feature: HostFeature): boolean => unsupported.includes(feature);
  const { thinking, toolTypes, urlMedia } = profile;
  const kept = Object.entries(toolTypes).filter(
    ([family]) => !unsupported.some((feature) => TYPED[feature]?.(family) === true),
  );
  return {
    ...profile,
    unsupported,
    toolTypes: Object.fromEntries(kept),
    ...(has('outputFormat') && { schemaOutput: false, jsonMode: false }),
    ...(has('resultMedia') && { toolResultMedia: false }),
    ...(has('prefill') && { prefill: false }),
    ...(has('systemTurns') && { midSystem: false }),
    ...(has('cacheMarks') && { cacheMarks: 0 }),
    ...(has('imageUrls') && { urlMedia: urlMedia.filter((kind) => kind !== 'image') }),
    thinking: {
      ...thinking,
      ...(has('farEfforts') && { levels: thinking.levels.filter((level) => NEAR.has(level)) }),
      ...(has('effort') && { levels: [], defaultLevel: undefined }),
      ...(has('adaptive') && thinking.control === 'adaptive' && { control: 'budget' }),
      ...(has('thinkingBudget') && withoutBudget(thinking, has('adaptive'))),
    },
  };
}

/** Thinking that is not asked for by a budget; without the other way to size it, none can be asked for. */
function withoutBudget({ control }: ThinkingProfile, isLast: boolean): Partial<ThinkingProfile> {
  if (control !== 'budget' && !(isLast && control === 'adaptive')) return { acceptsBudget: false };
  return isLast ? { control: 'none' } : { control: 'effort', acceptsBudget: false, defaultShow: undefined };
}
