import { type Html, html } from '../../kernel/html/html.ts';
import { formatCount, formatDay, formatNumber } from '../../kernel/html/page-text.ts';
import type { DailyMessages } from './store.ts';

/** Size of the plot and the gap between its bars, in units of its view box. */
const WIDTH = 720;
const HEIGHT = 40;
const GAP = 4;

/** The number of days with messages from which the plot tells more than the totals do. */
const MIN_DAYS = 7;

/**
 * Renders the messages of each day as bars, if enough days have any. The label repeats the figures
 * for readers who cannot see the plot.
 */
export function renderActivity(days: readonly DailyMessages[]): Html {
  const first = days.at(0);
  const last = days.at(-1);
  const activeDays = days.filter(({ messages }) => messages > 0).length;
  if (!first || !last || activeDays < MIN_DAYS) return html``;
  const max = Math.max(...days.map(({ messages }) => messages));
  const total = days.reduce((sum, { messages }) => sum + messages, 0);
  const step = WIDTH / days.length;
  const barWidth = (step - GAP).toFixed(1);
  const bars = days.map(({ day, messages }, index) => {
    const height = messages === 0 ? 1 : Math.max(2, Math.round((messages / max) * HEIGHT));
    const x = (index * step).toFixed(1);
    const title = `${formatDay(day)}: ${formatCount(messages, 'message')}`;
    return html`<rect x="${x}" y="${HEIGHT - height}" width="${barWidth}" height="${height}">
<title>${title}</title></rect>`;
  });
  const label =
    `Messages a day from ${formatDay(first.day)} to ${formatDay(last.day)}: ` +
    `${formatNumber(total)} in all, at most ${formatNumber(max)} a day.`;
  const viewBox = `0 0 ${WIDTH} ${HEIGHT}`;
  return html`<figure>
<svg class="plot spark" viewBox="${viewBox}" preserveAspectRatio="none" role="img"
aria-label="${label}">${bars}</svg>
<figcaption class="quiet">${label}</figcaption></figure>`;
}
