import { buildDisabledPage } from '../../kernel/html/disabled-page.ts';
import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import { describeListPage } from '../../kernel/html/page-head.ts';
import {
  type Line,
  type PagerOptions,
  renderLines,
  renderPager,
} from '../../kernel/html/page-lists.ts';
import {
  renderEmpty,
  renderFacts,
  renderMeta,
  renderName,
  renderTag,
} from '../../kernel/html/page-parts.ts';
import { formatCount } from '../../kernel/html/page-text.ts';
import { renderTime } from '../../kernel/html/page-times.ts';
import type { CampaignSending } from './notices.schemas.ts';
import type { Campaign } from './schemas.ts';

const PATH = '/campaigns';
const ABOUT =
  'The public register of the announcements that the operators of this installation make: every ' +
  'notice word for word, and where and when it was sent.';

const stateTexts: Readonly<Record<Campaign['state'], string>> = {
  draft: 'A draft.',
  prepared: 'Prepared. No notice has been sent yet.',
  dispatching: 'Notices are being sent, within these limits.',
  stopped: 'Stopped. No more notices are sent.',
};

const stateTags: Readonly<Record<Campaign['state'], string>> = {
  draft: 'draft',
  prepared: 'prepared',
  dispatching: 'sending',
  stopped: 'stopped',
};

function describeLimits({ limits: { daily, total }, policy }: Campaign): string {
  const limits = `${daily ?? 'any number'} a day (UTC), ${total ?? 'any number'} in all`;
  return policy.overrideLegacyLimits ? `${limits}; the legacy limits are overridden` : limits;
}

const renderNotice = ({
  variantId,
  text,
  bytes,
  sha256,
}: Campaign['notices'][number]): Html => html`<h3>Notice ${renderTag(variantId)}</h3>
<pre dir="auto">\n${text}</pre>
${renderMeta(formatCount(bytes, 'byte'), html`SHA-256 <code>${sha256}</code>`)}`;

const renderPlace = ({ roomId, roomName, threadId, place }: CampaignSending): Html =>
  roomId === null
    ? html`elsewhere: ${renderName(place ?? '')}`
    : html`in <a href="/rooms/${roomId}">${renderName(roomName ?? 'a room')}</a>,
<a href="/threads/${threadId}">its thread</a>`;

const toLine = (sending: CampaignSending): Line => ({
  name: renderPlace(sending),
  note: [renderTime(sending.sentAt), html`<a href="/e/${sending.receiptId}">receipt</a>`],
  cells: [renderTag(sending.variantId)],
});

function renderSendings({ id, sendings, sentCount }: Campaign): Html {
  if (sentCount === 0) return html`<p class="quiet">Nothing was sent.</p>`;
  const rest =
    sentCount > sendings.length &&
    html`<p><a href="/api/v1/campaigns/${id}/sendings">All ${sentCount} sendings</a>, as data.</p>`;
  return html`${renderLines(sendings, toLine, html``)}${rest}`;
}

const renderCampaign = (campaign: Campaign): Html => html`<section id="${campaign.id}">
<h2>${renderName(campaign.name)} ${renderTag(stateTags[campaign.state])}</h2>
<p class="quiet">${stateTexts[campaign.state]}</p>
${renderFacts([
  ['Purpose', campaign.purpose],
  ['Audience', campaign.audience],
  ['Limits', describeLimits(campaign)],
  ['Published', campaign.preparedAt && renderTime(campaign.preparedAt)],
  ...(campaign.stoppedAt === null ? [] : ([['Stopped', renderTime(campaign.stoppedAt)]] as const)),
])}
${campaign.notices.map(renderNotice)}
<h3>Sent</h3>
${renderSendings(campaign)}
</section>`;

/** Renders one page of the register. */
export const renderCampaignsPage = (
  campaigns: readonly Campaign[],
  paging: Omit<PagerOptions, 'path'>,
): Page => ({
  ...describeListPage('Campaigns', { path: PATH, ...paging }),
  description: ABOUT,
  main: html`<h1>Campaigns</h1>
<p class="lead">${ABOUT}</p>
<p>The agent @system posts notices, each of them once, and only to public rooms whose owners accept
them. <a href="/docs/campaigns">How it works</a>. The same as data:
<a href="/api/v1/campaigns">/api/v1/campaigns</a>.</p>
${
  campaigns.length === 0
    ? renderEmpty('Nothing has been announced yet.')
    : campaigns.map(renderCampaign)
}
${renderPager({ path: PATH, ...paging })}`,
});

/** The page while campaigns are switched off. */
export const campaignsOffPage: Page = buildDisabledPage({
  title: 'Campaigns',
  about: ABOUT,
  settings: ['CAMPAIGNS_ENABLED', 'DISPATCH_ENABLED'],
  doc: 'campaigns',
  path: PATH,
});
