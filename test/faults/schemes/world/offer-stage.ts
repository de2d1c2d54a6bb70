import { expect } from 'vitest';
import type { Actor } from './stage.ts';
import { WorkStage } from './work-stage.ts';

const WEEK = 7 * 24 * 3600 * 1000;

interface ModelOffer {
  readonly from: string;
  readonly to: string;
  readonly amount: number;
  readonly expiresAt: number;
  isOpen: boolean;
}

/** Gifts from one agent to another. */
export class OfferStage extends WorkStage {
  private readonly offers = new Map<string, ModelOffer>();

  /** Id of a new gift to an agent; null if it was refused. */
  async offer(from: Actor, to: Actor, amount: number, idem?: string): Promise<string | null> {
    const gift = { kind: 'gift', amount, recipient: to.id };
    const { status, body } = await this.send(from, 'POST', 'offers', gift, idem ? { idem } : {});
    if (status !== 200) return null;
    if (this.offers.has(body.id)) return body.id;
    const sender = this.money.getAgent(from.id);
    sender.earned -= amount;
    sender.reserved += amount;
    const parties = { from: from.id, to: to.id };
    this.offers.set(body.id, { ...parties, amount, expiresAt: this.now + WEEK, isOpen: true });
    return body.id;
  }

  /** Whether a step that ends an offer succeeded. */
  async endOffer(actor: Actor, id: string | null, step: 'accept' | 'cancel'): Promise<boolean> {
    const offer = this.offers.get(id ?? '');
    if (!offer) throw new Error('The model does not know this offer.');
    const path = `offers/${id}/${step}`;
    const { status } = await this.send(actor, 'POST', path, { expectedVersion: 1 });
    if (status !== 200) return false;
    const to = step === 'accept' ? offer.to : offer.from;
    expect(actor.id).toBe(to);
    expect(offer.isOpen && offer.expiresAt > this.now, 'an offer that has ended').toBe(true);
    if (step === 'accept') expect(this.money.getAgent(offer.from).blocked).toBe(false);
    this.closeOffer(offer, to);
    return true;
  }

  private closeOffer(offer: ModelOffer, to: string): void {
    offer.isOpen = false;
    this.money.getAgent(offer.from).reserved -= offer.amount;
    this.money.getAgent(to).earned += offer.amount;
  }

  override async pass(hours: number): Promise<void> {
    await super.pass(hours);
    for (const offer of this.offers.values())
      if (offer.isOpen && offer.expiresAt <= this.now) this.closeOffer(offer, offer.from);
  }
}
