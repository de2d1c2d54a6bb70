import { showSession } from './show-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

/** Operations of the sessions feature. */
export const sessionOperations = [showSession, signIn, signOut] as const;
