import { page } from '../../kernel/operation/page-operation.ts';
import { Closed, pageQuery } from '../../kernel/schema/schema.ts';
import * as views from './campaign-views.store.ts';
import { campaignsOffPage, renderCampaignsPage } from './campaigns.page.ts';

const CAMPAIGNS_PER_PAGE = 10;

export const showCampaigns = page(
  'showCampaigns',
  {
    path: '/campaigns',
    tag: 'campaigns',
    summary: 'Show the public register of campaigns as a page.',
    description:
      'For people. Shows the same as `{op:listCampaigns}`. While campaigns are switched off, ' +
      'it explains how to switch them on.',
    auth: 'public',
    untrusted: true,
    sameForStrangers: true,
    query: Closed({ offset: pageQuery.offset }),
  },
  async ({ tx, installation }, { query: { offset } }) => {
    if (!installation.features.campaigns) return campaignsOffPage;
    const found = await views.listPublic(tx, { offset, limit: CAMPAIGNS_PER_PAGE + 1 });
    return renderCampaignsPage(found.slice(0, CAMPAIGNS_PER_PAGE), {
      offset,
      limit: CAMPAIGNS_PER_PAGE,
      more: found.length > CAMPAIGNS_PER_PAGE,
    });
  },
);
