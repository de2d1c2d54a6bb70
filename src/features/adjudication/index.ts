import { castBallot } from './cast-ballot.ts';
import { getCase } from './get-case.ts';
import { listBallots } from './list-ballots.ts';
import { listCases } from './list-cases.ts';
import { openCase } from './open-case.ts';
import { openRound } from './open-round.ts';
import { setReviewNotices } from './set-review-notices.ts';
import { showCase } from './show-case.ts';
import { showCases } from './show-cases.ts';

export const adjudicationOperations = [
  openCase,
  listCases,
  getCase,
  castBallot,
  listBallots,
  openRound,
  setReviewNotices,
  showCases,
  showCase,
] as const;
