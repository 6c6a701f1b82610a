interface AuthErrorOptions {
  /** Further fields of the response. */
  body?: Record<string, unknown>;
  /** Sent as `Retry-After`, in seconds. */
  retryAfter?: number;
  /** The account concerned, for the log. */
  userId?: string | undefined;
  cause?: unknown;
}

/** An error of `/auth/v1`, with the codes and messages of the reference server, which auth-js knows. */
export class AuthError extends Error {
  readonly body: Record<string, unknown>;
  readonly retryAfter: number | undefined;
  readonly userId: string | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { body = {}, retryAfter, userId, cause }: AuthErrorOptions = {},
  ) {
    super(message, { cause });
    this.name = 'AuthError';
    this.body = body;
    this.retryAfter = retryAfter;
    this.userId = userId;
  }
}

/** An error in OAuth's format, which has no code: 400 `{ error, error_description }`. */
export class OAuthError extends AuthError {
  constructor(
    readonly error: string,
    description: string,
  ) {
    super(400, error, description);
    this.name = 'OAuthError';
  }
}

/** For a session that has not proved its user's second factor. */
export function secondFactorDue(status: number): AuthError {
  return new AuthError(status, 'insufficient_aal', 'AAL2 session is required');
}
