import { changeTargets, facts, kind, selected, target, targets, verdicts } from '../state.js';
import { ownTargets } from './own.js';
import type { Target } from './target.js';

/** What the shown target is, to be changed. */
export function TargetBar() {
  const current = target.value;
  if (current === undefined) return null;
  const change = (part: Partial<Target>): void => {
    const next = targets.value.map((one, index) => (index === selected.value ? { ...one, ...part } : one));
    changeTargets(next, selected.value);
  };
  const known = facts.value.find(({ id }) => id === current.dialect);
  const own = ownTargets.value.filter(({ dialect }) => dialect === current.dialect);
  const isRequest = kind.value === 'request';
  const notes = verdicts.value[selected.value]?.notes ?? [];
  return (
    <>
      <select
        aria-label="Dialect of the target"
        value={current.dialect}
        onChange={({ currentTarget: { value } }) => {
          const next = facts.value.find(({ id }) => id === value);
          if (next !== undefined) change({ dialect: next.id, model: next.mainline, host: '' });
        }}
      >
        {facts.value.map(({ id }) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      {isRequest && (
        <>
          <input
            id="target-model"
            aria-label="Model of the target"
            list="target-models"
            placeholder="same model"
            autocomplete="off"
            spellcheck={false}
            value={current.model}
            onChange={({ currentTarget: { value } }) => {
              const model = value.trim();
              // A model of the gateway is asked for where the gateway has it.
              const host = current.host || (own.find((one) => one.model === model)?.host ?? '');
              change({ model, host });
            }}
          />
          <datalist id="target-models">
            {[...new Set([...own.map(({ model }) => model), ...(known?.models ?? [])])].map((model) => (
              <option key={model} value={model} />
            ))}
          </datalist>
          <input
            aria-label="Host of the target"
            list="target-hosts"
            placeholder="own host"
            autocomplete="off"
            spellcheck={false}
            value={current.host}
            onChange={({ currentTarget: { value } }) => change({ host: value.trim() })}
          />
          <datalist id="target-hosts">
            {known?.hosts.map((host) => (
              <option key={host} value={host} />
            ))}
          </datalist>
        </>
      )}
      <button
        type="button"
        class="quiet"
        aria-label="Remove this target"
        title="Remove this target"
        disabled={targets.value.length < 2}
        onClick={() =>
          changeTargets(
            targets.value.filter((_, index) => index !== selected.value),
            selected.value,
          )
        }
      >
        ×
      </button>
      <p class="meta" role="status" aria-label="Beside the body">
        {notes.join(' · ')}
      </p>
    </>
  );
}
