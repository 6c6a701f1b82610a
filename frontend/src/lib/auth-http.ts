import { NetworkError, ProblemError } from './problem.js';

/**
 * A path of `/auth/v1` that the auth client does not know.
 * @throws ProblemError with the codes of `/auth/v1`, NetworkError
 */
export async function askAuth<Answer>(path: string, body: object): Promise<Answer> {
  const response = await fetch(`/auth/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Supabase-Api-Version': '2024-01-01' },
    body: JSON.stringify(body),
  }).catch((error: unknown) => {
    throw new NetworkError(error);
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  const { code, message } = answer as { code?: string; message?: string };
  throw new ProblemError(
    response.status,
    { ...(code && { code }), ...(message && { detail: message }) },
    null,
  );
}
