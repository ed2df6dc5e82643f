import { grouped, oneLine, percent, type Report, summaryOf, targetsOf } from '../../../src/migrate/plain/index.js';
import { targets } from '../state.js';
import { Details } from './details.js';
import { FeatureTable } from './features.js';
import { REPORT_FILES, saveReport } from './forms.js';
import { closeTraffic, readAgain, stopReading, type Traffic, traffic } from './state.js';

/** All that is known of the file: how far the reading is, then a report for each target. Everything of the file is shown as text. */
export function ReportView() {
  const known = traffic.value;
  if (known === undefined) return null;
  const { name, state, share, found, reason } = known;
  const none = state === 'done' && found.every(({ reports }) => reports.length === 0);
  return (
    <section class="traffic" aria-label="Report of a file" aria-busy={state === 'reading' || state === 'stopping'}>
      <header class="bar">
        <h2>
          <code>{oneLine(name)}</code>
        </h2>
        <Reading known={known} />
      </header>
      {state === 'failed' && (
        <p class="alert" role="alert">
          {reason}
        </p>
      )}
      {none && (
        <p>
          {share < 1
            ? 'The reading was stopped before it came to a request.'
            : 'There is no request in this file that a model could be asked.'}
        </p>
      )}
      {found.flatMap(({ target, reports }, index) =>
        reports.map((report) => <OneReport key={`${index} ${report.from} ${target.dialect}`} report={report} />),
      )}
    </section>
  );
}

function Reading({ known: { state, share, entries, size } }: { readonly known: Traffic }) {
  const isOpen = state === 'reading' || state === 'stopping';
  const words = `${grouped(entries)} entries, ${percent(share)} of ${grouped(Math.ceil(size / 1000))} kB`;
  return (
    <>
      {isOpen && <progress aria-label="Reading" max="1" value={share} />}
      <p class="meta" role="status" aria-label="Progress">
        {state === 'stopping' ? `stopping, ${words}` : isOpen ? words : ''}
      </p>
      {isOpen && (
        <button type="button" disabled={state === 'stopping'} onClick={stopReading}>
          Stop
        </button>
      )}
      {!isOpen && (
        <button type="button" class="quiet" onClick={() => readAgain(targets.value)}>
          Read for these targets
        </button>
      )}
      <button type="button" class="quiet" onClick={closeTraffic}>
        Back to the editors
      </button>
    </>
  );
}

function OneReport({ report }: { readonly report: Report }) {
  const { from, to, features, exchanges } = report;
  return (
    <article aria-label={`From ${from} to ${to}`}>
      <header class="bar">
        <h3>
          From <code>{from}</code> to <code>{to}</code>
        </h3>
        <span class="files" role="group" aria-label="Save the report">
          {(Object.keys(REPORT_FILES) as (keyof typeof REPORT_FILES)[]).map((name) => (
            <button key={name} type="button" class="quiet" onClick={() => saveReport(name, report)}>
              {name}
            </button>
          ))}
        </span>
      </header>
      {exchanges > 0 && <Split report={report} />}
      <p>{summaryOf(report)}.</p>
      <p class="meta">{targetsOf(report)}</p>
      {features.length > 0 && <FeatureTable report={report} />}
      <Details report={report} />
    </article>
  );
}

/** The shares of what goes, what loses and what cannot go, as a bar. */
function Split({ report: { exchanges, clean, lossy, refused } }: { readonly report: Report }) {
  const parts = [
    ['clean', clean],
    ['lossy', lossy],
    ['refused', refused],
  ] as const;
  let from = 0;
  return (
    <svg
      class="split"
      role="img"
      aria-label={`${clean} clean, ${lossy} with losses, ${refused} that cannot go`}
      width="100%"
      height="10"
    >
      {parts.map(([name, number]) => {
        const [x, width] = [from, (number / exchanges) * 100];
        from += width;
        return number === 0 ? null : <rect key={name} class={name} x={`${x}%`} width={`${width}%`} height="10" />;
      })}
    </svg>
  );
}
