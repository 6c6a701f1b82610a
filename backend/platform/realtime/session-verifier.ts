/** The current state of a user's membership in a tenant. */
export interface Membership {
  tenantId: string;
  /** Slug of the tenant's public link. */
  slug: string;
  /** IANA name. */
  timezone: string;
  role: 'personal' | 'aluno';
  /** The user's student id there; null for a trainer. */
  studentId: string | null;
}

/** The verified session behind an access token. */
export interface VerifiedSession {
  userId: string;
  sessionId: string;
  /** The key that signed the token. */
  kid: string;
  memberships: readonly Membership[];
  /** Assurance level: 2 for a session that has used a second factor. */
  aal: 1 | 2;
  /** Required assurance level: 2 where the user has a second factor. */
  nextAal: 1 | 2;
}

/** Current state of a session whose token was verified before. */
export interface SessionStanding {
  /** Milliseconds until it expires, unless activity extends it. */
  endsIn: number;
  memberships: readonly Membership[];
}

/** Provided by the accounts module. */
export abstract class SessionVerifier {
  /** @throws if the token is not valid or its session has ended */
  abstract verify(token: string): Promise<VerifiedSession>;

  /** Null if the session has ended or the token's signing key was removed. */
  abstract standing(session: VerifiedSession): Promise<SessionStanding | null>;
}
