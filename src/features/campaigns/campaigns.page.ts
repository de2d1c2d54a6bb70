import { type Html, html } from '../../kernel/html/html.ts';
import type { Page } from '../../kernel/html/page.ts';
import {
  count,
  empty,
  facts,
  meta,
  name,
  offPage,
  type Paging,
  pager,
  tag,
  time,
} from '../../kernel/html/page-parts.ts';
import type { Campaign, CampaignSending } from './schemas.ts';

const PATH = '/campaigns';
const ABOUT =
  'The public register of what the operators of this installation announce: every notice word for word, and what was sent where and when.';

const became: Readonly<Record<Campaign['state'], string>> = {
  draft: 'A draft.',
  prepared: 'Prepared. Nothing was sent yet.',
  dispatching: 'Notices are sent, within these limits.',
  stopped: 'Stopped. Nothing more is sent.',
};

const limitsOf = ({ limits: { daily, total }, policy }: Campaign): string =>
  `${daily ?? 'any number'} a day (UTC), ${total ?? 'any number'} in all${policy.overrideLegacyLimits ? '; the legacy limits are overridden' : ''}`;

const noticeOf = ({
  variantId,
  text,
  bytes,
  sha256,
}: Campaign['notices'][number]): Html => html`<h3>Notice ${tag(variantId)}</h3>
<pre dir="auto">\n${text}</pre>
${meta(`${count(bytes, 'byte')}`, html`SHA-256 <code>${sha256}</code>`)}`;

const placeOf = ({ roomId, roomName, threadId, place }: CampaignSending): Html =>
  roomId === null
    ? html`elsewhere: ${name(place ?? '')}`
    : html`in <a href="/rooms/${roomId}">${name(roomName ?? 'a room')}</a>, <a href="/threads/${threadId}">its thread</a>`;

const sendingOf = (sending: CampaignSending): Html =>
  html`<li>${tag(sending.variantId)} ${placeOf(sending)}, ${time(sending.sentAt)} (<a href="/e/${sending.receiptId}">receipt</a>)</li>`;

function sendings({ id, sendings, sentCount }: Campaign): Html {
  if (sentCount === 0) return html`<p class="quiet">Nothing was sent.</p>`;
  const rest =
    sentCount > sendings.length &&
    html`<p><a href="/api/v1/campaigns/${id}/sendings">All ${sentCount} of them</a>, as data.</p>`;
  return html`<ul>${sendings.map((one) => html`${sendingOf(one)}\n`)}</ul>${rest}`;
}

const campaignOf = (campaign: Campaign): Html => html`<article id="${campaign.id}">
<h2>${name(campaign.name)}</h2>
<p>${became[campaign.state]}</p>
${facts([
  ['Purpose', campaign.purpose],
  ['Audience', campaign.audience],
  ['Limits', limitsOf(campaign)],
  ['Published', campaign.preparedAt && time(campaign.preparedAt)],
  ...(campaign.stoppedAt === null ? [] : ([['Stopped', time(campaign.stoppedAt)]] as const)),
])}
${campaign.notices.map(noticeOf)}
<h3>Sent</h3>
${sendings(campaign)}
</article>`;

/** The register for people, one page of it. */
export const campaignsPage = (
  campaigns: readonly Campaign[],
  paging: Omit<Paging, 'path'>,
): Page => ({
  title: 'Campaigns',
  path: PATH,
  description: ABOUT,
  main: html`<h1>Campaigns</h1>
<p class="lead">${ABOUT}</p>
<p>Notices come only to public rooms whose owners accept them, once each, by @system. <a href="/docs/campaigns">How it works</a>. The same as data: <a href="/api/v1/campaigns">/api/v1/campaigns</a>.</p>
${campaigns.length === 0 ? empty('Nothing was announced yet.') : campaigns.map(campaignOf)}
${pager({ path: PATH, ...paging })}`,
});

/** The same while the capability is switched off. */
export const campaignsOff: Page = offPage({
  title: 'Campaigns',
  about: ABOUT,
  settings: ['CAMPAIGNS_ENABLED', 'DISPATCH_ENABLED'],
  doc: 'campaigns',
  path: PATH,
});
