import { STYLE } from './html-style.js';
import type { FeatureRow, LossAt, ModelRow, RefusalRow, Report } from './report.js';
import {
  beyondText,
  byText,
  grouped,
  homeTitle,
  meaningOf,
  modelText,
  oneLine,
  percent,
  placeText,
  targetsOf,
  targetText,
  timesText,
  unreadTitle,
  WAYS,
} from './words.js';

/** A report as one page without script and without anything from elsewhere. */
export function htmlOf(report: Report): string {
  const { from, to, features, models, partial } = report;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>From ${from} to ${to}: what would be lost</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<p class="kicker">interlingua migrate</p>
<h1>From <code>${from}</code> to <code>${to}</code></h1>
<p class="lead">${leadOf(report)}</p>
<p>${escaped(targetsOf(report))}</p>${partial ? '\n<p class="note">The reading was interrupted: these are the figures of a part.</p>' : ''}
</header>
${figuresOf(report)}
<section>
<h2>What would be lost</h2>
${features.length === 0 ? '<p>Nothing.</p>' : featuresOf(report)}
</section>
<section>
<h2>Models</h2>
${models.length === 0 ? '<p>None.</p>' : modelsOf(models)}
</section>
${restOf(report)}
<footer>A counted loss is one that a strict translation refuses. Shares are of all exchanges, those of answers of all answers.</footer>
</main>
</body>
</html>
`;
}

function leadOf({ exchanges, clean, from, to }: Report): string {
  if (exchanges === 0) return `There was no request in ${from}.`;
  const share = percent(clean / exchanges);
  return `${share} of ${grouped(exchanges)} recorded exchanges could move from ${from} to ${to} without a counted loss.`;
}

function figuresOf({ exchanges, clean, lossy, refused, answers, unreadable }: Report): string {
  const figures: readonly (readonly [name: string, number: number, kind: string])[] = [
    ['clean', clean, 'clean'],
    ['with losses', lossy, 'lossy'],
    ['cannot go', refused, 'refused'],
    ['answers read', answers, ''],
    ['unreadable', unreadable, ''],
  ];
  const bar = [
    ['clean', clean],
    ['lossy', lossy],
    ['refused', refused],
  ] as const;
  const parts = bar.map(([kind, number]) =>
    number === 0 ? '' : `<i class="${kind}" style="flex-grow:${number}"></i>`,
  );
  const cells = figures.map(
    ([name, number, kind]) =>
      `<div><dt>${kind === '' ? '' : `<i class="dot ${kind}"></i>`}${name}</dt><dd>${grouped(number)}</dd></div>`,
  );
  return `<section class="figures" aria-label="Figures">
<div class="split" role="img" aria-label="${clean} clean, ${lossy} with losses, ${refused} that cannot go, of ${exchanges}">${parts.join('')}</div>
<dl>${cells.join('')}</dl>
</section>`;
}

function featuresOf({ features }: Report): string {
  const rows = features.map((row) => featureRow(row));
  return `<table class="features">
<thead><tr><th scope="col">Feature</th><th scope="col">Share</th><th scope="col" class="number">Requests</th><th scope="col">What to do</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function featureRow({ feature, kind, way, requests, share, first, strict, advice }: FeatureRow): string {
  const value = first.value === undefined ? '' : `<br>was <code>${escaped(first.value)}</code>`;
  const tags = `<span class="tag ${strict ? 'counted' : ''}">${kind}</span> <span class="tag">${WAYS[way]}</span>`;
  return `<tr>
<th scope="row"><code>${escaped(feature)}</code><p>${escaped(meaningOf(feature))}</p><p>${tags}</p></th>
<td class="share">${bar(share, strict ? 'lossy' : 'minor')}<span>${percent(share)}</span></td>
<td class="number">${grouped(requests)}</td>
<td><p>${escaped(advice)}</p><p class="where">First at <code>${escaped(placeText(first))}</code> <code>${escaped(first.path)}</code>${value}</p></td>
</tr>`;
}

function bar(share: number, kind: string): string {
  return `<i class="bar"><i class="${kind}" style="width:${(Math.min(1, share) * 100).toFixed(2)}%"></i></i>`;
}

function modelsOf(models: readonly ModelRow[]): string {
  const most = Math.max(...models.map(({ exchanges }) => exchanges));
  const rows = models.map((row) => {
    const { model, exchanges, lossy, refused } = row;
    const clean = exchanges - lossy - refused;
    const width = ((exchanges / most) * 100).toFixed(2);
    const part = (kind: string, number: number): string =>
      number === 0 ? '' : `<i class="${kind}" style="flex-grow:${number}"></i>`;
    return `<tr><th scope="row"><code>${escaped(modelText(model))}</code></th><td><code>${escaped(targetText(row))}</code></td>
<td class="share"><i class="bar wide"><i class="split" style="width:${width}%">${part('clean', clean)}${part('lossy', lossy)}${part('refused', refused)}</i></i></td>
<td class="number">${grouped(exchanges)}</td><td class="number">${grouped(lossy)}</td><td class="number">${grouped(refused)}</td></tr>`;
  });
  return `<table class="models">
<thead><tr><th scope="col">Model</th><th scope="col">Judged as</th><th scope="col">Exchanges</th><th scope="col" class="number">All</th><th scope="col" class="number">With losses</th><th scope="col" class="number">Cannot go</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function restOf(report: Report): string {
  const { worst, refusals, refusalsBeyond, unread, atHome } = report;
  const list = (items: string): string => `<ul>${items}</ul>`;
  return [
    section('What cannot go', refusalItems(refusals, refusalsBeyond, byText), list),
    section(homeTitle(report), refusalItems(atHome.refusals, atHome.refusalsBeyond), list),
    section(
      'The worst exchanges',
      worst.map(
        ({
          losses,
          ...place
        }) => `<details><summary><code>${escaped(placeText(place))}</code> <span>${losses.length} ${losses.length === 1 ? 'loss' : 'losses'}</span></summary>
<ul>${losses.map(lossItem).join('\n')}</ul></details>`,
      ),
      (items) => items,
    ),
    section(
      unreadTitle(report),
      unread.map((one) => `<li><code>${escaped(placeText(one))}</code> ${escaped(one.reason)}</li>`),
      list,
    ),
  ].join('');
}

function refusalItems(
  rows: readonly RefusalRow[],
  beyond: number,
  by: (row: RefusalRow) => string = () => '',
): string[] {
  const items = rows.map((row) => {
    const place = row.path === '' ? '' : ` <code>${escaped(row.path)}</code>`;
    return `<li>${escaped(timesText(row))}:${place} ${by(row)}${escaped(row.reason)}</li>`;
  });
  return [...items, ...beyondText(beyond).map((text) => `<li>${text}</li>`)];
}

function section(title: string, items: readonly string[], wrap: (items: string) => string): string {
  return items.length === 0 ? '' : `<section>\n<h2>${title}</h2>\n${wrap(items.join('\n'))}\n</section>\n`;
}

function lossItem({ way, path, feature, kind, detail, value }: LossAt): string {
  const shown = value === undefined ? '' : ` <span>was <code>${escaped(value)}</code></span>`;
  return `<li><code>${escaped(path === '' ? '/' : path)}</code> <span class="tag">${escaped(feature)}</span> <span class="tag">${kind}</span> <span class="tag">${WAYS[way]}</span> ${escaped(detail)}${shown}</li>`;
}

/** What came from a body may hold anything. */
function escaped(text: string): string {
  return oneLine(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
