import {
  firstText,
  grouped,
  meaningOf,
  oneLine,
  percent,
  type Report,
  WAYS,
} from '../../../src/migrate/plain/index.js';

/** The features that are lost, with how often and what to do. */
export function FeatureTable({ report: { features, from, to } }: { readonly report: Report }) {
  return (
    // The table is wider than a phone: what scrolls is reached by keyboard.
    <div class="wide-table" role="region" aria-label={`What would be lost from ${from} to ${to}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Feature</th>
            <th scope="col">Kind</th>
            <th scope="col">Of the</th>
            <th scope="col" class="number">
              Requests
            </th>
            <th scope="col" class="number">
              Share
            </th>
            <th scope="col">Strict refuses</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {features.map((row) => (
            <tr key={`${row.way} ${row.kind} ${row.feature}`}>
              <th scope="row">
                <code>{oneLine(row.feature)}</code>
                <p class="meta">{meaningOf(row.feature)}</p>
              </th>
              <td>
                <span class={`kind ${row.kind}`}>{row.kind}</span>
              </td>
              <td>{WAYS[row.way]}</td>
              <td class="number">{grouped(row.requests)}</td>
              <td class="number">{percent(row.share)}</td>
              <td>{row.strict ? 'yes' : 'no'}</td>
              <td>
                {row.advice}
                <p class="meta">
                  First at <code>{firstText(row)}</code>
                </p>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
