import type { ComponentChildren } from 'preact';
import {
  beyondText,
  byText,
  grouped,
  homeTitle,
  modelText,
  oneLine,
  placeText,
  type Report,
  targetText,
  timesText,
  unreadTitle,
  WAYS,
} from '../../../src/migrate/plain/index.js';

type Refusals = Report['refusals'];

/** The rest of a report: what cannot go, models, the worst exchanges, what could not be read. */
export function Details({ report }: { readonly report: Report }) {
  const { models, refusals, refusalsBeyond, atHome, worst, unread } = report;
  return (
    <>
      <Part title="What cannot go" items={refusalItems(refusals, refusalsBeyond, byText)} open />
      <Part title="Models" items={models.map((row) => modelItem(row))} />
      <Part title={homeTitle(report)} items={refusalItems(atHome.refusals, atHome.refusalsBeyond)} />
      <Part
        title="The worst exchanges"
        items={worst.map(({ losses, ...place }) => (
          <>
            <code>{oneLine(placeText(place))}</code>
            <ul>
              {losses.map((loss, index) => (
                <li key={index}>
                  {WAYS[loss.way]} <code>{oneLine(loss.path === '' ? '/' : loss.path)}</code>: {oneLine(loss.feature)}{' '}
                  {loss.kind}; {oneLine(loss.detail)}
                </li>
              ))}
            </ul>
          </>
        ))}
      />
      <Part
        title={unreadTitle(report)}
        items={unread.map((one) => (
          <>
            <code>{oneLine(placeText(one))}</code> {oneLine(one.reason)}
          </>
        ))}
      />
    </>
  );
}

function Part({
  title,
  items,
  open = false,
}: {
  readonly title: string;
  readonly items: readonly ComponentChildren[];
  readonly open?: boolean;
}) {
  if (items.length === 0) return null;
  return (
    <details open={open}>
      <summary>
        {title} <span class="meta">{grouped(items.length)}</span>
      </summary>
      <ul>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </details>
  );
}

function modelItem(row: Report['models'][number]): ComponentChildren {
  const { model, exchanges, lossy, refused } = row;
  return (
    <>
      <code>{modelText(model)}</code> judged as <code>{targetText(row)}</code>: {grouped(exchanges)} exchanges,{' '}
      {grouped(lossy)} with losses, {grouped(refused)} that cannot go
    </>
  );
}

function refusalItems(
  rows: Refusals,
  beyond: number,
  by: (row: Refusals[number]) => string = () => '',
): readonly ComponentChildren[] {
  const items = rows.map(
    (row): ComponentChildren => (
      <>
        {oneLine(timesText(row))}: {row.path !== '' && <code>{oneLine(row.path)}</code>} {by(row)}
        {oneLine(row.reason)}
      </>
    ),
  );
  return [...items, ...beyondText(beyond)];
}
