import { page } from '../../kernel/operation/page-operation.ts';
import { Closed, pageQuery } from '../../kernel/schema/schema.ts';
import { campaignsOff, campaignsPage } from './campaigns.page.ts';
import * as campaigns from './store.ts';

const LIMIT = 10;

export const showCampaigns = page(
  'showCampaigns',
  {
    path: '/campaigns',
    tag: 'campaigns',
    summary: 'The public register of campaigns as a page.',
    description:
      'The same facts as `GET /api/v1/campaigns`, for people. While campaigns are switched off it says so, and how to switch them on.',
    auth: 'public',
    untrusted: true,
    query: Closed({ offset: pageQuery.offset }),
  },
  async ({ tx, installation }, { query: { offset = 0 } }) => {
    if (!installation.features.campaigns) return campaignsOff;
    const found = await campaigns.listPublic(tx, offset, LIMIT + 1);
    return campaignsPage(found.slice(0, LIMIT), {
      offset,
      limit: LIMIT,
      more: found.length > LIMIT,
    });
  },
);
