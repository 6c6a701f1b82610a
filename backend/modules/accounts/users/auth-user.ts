/** An authentication method, as in the `amr` claim of a token. `timestamp` in seconds since 1970. */
export interface AuthMethod {
  method: string;
  timestamp: number;
}

/** The fields of auth.users that may be shown. */
export interface UserRow {
  id: string;
  email: string;
  user_metadata: { nome: string };
  email_confirmed_at: Date | null;
  last_sign_in_at: Date | null;
  recovery_sent_at: Date | null;
  new_email: string | null;
  email_change_sent_at: Date | null;
  created_at: Date;
  updated_at: Date;
  /** As in the user object; null if there are none. */
  factors: object[] | null;
  /** Identities at providers, as in the user object; null if there are none. */
  identities: { provider: string }[] | null;
}

/** Columns of auth.users that a `UserRow` needs. */
export const USER_COLUMNS = '*, auth.factors_of(id) as factors, auth.identities_of(id) as identities';

/** The fields of a session that an access token contains. */
export interface TokenSession {
  id: string;
  amr: readonly AuthMethod[];
  /** The second factor that the session has proved. */
  factor_id: string | null;
  /** The passkey that it has proved, which counts as both factors. */
  passkey_id: string | null;
}

function appMetadata(identities: UserRow['identities']) {
  const providers = new Set(['email', ...(identities ?? []).map(({ provider }) => provider)]);
  return { provider: 'email', providers: [...providers] };
}

/** The user object of `/auth/v1`. Browsers store it, so it must not contain more personal data. */
export function toAuthUser(user: UserRow) {
  const times = {
    last_sign_in_at: user.last_sign_in_at,
    created_at: user.created_at,
    updated_at: user.updated_at,
  };
  return {
    id: user.id,
    aud: 'authenticated',
    role: 'authenticated',
    email: user.email,
    phone: '',
    email_confirmed_at: user.email_confirmed_at,
    confirmed_at: user.email_confirmed_at,
    ...(user.recovery_sent_at && { recovery_sent_at: user.recovery_sent_at }),
    ...(user.new_email !== null && {
      new_email: user.new_email,
      email_change_sent_at: user.email_change_sent_at,
    }),
    app_metadata: appMetadata(user.identities),
    user_metadata: user.user_metadata,
    identities: [
      emailIdentity(user.id, user.email, user.email_confirmed_at !== null, times),
      ...(user.identities ?? []),
    ],
    ...(user.factors && { factors: user.factors }),
    is_anonymous: false,
    ...times,
  };
}

/** The user object of a pending sign-up. */
export function toPendingAuthUser(id: string, email: string, nome: string, now: Date) {
  const times = { created_at: now, updated_at: now };
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: appMetadata(null),
    user_metadata: { nome },
    identities: [emailIdentity(id, email, false, times)],
    is_anonymous: false,
    ...times,
  };
}

/** The claims of an access token besides `iss`, `aud` and the times. */
export function claimsOf(user: UserRow, session: TokenSession) {
  return {
    email: user.email,
    phone: '',
    role: 'authenticated',
    aal: session.factor_id === null && session.passkey_id === null ? 'aal1' : 'aal2',
    amr: session.amr,
    session_id: session.id,
    is_anonymous: false,
    app_metadata: appMetadata(user.identities),
    user_metadata: user.user_metadata,
  };
}

function emailIdentity(userId: string, email: string, isVerified: boolean, times: object) {
  return {
    identity_id: userId,
    id: userId,
    user_id: userId,
    identity_data: { sub: userId, email, email_verified: isVerified },
    provider: 'email',
    email,
    ...times,
  };
}
