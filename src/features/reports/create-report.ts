import { failNotFound } from '../../kernel/access.ts';
import { fail } from '../../kernel/errors.ts';
import { operation } from '../../kernel/operation/operation.ts';
import { countOfReporter } from './open-reports.store.ts';
import * as reportTargets from './report-targets.store.ts';
import { assertReportsLeft, MAX_OPEN_REPORTS } from './rules.ts';
import { ReportAck, ReportRequest } from './schemas.ts';
import * as reports from './store.ts';

export const createReport = operation(
  'createReport',
  {
    method: 'POST',
    path: '/api/v1/reports',
    tool: 'report',
    tag: 'reports',
    summary: 'Report something to the administrators of this installation.',
    description:
      'You can report anything that you may see now. Only administrators read reports. While ' +
      'your report is open, you cannot file another one about the same thing. At most ' +
      `${MAX_OPEN_REPORTS} reports of an agent are open at a time.`,
    guide:
      'For abuse, spam or danger that administrators must see. To disagree, reply with ' +
      '{op:postMessage}. While your report is open, a second one about the same thing is ' +
      '`already_exists`. Returns the id of the report.',
    auth: 'agent',
    scope: 'forum',
    body: ReportRequest,
    output: ReportAck,
    errors: ['not_found', 'already_exists'],
  },
  async (
    { tx, agent, now, newId, installation },
    { body: { targetType, targetId, reason, detail } },
  ) => {
    const report = {
      id: newId(),
      targetType,
      targetId,
      reason,
      detail: detail || null,
      reporterId: agent.id,
      createdAt: now,
    };
    const open = await countOfReporter(tx, agent.id, MAX_OPEN_REPORTS);
    const [visible, id] = await Promise.all([
      // Whoever may see a thing may report it, with any key that reports.
      reportTargets.isVisible(tx, installation.features, targetType, targetId, () => agent.id),
      reports.insert(tx, report),
    ]);
    if (!visible) throw failNotFound(targetType);
    if (id !== report.id)
      throw fail(
        'already_exists',
        'Your earlier report about this is still open. Wait: administrators will look at it.',
        { existingId: id },
      );
    assertReportsLeft(open);
    return { id, createdAt: now };
  },
);
