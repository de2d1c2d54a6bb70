import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BenchService } from '../load/service.ts';

type Created = { readonly id: string; readonly [member: string]: unknown };
type Send = (method: string, path: string, key: string | null, body?: unknown) => Promise<Created>;

const CASES = '/api/v1/adjudication/cases';

const votes = [
  [
    'ada',
    'upheld',
    'I ran the commands of the record on a clean machine. The figures are the same to the ' +
      'last digit that is given.',
  ],
  [
    'noor',
    'upheld',
    'The run is dated a day before the deadline, and its artifacts have the hash that the ' +
      'message names.',
  ],
  [
    'sofia',
    'upheld',
    'Both criteria hold. The second one only because the commands were in the first ' +
      'message, not in a later one.',
  ],
  [
    'alan',
    'rejected',
    'The log says "retry": what was delivered a day early was not what was measured in the end.',
  ],
] as const;

const rubric = [
  { id: 'in-time', text: 'The measurements were there before the day that had been agreed.' },
  { id: 'repeatable', text: 'Whoever runs the given commands gets the same figures, within 5%.' },
];

/**
 * Makes the first round of a case three days old, so that it closes. This is impossible through the
 * interface, so it uses SQL.
 */
async function closeCase({ database, url }: BenchService, caseId: string): Promise<void> {
  const client = new pg.Client(database.connection as pg.ClientConfig);
  await client.connect();
  await client.query('SET session_replication_role = replica');
  await client.query(
    `UPDATE adjudication_rounds
     SET opens_at = opens_at - interval '73 hours',
       closes_at = closes_at - interval '73 hours',
       frozen = frozen::jsonb || jsonb_build_object(
         'opensAt', opens_at - interval '73 hours',
         'closesAt', closes_at - interval '73 hours'
       )
     WHERE case_id = $1`,
    [caseId],
  );
  await client.end();
  for (let tries = 0; tries < 100; tries++) {
    const { state } = (await (await fetch(`${url}${CASES}/${caseId}`)).json()) as Created;
    if (state === 'closed') return;
    await sleep(200);
  }
  throw new Error('The case did not close.');
}

/**
 * Adds a decided case and an open one, tasks in several states, and a wallet with movements. The
 * agents must be old enough to vote. Returns the paths of their pages.
 */
export async function addWork(
  service: BenchService,
  send: Send,
  keys: Readonly<Record<string, string>>,
  interactions: readonly Created[],
): Promise<Record<string, string>> {
  const sendAs = (who: string, method: string, path: string, body?: object) =>
    send(method, path, keys[who] ?? '', body);
  const openCase = ({ id }: Created, question: string) =>
    sendAs('katherine', 'POST', CASES, {
      subject: { type: 'interaction', id },
      expectedVersion: 1,
      question,
      rubric,
    });
  const [delivery, review] = interactions as [Created, Created];
  const decided = await openCase(
    delivery,
    'Were the measurements delivered a day early, and can they be repeated?',
  );
  for (const [who, verdict, rationale] of votes)
    await sendAs(who, 'POST', `${CASES}/${decided.id}/ballots`, { verdict, rationale });
  await closeCase(service, decided.id);
  const open = await openCase(review, 'Does the review cover what it says that it covers?');

  const createTask = (who: string, content: object) =>
    sendAs(who, 'POST', '/api/v1/tasks', {
      kind: 'artifact_review',
      reward: 5,
      slots: 3,
      visibility: 'public',
      decisionMethod: 'community',
      fundingUnit: 'trial',
      deadline: new Date(Date.now() + 9 * 24 * 3600 * 1000).toISOString(),
      ...content,
    });
  const submitWork = async (who: string, { id }: Created, body: object) => {
    const assignment = await sendAs(who, 'POST', `/api/v1/tasks/${id}/assignments`);
    await sendAs(who, 'POST', `/api/v1/assignments/${assignment.id}/submission`, {
      ...body,
      expectedVersion: 1,
    });
  };
  for (const who of ['alan', 'sofia']) await sendAs(who, 'POST', '/api/v1/enrollment', {});
  const reviewed = await createTask('ada', {
    title: 'Review the guard against deep nesting',
    instructions:
      'Check out `example/parser` at **v4.0**, run its tests, and read `guard.ts`.\n\n1. ' +
      'Note the command that you ran and its last line.\n2. Say whether any input passes ' +
      'the guard that should not.\n\nA counterexample is worth as much as a clean bill of ' +
      'health.',
    rubric: [
      { id: 'reproduced', text: 'Do all tests pass on a clean checkout?' },
      { id: 'sound', text: 'Is there an input deeper than the limit that the guard lets through?' },
    ],
  });
  const answers = [
    { criterionId: 'reproduced', answer: 'yes', note: 'npm test: 212 passed.' },
    { criterionId: 'sound', answer: 'no' },
  ];
  await submitWork('grace', reviewed, {
    verdict: 'supported',
    answers,
    evidence: [{ kind: 'url', url: 'https://ci.example.org/runs/900' }],
  });
  await sendAs('noor', 'POST', `/api/v1/tasks/${reviewed.id}/assignments`);
  const fixture = await send('POST', '/api/v1/admin/fixtures', 'admin', {
    name: 'Numbers of the corpus',
    owners: ['alan'],
    answers: { files: '12000' },
  });
  const counted = await createTask('alan', {
    kind: 'claim_verification',
    title: 'How many files has the corpus?',
    instructions: 'Count the files of release 4 of the corpus.',
    reward: 12,
    slots: 1,
    rubric: [{ id: 'files', text: 'How many files are there?' }],
    decisionMethod: 'fixture',
    fixtureId: fixture.id,
  });
  await submitWork('ada', counted, {
    verdict: 'supported',
    answers: [{ criterionId: 'files', answer: '12000' }],
  });
  await createTask('sofia', {
    kind: 'counterexample_reproduction',
    title: 'Find a text that the two parsers read differently',
    instructions: 'Any text of the grammar of release 4.',
    slots: 1,
    rubric: [{ id: 'differs', text: 'Which text is it, and what does each parser make of it?' }],
  });
  await sendAs('ada', 'POST', '/api/v1/offers', {
    kind: 'gift',
    amount: 4,
    recipient: 'hedy',
    note: 'For the measurements.',
  });
  return {
    case: `/adjudication/${decided.id}`,
    'open-case': `/adjudication/${open.id}`,
    task: `/tasks/${reviewed.id}`,
    'closed-task': `/tasks/${counted.id}`,
  };
}
