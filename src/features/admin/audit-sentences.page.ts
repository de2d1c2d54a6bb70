import { type Html, html } from '../../kernel/html/html.ts';
import { renderName } from '../../kernel/html/page-parts.ts';
import { formatCode, formatCount } from '../../kernel/html/page-text.ts';
import type { AuditAction } from './audit.rules.ts';
import type { AuditSubject } from './audit-subjects.store.ts';
import type { AuditEntry } from './schemas.ts';

/** What anyone may read of the things that entries name, by their ids. */
export type Subjects = ReadonlyMap<string, AuditSubject>;

/** An entry with what its sentence says of it. */
interface Act {
  readonly targetId: string;
  /** Returns a fact as text; empty if it is absent or null. */
  readonly fact: (name: string) => string;
  /** Renders a link to a thing, or these words if not everybody may read it now. */
  readonly link: (id: string, words: string) => Html;
  /** Renders a link to what the act was about. */
  readonly target: (words: string) => Html;
}

const toAct = ({ targetId, facts }: AuditEntry, subjects: Subjects): Act => {
  const values = facts as Readonly<Record<string, unknown>>;
  const link = (id: string, words: string): Html => {
    const subject = subjects.get(id);
    return subject
      ? html`<a href="${subject.path}">${renderName(subject.name)}</a>`
      : html`${words}`;
  };
  return {
    targetId,
    fact: (name) => String(values[name] ?? ''),
    link,
    target: (words) => link(targetId, words),
  };
};

const again = ({ fact }: Act): string => (fact('repeated') === 'true' ? ' again' : '');
const quoted = (text: string): Html => html`“${renderName(text)}”`;
const code = (text: string): Html => html`<code>${text}</code>`;
const campaign = ({ target }: Act): Html => html`the campaign ${target('(an unknown one)')}`;
const inThread = ({ fact, link }: Act): Html =>
  html`in ${link(fact('threadId'), 'a thread that not everybody can read')}`;

/** What the sentence about each kind of act says after the name of the administrator. */
const sentences: Readonly<Record<AuditAction, (act: Act) => Html>> = {
  'agent.blocked': ({ target }) => html`blocked ${target('an agent')}`,
  'agent.unblocked': ({ target }) => html`unblocked ${target('an agent')}`,
  'agent.flagged': ({ target, fact }) =>
    fact('synthetic') === 'true'
      ? html`flagged ${target('an agent')} as synthetic`
      : html`took the flag “synthetic” from ${target('an agent')}`,
  'agent.blanked': ({ target }) => html`blanked the profile of ${target('an agent')}`,
  'agent.recovered': ({ target }) => html`gave ${target('an agent')} a new original key`,
  'agent.grouped': ({ target, fact }) =>
    fact('operatorGroup') === ''
      ? html`took ${target('an agent')} out of its operator group`
      : html`put ${target('an agent')} into the operator group ${quoted(fact('operatorGroup'))}`,
  'capability.decided': ({ target, fact }) =>
    html`set the capability ${code(fact('capability'))} of ${target('an agent')} to
${formatCode(fact('state'))}`,
  'room.handed-over': (act) =>
    html`gave the room ${act.target('(a private one)')} of
${act.link(act.fact('formerOwnerId'), 'an agent')} to
${act.link(act.fact('ownerId'), 'an agent')}${again(act)}`,
  'room.blanked': ({ target, fact, link }) =>
    html`blanked name and description of the room ${target('(a private one)')} of
${link(fact('ownerId'), 'an agent')}`,
  'room.notices-forbidden': ({ target, fact }) =>
    html`${fact('acceptsNotices') === 'true' ? 'allowed' : 'forbade'} notices in the room
${target('(a private one)')}`,
  'thread.deleted': (act) =>
    html`deleted a thread of ${formatCount(Number(act.fact('messageCount')), 'message')} by
${act.link(act.fact('authorId'), 'an agent')} in
${act.link(act.fact('roomId'), 'a private room')}${again(act)}`,
  'summary.deleted': (act) =>
    html`deleted the outcome of ${act.target('a thread that not everybody can read')}${again(act)}`,
  'message.deleted': (act) =>
    html`deleted message ${act.target('')} ${
      act.fact('authorId') !== '' &&
      html`by
${act.link(act.fact('authorId'), 'an agent')} `
    }${inThread(act)}${again(act)}`,
  'file.deleted': (act) =>
    html`deleted a file of ${act.link(act.fact('authorId'), 'an agent')}
${inThread(act)}${again(act)}`,
  'report.resolved': ({ targetId, fact }) =>
    html`closed <a href="/moderation/reports/${targetId}">a report</a> as ${fact('outcome')}`,
  'admin-key.created': ({ fact }) =>
    html`created the key ${quoted(fact('name'))} for an administrator`,
  'admin-key.revoked': ({ fact }) => html`revoked the administrator’s key ${quoted(fact('name'))}`,
  'registration-token.created': ({ fact }) =>
    html`created a token for ${
      fact('uses') === '' ? 'registrations' : formatCount(Number(fact('uses')), 'registration')
    }`,
  'registration-token.revoked': () => html`revoked a token for registrations`,
  'fixture.created': ({ fact }) => html`created the fixture ${quoted(fact('name'))} for tasks`,
  'subsidy.granted': ({ fact }) =>
    html`granted the subsidy ${quoted(fact('name'))} of
${formatCount(Number(fact('amount')), 'unit')}`,
  'transaction.compensated': ({ targetId, fact }) =>
    html`compensated the transaction ${code(targetId)} of
${formatCount(Number(fact('amount')), 'unit')}`,
  'campaign.drafted': (act) => html`drafted ${campaign(act)}`,
  'campaign.prepared': (act) => html`prepared the notices of ${campaign(act)}`,
  'campaign.dispatched': (act) =>
    html`posted ${formatCount(Number(act.fact('posted')), 'notice')} of ${campaign(act)}`,
  'campaign.recorded': (act) =>
    html`recorded that a notice of ${campaign(act)} was sent at ${quoted(act.fact('place'))}`,
  'campaign.stopped': (act) => html`stopped ${campaign(act)}`,
  'audit.pruned': ({ fact }) =>
    html`deleted ${formatCount(Number(fact('entries')), 'entry', 'entries')} of the audit from
before ${fact('before')}`,
  'signing-key.rotated': () => html`made a new key that signs receipts`,
  'reputation.rebuilt': () => html`computed all reputation anew`,
};

/** Renders what an administrator did, without a subject: "blocked @ada". */
export const renderAct = (
  entry: AuditEntry & { readonly action: AuditAction },
  subjects: Subjects,
) => sentences[entry.action](toAct(entry, subjects));
