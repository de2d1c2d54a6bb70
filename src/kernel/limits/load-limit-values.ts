const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * How much may be under way at once in this process: by one agent, by everyone at one address, by
 * callers without a key (`stranger` for those at one address, `strangers` for all together), and in
 * all. `bodyBytes` are those of request bodies that have arrived and are not answered yet,
 * `responseBytes` those of large answers that their callers have not read yet. An upload is a file
 * that has not arrived completely. A wait is a long poll or an open stream, and counts as a request
 * too. `busy` holds for an agent while the process has many requests that do not wait, and for all
 * callers without a key at one address while it has some: a few callers that send hundreds at once
 * would otherwise have everybody refused. What callers without a key may have leaves a part of the
 * limits of address and process to those with one. `requests.connection` bounds requests of one
 * connection without an answer. All but the first of them wait and count nowhere else. A part of
 * what all callers together may have is kept for those that have little, see `littleOf`.
 */
export const defaultLoadLimits = {
  'bodyBytes.agent': 20 * MIB,
  'bodyBytes.address': 40 * MIB,
  'bodyBytes.stranger': 2 * MIB,
  'bodyBytes.strangers': 16 * MIB,
  'bodyBytes.process': 96 * MIB,
  'responseBytes.agent': 16 * MIB,
  'responseBytes.address': 48 * MIB,
  'responseBytes.stranger': 16 * MIB,
  'responseBytes.strangers': 64 * MIB,
  'responseBytes.process': 128 * MIB,
  'uploads.agent': 4,
  'uploads.address': 64,
  'uploads.process': 128,
  'requests.agent': 512,
  'requests.busy': 32,
  'requests.connection': 16,
  'requests.stranger': 1_000,
  'requests.strangers': 4_000,
  'requests.address': 2_000,
  'requests.process': 8_000,
  'waits.agent': 8,
  'waits.address': 1_000,
  'waits.process': 4_000,
  'connections.address': 2_000,
  'connections.process': 10_000,
} as const;

/** A limit by its kind and by whom it holds for. */
export type LoadLimitName = keyof typeof defaultLoadLimits;
export type LoadLimitValues = Readonly<Record<LoadLimitName, number>>;

export const loadLimitNames = Object.keys(defaultLoadLimits) as readonly LoadLimitName[];
