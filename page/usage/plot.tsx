import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { type Figure, figureText, type Plotted } from './report.js';

const HEIGHT = 96;

/** The hours of a figure as bars, a colour for each name. What it shows is in the table beside it as well. */
export function Plot({ figure, shown }: { readonly figure: Figure; readonly shown: Plotted }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    let plot = draw(element, figure, shown);
    const again = (): void => {
      plot.destroy();
      plot = draw(element, figure, shown);
    };
    const sizes = new ResizeObserver(() => plot.setSize({ width: widthOf(element), height: HEIGHT }));
    sizes.observe(element);
    // The colours of a drawing do not follow those of the page.
    const colours = new MutationObserver(again);
    colours.observe(document.documentElement, { attributes: true, attributeFilter: ['data-scheme'] });
    const system = matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', again);
    return () => {
      sizes.disconnect();
      colours.disconnect();
      system.removeEventListener('change', again);
      plot.destroy();
    };
  }, [figure, shown]);
  return <div class="plot" ref={place} aria-hidden="true" />;
}

function widthOf({ clientWidth }: HTMLElement): number {
  return Math.max(80, clientWidth);
}

function draw(element: HTMLElement, figure: Figure, { times, series }: Plotted): uPlot {
  const styles = getComputedStyle(element);
  /** What a custom property says; the canvas knows no `light-dark()`, so that an element has to take it. */
  const colourOf = (name: string): string => {
    const probe = document.createElement('i');
    probe.className = name;
    element.append(probe);
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const soft = colourOf('soft');
  const line = colourOf('rule');
  const font = `11px ${styles.fontFamily}`;
  // Stacked: the sum of all is drawn first, and in front of it the sums without the first, the second, ...
  const stacked = series.map((_, index) =>
    times.map((_time, hour) => series.slice(index).reduce((sum, one) => sum + (one.hours[hour]?.[figure] ?? 0), 0)),
  );
  const bars = uPlot.paths.bars?.({ size: [0.8, 24] });
  return new uPlot(
    {
      width: widthOf(element),
      height: HEIGHT,
      legend: { show: false },
      cursor: { show: false },
      padding: [8, 4, 0, 0],
      scales: { y: { range: (_plot, _least, most) => [0, most > 0 ? most * 1.05 : 1] } },
      series: [
        {},
        ...series.map((_, index) => ({
          fill: colourOf(`series-${index + 1}`),
          width: 0,
          points: { show: false },
          ...(bars !== undefined && { paths: bars }),
        })),
      ],
      axes: [
        {
          ...{ stroke: soft, font, size: 22, space: 64, grid: { show: false }, ticks: { stroke: line, size: 3 } },
          values: (_plot, ticks) => ticks.map((tick) => timeText(tick, times.length)),
        },
        {
          ...{ stroke: soft, font, size: 44, space: 28, ticks: { show: false }, grid: { stroke: line, width: 1 } },
          values: (_plot, ticks) => ticks.map((tick) => tickText(figure, tick)),
        },
      ],
    },
    [[...times], ...stacked],
    element,
  );
}

/** The hour, or with more than two days the day. */
function timeText(seconds: number, hours: number): string {
  const time = new Date(seconds * 1000);
  if (hours > 48) return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return time.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function tickText(figure: Figure, value: number): string {
  if (figure === 'cost') return `$${Number(value.toPrecision(3))}`;
  return Number.isInteger(value) ? figureText('tokens', value) : '';
}
