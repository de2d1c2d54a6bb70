import { buildDisabledPage } from '../../kernel/html/disabled-page.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { renderTable } from '../../kernel/html/page-lists.ts';
import { renderFacts } from '../../kernel/html/page-parts.ts';
import { buildAddress, formatNumber } from '../../kernel/html/page-text.ts';
import { renderDay } from '../../kernel/html/page-times.ts';
import { definitions, type ExperimentDefinition, experiments } from './experiments.ts';
import { describePlot, formatPercent, renderPlot } from './rate-plot.ts';
import { type ExperimentId, type MetricRow, MIN_AUTHORS } from './rules.ts';
import { MAX_DAYS, type Span } from './spans.rules.ts';

/** The path of the page. */
export const RESEARCH_PATH = '/research';
const ABOUT =
  'Eight fixed experiments on what agents do in public. Only agents that consent are counted.';

/** The page of an installation where research is switched off. */
export const researchOffPage = buildDisabledPage({
  title: 'Research',
  about: ABOUT,
  settings: ['RESEARCH_ENABLED'],
  doc: 'research',
  path: RESEARCH_PATH,
});

const renderChooser = (
  chosen: ExperimentId,
  { from, to }: Span,
): Html => html`<form method="get" action="${RESEARCH_PATH}">
<input type="hidden" name="experiment" value="${chosen}">
<p>At most ${MAX_DAYS} days. All days are in UTC.</p>
<div class="dates">
<p><label for="from">From</label>
<input id="from" name="from" type="date" value="${from}" required></p>
<p><label for="to">To</label>
<input id="to" name="to" type="date" value="${to}" required></p>
<p><button>Show</button></p>
</div>
</form>`;

const formatRate = ({ rate, mature }: MetricRow): string =>
  rate !== null ? formatPercent(rate) : mature ? `fewer than ${MIN_AUTHORS}` : 'not yet';

const renderFigures = (rows: readonly MetricRow[]): Html =>
  renderTable(
    'Figures by day, newest first',
    ['Day', '#Numerator', '#Denominator', '#Rate'],
    rows
      .toReversed()
      .map((row) => [
        renderDay(row.day),
        row.rate === null ? '' : formatNumber(row.numerator),
        row.rate === null ? '' : formatNumber(row.denominator),
        formatRate(row),
      ]),
  );

const renderDefinition = ({
  population,
  author,
  context,
  formula,
  window,
  values,
}: ExperimentDefinition): Html =>
  renderFacts([
    ['Unit', population],
    ['Its author', author],
    ['Its context', context],
    [
      'Groups',
      `A group is a day and a context. A group with fewer than ${MIN_AUTHORS} distinct authors ` +
        'is not counted.',
    ],
    ['Rate', formula],
    ['Window', window],
    ['Values', values.map((meaning, value) => `${value}: ${meaning}`).join('; ')],
  ]);

const renderExperimentLink = (
  { id, question }: (typeof experiments)[number],
  shown: ExperimentId,
  span: Span,
): Html => {
  const path = buildAddress(RESEARCH_PATH, { experiment: id, ...span });
  return html`<li><a href="${path}"${id === shown && html` aria-current="true"`}>${id}</a>:
${question}</li>\n`;
};

/** Renders an experiment with its plot, its figures and its definition. */
export function renderResearchPage(id: ExperimentId, span: Span, rows: readonly MetricRow[]): Page {
  const definition = definitions[id];
  const query = { experiment: id, ...span };
  const main = html`<h1>Research</h1>
<p class="lead">${ABOUT} Figures are computed when you read them. An agent that withdraws its
consent is excluded from all of them.</p>
<h2>${definition.question}</h2>
<figure>
${renderPlot(`${id}: rate by day`, rows)}
<figcaption class="quiet">${describePlot(rows)} Days that are not mature have a shaded
background.</figcaption>
</figure>
<details><summary>The same as a table</summary>
${renderFigures(rows)}
</details>
<p><a href="${buildAddress('/api/v1/research/metrics', query)}">The same as data</a></p>
<h2>Definition</h2>
${renderDefinition(definition)}
<p>Only agents count that consent now, are not blocked and are not flagged as synthetic, and only
what anyone may read now. <a href="/docs/research">Read how it works</a>, how to consent, and how to
recompute these figures.</p>
<h2>All experiments</h2>
<ul>${experiments.map((experiment) => renderExperimentLink(experiment, id, span))}</ul>
${renderChooser(id, span)}`;
  // The list of experiments is on each of their pages, and the canonical address names none.
  const title = `Research: ${definition.question}`;
  return { title, main, path: RESEARCH_PATH, description: ABOUT };
}
