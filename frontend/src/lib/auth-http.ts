import { accessToken } from './auth.js';
import { NetworkError } from './problem.js';
import { accountProblem } from './auth-refusals.js';

/**
 * Requests a route of `/auth/v1` that the auth client does not support, with the user's access token if there is one.
 * @throws ProblemError, NetworkError
 */
export async function askAuth<Answer>(method: 'GET' | 'POST', path: string, body?: object): Promise<Answer> {
  const token = await accessToken();
  const response = await fetch(`/auth/v1/${path}`, {
    method,
    headers: {
      'X-Supabase-Api-Version': '2024-01-01',
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new NetworkError(error);
  });
  const answer: unknown = await response.json().catch(() => ({}));
  if (response.ok) return answer as Answer;
  throw accountProblem({ code: undefined, ...(answer as { code?: string }), status: response.status });
}
