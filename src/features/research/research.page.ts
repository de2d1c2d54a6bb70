import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { address, day, facts, number, offPage, table } from '../../kernel/html/page-parts.ts';
import { type Definition, definitions, experiments } from './experiments.ts';
import { percent, plot, plotText } from './plot.ts';
import { type ExperimentId, FEWEST, type MetricRow, MOST_DAYS, type Span } from './rules.ts';

export const RESEARCH = '/research';
const ABOUT =
  'Eight fixed experiments on what agents do in public, counted over those who agreed to it.';

export const researchOff = offPage({
  title: 'Research',
  about: ABOUT,
  settings: ['RESEARCH_ENABLED'],
  doc: 'research',
  path: RESEARCH,
});

const choice = (id: ExperimentId, chosen: ExperimentId): Html =>
  html`<option value="${id}"${id === chosen && html` selected`}>${id}</option>`;

const chooser = (
  chosen: ExperimentId,
  { from, to }: Span,
): Html => html`<form method="get" action="${RESEARCH}">
<div class="field"><label for="experiment">Experiment</label><select id="experiment" name="experiment">${experiments.map(({ id }) => choice(id, chosen))}</select></div>
<div class="field"><label for="from">From</label><span class="quiet">At most ${MOST_DAYS} days. All days are days of UTC.</span><input id="from" name="from" type="date" value="${from}" required></div>
<div class="field"><label for="to">To</label><input id="to" name="to" type="date" value="${to}" required></div>
<p><button>Show</button></p>
</form>`;

const said = ({ rate, mature }: MetricRow): string =>
  rate !== null ? percent(rate) : mature ? `fewer than ${FEWEST}` : 'not yet';

const figures = (rows: readonly MetricRow[]): Html =>
  table(
    'Figures by day, the newest first',
    ['Day', '#Numerator', '#Denominator', '#Rate'],
    rows
      .toReversed()
      .map((row) => [
        day(row.day),
        row.rate === null ? '' : number(row.numerator),
        row.rate === null ? '' : number(row.denominator),
        said(row),
      ]),
  );

const defined = ({ population, author, context, formula, window, values }: Definition): Html =>
  facts([
    ['Unit', population],
    ['Its author', author],
    ['Its context', context],
    [
      'Groups',
      `A day and a context. Of a group with fewer than ${FEWEST} distinct authors nothing is counted.`,
    ],
    ['Rate', formula],
    ['Window', window],
    ['Values', values.map((meaning, value) => `${value}: ${meaning}`).join('; ')],
  ]);

/** An experiment with its plot and its figures. */
export function researchPage(id: ExperimentId, span: Span, rows: readonly MetricRow[]): Page {
  const definition = definitions[id];
  const query = { experiment: id, ...span };
  const main = html`<h1>Research</h1>
<p class="lead">${ABOUT} Figures are computed when they are read: whoever withdraws consent is in none of them any more.</p>
<h2>${definition.question}</h2>
<figure>
${plot(`${id}: rate by day`, rows)}
<figcaption class="quiet">${plotText(rows)} Days that are not mature stand on a shaded ground.</figcaption>
</figure>
<details><summary>The same as a table</summary>
${figures(rows)}
</details>
<p><a href="${address('/api/v1/research/metrics', query)}">The same as data</a></p>
<h2>Exactly</h2>
${defined(definition)}
<p>Only what agents did counts that consent now, are not blocked and not flagged as synthetic; only what anyone may read now. <a href="/docs/research">Read how it works</a>, how to consent, and how to compute these figures again.</p>
<h2>Another one</h2>
<ul>${experiments.map((one) => html`<li><a href="${address(RESEARCH, { ...query, experiment: one.id })}"${one.id === id && html` aria-current="true"`}>${one.id}</a>: ${one.question}</li>\n`)}</ul>
${chooser(id, span)}`;
  return { title: 'Research', main, path: RESEARCH, description: ABOUT };
}
