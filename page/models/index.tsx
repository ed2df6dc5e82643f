import { signal } from '@preact/signals';
import { linkTo } from '../frame/address.js';
import { clockText } from '../frame/clock.js';
import { KeyForm } from '../frame/key-form.js';
import { search } from '../frame/search.js';
import { ask, checkLooking, GatewayError, gateway, getJson, key, wantsKey } from '../gateway.js';
import { useLooking } from '../look.js';
import { type Fact, filtered, type Learned, type Row, type Table, type Target, tableIn } from './rows.js';

/** How often, in ms, the table is asked for: states are of seconds. */
const LOOK_MS = 10_000;

const table = signal<Table | undefined>(undefined);
/** Why there is no table, or none that is new. */
const failure = signal<{ readonly status: number; readonly message: string } | undefined>(undefined);
/** What was done last, for who cannot see that a row has changed. */
const said = signal('');

async function look(): Promise<void> {
  if (gateway.value.kind === 'none') return;
  const asked = key.value;
  try {
    checkLooking();
    const answer = await getJson('/models?detail');
    // What another key is shown says nothing of the present one.
    if (key.value !== asked) return;
    table.value = tableIn(answer);
    failure.value = undefined;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (key.value !== asked) return;
    const { status, message } = error;
    failure.value = { status, message };
    if (wantsKey(status)) table.value = undefined;
  }
}

/** What each name of a model leads to, and what the gateway believes of it. */
export function View() {
  useLooking(look, LOOK_MS, key.value);
  const { status, message = '' } = failure.value ?? {};
  const found = table.value;
  const isWaiting = found === undefined && failure.value === undefined && gateway.value.kind !== 'none';
  return (
    <main class="models" aria-label="Models" aria-busy={isWaiting}>
      {gateway.value.kind === 'none' && (
        <p class="note">This page stands by itself: a gateway shows its models here.</p>
      )}
      {wantsKey(status) && <KeyForm reason={message} />}
      {found === undefined && status !== undefined && !wantsKey(status) && (
        <p class="note" role="status">
          {message}
        </p>
      )}
      {found !== undefined && <Models table={found} stale={message} />}
      <p class="visually-hidden" role="status">
        {said.value}
      </p>
    </main>
  );
}

function Models({ table: { rows, since }, stale }: { readonly table: Table; readonly stale: string }) {
  const shown = filtered(rows, search.value);
  const targets = rows.reduce((sum, row) => sum + row.targets.length, 0);
  return (
    <>
      <p class="note">
        {shown.length === rows.length
          ? `${rows.length} ${rows.length === 1 ? 'name' : 'names'}, ${targets} ${targets === 1 ? 'target' : 'targets'}`
          : `${shown.length} of ${rows.length} names`}
        {stale !== '' && <b> {stale} This is what it told last.</b>}
      </p>
      {shown.length === 0 ? (
        <p class="nothing">
          {rows.length === 0 ? 'The configuration names no models.' : `No name or target has “${search.value}” in it.`}
        </p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">Name</th>
              <th scope="col">Target</th>
              <th scope="col" class="number">
                Window
              </th>
              <th scope="col" class="number">
                Output
              </th>
              <th scope="col" class="number">
                USD a million
              </th>
              <th scope="col" class="beside-numbers">
                State
              </th>
              <th scope="col" class="number">
                Requests{since !== undefined && <small>since {clockText(new Date(since))}</small>}
              </th>
              <th scope="col">
                <span class="visually-hidden">Try</span>
              </th>
            </tr>
          </thead>
          {shown.map((row) => (
            <Name key={row.name} row={row} />
          ))}
        </table>
      )}
    </>
  );
}

function Name({ row }: { readonly row: Row }) {
  const { name, targets, requests, errors } = row;
  const span = targets.length;
  return (
    <tbody>
      {targets.map((target, index) => (
        <tr key={`${target.backend} ${index}`}>
          {index === 0 && (
            <th scope="rowgroup" rowSpan={span}>
              {name}
              {target.title !== undefined && <small>{target.title.text}</small>}
            </th>
          )}
          <td data-head="Target">
            <TargetCell target={target} isAlone={span === 1} />
          </td>
          <FactCell head="Window" fact={target.window} />
          <FactCell head="Output" fact={target.output} />
          <FactCell head="USD a million" fact={target.prices} />
          <td data-head="State" class="beside-numbers">
            <State target={target} />
          </td>
          {index === 0 && (
            <td data-head="Requests" class="number" rowSpan={span}>
              <span>{requests === undefined ? '–' : requests.toLocaleString('en-US')}</span>
              {errors > 0 && <small class="errors">{errors.toLocaleString('en-US')} failed</small>}
            </td>
          )}
          <td class="try">
            <a href={tryLink(name, target)} aria-label={`Try ${name} at ${target.backend}`}>
              Try
            </a>
          </td>
        </tr>
      ))}
    </tbody>
  );
}

/** Opens Translate with the target. A pattern stands for many models: the name is asked for there. */
function tryLink(name: string, { dialect, model = name, host }: Target): string {
  return linkTo('translate', {
    dialect,
    ...(!model.includes('*') && { model }),
    ...(host !== undefined && { host }),
  });
}

function TargetCell({ target, isAlone }: { readonly target: Target; readonly isAlone: boolean }) {
  const { backend, model, dialect, host, weight, advice } = target;
  return (
    <>
      <span class="target">
        <b>{backend}</b> {model ?? <i>as asked</i>}
        {weight !== undefined && !isAlone && <span class="weight"> weight {weight}</span>}
      </span>
      <small>
        {dialect}, {host ?? 'simulator'}
      </small>
      {advice !== undefined && <small class="advice">{advice}</small>}
    </>
  );
}

function FactCell({ head, fact }: { readonly head: string; readonly fact: Fact | undefined }) {
  return (
    <td data-head={head} class={fact === undefined ? 'number unknown' : 'number'}>
      {fact === undefined ? '–' : <span>{fact.text}</span>}
      {fact !== undefined && <small>{fact.source}</small>}
    </td>
  );
}

function State({ target: { state, stateText, learned, backend } }: { readonly target: Target }) {
  const models = [...new Set(learned.map(({ model }) => model))];
  return (
    <>
      <span class={`state ${state.replace(' ', '-')}`}>{stateText}</span>
      {models.map((model) => (
        <LearnedOf key={model} backend={backend} model={model} learned={learned.filter((one) => one.model === model)} />
      ))}
    </>
  );
}

interface LearnedProps {
  readonly backend: string;
  readonly model: string;
  readonly learned: readonly Learned[];
}

function LearnedOf({ backend, model, learned }: LearnedProps) {
  return (
    <details class="learned">
      <summary>
        {learned.length} learned of {model}
      </summary>
      <ul>
        {learned.map(({ text, whose, minutes }) => (
          <li key={`${text} ${whose}`}>
            {text}{' '}
            <small>
              {whose}, for {minutes} min
            </small>
          </li>
        ))}
      </ul>
      <button type="button" class="quiet" onClick={() => void forget(backend, model)}>
        Forget
      </button>
    </details>
  );
}

async function forget(backend: string, model: string): Promise<void> {
  try {
    const answer = await ask(`/learned-restrictions?${new URLSearchParams({ backend, model })}`, { method: 'DELETE' });
    said.value = answer.ok ? `What was learned of ${model} is forgotten.` : `The gateway answered ${answer.status}.`;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    said.value = error.message;
  }
  await look();
}
