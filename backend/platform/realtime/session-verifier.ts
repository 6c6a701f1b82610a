/** A tenant that a user belongs to, as the database has it now. */
export interface Membership {
  tenantId: string;
  /** Of the tenant's public link. */
  slug: string;
  /** IANA name. */
  timezone: string;
  role: 'personal' | 'aluno';
  /** The student that the user is there; null for a trainer. */
  studentId: string | null;
}

/** Who stands behind a token, as the accounts module knows it. */
export interface VerifiedSession {
  userId: string;
  sessionId: string;
  /** The key that signed the token. */
  kid: string;
  memberships: readonly Membership[];
  /** Assurance level: 2 for a session that has shown a second factor. */
  aal: 1 | 2;
  /** The level that it needs: 2 where its user has a second factor. */
  nextAal: 1 | 2;
}

/** How things stand with a session whose token was verified before. */
export interface SessionStanding {
  /** Milliseconds until it ends by itself, if no sign of life moves that away. */
  endsIn: number;
  memberships: readonly Membership[];
}

/** Provided by the accounts module. */
export abstract class SessionVerifier {
  /** @throws where the token is not valid or its session has ended */
  abstract verify(token: string): Promise<VerifiedSession>;

  /** Null where the session has ended, or the token's key is none any more. */
  abstract standing(session: VerifiedSession): Promise<SessionStanding | null>;
}
