import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { follow, followed } from '../state.js';
import type { Fault, Mark, Side } from '../work/messages.js';
import type { Editor } from './create.js';

/** The editors that are seen. */
export const editors: { [side in Side]?: Editor } = {};

interface PaneProps {
  readonly side: Side;
  readonly label: string;
  readonly text: ReadonlySignal<string>;
  readonly marks: ReadonlySignal<readonly Mark[]>;
  readonly fault?: ReadonlySignal<Fault | undefined>;
  onText?(text: string, anew: boolean): void;
}

/** Why there are no editors. */
export const withoutEditor = signal(false);

/** An editor of one side. Its program is loaded after the page is seen. */
export function Pane({ side, label, text, marks, fault, onText }: PaneProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const stops: (() => void)[] = [];
    let over = false;
    const open = async (): Promise<void> => {
      const { createEditor } = await import('./create.js');
      if (over || place.current === null) return;
      const editor = createEditor(place.current, side, label, {
        typed: (typed, anew) => onText?.(typed, anew),
        pointed: (offset) => follow(side, offset),
      });
      editors[side] = editor;
      stops.push(
        () => editor.destroy(),
        effect(() => editor.setText(text.value)),
        effect(() => editor.setMarks(marks.value)),
        effect(() => editor.setFault(fault?.value)),
        effect(() => editor.setFollowed(followed.value)),
      );
    };
    open().catch(() => {
      withoutEditor.value = true;
    });
    return () => {
      over = true;
      delete editors[side];
      for (const stop of stops.reverse()) stop();
    };
  }, []);
  return <div class="editor" ref={place} />;
}
