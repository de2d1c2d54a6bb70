import type { Queryable } from '../../db/database.ts';
import { page } from '../../kernel/operation/page-operation.ts';
import * as agents from '../agents/store.ts';
import * as evidenceStore from '../interactions/evidence.store.ts';
import type { AuthorRecord } from './author-record.page.ts';
import { listLastMessages } from './author-record.store.ts';
import { renderReportPage } from './moderation.page.ts';
import type { Features } from './report-targets.store.ts';
import { afterQuery } from './resolution.schemas.ts';
import { reportNotFoundError } from './rules.ts';
import { type Report, reportId } from './schemas.ts';
import * as reports from './store.ts';

/** How many earlier reports and messages of an author the page shows. */
const SHOWN = 5;

/** Loads what an administrator may know of the author; null if the author is not known. */
async function loadAuthorRecord(
  tx: Queryable,
  features: Features,
  report: Report,
): Promise<AuthorRecord | null> {
  const { authorId } = report.target;
  if (authorId === null) return null;
  const [{ id, handle, blocked }, earlier, messages] = await Promise.all([
    agents.get(tx, authorId),
    reports.listEarlier(tx, features, report, authorId, SHOWN),
    listLastMessages(tx, authorId, SHOWN),
  ]);
  return { id, handle, blocked, earlier, messages };
}

export const showReport = page(
  'showReport',
  {
    path: '/moderation/reports/{id}',
    tag: 'reports',
    summary: 'A report with its target and the possible actions, as a page.',
    description: 'For people.',
    auth: 'admin',
    untrusted: true,
    params: reportId,
    query: afterQuery,
    errors: ['not_found'],
  },
  async ({ tx, view, installation: { features } }, { params: { id }, query: { after } }) => {
    const report = await reports.find(tx, features, id);
    if (!report) throw reportNotFoundError();
    const evidence =
      report.targetType === 'evidence'
        ? await evidenceStore.loadEvidence(tx, report.targetId)
        : undefined;
    const [record, closed] = await Promise.all([
      loadAuthorRecord(tx, features, report),
      after === undefined ? undefined : reports.find(tx, features, after),
    ]);
    return renderReportPage(
      report,
      { interactionId: evidence?.aboutId ?? null, record, closed },
      view,
    );
  },
);
