import { effortOf } from '../../../translators/adapt/effort.js';
import type { CanonicalRequest, ReasoningSettings } from '../../../translators/canonical/request.js';
import type { Target as ModelTarget } from '../../../translators/target/target.js';
import { type Diff, diffAt, type Passage } from './diff.js';
import { stable } from './json.js';

/** Reasoning as a model takes it (translation.md 2.12). */
export function compareReasoning(
  { reasoning: x, toolChoice, maxOutput }: CanonicalRequest,
  { reasoning: y }: CanonicalRequest,
  profile: ModelTarget,
  via: Passage | undefined,
): Diff[] {
  const before = sized(x);
  const after = sized(y);
  const at = ['/reasoning'];
  const diffs: Diff[] = [];
  const given = x !== undefined;
  if (modeOf(before, profile) !== modeOf(after, profile)) {
    // What forces a call, or caps the answer, may switch thinking off.
    const causes = [...at, ...(toolChoice ? ['/toolChoice'] : []), ...(maxOutput === undefined ? [] : ['/maxOutput'])];
    const features = ['reasoning.mode', 'reasoning.effort', 'reasoning.budget', 'reasoning.show'];
    // What the model in between does when nothing is said needed no saying there (translation.md 2.12).
    const unsaid = via !== undefined && modeOf(before, via.profile) === modeOf(NOTHING, via.profile);
    return [diffAt(`reasoning ${stable(x)} -> ${stable(y)}`, causes, features, unsaid), ...silentReasoning(at)];
  }
  if (!given) return diffs;
  if (profile.thinking.defaultOn && after.mode === 'default' && maxOutput !== undefined) {
    // Where the cap leaves no room for a budget, a model that reasons anyway is not asked to (translation.md 2.12).
    diffs.push(diffAt('a wish without room', at, ['reasoning.mode'], true));
  }
  const off = modeOf(before, profile) === 'off';
  const exact = profile.thinking.control === 'budget' || profile.thinking.acceptsBudget === true;
  if (!off && before.budget !== undefined && before.effort === undefined) {
    if (exact ? before.budget !== after.budget : true) {
      diffs.push(diffAt(`budget ${before.budget} -> ${stable(y)}`, at, ['reasoning.budget', 'reasoning.mode']));
    }
  } else if (!off && levelOf(before) !== levelOf(after)) {
    const both = before.effort !== undefined && before.budget !== undefined;
    const features = ['reasoning.effort', 'reasoning.budget', 'reasoning.mode'];
    diffs.push(diffAt(`effort ${before.effort} -> ${stable(y)}`, at, features, both));
  } else if (before.effort !== undefined && before.effort !== after.effort && after.budget !== undefined) {
    diffs.push(diffAt('a clamped effort', at, ['reasoning.budget', 'reasoning.effort'], true));
  }
  if (off) diffs.push(...silentReasoning(at));
  if (!off && shown(before) !== shown(after)) {
    const silent =
      before.show === 'default' ||
      showsUnasked(via?.profile ?? profile, before) ||
      via?.profile.thinking.control === 'none' ||
      (before.show === 'none' && after.show === 'default');
    diffs.push(
      diffAt(
        `show ${before.show} -> ${after.show}`,
        at,
        ['reasoning.show', 'reasoning.summary', 'reasoning.mode'],
        silent,
      ),
    );
  }
  if (before.interleave !== after.interleave) {
    diffs.push(diffAt('thinking between calls', at, ['reasoning.interleave', 'reasoning.mode'], off));
  }
  return diffs;
}

/** Whether a server shows thoughts of its own accord, so that the wish for them says nothing (translation.md 2.12). */
function showsUnasked({ server }: ModelTarget, { show }: ReasoningSettings): boolean {
  return server !== undefined && server.reasoningReplay !== 'never' && show !== 'none';
}

const NOTHING: ReasoningSettings = { mode: 'default', show: 'default' };

/** Where thinking is off, nothing else that is said of it matters. */
function silentReasoning(at: readonly string[]): Diff[] {
  return [
    diffAt(
      'thinking that is off',
      at,
      ['reasoning.show', 'reasoning.effort', 'reasoning.budget', 'reasoning.interleave', 'reasoning.mode'],
      true,
    ),
  ];
}

function sized(settings: ReasoningSettings | undefined): ReasoningSettings {
  if (settings === undefined) return NOTHING;
  const { budget } = settings;
  // -1 leaves the size to the model, as saying nothing does.
  const { budget: _dynamic, ...rest } = settings;
  return budget === -1 || budget === 0 ? rest : settings;
}

function modeOf(settings: ReasoningSettings, profile: ModelTarget): 'on' | 'off' {
  if (settings.mode === 'off') return 'off';
  if (settings.mode === 'on' || settings.effort !== undefined || settings.budget !== undefined) return 'on';
  return profile.thinking.defaultOn ? 'on' : 'off';
}

function levelOf({ effort, budget }: ReasoningSettings): string | undefined {
  return effort ?? (budget === undefined || budget < 1 ? undefined : effortOf(budget));
}

function shown({ show }: ReasoningSettings): string {
  return show === 'auto' ? 'summary' : show;
}
