import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { openText } from '../source.js';
import { targets } from '../state.js';
import { takeFile } from './index.js';

/** Why the last file could not be opened; '' = it could. */
const fault = signal('');

async function take(file: File | undefined): Promise<void> {
  if (file === undefined) return;
  fault.value = '';
  try {
    const text = await takeFile(file, targets.value);
    if (text !== undefined) openText(text);
  } catch {
    fault.value = 'The file cannot be read.';
  }
}

/** Opens a file: one body goes into the editor, traffic is reported on. A file may be dropped anywhere on the page too. */
export function FileButton() {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const hasFile = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;
    const over = (event: DragEvent): void => {
      if (hasFile(event)) event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (!hasFile(event)) return;
      event.preventDefault();
      event.stopPropagation();
      void take(event.dataTransfer?.files[0]);
    };
    // Before the editors, which would take the text of a file.
    addEventListener('dragover', over, true);
    addEventListener('drop', drop, true);
    return () => {
      removeEventListener('dragover', over, true);
      removeEventListener('drop', drop, true);
    };
  }, []);
  return (
    <>
      <button type="button" onClick={() => input.current?.click()}>
        Open a file
      </button>
      <input
        ref={input}
        hidden
        type="file"
        aria-label="File"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
      {fault.value !== '' && (
        <span class="alert" role="alert">
          {fault.value}
        </span>
      )}
    </>
  );
}
