import { useEffect } from 'preact/hooks';
import { CopyMenu } from './copy/menu.js';
import { Pane, withoutEditor } from './editor/pane.js';
import { loadExamples } from './examples.js';
import { Losses } from './losses/table.js';
import { SendPanel } from './send/index.js';
import { compact, fault, refusal, shownMarks, sourceMarks, targetText } from './shown.js';
import { canBeLines, fill, followAddress, pasted, toggleLines, typed, unread } from './source.js';
import { SourceBar } from './source-bar.js';
import { Splitter } from './splitter.js';
import { broken, busy, followed, followGateway, judge, kind, read, shown, text } from './state.js';
import { StreamArea } from './stream/index.js';
import { Chips } from './targets/chips.js';
import { TargetBar } from './targets/target-bar.js';
import { TrafficReport, traffic } from './traffic/index.js';

/** A body with what it becomes at each target. */
export function View() {
  useEffect(() => {
    judge();
    void loadExamples();
    const stops = [followGateway(), followAddress()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <main class="translate" id="main" aria-label="Translate" aria-busy={busy.value}>
      <SourceBar />
      <Chips />
      {traffic.value === undefined ? (
        <>
          <div class="beside">
            <SendPanel />
            <StreamArea />
          </div>
          <div class="sides">
            <SourceSide />
            <TargetSide />
          </div>
          <Splitter />
          <Losses />
        </>
      ) : (
        <TrafficReport />
      )}
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
          Pretty-print
        </button>
        <button type="button" class="quiet" onClick={() => fill('')}>
          Clear
        </button>
      </div>
      {wrong !== undefined &&
        (text.value.trim() === '' ? (
          <p class="hint">{wrong}</p>
        ) : (
          <p class="alert" role="alert">
            {wrong}
          </p>
        ))}
      <Pane side="source" label="Input" text={text} marks={sourceMarks} fault={fault} onText={typed} />
    </section>
  );
}

/** Why the source is not translated. */
function faultText(): string | undefined {
  if (broken.value !== undefined) return broken.value;
  if (unread.value !== undefined) return unread.value;
  if (withoutEditor.value) return 'The editor cannot be loaded: is the gateway still there? Load the page again.';
  const { fault: wrong, problem } = read.value ?? {};
  if (wrong === undefined) return problem;
  return `Line ${wrong.line}, column ${wrong.column}: ${wrong.expected} is expected here.`;
}

function TargetSide() {
  const refused = refusal.value;
  return (
    <section class="side" aria-label="Translation">
      <div class="bar">
        <TargetBar />
        <button
          type="button"
          class="quiet"
          aria-pressed={compact.value}
          disabled={shown.value === undefined || kind.value === 'stream'}
          onClick={() => {
            compact.value = !compact.value;
          }}
        >
          Compact
        </button>
        <CopyMenu />
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
