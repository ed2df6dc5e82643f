import { effect, signal, untracked } from '@preact/signals';
import { Fragment } from 'preact';
import { search, searchEntered } from '../../frame/search.js';
import { SIGNS } from '../editor/signs.js';
import { goTo } from '../go.js';
import {
  allow,
  broken,
  kind,
  read,
  refusedAt,
  rows,
  strict,
  strictHeader,
  targets,
  toggleAllowed,
  verdicts,
} from '../state.js';
import type { Row, ToldLoss } from '../work/messages.js';
import { isNarrow, mostNamed } from './narrow.js';

/** The rows that are open, by their places. */
const open = signal<ReadonlySet<string>>(new Set());

const keyOf = ({ step, path }: Row): string => `${step ?? ''} ${path}`;

/** The rows that the search field of the page lets through. */
function foundRows(): readonly Row[] {
  const word = search.value.trim().toLowerCase();
  if (word === '') return rows.value.rows;
  return rows.value.rows.filter(
    ({ path, label, cells }) =>
      `${path} ${label}`.toLowerCase().includes(word) ||
      cells.some((losses) => losses.some(({ feature }) => feature.toLowerCase().includes(word))),
  );
}

effect(() => {
  // Enter in the search field goes to the first place that was found; what is found later moves nothing.
  if (searchEntered.value === 0) return;
  untracked(() => {
    const [first] = foundRows();
    if (first !== undefined) goTo(first);
  });
});

/** The losses, one row for each place of the source and one column for each target. */
export function Losses() {
  const found = foundRows();
  return (
    <section class="losses" aria-labelledby="losses-title">
      <div class="bar">
        <h2 id="losses-title">Losses by field</h2>
        <p class="meta" role="status" aria-label="Losses">
          {countText(found.length)}
        </p>
        <Allowed />
        <ul class="legend" aria-label="Signs">
          {Object.entries(SIGNS).map(([name, sign]) => (
            <li key={name} class={`kind ${name}`}>
              <span class="sign">{sign}</span> {name}
            </li>
          ))}
        </ul>
      </div>
      <div class="rows" tabIndex={0} role="group" aria-label="Rows of losses">
        {found.length === 0 ? <p class="none">{emptyText()}</p> : <Table found={found} />}
      </div>
    </section>
  );
}

function countText(found: number): string {
  const { rows: all, beyond } = rows.value;
  if (all.length === 0) return '';
  const places = all.length === 1 ? '1 place' : `${all.length} places`;
  const most = beyond === 0 ? places : `${places}, ${beyond} more are not shown`;
  return found === all.length ? most : `${found} of ${most}`;
}

/** What there is to say where no rows are: a request that is refused does not cross. */
function emptyText(): string {
  if (broken.value !== undefined) return broken.value;
  if (rows.value.rows.length > 0) return 'No place with a loss is called that.';
  if (read.value?.fault !== undefined || read.value?.problem !== undefined) return 'Nothing is translated.';
  if (kind.value === 'error') return 'Errors are rewritten whole: losses are not told.';
  const known = verdicts.value.filter((verdict) => verdict !== undefined);
  if (known.length === 0) return '';
  const refused = known.filter(({ state }) => state === 'refused');
  if (refused.length === 0) return 'Everything crosses unchanged.';
  if (refused.length === known.length) return 'Nothing crosses: every target refuses this.';
  return 'Nothing is lost where it is not refused.';
}

/** What strict lets go, and the header that says so on the wire. */
function Allowed() {
  if (!strict.value) return null;
  return (
    <p class="allowed">
      <span class="label">On the wire</span> <code class="header">{strictHeader.value}</code>
      {allow.value.map((feature) => (
        <button
          key={feature}
          type="button"
          class="quiet"
          aria-label={`Do not allow ${feature}`}
          onClick={() => toggleAllowed(feature)}
        >
          {feature} ×
        </button>
      ))}
    </p>
  );
}

