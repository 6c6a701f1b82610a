/** A row of auth.users, as far as it is shown. */
export interface UserRow {
  id: string;
  email: string;
  user_metadata: { nome: string };
  email_confirmed_at: Date | null;
  last_sign_in_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

const APP_METADATA = { provider: 'email', providers: ['email'] };

/** The user object of `/auth/v1`. It ends up in the browser's storage: nothing more about a person belongs into it. */
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
    app_metadata: APP_METADATA,
    user_metadata: user.user_metadata,
    identities: [
      {
        identity_id: user.id,
        id: user.id,
        user_id: user.id,
        identity_data: { sub: user.id, email: user.email, email_verified: user.email_confirmed_at !== null },
        provider: 'email',
        email: user.email,
        ...times,
      },
    ],
    is_anonymous: false,
    ...times,
  };
}

/** What an access token says beside who issued it, for whom and until when. */
export function claimsOf(user: UserRow, session: { id: string; created_at: Date }) {
  return {
    email: user.email,
    phone: '',
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: Math.floor(session.created_at.getTime() / 1000) }],
    session_id: session.id,
    is_anonymous: false,
    app_metadata: APP_METADATA,
    user_metadata: user.user_metadata,
  };
}
