import { randomUUID } from 'node:crypto';

/** User, tenant and device of a request. Contains ids only, because it is stored in the `meta` of events. */
export interface RequestContext {
  readonly tenantId: string;
  readonly userId: string;
  readonly role: 'personal' | 'aluno';
  /** The student whom the user represents, if the role is `aluno`. */
  readonly studentId: string | null;
  /** IANA name of the trainer's time zone, such as `America/Sao_Paulo`. */
  readonly timezone: string;
  readonly requestId: string;
  /** Id of the signed-in session, which identifies the device; null where no person sent the command. */
  readonly device: string | null;
  /** Signed in by a link, which may have been forwarded, instead of an account. */
  readonly byLink?: true;
}

export interface IdempotencyContext {
  /** Value of the header `Idempotency-Key`. */
  readonly key: string;
  /** Method and path with its ids, such as `POST /api/v1/students`, and the student whom the caller represents. */
  readonly scope: string;
  /** SHA-256 of the validated body, in hexadecimal: the same content in another key order has the same hash. */
  readonly bodyHash: string;
}

export interface CommandContext extends RequestContext {
  /** Null for commands that no client can repeat: those of jobs and reactions. */
  readonly idempotency: IdempotencyContext | null;
}

/** The answer of a command, and the tenant's position after it, for which the next read waits. */
export interface CommandResult<Answer> {
  readonly answer: Answer;
  readonly position: number;
  /** Types of the recorded events; missing where they are unknown or do not say all that has changed. */
  readonly events?: readonly string[] | undefined;
}

/** Context of jobs and of callers who are not signed in: the actor is the tenant itself. */
export function nobodyOf(
  tenantId: string,
  timezone: string,
  requestId: string = randomUUID(),
): CommandContext {
  return {
    tenantId,
    userId: tenantId,
    role: 'personal',
    studentId: null,
    timezone,
    requestId,
    device: null,
    idempotency: null,
  };
}
