import type { HostLack } from './host-words.js';
import type { Profile, ThinkingProfile } from './words.js';

/** Words for tools that a host may lack, by the lacks that are about them. */
const TYPED: Readonly<Partial<Record<HostLack, (family: string) => boolean>>> = {
  hostedTools: (family) => family !== 'mcp',
  mcp: (family) => family === 'mcp',
  clientTools: (family) => family === 'computer' || family === 'bash',
  codexItems: (family) => family === 'computer',
};

/** Efforts that every host knows which knows any. */
export const NEAR_EFFORTS = ['low', 'medium', 'high'] as const;
const NEAR: ReadonlySet<string> = new Set(NEAR_EFFORTS);

/**
 * A profile at a host that lacks this, for requests of other dialects: what no flag tells is in its `lacks`. Without an
 * effort nothing says how hard a model thinks; one that sizes its thinking itself thinks within a budget, and one that does
 * that by an effort.
 */
export function withoutLacks(profile: Profile, lacks: readonly HostLack[]): Profile {
  if (lacks.length === 0) return profile;
  const has = (lack: HostLack): boolean => lacks.includes(lack);
  const { thinking, toolTypes, urlMedia } = profile;
  const kept = Object.entries(toolTypes).filter(([family]) => !lacks.some((lack) => TYPED[lack]?.(family) === true));
  return {
    ...profile,
    lacks,
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
