import { buildModel, type Told, type Way } from './told.ts';

/** What is done with the offers of one sender. */
export interface OfferOperation extends Told {
  readonly kind: 'create' | 'confirm' | 'accept' | 'decline' | 'cancel' | 'read' | 'wallet';
  /** The handle of who does it. */
  readonly agent: string;
  readonly id?: string;
  readonly expected?: number;
  readonly amount?: number;
  /** The handle of the recipient that the sender names. */
  readonly to?: string;
}

interface Offer {
  readonly state: string;
  readonly version: number;
  readonly to: string;
  readonly amount: number;
}

/** The offers of a sender by their ids, and the units of all agents. */
interface Book {
  readonly offers: Readonly<Record<string, Offer>>;
  readonly available: Readonly<Record<string, number>>;
  readonly reserved: number;
}

const stateAfter: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  reserved: { confirm: 'confirmed', cancel: 'cancelled' },
  confirmed: { accept: 'accepted', decline: 'reserved', cancel: 'cancelled' },
};

/** Builds the model of one sender's gifts (contract on capabilities, section 6). */
export function buildOfferModel(sender: string, units: Readonly<Record<string, number>>) {
  const move = (book: Book, amount: number, to: string): Book => ({
    ...book,
    reserved: book.reserved - amount,
    available: { ...book.available, [to]: (book.available[to] ?? 0) + amount },
  });

  function apply(book: Book, operation: OfferOperation): Way<Book>[] {
    const { kind, agent, id = '', expected, amount = 0, to = '', outcome } = operation;
    if (kind === 'wallet')
      return [[book, tellWallet(book.available[agent] ?? 0, agent === sender ? book.reserved : 0)]];
    if (kind === 'create') {
      if (amount > (book.available[sender] ?? 0)) return [[book, 'insufficient_funds']];
      // Nobody uses an offer whose id no answer told; its units stay reserved.
      const name = outcome.split(' ')[1] ?? `lost ${Object.keys(book.offers).length}`;
      const offer = { state: 'confirmed', version: 1, to, amount };
      const after = move(book, -amount, sender);
      return [[{ ...after, offers: { ...book.offers, [name]: offer } }, `created ${name}`]];
    }
    const offer = book.offers[id];
    if (!offer || (agent !== sender && agent !== offer.to)) return [[book, 'not_found']];
    if (kind === 'read') return [[book, tellOffer(offer)]];
    if (offer.version !== expected) return [[book, `version_conflict ${offer.version}`]];
    const state = stateAfter[offer.state]?.[kind];
    if (state === undefined) return [[book, `state_conflict ${offer.state}`]];
    const changed = {
      ...offer,
      state,
      version: offer.version + 1,
      to: kind === 'confirm' ? to : kind === 'decline' ? '' : offer.to,
    };
    const after = { ...book, offers: { ...book.offers, [id]: changed } };
    const owner = { accepted: offer.to, cancelled: sender }[state];
    return [
      [owner === undefined ? after : move(after, offer.amount, owner), tellOffer(changed, true)],
    ];
  }

  return buildModel<Book, OfferOperation>({
    initial: { offers: {}, available: units, reserved: 0 },
    apply,
    reads: ['read', 'wallet'],
  });
}

/** Tells an offer; a transition does not show the recipient. */
export const tellOffer = (
  { state, version, to }: Pick<Offer, 'state' | 'version' | 'to'>,
  isTransition = false,
): string => (isTransition ? `${state} ${version}` : `${state} ${version} ${to}`);

/** Tells the earned units of a wallet. */
export const tellWallet = (available: number, reserved: number): string =>
  `${available} available, ${reserved} reserved`;
