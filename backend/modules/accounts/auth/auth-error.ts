interface AuthErrorOptions {
  /** Members beside code and message. */
  body?: Record<string, unknown>;
  /** Sent as `Retry-After`, in seconds. */
  retryAfter?: number;
}

/** A refusal of `/auth/v1`, in the codes and words that auth-js and the reference server know. */
export class AuthError extends Error {
  readonly body: Record<string, unknown>;
  readonly retryAfter: number | undefined;

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    { body = {}, retryAfter }: AuthErrorOptions = {},
  ) {
    super(message);
    this.name = 'AuthError';
    this.body = body;
    this.retryAfter = retryAfter;
  }
}
