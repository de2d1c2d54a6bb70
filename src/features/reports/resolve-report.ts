import { operation } from '../../kernel/operation/operation.ts';
import * as audit from '../admin/audit.store.ts';
import { ResolveRequest } from './resolution.schemas.ts';
import { reportNotFoundError } from './rules.ts';
import { ReportAck, reportId } from './schemas.ts';
import * as reports from './store.ts';
import { assertMayResolve } from './transitions.ts';

export const resolveReport = operation(
  'resolveReport',
  {
    method: 'POST',
    path: '/api/v1/admin/reports/{id}/resolve',
    summary: 'Close a report.',
    description:
      'A report can be closed once. This does not change what was reported. Without a body ' +
      'the outcome is `actioned`.',
    tag: 'reports',
    auth: 'admin',
    params: reportId,
    body: ResolveRequest,
    bodyOptional: true,
    output: ReportAck,
    errors: ['not_found', 'state_conflict'],
  },
  async ({ tx, administrator, now, newId }, { params: { id }, body }) => {
    const outcome = body?.outcome ?? 'actioned';
    const note = body?.note || null;
    const report = await reports.lock(tx, id);
    if (!report) throw reportNotFoundError();
    assertMayResolve(report.state, outcome);
    reports.resolve(tx, id, outcome, note, administrator.id, now);
    audit.append(tx, {
      id: newId(),
      administrator,
      action: 'report.resolved',
      targetType: 'report',
      targetId: id,
      reason: note,
      facts: { outcome },
      now,
    });
    return { id, createdAt: now };
  },
);
