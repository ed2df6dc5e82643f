import { clockText, dayText } from '../frame/clock.js';
import { type Figure, figureText, type Plotted } from './report.js';

/** The height of the drawing in its own units; an hour, or a minute, is one wide. */
const HEIGHT = 100;
/** What a bar leaves free of its width, on either side. */
const GAP = 0.12;

/** A figure of each time as stacked bars, a colour for each name. What it shows is in the table beside it as well. */
export function Plot({ figure, shown: { times, series } }: { readonly figure: Figure; readonly shown: Plotted }) {
  const all = times.map((_, at) => series.reduce((sum, one) => sum + (one.sums[at]?.[figure] ?? 0), 0));
  const top = roundAbove(Math.max(0, ...all));
  const floors = times.map(() => 0);
  const paths = series.map(({ sums }) => {
    const bars = sums.map((sum, index) => {
      const height = (sum[figure] / top) * HEIGHT;
      const floor = (floors[index] ?? 0) + height;
      floors[index] = floor;
      return height > 0 ? `M${index + GAP} ${HEIGHT - floor}h${1 - 2 * GAP}v${height}h${2 * GAP - 1}z` : '';
    });
    return bars.join('');
  });
  const named = [times[0], times[Math.floor(times.length / 2)], times.at(-1)];
  return (
    <div class="plot" aria-hidden="true">
      <div class="scale">
        {[top, top / 2, 0].map((value) => (
          <span key={value}>{tickText(figure, value)}</span>
        ))}
      </div>
      <svg aria-hidden="true" viewBox={`0 0 ${times.length} ${HEIGHT}`} preserveAspectRatio="none">
        <path class="rule" d={`M0 0h${times.length}M0 ${HEIGHT / 2}h${times.length}M0 ${HEIGHT}h${times.length}`} />
        {paths.map((path, index) => (
          <path key={index} class={`series-${index + 1}`} d={path} />
        ))}
      </svg>
      <div class="times">
        {named.map((time) => (
          <span key={time}>{time === undefined ? '' : timeText(time, times)}</span>
        ))}
      </div>
    </div>
  );
}

/** The next of 1, 2, 5, 10, 20, ... that is not below a value; 1 for 0. */
function roundAbove(value: number): number {
  if (value <= 0) return 1;
  const ten = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5].find((factor) => factor * ten >= value) ?? 10) * ten;
}

/** The time of day, or with more than two days the day. */
function timeText(seconds: number, times: readonly number[]): string {
  const time = new Date(seconds * 1000);
  return (times.at(-1) ?? 0) - (times[0] ?? 0) > 2 * 86_400 ? dayText(time) : clockText(time);
}

function tickText(figure: Figure, value: number): string {
  if (figure === 'cost') return `$${Number(value.toPrecision(3))}`;
  return Number.isInteger(value) ? figureText('tokens', value) : '';
}
