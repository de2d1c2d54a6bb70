import type { Installation } from '../installation.ts';

/**
 * The person who reads pages with a session. The header shows the name, and forms carry the token.
 */
export interface Visitor {
  /** The name as it is shown: "@ada", or that of an administrator's key. */
  readonly name: string;
  readonly administrator: boolean;
  /** For an administrator: how many reports are open. */
  readonly openReports?: number;
  /** A random text that only pages of this session contain. */
  readonly token: string;
}

/** The installation that renders a page, and the person who reads it. */
export interface View {
  readonly installation: Pick<Installation, 'baseUrl' | 'face' | 'realm' | 'version' | 'features'>;
  readonly visitor: Visitor | null;
}
