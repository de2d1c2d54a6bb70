import { core } from './0001-core.ts';
import { files } from './0002-files.ts';
import { search } from './0003-search.ts';
import { guestContext } from './0004-guest-context.ts';
import { moderation } from './0005-moderation.ts';
import { subscriptions } from './0006-subscriptions.ts';
import { receipts } from './0007-receipts.ts';
import { log } from './0008-log.ts';
import { signing } from './0009-signing.ts';
import { webhooks } from './0010-webhooks.ts';
import { records } from './0011-records.ts';
import { ledger } from './0012-ledger.ts';
import { adjudication } from './0013-adjudication.ts';
import { reputation } from './0014-reputation.ts';
import { research } from './0015-research.ts';
import { campaigns } from './0016-campaigns.ts';
import { tasks } from './0017-tasks.ts';
import { sessions } from './0018-sessions.ts';
import { reputationByOperator } from './0019-reputation-by-operator.ts';
import { guards } from './0020-guards.ts';
import { pageSessions } from './0021-page-sessions.ts';
import { mutes } from './0022-mutes.ts';
import { threadCounts } from './0023-thread-counts.ts';
import { registrationTokens } from './0024-registration-tokens.ts';
import { flushWords } from './0025-flush-words.ts';
import { visibleLists } from './0026-visible-lists.ts';
import { lastingFindings } from './0027-lasting-findings.ts';
import { fairWork } from './0028-fair-work.ts';
import { roomLife } from './0029-room-life.ts';
import { ownWords } from './0030-own-words.ts';
import { findings } from './0031-findings.ts';
import { following } from './0032-following.ts';
import { tasksBySubject } from './0033-tasks-by-subject.ts';
import { judgementLists } from './0036-judgement-lists.ts';
import { told } from './0037-told.ts';
import { catchUp } from './0039-catch-up.ts';
import { requests } from './0040-requests.ts';
import { signIn } from './0042-sign-in.ts';
import { newestOfOpener } from './0044-newest-of-opener.ts';
import { calmThreads } from './0046-calm-threads.ts';
import { streamReads } from './0051-stream-reads.ts';
import { endedGrants } from './0059-ended-grants.ts';
import { readEvents } from './0060-read-events.ts';
import { byPage } from './0061-by-page.ts';
import { lostInvitations } from './0070-lost-invitations.ts';
import { madeKeys } from './0071-made-keys.ts';
import { openOffers } from './0072-open-offers.ts';
import { fairFanouts } from './0073-fair-fanouts.ts';
import { earlierNodes } from './0074-earlier-nodes.ts';
import { roomsByName } from './0075-rooms-by-name.ts';
import { spentTokens } from './0076-spent-tokens.ts';
import { citedIds } from './0077-cited-ids.ts';
import { fairCalls } from './0078-fair-calls.ts';
import { roomsOfAgent } from './0079-rooms-of-agent.ts';
import { mutesOfAuthor } from './0080-mutes-of-author.ts';
import { requestsOfAuthor } from './0081-requests-of-author.ts';
import { usedGrants } from './0082-used-grants.ts';
import { endedTrees } from './0083-ended-trees.ts';
import { newThreads } from './0084-new-threads.ts';
import { liveKeys } from './0085-live-keys.ts';
import { liveInvitations } from './0086-live-invitations.ts';
import { claimCounts } from './0087-claim-counts.ts';
import { decidedSubmissions } from './0088-decided-submissions.ts';
import { offersToDecide } from './0089-offers-to-decide.ts';
import { rowsOfOthers } from './0090-rows-of-others.ts';
import { shortFolds } from './0091-short-folds.ts';
import { unsubmitted } from './0092-unsubmitted.ts';
import { namesApart } from './0093-names-apart.ts';
import type { Migration } from './migration.ts';

/**
 * All migrations in their order. They only go forward. The SQL of a released migration never
 * changes; a new migration is added instead.
 */
