import { GUESSABLE } from '../../../backend/modules/accounts/passwords.api.js';
import { passwordMinLength } from './password.js';
import { isUnanswered, NetworkError, ProblemError } from './problem.js';

/** The fields of the auth client's errors that are read here. */
interface Refused {
  code?: string | undefined;
  status?: number | undefined;
  name?: string;
  reasons?: readonly string[];
}

interface Refusal {
  says: string;
  /** The field that it is about, by its name in the request. */
  field?: string;
}

/** Messages for the error codes of `/auth/v1`. */
const refusals: Readonly<Record<string, Refusal>> = {
  current_password_invalid: { says: 'Senha atual incorreta', field: 'current_password' },
  current_password_required: { says: 'Informe sua senha atual', field: 'current_password' },
  reauthentication_needed: { says: 'Informe o código que enviamos por e-mail', field: 'nonce' },
  reauthentication_not_valid: { says: 'Código incorreto ou expirado', field: 'nonce' },
  same_password: { says: 'Esta já é a sua senha. Escolha outra.', field: 'password' },
  email_exists: { says: 'Já existe uma conta com este e-mail.' },
  otp_expired: { says: 'Este link ou código expirou ou já foi usado. Peça outro.' },
  mfa_verification_failed: { says: 'Código incorreto. Confira e tente de novo.', field: 'code' },
  insufficient_aal: { says: 'Confirme o código do seu aplicativo autenticador.' },
  identity_already_exists: { says: 'Esta conta já está conectada a outra pessoa no Rende.' },
  single_identity_not_deletable: {
    says: 'É o único jeito de entrar na sua conta. Crie uma senha antes de desconectar.',
  },
  over_email_send_rate_limit: { says: 'Aguarde um minuto antes de pedir outro e-mail.' },
  over_request_rate_limit: { says: 'Muitas tentativas. Aguarde um pouco e tente de novo.' },
};

/** What is wrong with a new password; `reasons` as the service names them. */
function weakness(reasons: readonly string[] = []): string {
  if (reasons.includes('length')) return `A senha deve ter no mínimo ${passwordMinLength} caracteres`;
  return reasons.includes('characters') ? GUESSABLE : 'Esta senha é muito comum. Escolha outra.';
}

/** Also where the session is locked, see `auth-client.ts`. */
const BUSY: Refusal = { says: 'Serviço ocupado. Tente de novo em instantes' };

function refusalOf(error: Refused): Refusal | undefined {
  if (error.code === 'weak_password') return { says: weakness(error.reasons), field: 'password' };
  return refusals[error.code ?? ''];
}

/** The message for an error code found in the address after a redirect. */
export const wordsOfCode = (code: string): string | undefined => refusals[code]?.says;

/** Converts an error of the auth service to the form that the API's problems have. */
export function accountProblem(error: Refused): Error {
  if (isUnanswered(error)) return new NetworkError(error);
  const { says, field } = refusalOf(error) ?? (error.status === 503 ? BUSY : {});
  return new ProblemError(
    error.status ?? 500,
    {
      ...(error.code && { code: error.code }),
      ...(says && { title: says }),
      ...(says && field && { errors: [{ pointer: `/${field}`, detail: says }] }),
    },
    null,
  );
}

/**
 * The answer of a call of the auth client.
 * @throws ProblemError, NetworkError
 */
export async function answered<Answer extends { data: unknown; error: Refused | null }>(
  call: Promise<Answer>,
): Promise<Extract<Answer, { error: null }>['data']> {
  const { data, error } = await call;
  if (error) throw accountProblem(error);
  return data;
}
