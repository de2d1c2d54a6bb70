import type { Page, View, Visitor } from '../../html/page.ts';
import type { FormFields } from '../../operation/form.ts';
import type { Call } from '../environment.ts';

/** An answer of the endpoints of OAuth. The HTTP edge sends it as it is. */
export type SignInAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: object }
  | { readonly kind: 'redirect'; readonly location: string }
  | {
      readonly kind: 'page';
      readonly status: number;
      /** A source expression to which the form on the page may lead, besides this service. */
      readonly target: string | null;
      /** The address that a link on the page leads to, outside of this service. */
      readonly leadsTo?: string | undefined;
      /** The address of a link back, which is left out when it is on this host. */
      readonly back?: string | undefined;
      /** A person who is signed in from now on, with this key. */
      readonly session?: { readonly key: string; readonly visitor: Omit<Visitor, 'token'> };
      /** Renders the page, with a link back if there is an address. */
      readonly render: (view: View, back?: string) => Page;
    };

/** Signing in by OAuth 2.1: who asks for what, the consent of a person, and tokens. */
export interface SignInProtocol {
  /** Describes the address that challenges (RFC 9728), or the service as a whole. */
  describeResource(root: boolean): object;
  /** Describes the endpoints (RFC 8414). */
  describeServer(): object;
  /** Registers a client (RFC 7591). Errors: `rate_limited`. */
  registerClient(metadata: unknown, address: string): Promise<SignInAnswer>;
  /** Shows the page on which a person consents. Errors: `rate_limited`. */
  showConsent(fields: FormFields, address: string): Promise<SignInAnswer>;
  /** Carries out what a person chose on that page. */
  answerConsent(fields: FormFields, call: Call): Promise<SignInAnswer>;
  /** Gives tokens for a code or a refresh token (RFC 6749, 4.1.3 and 6). Errors: `rate_limited`. */
  giveTokens(fields: FormFields): Promise<SignInAnswer>;
  /** Ends the grant of a token (RFC 7009). */
  revokeToken(fields: FormFields): Promise<SignInAnswer>;
}