export const migrations: readonly Migration[] = [
  { id: 1, name: 'core', sql: core },
  { id: 2, name: 'files', sql: files },
  { id: 3, name: 'search', sql: search },
  { id: 4, name: 'guest-context', sql: guestContext },
  { id: 5, name: 'moderation', sql: moderation },
  { id: 6, name: 'subscriptions', sql: subscriptions },
  { id: 7, name: 'receipts', sql: receipts },
  { id: 8, name: 'log', sql: log },
  { id: 9, name: 'signing', sql: signing },
  { id: 10, name: 'webhooks', sql: webhooks },
  { id: 11, name: 'records', sql: records },
  { id: 12, name: 'ledger', sql: ledger },
  { id: 13, name: 'adjudication', sql: adjudication },
  { id: 14, name: 'reputation', sql: reputation },
  { id: 15, name: 'research', sql: research },
  { id: 16, name: 'campaigns', sql: campaigns },
  { id: 17, name: 'tasks', sql: tasks },
  { id: 18, name: 'sessions', sql: sessions },
  { id: 19, name: 'reputation-by-operator', sql: reputationByOperator },
  { id: 20, name: 'guards', sql: guards },
  { id: 21, name: 'page-sessions', sql: pageSessions },
  { id: 22, name: 'mutes', sql: mutes },
  { id: 23, name: 'thread-counts', sql: threadCounts },
  { id: 24, name: 'registration-tokens', sql: registrationTokens },
  { id: 25, name: 'flush-words', sql: flushWords },
  { id: 26, name: 'visible-lists', sql: visibleLists },
  { id: 27, name: 'lasting-findings', sql: lastingFindings },
  { id: 28, name: 'fair-work', sql: fairWork },
  { id: 29, name: 'room-life', sql: roomLife },
  { id: 30, name: 'own-words', sql: ownWords },
  { id: 31, name: 'findings', sql: findings },
  { id: 32, name: 'following', sql: following },
  { id: 33, name: 'tasks-by-subject', sql: tasksBySubject },
  { id: 36, name: 'judgement-lists', sql: judgementLists },
  { id: 37, name: 'told', sql: told },
  { id: 39, name: 'catch-up', sql: catchUp },
  { id: 40, name: 'requests', sql: requests },
  { id: 42, name: 'sign-in', sql: signIn },
  { id: 44, name: 'newest-of-opener', sql: newestOfOpener },
  { id: 46, name: 'calm-threads', sql: calmThreads },
  { id: 51, name: 'stream-reads', sql: streamReads },
  { id: 59, name: 'ended-grants', sql: endedGrants },
  { id: 60, name: 'read-events', sql: readEvents },
  { id: 61, name: 'by-page', sql: byPage },
  { id: 70, name: 'lost-invitations', sql: lostInvitations },
  { id: 71, name: 'made-keys', sql: madeKeys },
  { id: 72, name: 'open-offers', sql: openOffers },
  { id: 73, name: 'fair-fanouts', sql: fairFanouts },
  { id: 74, name: 'earlier-nodes', sql: earlierNodes },
  { id: 75, name: 'rooms-by-name', sql: roomsByName },
  { id: 76, name: 'spent-tokens', sql: spentTokens },
  { id: 77, name: 'cited-ids', sql: citedIds },
  { id: 78, name: 'fair-calls', sql: fairCalls },
  { id: 79, name: 'rooms-of-agent', sql: roomsOfAgent },
  { id: 80, name: 'mutes-of-author', sql: mutesOfAuthor },
  { id: 81, name: 'requests-of-author', sql: requestsOfAuthor },
  { id: 82, name: 'used-grants', sql: usedGrants },
  { id: 83, name: 'ended-trees', sql: endedTrees },
  { id: 84, name: 'new-threads', sql: newThreads },
  { id: 85, name: 'live-keys', sql: liveKeys },
  { id: 86, name: 'live-invitations', sql: liveInvitations },
  { id: 87, name: 'claim-counts', sql: claimCounts },
  { id: 88, name: 'decided-submissions', sql: decidedSubmissions },
  { id: 89, name: 'offers-to-decide', sql: offersToDecide },
  { id: 90, name: 'rows-of-others', sql: rowsOfOthers },
  { id: 91, name: 'short-folds', sql: shortFolds },
  { id: 92, name: 'unsubmitted', sql: unsubmitted },
  { id: 93, name: 'names-apart', sql: namesApart },
];
