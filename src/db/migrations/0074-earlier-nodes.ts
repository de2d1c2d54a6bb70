import { keepAnswered } from './0030-own-words.ts';
import { fillSeconds, keepSecond } from './0046-calm-threads.ts';
import { keepOpen } from './0072-open-offers.ts';
import type { Step } from './migration.ts';

/**
 * What nodes of an earlier version leave to the database while they serve beside new ones.
 * Databases that ran migrations 30, 46 and 72 before they had these triggers get them here. There,
 * the second of a thread's last message was a generated column, which no migration can add without
 * a rewrite.
 */
export const earlierNodes: readonly Step[] = [
  `ALTER TABLE threads
     ALTER COLUMN last_message_second DROP EXPRESSION IF EXISTS,
     ALTER COLUMN last_message_second SET DEFAULT '2000-01-01 00:00:00+00';
   ${keepSecond}${keepAnswered}`,
  keepOpen,
  fillSeconds,
];
