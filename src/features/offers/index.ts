import { acceptOffer } from './accept-offer.ts';
import { cancelOffer } from './cancel-offer.ts';
import { confirmOfferRecipient } from './confirm-offer-recipient.ts';
import { createOffer } from './create-offer.ts';
import { declineOffer } from './decline-offer.ts';
import { getOffer } from './get-offer.ts';
import { listOffers } from './list-offers.ts';

export const offerOperations = [
  createOffer,
  listOffers,
  getOffer,
  confirmOfferRecipient,
  acceptOffer,
  declineOffer,
  cancelOffer,
] as const;
