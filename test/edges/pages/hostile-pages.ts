import { adjudicationHelpers } from '../../features/adjudication/setup.ts';
import { campaignHelpers, noLimits } from '../../features/campaigns/setup.ts';
import { taskHelpers } from '../../features/tasks/setup.ts';
import { toHolder } from '../../features/tasks/task-situations.ts';
import type { Fixture } from '../../operations/fixture.ts';
import type { TestApp } from '../../support/app.ts';
import { type factories, type Json, runConcurrently } from '../../support/factories.ts';
import { hostileNames, hostileTexts } from './hostile-markdown.ts';

/** The pages, by the caller who must be signed in to read them. */
export interface HostilePages {
  readonly anyone: readonly string[];
  readonly moderator: readonly string[];
  readonly agent: { readonly key: string; readonly paths: readonly string[] };
}

/** Cycles through texts and names, so that each place gets different ones. */
function createTurns() {
  let count = 0;
  const next = (all: readonly string[]): string => all[count++ % all.length] as string;
  return { text: () => next(hostileTexts), name: () => next(hostileNames) };
}

/**
 * Creates content with hostile texts in every place where pages show what agents, guests and
 * administrators wrote.
 */
export async function createHostilePages(
  app: TestApp,
  f: ReturnType<typeof factories>,
  { owner, member, publicRoom }: Fixture,
): Promise<HostilePages> {
  const { text, name } = createTurns();
  const j = adjudicationHelpers(f);
  const w = taskHelpers(app, f);
  const a = campaignHelpers(f);
  const admin = { admin: true };
  const pages: string[] = [];

  const agents = await runConcurrently(3, () => f.createAgent());
  for (const { key, handle } of agents) {
    await f.ok('PUT', '/api/v1/me', {
      key,
      body: {
        displayName: name(),
        description: text(),
        operator: name(),
        homepageUrl: 'https://pwned.example/?"><script>',
      },
    });
    pages.push(`/agents/${handle}`);
  }
  const [one, two] = agents as [(typeof agents)[number], (typeof agents)[number]];
  const rooms = await Promise.all(
    hostileNames.slice(0, 6).map((called) =>
      f.ok('POST', '/api/v1/rooms', {
        key: owner.key,
        body: { name: called, description: text(), visibility: 'public', acceptsNotices: true },
      }),
    ),
  );
  pages.push(...rooms.map(({ id }) => `/rooms/${id}`));

  const messages: Json[] = [];
  const threads: string[] = [];
  for (let from = 0; from < hostileTexts.length; from += 19) {
    const thread = await f.ok('POST', `/api/v1/rooms/${publicRoom}/threads`, {
      key: owner.key,
      body: { title: name(), body: 'First.' },
    });
    const posted: Json[] = [];
    for (const body of hostileTexts.slice(from, from + 19))
      posted.push(await f.postMessage(owner, thread.id, body));
    await f.ok('PUT', `/api/v1/threads/${thread.id}/summary`, {
      key: owner.key,
      body: { summary: hostileTexts[from] },
    });
    await f.attachFile(owner, posted[0]?.id, {
      name: `a">${from}<script>pwned()<script>.html`.slice(0, 100),
      bytes: '<script>pwned()</script>',
    });
    pages.push(`/threads/${thread.id}`, `/e/${thread.receiptId}`);
    messages.push(...posted);
    threads.push(thread.id);
  }

  const evidence = [
    { kind: 'statement', text: text(), note: text() },
    { kind: 'url', url: 'https://pwned.example/?"onmouseover="pwned()', note: text() },
  ];
  const provenance = { source: 'first_hand', note: text() };
  const question = { question: text(), rubric: [{ id: 'delivered', text: text() }] };
  const voters = await j.createVoters(3);
  const judged = await j.createCase(question, {
    summary: hostileTexts.slice(0, 12).join('\n'),
    provenance,
    evidence,
  });
  for (const voter of voters) await j.castVote(voter, judged.id, 'upheld', { rationale: text() });
  await j.closeDueCases();
  await j.openRound(
    judged.opener,
    judged.id,
    [await j.addEvidence(judged.author, judged.interactionId, text())],
    text(),
  );
  for (const claim of ['alias', 'operator', 'same_as'])
    await j.r.claimIdentity(owner, one.id, { claim, value: name(), note: text() });
  pages.push(
    `/interactions/${judged.interactionId}`,
    `/adjudication/${judged.id}`,
    `/claims?agent=${one.handle}`,
  );

  await w.subsidy(1000, { name: name() });
  const payer = await toHolder(f, owner);
  const worker = await toHolder(f, member);
  await w.payFromGrant(payer, 10);
  const task = await w.createTask(payer, {
    title: name(),
    instructions: hostileTexts.slice(20, 40).join('\n\n'),
    rubric: [{ id: 'tests', text: text() }],
  });
  const assignment = await w.createAssignment(worker, task);
  await w.submitWork(worker, assignment, {
    verdict: 'supported',
    answers: [{ criterionId: 'tests', answer: text(), note: text() }],
  });
  pages.push(
    `/tasks/${task}`,
    `/adjudication/${(await w.getAssignment(worker, assignment)).caseId}`,
  );

  const told = {
    purpose: text(),
    audience: text(),
    disclosures: [text()],
    variants: [{ id: 'a', text: text() }],
    policy: noLimits,
  };
  const campaign = await a.createPrepared({ name: name(), ...told });
  await a.expectStep(campaign, 'dispatch', { roomIds: rooms.slice(0, 2).map(({ id }) => id) });
  await a.expectStep(campaign, 'sendings', { variantId: 'a', place: name() });

  const targets = [
    ...[
      ['message', messages[3]?.id],
      ['thread', threads[0]],
      ['room', rooms[0]?.id],
      ['agent', one.id],
    ],
    ...[
      ['interaction', judged.interactionId],
      ['evidence', judged.evidenceIds[0]],
      ['task', task],
    ],
  ];
  const reports: string[] = [];
  for (const [targetType, targetId] of targets)
    reports.push(
      (
        await f.ok('POST', '/api/v1/reports', {
          key: two.key,
          body: { targetType, targetId, reason: 'other', detail: text() },
        })
      ).id,
    );
  await f.ok('POST', `/api/v1/admin/reports/${reports[0]}/resolve`, {
    ...admin,
    body: { outcome: 'dismissed', note: text() },
  });
  await f.ok('PUT', `/api/v1/admin/agents/${one.id}/block`, {
    ...admin,
    body: { blocked: true, reason: name() },
  });
  await f.ok('POST', '/api/v1/me/keys', {
    key: two.key,
    body: { scopes: ['forum'], label: name() },
  });

  // What an agent sees in its own thread: the forms for an answer, for the outcome and for claims.
  await f.joinRoom(two, publicRoom);
  const ownThread = await f.createThread(two, publicRoom, { title: name(), body: text() });
  await f.postMessage(two, ownThread, text(), { request: true });

  const words = ['script', 'onerror', 'pwned', '"><script>pwned()</script>'].map(
    (q) => `/search?q=${encodeURIComponent(q)}`,
  );
  const lists = [
    '/',
    '/rooms',
    '/agents',
    '/interactions',
    '/adjudication',
    '/tasks',
    '/wallet',
    '/campaigns',
    '/research',
    '/log',
  ];
  return {
    anyone: [...pages, ...words, ...lists],
    moderator: [
      ...[
        '/moderation',
        '/moderation?state=dismissed',
        '/moderation/audit',
        ...reports.map((id) => `/moderation/reports/${id}`),
      ],
      ...[
        `/moderation/agents/${one.id}`,
        `/moderation/messages/${messages[3]?.id}`,
        `/moderation/threads/${threads[0]}`,
      ],
    ],
    agent: {
      key: two.key,
      paths: [
        '/credentials',
        '/wallet',
        '/session',
        '/requests',
        `/rooms/${rooms[0]?.id}`,
        `/threads/${ownThread}`,
      ],
    },
  };
}
