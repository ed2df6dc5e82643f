import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** How much of the height the losses have, in percent; undefined = as the style says. */
const share = signal<number | undefined>(undefined);

const STEP = 4;
const bounded = (value: number): number => Math.round(Math.min(75, Math.max(12, value)));

/** The border between the editors and the losses, which is dragged or moved by the arrows. */
export function Splitter() {
  const line = useRef<HTMLHRElement>(null);
  useEffect(() => {
    const view = line.current?.parentElement;
    if (share.value === undefined) view?.style.removeProperty('--losses');
    else view?.style.setProperty('--losses', `${share.value}%`);
  });
  const shareAt = (y: number): number => {
    const box = line.current?.parentElement?.getBoundingClientRect();
    return box === undefined ? 30 : bounded(((box.bottom - y) / box.height) * 100);
  };
  const now = share.value ?? 30;
  return (
    <hr
      ref={line}
      class="splitter"
      role="separator"
      aria-orientation="horizontal"
      aria-label="Height of the losses"
      aria-valuenow={now}
      aria-valuemin={12}
      aria-valuemax={75}
      tabIndex={0}
      onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
      onPointerMove={({ currentTarget, pointerId, clientY }) => {
        if (currentTarget.hasPointerCapture(pointerId)) share.value = shareAt(clientY);
      }}
      onKeyDown={(event) => {
        const by = { ArrowUp: STEP, ArrowDown: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        share.value = bounded(now + by);
      }}
    />
  );
}
