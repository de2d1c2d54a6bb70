import { expect } from 'vitest';
import { toIso } from '../../../../src/kernel/clock.ts';
import type { ModelCase, Verdict } from './judging-model.ts';
import { OfferStage } from './offer-stage.ts';
import { type Actor, HOUR } from './stage.ts';

/** Interactions, cases, rounds and ballots. */
export class JudgingStage extends OfferStage {
  /** Id of a new public delivery by `author`, about `target`. */
  async recordDelivery(author: Actor, target: Actor): Promise<string> {
    const { id } = await this.must(author, 'POST', 'interactions', {
      target: { agent: target.id },
      kind: 'delivery',
      summary: 'Delivered the parser.',
      occurredAt: toIso(this.now - HOUR),
      visibility: 'public',
      provenance: { source: 'first_hand' },
      evidence: [{ kind: 'statement', text: 'I saw it.' }],
    });
    const parties = { author: author.id, target: target.id };
    this.judging.interactions.set(id, { id, ...parties, withdrawn: false });
    return id;
  }

  async withdraw(author: Actor, id: string): Promise<boolean> {
    const { version } = await this.must(null, 'GET', `interactions/${id}`);
    const body = { expectedVersion: version, state: 'withdrawn' };
    const { status } = await this.send(author, 'PUT', `interactions/${id}`, body);
    const interaction = this.judging.interactions.get(id);
    if (status === 200 && interaction) interaction.withdrawn = true;
    return status === 200;
  }

  async addEvidence(party: Actor, id: string): Promise<string> {
    const { version } = await this.must(null, 'GET', `interactions/${id}`);
    const statement = { kind: 'statement', text: `More, at version ${version}.` };
    const body = { ...statement, expectedVersion: version };
    return (await this.must(party, 'POST', `interactions/${id}/evidence`, body)).id;
  }

  /** Id of a new case about an interaction; null if it was refused. */
  async openCase(
    opener: Actor,
    id: string,
    question = 'Was it delivered?',
  ): Promise<string | null> {
    const { version } = await this.must(null, 'GET', `interactions/${id}`);
    const { status, body } = await this.send(opener, 'POST', 'adjudication/cases', {
      subject: { type: 'interaction', id },
      expectedVersion: version,
      question,
      rubric: [{ id: 'delivered', text: 'It was delivered.' }],
    });
    if (status !== 200) return null;
    const { author, target } = this.judging.interactions.get(id) ?? { author: '', target: '' };
    const others = [...this.judging.cases.values()].filter(({ about }) => about === id);
    expect(others.some(({ rounds }) => rounds.at(-1)?.result === null)).toBe(false);
    this.judging.cases.set(body.id, {
      id: body.id,
      openedAt: this.now,
      about: id,
      kind: 'interaction',
      rounds: [this.judging.createRound(this.now, [author, target, opener.id])],
    });
    return body.id;
  }

  async mustOpenCase(opener: Actor, id: string, question?: string): Promise<string> {
    const made = await this.openCase(opener, id, question);
    if (made === null) throw new Error('The case was refused.');
    return made;
  }

  async openRound(opener: Actor, id: string, evidenceIds: readonly string[]): Promise<boolean> {
    const found = this.judging.cases.get(id) as ModelCase;
    const { version } = await this.must(null, 'GET', `adjudication/cases/${id}`);
    const { status } = await this.send(opener, 'POST', `adjudication/cases/${id}/rounds`, {
      evidenceIds,
      reason: 'There is more.',
      expectedVersion: version,
    });
    if (status !== 200) return false;
    const parties = [...(found.rounds.at(-1)?.parties ?? []), opener.id];
    found.rounds.push(this.judging.createRound(this.now, parties));
    return true;
  }

  /** Whether a ballot was accepted, which the rules must then give. */
  async vote(voter: Actor, id: string, verdict: Verdict = 'upheld'): Promise<boolean> {
    const found = this.judging.cases.get(id) as ModelCase;
    const round = found.rounds.at(-1);
    const body = { verdict, rationale: `I say ${verdict}.` };
    const path = `adjudication/cases/${id}/ballots`;
    const { status } = await this.send(voter, 'POST', path, body);
    if (status !== 200 || !round) return false;
    expect(this.judging.findBarToVote(voter.id, found, round), 'a ballot against the rules').toBe(
      null,
    );
    expect(round.closesAt > this.now && round.result === null).toBe(true);
    expect(round.ballots.map((ballot) => ballot.voter)).not.toContain(voter.id);
    round.ballots.push({ voter: voter.id, verdict });
    return true;
  }

  /** Has each of these vote; how many ballots were accepted. */
  async voteAll(voters: readonly Actor[], id: string, verdict?: Verdict): Promise<number> {
    let accepted = 0;
    for (const voter of voters) if (await this.vote(voter, id, verdict)) accepted++;
    return accepted;
  }
}
