import { signal } from '@preact/signals';
import { clockText, dayText } from '../frame/clock.js';
import { checkLooking, GatewayError, gateway, getJson, isHidden, key } from '../gateway.js';
import { useLooking } from '../look.js';
import { Plot } from './plot.js';
import {
  FIGURES,
  type Figure,
  figureText,
  type Group,
  type Plotted,
  plotted,
  type Span,
  type Sums,
  sumText,
} from './report.js';

const GROUPS: readonly Group[] = ['model', 'key'];

/** The times that are shown. */
const SPANS = {
  hour: { unit: 'minute', count: 60 },
  day: { unit: 'hour', count: 24 },
  week: { unit: 'hour', count: 168 },
} as const satisfies Readonly<Record<string, Span>>;

type SpanName = keyof typeof SPANS;

const SPAN_NAMES = Object.keys(SPANS) as readonly SpanName[];

const HEADS: Readonly<Record<Figure, string>> = {
  requests: 'Requests',
  errors: 'Errors',
  tokens: 'Tokens',
  cost: 'Cost',
};

/** How often, in ms, the figures are asked for. */
const LOOK_MS = 30_000;

const group = signal<Group>('model');
const span = signal<SpanName>('day');

/** What was told last; undefined = nothing yet, `off` = nothing is counted, `hidden` = it is not for this key. */
const shown = signal<Plotted | 'off' | 'hidden' | undefined>(undefined);

async function look(): Promise<void> {
  if (gateway.value.kind === 'none') return;
  const [by, asked, typed] = [group.value, SPANS[span.value], key.value];
  /** Whether the answer is to what is asked now: by then another key or choice may be. */
  const isAwaited = (): boolean => by === group.value && asked === SPANS[span.value] && typed === key.value;
  try {
    checkLooking();
    const report = await getJson(`/usage?by=${asked.unit},${by}&since=${asked.count - 1}${asked.unit.charAt(0)}`);
    if (isAwaited()) shown.value = plotted(report, by, asked);
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    if (!isAwaited()) return;
    if (error.status === 404) shown.value = 'off';
    else if (isHidden(error.status)) shown.value = 'hidden';
    // What was told before stays until the gateway is there again.
  }
}

/** Requests, errors, tokens and cost of the last hour, day or week, by key or by model, from the records of usage. */
export function UsagePlots() {
  // The key and the choices are read here, so that a change asks anew.
  useLooking(look, LOOK_MS, `${key.value} ${group.value} ${span.value}`);
  const now = shown.value;
  if (now === undefined || now === 'hidden') return null;
  if (now === 'off') {
    return (
      <section class="usage" aria-label="Usage">
        <p class="note">
          Requests, tokens and cost are not counted: <code>usage: {'{}'}</code> in the configuration does that.
        </p>
      </section>
    );
  }
  return (
    <section class="usage" aria-label="Usage">
      <header>
        <p>
          <b>{sinceText(now)}:</b> {wordsOf(now.total)}
        </p>
        <Choice name="By" words={GROUPS} chosen={group.value} choose={(word) => (group.value = word)} />
        <Choice name="Of the last" words={SPAN_NAMES} chosen={span.value} choose={(word) => (span.value = word)} />
      </header>
      <div class="plots">
        {FIGURES.map((figure) => (
          <figure key={figure}>
            <figcaption>
              {HEADS[figure]} <b>{sumText(figure, now.total)}</b>
            </figcaption>
            <Plot figure={figure} shown={now} />
          </figure>
        ))}
      </div>
      <Names now={now} />
    </section>
  );
}

/** Since when it is counted: the first of the times, or later where minutes are known of the start of the gateway alone. */
function sinceText({ times, unit }: Plotted): string {
  const first = (times[0] ?? 0) * 1000;
  const state = gateway.value;
  const started = unit === 'minute' && state.kind === 'up' ? (state.started ?? first) : first;
  const time = new Date(Math.max(first, started));
  const today = new Date((times.at(-1) ?? 0) * 1000);
  const day = dayText(time) === dayText(today) ? '' : `${dayText(time)}, `;
  return `Since ${started > first ? 'the start at ' : ''}${day}${clockText(time)}`;
}

function wordsOf(sums: Sums): string {
  const count = (figure: Figure, one: string, many: string): string =>
    `${sumText(figure, sums)} ${sums[figure] === 1 ? one : many}`;
  return [
    count('requests', 'request', 'requests'),
    count('errors', 'error', 'errors'),
    count('tokens', 'token', 'tokens'),
    sums.costUnknown === sums.requests ? '' : sumText('cost', sums),
    sums.costUnknown === 0 ? '' : `cost of ${figureText('requests', sums.costUnknown)} unknown`,
  ]
    .filter((words) => words !== '')
    .join(', ');
}

interface Choosing<Word extends string> {
  readonly name: string;
  readonly words: readonly Word[];
  readonly chosen: Word;
  choose(word: Word): void;
}

function Choice<Word extends string>({ name, words, chosen, choose }: Choosing<Word>) {
  return (
    <div class="choice" role="group" aria-label={name}>
      <span aria-hidden="true">{name}</span>
      {words.map((word) => (
        <button type="button" key={word} class="quiet" aria-pressed={word === chosen} onClick={() => choose(word)}>
          {word}
        </button>
      ))}
    </div>
  );
}

/** The figures of each name, which are the legend of the plots too. */
function Names({ now: { group: by, series, total } }: { readonly now: Plotted }) {
  const { costUnknown } = total;
  if (series.length === 0) return <p class="note">Nothing was asked for in this time.</p>;
  return (
    <>
      <table>
        <caption class="visually-hidden">What was used, by {by}</caption>
        <thead>
          <tr>
            <th scope="col">{by === 'model' ? 'Model' : 'Key'}</th>
            {FIGURES.map((figure) => (
              <th scope="col" key={figure}>
                {HEADS[figure]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {series.map(({ name, total: own }, index) => (
            <tr key={name}>
              <th scope="row">
                <span class={`swatch series-${index + 1}`} aria-hidden="true" />
                <span class="name">{name}</span>
              </th>
              {FIGURES.map((figure) => (
                <td key={figure}>{sumText(figure, own)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {costUnknown > 0 && (
        <p class="note">
          The cost of {figureText('requests', costUnknown)} {costUnknown === 1 ? 'request' : 'requests'} is not known,
          and in no sum.
        </p>
      )}
    </>
  );
}
