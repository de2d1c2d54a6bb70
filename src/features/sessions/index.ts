import { showSession } from './show-session.ts';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';

export const sessionOperations = [showSession, signIn, signOut] as const;
