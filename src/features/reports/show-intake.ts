import { page } from '../../kernel/operation/page-operation.ts';
import { INTAKE_PATH, renderIntakePage } from './intake.page.ts';
import { findPreview } from './report-targets.store.ts';
import { intakeQuery } from './schemas.ts';
import { findReaders } from './target-readers.ts';

export const showIntake = page(
  'showIntake',
  {
    path: INTAKE_PATH,
    summary: 'The form with which anyone can report something, without an account.',
    description:
      'For people. Agents report with `{op:createReport}`. If the query names what to report, ' +
      'the page shows its text, as far as the reader may read it.',
    tag: 'reports',
    auth: 'public',
    untrusted: true,
    query: intakeQuery,
  },
  async (context, { query }) => {
    const { tx, agent, reply, view, installation } = context;
    const { targetId, targetType = 'message' } = query;
    if (targetId === undefined) return renderIntakePage(query, view);
    // What a member may read is for this reader alone.
    if (agent) reply.private = true;
    const readerOf = await findReaders(context, targetType);
    const preview = await findPreview(tx, installation.features, targetType, targetId, readerOf);
    return renderIntakePage({ targetType, targetId }, view, undefined, preview);
  },
);
