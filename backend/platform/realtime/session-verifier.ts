/** Who stands behind a token, as the accounts module knows it. */
export interface VerifiedSession {
  userId: string;
  sessionId: string;
  memberships: readonly { tenantId: string; role: 'personal' | 'aluno'; studentId: string | null }[];
}

/** Provided by the accounts module. */
export abstract class SessionVerifier {
  /** @throws where the token is not valid or its session has ended */
  abstract verify(token: string): Promise<VerifiedSession>;
}
