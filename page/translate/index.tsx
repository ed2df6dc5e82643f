import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Pane, withoutEditor } from './editor/pane.js';
import { loadExamples } from './examples.js';
import { Losses } from './losses/table.js';
import { compact, fault, refusal, shownMarks, sourceMarks, targetText } from './shown.js';
import { canBeLines, fill, followAddress, pasted, toggleLines, typed } from './source.js';
import { SourceBar } from './source-bar.js';
import { Splitter } from './splitter.js';
import { broken, busy, followed, judge, kind, read, shown, text } from './state.js';
import { StreamBar } from './stream-bar.js';
import { Chips } from './targets/chips.js';
import { TargetBar } from './targets/target-bar.js';

/** A body with what it becomes at each target. */
export function View() {
  useEffect(() => {
    judge();
    void loadExamples();
    return followAddress();
  }, []);
  return (
    <main class="translate" id="main" aria-label="Translate" aria-busy={busy.value}>
      <SourceBar />
      <Chips />
      <StreamBar />
      <div class="sides">
        <SourceSide />
        <TargetSide />
      </div>
      <Splitter />
      <Losses />
    </main>
  );
}

function SourceSide() {
  const wrong = faultText();
  return (
    <section class="side" aria-label="Source">
      <div class="bar">
        <h2>Source</h2>
        <p class="meta nowhere" role="status" aria-label="Followed value">
          {followed.value?.side === 'source' ? (followed.value.nowhere ?? '') : ''}
        </p>
        <button
          type="button"
          class="quiet"
          aria-pressed={pasted.value !== undefined}
          disabled={!canBeLines()}
          onClick={toggleLines}
        >
          In lines
        </button>
        <button type="button" class="quiet" onClick={() => fill('')}>
          Clear
        </button>
      </div>
      {wrong !== undefined && (
        <p class="alert" role="alert">
          {wrong}
        </p>
      )}
      <Pane side="source" label="Input" text={text} marks={sourceMarks} fault={fault} onText={typed} />
    </section>
  );
}

/** Why the source is not translated. */
function faultText(): string | undefined {
  if (broken.value !== undefined) return broken.value;
  if (withoutEditor.value) return 'The editor cannot be loaded: is the gateway still there? Load the page again.';
  const { fault: wrong, problem } = read.value ?? {};
  if (wrong === undefined) return problem;
  return `Line ${wrong.line}, column ${wrong.column}: ${wrong.expected} is expected here.`;
}

/** What became of the copy that was asked for last. */
const copied = signal('');

function TargetSide() {
  const refused = refusal.value;
  return (
    <section class="side" aria-label="Translation">
      <div class="bar">
        <TargetBar />
        <span class="meta" role="status" aria-label="Copy">
          {copied.value}
        </span>
        <button
          type="button"
          class="quiet"
          aria-pressed={compact.value}
          disabled={shown.value === undefined || kind.value === 'stream'}
          onClick={() => {
            compact.value = !compact.value;
          }}
        >
          One line
        </button>
        <button
          type="button"
          class="quiet"
          disabled={targetText.value === ''}
          onClick={async () => {
            copied.value = await navigator.clipboard.writeText(targetText.value).then(
              () => 'copied',
              () => 'the browser does not let this page copy',
            );
          }}
        >
          Copy
        </button>
      </div>
      {refused !== undefined && (
        <p class="alert" role="alert">
          {refused}
        </p>
      )}
      <div class="editor-place" hidden={refused !== undefined && targetText.value === ''}>
        <Pane side="target" label="Translation" text={targetText} marks={shownMarks} />
      </div>
    </section>
  );
}
