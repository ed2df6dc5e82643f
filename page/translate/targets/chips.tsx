import { changeTargets, facts, kind, select, selected, targets, verdicts } from '../state.js';
import type { Verdict } from '../work/messages.js';
import { MOST_TARGETS, type Target } from './target.js';

/** A verdict in at most four words. */
function wordsFor({ state, serious, small }: Verdict): string {
  if (state === 'refused') return 'refused';
  if (state === 'unchanged') return 'unchanged';
  const losses = serious === 1 ? '1 loss' : `${serious} losses`;
  return [...(serious > 0 ? [losses] : []), ...(small > 0 ? [`${small} small`] : [])].join(', ');
}

/** How good a verdict is, for its colour. */
function gradeOf({ state, serious }: Verdict): string {
  if (state !== 'lossy') return state;
  return serious > 0 ? 'lossy' : 'small';
}

const GRADE_SIGNS: Readonly<Record<string, string>> = { unchanged: '=', small: '~', lossy: '!', refused: '×' };

/** The targets, each with what becomes of the source there. */
export function Chips() {
  const add = (): void => {
    const [first] = facts.value;
    const copied = targets.value[selected.value];
    const added: Target | undefined = copied ?? (first && { dialect: first.id, model: '', host: '' });
    if (added === undefined) return;
    changeTargets([...targets.value, added], targets.value.length);
    // Whoever adds a target says next which.
    requestAnimationFrame(() => document.getElementById('target-model')?.focus());
  };
  return (
    <div class="chips">
      <ul aria-label="Targets">
        {targets.value.map((target, index) => (
          <li key={`${index} ${target.dialect} ${target.model} ${target.host}`}>
            <Chip target={target} verdict={verdicts.value[index]} index={index} />
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="add"
        aria-label="Add a target"
        title="Add a target"
        disabled={targets.value.length >= MOST_TARGETS}
        onClick={add}
      >
        +
      </button>
    </div>
  );
}

interface ChipProps {
  readonly target: Target;
  readonly verdict: Verdict | undefined;
  readonly index: number;
}

function Chip({ target: { dialect, model, host }, verdict, index }: ChipProps) {
  const grade = verdict === undefined ? 'waiting' : gradeOf(verdict);
  const named = kind.value === 'request' ? model || 'same model' : '';
  return (
    <button type="button" class={`chip ${grade}`} aria-pressed={index === selected.value} onClick={() => select(index)}>
      <span class="dialect">{dialect}</span>
      <span class="verdict">
        <span class="sign" aria-hidden="true">
          {GRADE_SIGNS[grade] ?? ''}
        </span>
        {verdict === undefined ? '…' : wordsFor(verdict)}
      </span>
      {named !== '' && (
        <span class="model" title={host === '' ? named : `${named} at ${host}`}>
          {named}
          {host !== '' && <span class="host"> at {host}</span>}
        </span>
      )}
    </button>
  );
}
