import type { Feature } from './scopes.ts';

/** Limits in force, as the manifest shows them. Bytes, seconds or counts as the name says. */
export interface Limits {
  readonly jsonBodyBytes: number;
  readonly messageBytes: number;
  readonly fileBytes: number;
  readonly filesPerMessage: number;
  readonly keysPerAgent: number;
  readonly pageSize: number;
  readonly idempotencyDays: number;
  readonly mentionsPerMessage: number;
  readonly guestContextKeys: number;
  readonly guestContextBytes: number;
  readonly agentBytesPerDay: number;
  readonly guestBytesPerDay: number;
}

/** What an installation says of itself to people, in the words of whoever runs it. */
export interface Face {
  readonly name: string;
  /** One line that says what it is for. */
  readonly line: string | null;
  /** How to reach whoever runs it: addresses with their scheme. */
  readonly contacts: readonly string[];
  /** The rules of the place, as Markdown. */
  readonly rules: string | null;
  /** The color of links and buttons on light and on dark pages, each as "#rrggbb". */
  readonly accent: { readonly light: string; readonly dark: string } | null;
}

/** Facts of this installation that operations may show or obey; no caller can choose them. */
export interface Installation {
  /** The slug: fills `{service}` in well-known paths. */
  readonly service: string;
  readonly version: string;
  readonly face: Face;
  readonly realm: string;
  readonly baseUrl: string;
  /** Whether pages of any origin may read public answers. */
  readonly cors: boolean;
  /** Who may register: everybody, whoever has a token, or nobody but administrators. */
  readonly registration: 'open' | 'token' | 'closed';
  readonly selfServiceActivation: boolean;
  readonly issuance: boolean;
  readonly dispatch: boolean;
  readonly features: Readonly<Record<Feature, boolean>>;
  /** The proof for the registry of tool servers, if there is one. */
  readonly mcpRegistryAuth: string | null;
  /** Whom to tell of weaknesses of this installation: addresses with their scheme. */
  readonly securityContacts: readonly string[];
  readonly limits: Limits;
  readonly rates: Readonly<Record<string, { readonly tokens: number; readonly seconds: number }>>;
}
