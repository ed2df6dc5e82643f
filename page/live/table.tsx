import { Component } from 'preact';
import type { LiveExchange, LiveTimes } from '../../src/live/plain/index.js';
import { secondText } from '../frame/clock.js';
import { clientOf } from '../translate/recognise/clients.js';
import { Detail } from './detail.js';
import { opened, shown, toggle } from './state.js';
import { costText, countText, durationText, eventsOf, outcomeOf } from './words.js';

const COLUMNS = ['When', 'Way', 'Outcome', 'Time', 'Tokens, cost'] as const;

/** The exchanges, each of which opens. */
export function Exchanges() {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys move between the buttons that are in it
    <div class="rows" onKeyDown={moveOn}>
      <table class="exchanges">
        <caption class="visually-hidden">Exchanges, the newest first</caption>
        <thead>
          <tr>
            {COLUMNS.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {shown.value.map((exchange) => (
          <Row key={exchange.n} exchange={exchange} open={opened.value.has(exchange.n)} />
        ))}
      </table>
    </div>
  );
}

/** The arrows go from row to row. */
function moveOn(event: KeyboardEvent & { readonly currentTarget: HTMLElement }): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const buttons = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('button.opens')];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = step === undefined || at === -1 ? undefined : buttons[at + step];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

interface RowProps {
  readonly exchange: LiveExchange;
  readonly open: boolean;
}

/** Drawn once for each exchange, and again when it opens or closes. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate(next: RowProps): boolean {
    return next.exchange !== this.props.exchange || next.open !== this.props.open;
  }

  override render({ exchange, open }: RowProps) {
    const { n, at, key, client, asked, answered, times, attempts = [] } = exchange;
    const id = `live-${n}`;
    // Those that did not serve, and that which did; a first one that did goes without saying.
    const calls = attempts.length === 0 ? 0 : attempts.length + (isServed(exchange) ? 1 : 0);
    return (
      <tbody class={open ? 'open' : undefined}>
        <tr>
          <th scope="row">
            <button
              type="button"
              class="opens"
              aria-expanded={open}
              aria-controls={open ? id : undefined}
              onClick={() => toggle(n)}
            >
              <time dateTime={at} title={new Date(at).toString()}>
                {secondText(new Date(at))}
              </time>
            </button>
            {key !== undefined && <span class="name">{key}</span>}
            {client !== undefined && <small title={client}>{clientOf(client) ?? client.split(/[\s/(]/)[0]}</small>}
          </th>
          <td data-head="Way">
            <Way exchange={exchange} />
            {calls > 0 && <small>{calls === 1 ? '1 call' : `${calls} calls`}</small>}
          </td>
          <td data-head="Outcome">
            <Outcome exchange={exchange} />
          </td>
          <td data-head="Time" class="time">
            {times.firstByte !== undefined && asked.stream === true && (
              <span>{`${durationText(times.firstByte)} to the first byte, `}</span>
            )}
            <b>{durationText(times.whole)}</b>
            {times.rate !== undefined && <small>{`${Math.round(times.rate)} tokens/s`}</small>}
            {answered !== undefined && <Parts times={times} />}
          </td>
          <td data-head="Tokens, cost" class="tokens">
            <Tokens exchange={exchange} />
          </td>
        </tr>
        {open && (
          <tr id={id} class="detail">
            <td colSpan={COLUMNS.length}>
              <Detail exchange={exchange} />
            </td>
          </tr>
        )}
      </tbody>
    );
  }
}

function isServed({ outcome, attempts = [] }: LiveExchange): boolean {
  return outcome === 'ok' || attempts.at(-1)?.next !== undefined;
}

function Way({ exchange: { asked, answered, route } }: { readonly exchange: LiveExchange }) {
  const target = answered?.target ?? answered?.model;
  return (
    <>
      <span class="dialects">
        {asked.dialect}
        {answered === undefined ? '' : ` > ${answered.dialect}`}
      </span>
      <span class="name">
        {asked.model ?? route}
        {target !== undefined && target !== asked.model && <span class="soft">{` > ${target}`}</span>}
      </span>
      {answered !== undefined && <small>{`at ${answered.backend}`}</small>}
    </>
  );
}

function Outcome({ exchange }: { readonly exchange: LiveExchange }) {
  const { words, good } = outcomeOf(exchange);
  const events = eventsOf(exchange);
  return (
    <>
      <span class={good ? 'good' : 'bad'}>
        <span class="sign" aria-hidden="true">
          {good ? '✓' : '✗'}
        </span>
        {words}
      </span>
      {exchange.finish !== undefined && <small>{exchange.finish}</small>}
      {events.length > 0 && <small class="events">{events.join('; ')}</small>}
    </>
  );
}

/** The parts of the whole time as a bar. */
function Parts({ times }: { readonly times: LiveTimes }) {
  const { waiting, backend, gateway } = times;
  const whole = Math.max(waiting + backend + gateway, Number.MIN_VALUE);
  const parts = { waiting, backend, gateway };
  const words = Object.entries(parts).map(([name, ms]) => `${name} ${durationText(ms)}`);
  let x = 0;
  return (
    <svg class="parts" viewBox="0 0 100 4" preserveAspectRatio="none" role="img" aria-label={words.join(', ')}>
      <title>{words.join(', ')}</title>
      {Object.entries(parts).map(([name, ms]) => {
        const width = (100 * ms) / whole;
        x += width;
        return <rect key={name} class={name} x={x - width} width={width} height="4" />;
      })}
    </svg>
  );
}

function Tokens({ exchange: { tokens, cost, costPartial } }: { readonly exchange: LiveExchange }) {
  const { input, output, cached, reasoning } = tokens ?? {};
  const part = (count: number | undefined, word: string): string =>
    count === undefined ? '' : ` (${countText(count)} ${word})`;
  return (
    <>
      {input !== undefined && <span>{`${countText(input)} in${part(cached, 'cached')}`}</span>}
      {output !== undefined && <span>{`${countText(output)} out${part(reasoning, 'reasoning')}`}</span>}
      {cost !== undefined && <small>{`${costText(cost)}${costPartial === true ? ' and fees' : ''}`}</small>}
    </>
  );
}