function Table({ found }: { readonly found: readonly Row[] }) {
  return (
    <table
      aria-label="Losses by field"
      class={`${isNarrow.value ? 'narrow' : 'wide'}${targets.value.length > mostNamed.value ? ' many' : ''}`}
      style={{ '--targets': targets.value.length }}
    >
      <thead>
        <tr>
          <th scope="col">field</th>
          {targets.value.map(({ dialect, model }, index) => (
            <th key={`${index} ${dialect} ${model}`} scope="col" class="target" title={`${dialect} ${model}`}>
              <div class="names">
                <span>{dialect}</span>
                {kind.value === 'request' && <span class="model">{model || 'same model'}</span>}
              </div>
            </th>
          ))}
          {!isNarrow.value && (
            <th scope="col" class="about">
              what it is
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {found.map((row) => (
          <Entry key={keyOf(row)} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function Entry({ row }: { readonly row: Row }) {
  const key = keyOf(row);
  const isOpen = open.value.has(key);
  const toggle = (): void => {
    const next = new Set(open.value);
    if (!next.delete(key)) next.add(key);
    open.value = next;
  };
  const about = (
    <>
      {[...new Set(row.cells.flat().map(({ meaning }) => meaning))].join(' ')}
      <button type="button" class="quiet go" onClick={() => goTo(row)}>
        go
      </button>
    </>
  );
  return (
    <Fragment>
      <tr class={isOpen ? 'open' : undefined}>
        <th scope="row">
          <button
            type="button"
            class="field"
            aria-expanded={isOpen}
            title={row.path || 'the whole body'}
            onClick={toggle}
          >
            <span class="turn" aria-hidden="true" />
            {row.step === undefined ? null : <span class="step">event {row.step + 1} </span>}
            {row.label}
          </button>
          {isNarrow.value && <p class="about">{about}</p>}
        </th>
        {row.cells.map((losses, index) => (
          <Cell key={index} losses={losses} refused={refusedAt.value[index] === '×'} />
        ))}
        {!isNarrow.value && <td class="about">{about}</td>}
      </tr>
      {isOpen && <Details row={row} />}
    </Fragment>
  );
}

function Cell({ losses, refused }: { readonly losses: readonly ToldLoss[]; readonly refused: boolean }) {
  if (losses.length === 0)
    return (
      <td class="cell same" title={refused ? 'refused' : 'unchanged'}>
        {refused ? '×' : '='}
      </td>
    );
  const kinds = [...new Map(losses.map((loss) => [loss.kind, loss])).values()];
  return (
    <td class="cell">
      {kinds.map(({ kind: name, small }) => (
        <span key={name} class={`kind ${name}${small ? ' small' : ''}`} title={`${name}${small ? ', small' : ''}`}>
          <span class="sign">{SIGNS[name]}</span>
          <span class="name">{name}</span>
        </span>
      ))}
    </td>
  );
}

/** The losses of a place in whole sentences, the same ones of several targets once. */
function Details({ row }: { readonly row: Row }) {
  const told = new Map<string, { readonly loss: ToldLoss; readonly at: string[] }>();
  row.cells.forEach((losses, index) => {
    const { dialect, model } = targets.value[index] ?? {};
    for (const loss of losses) {
      const known = told.get(loss.sentence) ?? { loss, at: [] };
      known.at.push(model ? `${dialect} ${model}` : String(dialect));
      told.set(loss.sentence, known);
    }
  });
  return (
    <tr class="details">
      <td colSpan={row.cells.length + (isNarrow.value ? 1 : 2)}>
        {[...told.values()].map(({ loss, at }) => (
          <div class="told" key={loss.sentence}>
            <p>
              <span class={`kind ${loss.kind}`}>
                <span class="sign">{SIGNS[loss.kind]}</span> {loss.kind}
              </span>{' '}
              <span class="at">{at.join(', ')}</span>
            </p>
            <p>{loss.sentence}</p>
            <p class="advice">{loss.advice}</p>
            {kind.value === 'request' && !loss.small && (
              <button
                type="button"
                class="quiet"
                aria-pressed={allow.value.includes(loss.feature)}
                onClick={() => toggleAllowed(loss.feature)}
              >
                allow {loss.feature}
              </button>
            )}
          </div>
        ))}
      </td>
    </tr>
  );
}
