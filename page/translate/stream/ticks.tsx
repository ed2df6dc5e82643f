import { useEffect, useRef, useState } from 'preact/hooks';
import { totalsOf } from './totals.js';

/** An event as a tick. */
export interface Tick {
  readonly name: string;
  readonly bytes: number;
  readonly said: string;
  /** When it came, in ms from the first one; absent = the text does not tell. */
  readonly at?: number;
}

/** More ticks than this are drawn in groups: they would lie on each other. */
const MOST_DRAWN = 600;

/** How long an event is shown while a stream without times is played, in ms. */
const STEP_MS = 160;

const HEIGHT = 24;

/**
 * A row of ticks, one for each event, along the time where that is known. It is a slider: arrows step, Home and End go to its ends,
 * the space bar plays. `passed` = how many events are passed.
 */
export function Ticks({
  label,
  ticks,
  passed,
  move,
}: {
  readonly label: string;
  readonly ticks: readonly Tick[];
  readonly passed: number;
  readonly move: (passed: number) => void;
}) {
  const [playing, setPlaying] = useState(false);
  const row = useRef<HTMLDivElement>(null);
  usePlay(playing, ticks, passed, move, () => setPlaying(false));
  const last = ticks.length;
  const name = ticks[passed - 1]?.name ?? '';
  const words = `${passed} of ${last}${name === '' ? '' : `: ${name}`}`;
  const to = (next: number): void => move(Math.max(0, Math.min(last, next)));
  const toggle = (): void => {
    if (!playing && passed >= last) move(0);
    setPlaying(!playing);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowRight: () => to(passed + 1),
      ArrowUp: () => to(passed + 1),
      ArrowLeft: () => to(passed - 1),
      ArrowDown: () => to(passed - 1),
      PageUp: () => to(passed + 10),
      PageDown: () => to(passed - 10),
      Home: () => to(0),
      End: () => to(last),
      ' ': toggle,
    };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    step();
  };
  const byPointer = ({ clientX, buttons }: PointerEvent): void => {
    const box = row.current?.getBoundingClientRect();
    if (buttons === 0 || box === undefined) return;
    to(placeAt((clientX - box.left) / box.width, ticks));
  };
  return (
    <div class="ticks">
      <button type="button" class="quiet" aria-label={playing ? 'Pause' : 'Play'} onClick={toggle}>
        {playing ? 'Pause' : 'Play'}
      </button>
      <div
        ref={row}
        class="row"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={passed}
        aria-valuetext={words}
        onKeyDown={onKeyDown}
        onPointerDown={byPointer}
        onPointerMove={byPointer}
      >
        <Drawn ticks={ticks} passed={passed} />
      </div>
      <output>{words}</output>
    </div>
  );
}

/** The totals of a stream, in words. */
export function totalsText(ticks: readonly Tick[]): string {
  const { events, bytes, firstText } = totalsOf(ticks);
  const at = ticks[firstText - 1]?.at;
  const first =
    firstText === 0
      ? 'no text'
      : `first text in event ${firstText}${at === undefined ? '' : `, after ${Math.round(at)} ms`}`;
  return `${events} ${events === 1 ? 'event' : 'events'}, ${bytes.toLocaleString('en-US')} bytes, ${first}`;
}

function Drawn({ ticks, passed }: { readonly ticks: readonly Tick[]; readonly passed: number }) {
  const every = Math.max(1, Math.ceil(ticks.length / MOST_DRAWN));
  const most = Math.max(1, ...ticks.map(({ bytes }) => Math.log(bytes + 1)));
  return (
    <svg aria-hidden="true" width="100%" height={HEIGHT}>
      {ticks.map((tick, index) => {
        // The one that was passed last is always there.
        if (index % every !== 0 && index !== passed - 1) return null;
        const x = `${shareOf(index, ticks) * 100}%`;
        const height = 6 + (Math.log(tick.bytes + 1) / most) * (HEIGHT - 6);
        const state = index === passed - 1 ? 'now' : index < passed ? 'passed' : 'coming';
        return (
          <line
            key={index}
            class={`${state}${tick.said === '' ? '' : ' said'}`}
            x1={x}
            x2={x}
            y1={HEIGHT - height}
            y2={HEIGHT}
          />
        );
      })}
    </svg>
  );
}

/** Where the tick of an event is in the row, from 0 to 1. */
function shareOf(index: number, ticks: readonly Tick[]): number {
  const whole = ticks.at(-1)?.at;
  const at = ticks[index]?.at;
  const share = whole === undefined || at === undefined || whole === 0 ? (index + 0.5) / ticks.length : at / whole;
  return 0.005 + share * 0.99;
}

/** How many events are passed at a place of the row. */
function placeAt(share: number, ticks: readonly Tick[]): number {
  const beyond = ticks.findIndex((_, index) => shareOf(index, ticks) > share + 0.002);
  return beyond === -1 ? ticks.length : beyond;
}

/** Passes one event after the other, each after the time that it took where that is known. */
function usePlay(
  playing: boolean,
  ticks: readonly Tick[],
  passed: number,
  move: (passed: number) => void,
  end: () => void,
): void {
  useEffect(() => {
    if (!playing) return;
    if (passed >= ticks.length) {
      end();
      return;
    }
    const [before, next] = [ticks[passed - 1]?.at ?? 0, ticks[passed]?.at];
    const timer = setTimeout(() => move(passed + 1), next === undefined ? STEP_MS : Math.min(2000, next - before));
    return () => clearTimeout(timer);
  }, [playing, passed, ticks]);
}
